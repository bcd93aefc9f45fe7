// SPDX-License-Identifier: Apache-2.0
// Host memory for measuring transfers: pageable, and pinned by the implementation.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "support/client.h"

namespace bench {

// A mapped buffer that the implementation pins.
class PinnedMemory {
 public:
  PinnedMemory(const client::Session& session, size_t bytes)
      : queue_(session.queue()), buffer_(session.buffer(bytes, CL_MEM_ALLOC_HOST_PTR)) {
    cl_int error = CL_SUCCESS;
    pointer_ = clEnqueueMapBuffer(queue_, buffer_.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                  nullptr, nullptr, &error);
    client::check(error, "clEnqueueMapBuffer");
  }
  ~PinnedMemory() {
    clEnqueueUnmapMemObject(queue_, buffer_.get(), pointer_, 0, nullptr, nullptr);
    clFinish(queue_);
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* pointer() const { return pointer_; }

 private:
  cl_command_queue queue_;
  client::Buffer buffer_;
  void* pointer_;
};

// Memory of both kinds by size, allocated when first needed.
class HostMemory {
 public:
  explicit HostMemory(const client::Session& session) : session_(session) {}
  void* of(size_t bytes, bool pinned) {
    if (pinned) {
      std::unique_ptr<PinnedMemory>& memory = pinned_[bytes];
      if (!memory) memory = std::make_unique<PinnedMemory>(session_, bytes);
      return memory->pointer();
    }
    std::vector<char>& memory = pageable_[bytes];
    memory.resize(bytes, 1);
    return memory.data();
  }

 private:
  const client::Session& session_;
  std::map<size_t, std::unique_ptr<PinnedMemory>> pinned_;
  std::map<size_t, std::vector<char>> pageable_;
};

}  // namespace bench
