// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ref.h"
#include "ptx/driver/context.h"
#include "ptx/driver/handle_table.h"
#include "ptx/driver/worker_pool.h"

namespace clcuda::ptx::driver {

// A part of a device: so many threads of its own, which run what its streams are given. There is no function
// that destroys one.
class GreenContext final : public RefCounted {
 public:
  static constexpr HandleType kHandleType = HandleType::green_context;
  GreenContext(Ref<Context> context, int threads)
      : context_(std::move(context)), pool_(*new WorkerPool(threads)) {}

  Context& context() const { return *context_; }
  WorkerPool& pool() const { return pool_; }

 private:
  const Ref<Context> context_;
  WorkerPool& pool_;  // its threads never end
};

}  // namespace clcuda::ptx::driver
