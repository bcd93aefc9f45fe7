// SPDX-License-Identifier: Apache-2.0
// Replaces nccl_exchange.cpp if NCCL's header is not installed.
#include <stdexcept>

#include "exchange.h"

namespace heat {

std::string nccl_exchange_problem(const Ranks&, const client::Session&) {
  return "this program was built without NCCL's header";
}

std::unique_ptr<Exchange> make_nccl_exchange(const Ranks& ranks, const client::Session& session,
                                             const Edges&) {
  throw std::runtime_error(nccl_exchange_problem(ranks, session));
}

}  // namespace heat
