// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/driver/device.h"
#include "ptx/driver/handle_table.h"

namespace clcuda::ptx::driver {

// A part of a device: so many threads of its own, which run what its streams are given. There is no function that destroys one.
class GreenContext final : public RefCounted {
 public:
  GreenContext(Ref<Context> context, int threads)
      : context_(std::move(context)), pool_(*new WorkerPool(threads)) {}

  Context& context() const { return *context_; }
  WorkerPool& pool() const { return pool_; }

 private:
  const Ref<Context> context_;
  WorkerPool& pool_;  // its threads never end
};

HandleTable<GreenContext>& green_context_handles();

}  // namespace clcuda::ptx::driver
