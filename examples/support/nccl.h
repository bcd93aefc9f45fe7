// SPDX-License-Identifier: Apache-2.0
// NCCL's functions, from libnccl.so.2 where the loader or the build found one: a program that may use NCCL starts without it, too.
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
  // Why there is no NCCL; empty if there is one.
  static std::string problem();
  // Throws std::runtime_error if there is none.
  static const Nccl& get();

#define CLCUDA_NCCL_FUNCTIONS(FUNCTION)                                                             \
  FUNCTION(GetErrorString)                                                                          \
  FUNCTION(GetVersion) FUNCTION(GetUniqueId) FUNCTION(CommInitRank) FUNCTION(CommInitAll)           \
  FUNCTION(CommDestroy) FUNCTION(GroupStart) FUNCTION(GroupEnd) FUNCTION(Send) FUNCTION(Recv)       \
  FUNCTION(AllReduce)
#define CLCUDA_NCCL_FUNCTION(name) decltype(&nccl##name) name = nullptr;
  CLCUDA_NCCL_FUNCTIONS(CLCUDA_NCCL_FUNCTION)
#undef CLCUDA_NCCL_FUNCTION

  // The library's version, such as 2.28.3.
  std::string version() const;
};

}  // namespace client
