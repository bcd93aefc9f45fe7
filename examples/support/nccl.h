// SPDX-License-Identifier: Apache-2.0
// NCCL's functions, from libnccl.so.2 as found by the loader or the build. A program that can use NCCL also starts without it.
//
//   const std::string problem = client::Nccl::problem();      // empty if it can be used
//   const client::Nccl& nccl = client::Nccl::get();
//   client::check(nccl.AllReduce(…), "ncclAllReduce");
#pragma once

#include <nccl.h>

#include <string>

namespace client {

void check(ncclResult_t result, const char* call);

struct Nccl {
  // The reason why NCCL cannot be used; empty if it can.
  static std::string problem();
  // Throws std::runtime_error if there is none.
  static const Nccl& get();

  decltype(&ncclGetErrorString) GetErrorString = nullptr;
  decltype(&ncclGetVersion) GetVersion = nullptr;
  decltype(&ncclGetUniqueId) GetUniqueId = nullptr;
  decltype(&ncclCommInitRank) CommInitRank = nullptr;
  decltype(&ncclCommInitAll) CommInitAll = nullptr;
  decltype(&ncclCommDestroy) CommDestroy = nullptr;
  decltype(&ncclGroupStart) GroupStart = nullptr;
  decltype(&ncclGroupEnd) GroupEnd = nullptr;
  decltype(&ncclSend) Send = nullptr;
  decltype(&ncclRecv) Recv = nullptr;
  decltype(&ncclAllReduce) AllReduce = nullptr;

  // The library's version, such as 2.28.3.
  std::string version() const;
};

}  // namespace client
