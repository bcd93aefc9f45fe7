// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/memory/svm.h"
#include "runtime/queue/command.h"

namespace clcuda {

// clEnqueueSVMMap, clEnqueueSVMUnmap, clEnqueueSVMMigrateMem, clEnqueueMigrateMemINTEL. The memory has one address for host and devices, so
// these commands only order other commands, and prefetch pages to the host or device that uses them next, because page faults would be
// slow.
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
  CommandDetails details() const override {
    std::size_t bytes = 0;
    for (const Part& part : parts_) bytes += part.range.size();
    return moving(bytes);
  }
  void release_resources() noexcept override { parts_.clear(); }

  std::vector<Part> parts_;
  const bool to_host_;
};

}  // namespace clcuda
