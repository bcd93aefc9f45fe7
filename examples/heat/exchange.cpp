// SPDX-License-Identifier: Apache-2.0
#include "exchange.h"

#include <stdexcept>

namespace heat {
namespace {

// Throws on all ranks if the method does not work on all of them; one rank where it does not reports why.
void require(const Ranks& ranks, std::string_view method, const std::string& problem) {
  if (!problem.empty()) throw std::runtime_error(std::string(method) + ": " + problem);
  if (!ranks.everywhere(problem.empty()))
    throw std::runtime_error(std::string(method) + ": not on all ranks");
}

}  // namespace

std::string working_method(std::string_view method, const Ranks& ranks, const client::Session& session) {
  const std::string no_device = device_exchange_problem(session);
  const std::string no_nccl =
      method == "auto" || method == "nccl" ? nccl_exchange_problem(ranks, session) : "";
  if (method == "auto") {
    // Other devices use host memory, and exchange it faster without synchronizing streams.
    const bool gpu = session.is_gpu();
    if (ranks.everywhere(gpu && no_device.empty())) return "device";
    if (ranks.everywhere(gpu && no_nccl.empty() && ranks.count() > 1)) return "nccl";
    return "host";
  }
  if (method == "device")
    require(ranks, method, no_device);
  else if (method == "nccl")
    require(ranks, method, no_nccl);
  else if (method != "host")
    throw std::runtime_error("there is no method " + std::string(method));
  return std::string(method);
}

std::unique_ptr<Exchange> make_exchange(std::string_view method, const Ranks& ranks,
                                        const client::Session& session, const Edges& edges) {
  if (method == "device") return make_device_exchange(ranks, session, edges);
  if (method == "nccl") return make_nccl_exchange(ranks, session, edges);
  return make_host_exchange(ranks, session, edges);
}

client::Queue transfer_queue(const client::Session& session) {
  cl_int error = CL_SUCCESS;
  client::Queue queue(clCreateCommandQueue(session.context(), session.device(), 0, &error));
  client::check(error, "clCreateCommandQueue");
  return queue;
}

}  // namespace heat
