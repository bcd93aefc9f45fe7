// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ref.h"
#include "ptx/driver/context.h"
#include "ptx/driver/handle_table.h"
#include "ptx/driver/worker_pool.h"

namespace clcuda::ptx::driver {

// A CUDA green context: threads of its own, which execute the work of its streams. Never destroyed, as the table has no function for that.
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
