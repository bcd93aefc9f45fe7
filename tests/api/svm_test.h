// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/wait_list.h"

namespace test {

// An SVM allocation that the destructor frees; commands that use it must have ended by then.
class Svm {
 public:
  Svm() = default;
  Svm(cl_context context, cl_svm_mem_flags flags, std::size_t size, cl_uint alignment = 0)
      : context_(context), data_(clSVMAlloc(context, flags, size, alignment)) {}
  Svm(Svm&& other) noexcept : context_(other.context_), data_(std::exchange(other.data_, nullptr)) {}
  Svm& operator=(Svm&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Svm() {
    if (data_) clSVMFree(context_, data_);
  }
  void* get() const { return data_; }
  void* release() { return std::exchange(data_, nullptr); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  cl_context context_ = nullptr;
  void* data_ = nullptr;
};

class SvmTest : public WaitListTest {
 protected:
  void SetUp() override {
    WaitListTest::SetUp();
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof capabilities, &capabilities, nullptr));
    if (!(capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) GTEST_SKIP() << "no shared virtual memory";
  }
  bool has(cl_device_svm_capabilities wanted) const { return (capabilities & wanted) == wanted; }

  Svm allocate(std::size_t size, cl_svm_mem_flags flags = 0) const {
    Svm made(context, flags, size);
    EXPECT_NE(made.get(), nullptr);
    return made;
  }
  // Writes or reads the memory on the host, between a map and an unmap.
  template <class T>
  void write(const Svm& memory, const std::vector<T>& values) const {
    const std::size_t size = values.size() * sizeof(T);
    CL_EXPECT(CL_SUCCESS, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, memory.get(), size,
                                          0, nullptr, nullptr));
    std::copy(values.begin(), values.end(), memory.as<T>());
    CL_EXPECT(CL_SUCCESS, clEnqueueSVMUnmap(queue, memory.get(), 0, nullptr, nullptr));
  }
  template <class T>
  std::vector<T> read(const Svm& memory, std::size_t count) const {
    CL_EXPECT(CL_SUCCESS, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory.get(), count * sizeof(T), 0,
                                          nullptr, nullptr));
    std::vector<T> values(memory.as<T>(), memory.as<T>() + count);
    CL_EXPECT(CL_SUCCESS, clEnqueueSVMUnmap(queue, memory.get(), 0, nullptr, nullptr));
    return values;
  }
  void launch(cl_kernel kernel, std::size_t items) const {
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }

  cl_device_svm_capabilities capabilities = 0;
};

}  // namespace test
