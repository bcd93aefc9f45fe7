// SPDX-License-Identifier: Apache-2.0
// The messages of an exchange of edges by NCCL, between arrays of device memory. Each rank makes its GPU the current one first.
#pragma once

#include "ranks.h"
#include "support/nccl.h"

namespace heat {

class NcclMessages {
 public:
  // The arrays have the cells of all sides.
  NcclMessages(const Ranks& ranks, const float* outgoing, float* incoming);
  ~NcclMessages();
  NcclMessages(const NcclMessages&) = delete;
  NcclMessages& operator=(const NcclMessages&) = delete;

  // Enqueues all messages in the stream.
  void exchange(CUstream_st* stream) const;

 private:
  const client::Nccl& nccl_;
  const Ranks& ranks_;
  const float* outgoing_;
  float* incoming_;
  ncclComm_t communicator_ = nullptr;
};

}  // namespace heat
