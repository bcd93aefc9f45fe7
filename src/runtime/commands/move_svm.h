// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/memory/svm.h"
#include "runtime/queue/command.h"

namespace clcuda {

// Maps, unmaps and migrations of shared virtual memory. The memory is in its place already, so these order,
// and move bytes to where they are used next, because a page at a time would be slow.
class MoveSvm final : public Command {
 public:
  struct Part {
    Ref<SvmAllocation> allocation;
    ByteRange range;
  };
  MoveSvm(CommandQueue& queue, cl_command_type type, std::vector<Part> parts, bool to_host)
      : Command(queue, type), parts_(std::move(parts)), to_host_(to_host) {}

 private:
  void emit(cuda::Stream& stream) override {
    for (const Part& part : parts_)
      stream.prefetch(reinterpret_cast<CUdeviceptr>(part.allocation->data()) + part.range.begin,
                      part.range.size(), to_host_);
  }
  void release_resources() noexcept override { parts_.clear(); }

  std::vector<Part> parts_;
  const bool to_host_;
};

}  // namespace clcuda
