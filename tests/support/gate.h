// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "opencl.h"

namespace test {

// A kernel that runs until open() or the destructor.
class Gate {
 public:
  static constexpr const char* kSource =
      "kernel void hold(global atomic_int* opened) {\n"
      "  while (!atomic_load_explicit(opened, memory_order_relaxed, memory_scope_all_svm_devices));\n"
      "}\n";

  Gate(cl_context context, cl_kernel kernel, cl_command_queue queue)
      : context_(context),
        queue_(queue),
        opened_(static_cast<std::atomic<cl_int>*>(
            clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0))) {
    if (!opened_) return;
    opened_->store(0);
    const size_t one = 1;
    CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, opened_));
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFlush(queue));
  }
  ~Gate() {
    if (!opened_) return;
    open();
    clFinish(queue_);
    clSVMFree(context_, opened_);
  }
  explicit operator bool() const { return opened_ != nullptr; }
  void open() { opened_->store(1); }

 private:
  cl_context context_;
  cl_command_queue queue_;
  std::atomic<cl_int>* opened_;
};

}  // namespace test
