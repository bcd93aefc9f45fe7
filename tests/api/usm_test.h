// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_ext.h>

#include <memory>

#include "support/wait_list.h"

namespace test {

// The functions of cl_intel_unified_shared_memory, obtained by name.
struct UsmFunctions {
  explicit UsmFunctions(cl_platform_id platform) {
#define FIND(member, name) \
  member = reinterpret_cast<name##_fn>(clGetExtensionFunctionAddressForPlatform(platform, #name))
    FIND(host_alloc, clHostMemAllocINTEL);
    FIND(device_alloc, clDeviceMemAllocINTEL);
    FIND(shared_alloc, clSharedMemAllocINTEL);
    FIND(free, clMemFreeINTEL);
    FIND(blocking_free, clMemBlockingFreeINTEL);
    FIND(info, clGetMemAllocInfoINTEL);
    FIND(set_argument, clSetKernelArgMemPointerINTEL);
    FIND(fill, clEnqueueMemFillINTEL);
    FIND(copy, clEnqueueMemcpyINTEL);
    FIND(migrate, clEnqueueMigrateMemINTEL);
    FIND(advise, clEnqueueMemAdviseINTEL);
#undef FIND
  }
  clHostMemAllocINTEL_fn host_alloc;
  clDeviceMemAllocINTEL_fn device_alloc;
  clSharedMemAllocINTEL_fn shared_alloc;
  clMemFreeINTEL_fn free;
  clMemBlockingFreeINTEL_fn blocking_free;
  clGetMemAllocInfoINTEL_fn info;
  clSetKernelArgMemPointerINTEL_fn set_argument;
  clEnqueueMemFillINTEL_fn fill;
  clEnqueueMemcpyINTEL_fn copy;
  clEnqueueMigrateMemINTEL_fn migrate;
  clEnqueueMemAdviseINTEL_fn advise;
};

enum class Usm { host, device, shared };
constexpr Usm kAllKinds[] = {Usm::host, Usm::device, Usm::shared};

inline bool has_usm(cl_device_id device) {
  std::size_t size = 0;
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size);
  std::string names(size, '\0');
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, names.data(), nullptr);
  return names.find("cl_intel_unified_shared_memory") != std::string::npos;
}

// A USM allocation that the destructor frees, after all commands that use it.
class UsmMemory {
 public:
  UsmMemory() = default;
  UsmMemory(const UsmFunctions& functions, cl_context context, void* data)
      : functions_(&functions), context_(context), data_(data) {}
  UsmMemory(UsmMemory&& other) noexcept { swap(other); }
  UsmMemory& operator=(UsmMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~UsmMemory() {
    if (data_) CL_EXPECT(CL_SUCCESS, functions_->blocking_free(context_, data_));
  }
  char* get() const { return static_cast<char*>(data_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  void* release() { return std::exchange(data_, nullptr); }

 private:
  void swap(UsmMemory& other) noexcept {
    std::swap(functions_, other.functions_);
    std::swap(context_, other.context_);
    std::swap(data_, other.data_);
  }
  const UsmFunctions* functions_ = nullptr;
  cl_context context_ = nullptr;
  void* data_ = nullptr;
};

class UsmTest : public WaitListTest {
 protected:
  void SetUp() override {
    WaitListTest::SetUp();
    if (HasFatalFailure()) return;
    if (!has_usm(device)) GTEST_SKIP() << "no unified shared memory";
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
    usm = std::make_unique<UsmFunctions>(platform);
    ASSERT_NE(usm->advise, nullptr);
  }

  void* try_allocate(Usm kind, std::size_t size, const cl_mem_properties_intel* properties = nullptr,
                     cl_uint alignment = 0, cl_int* error = nullptr) const {
    switch (kind) {
      case Usm::host:
        return usm->host_alloc(context, properties, size, alignment, error);
      case Usm::device:
        return usm->device_alloc(context, device, properties, size, alignment, error);
      case Usm::shared:
        return usm->shared_alloc(context, device, properties, size, alignment, error);
    }
    return nullptr;
  }
  UsmMemory allocate(Usm kind, std::size_t size) const {
    cl_int error = 1;
    void* data = try_allocate(kind, size, nullptr, 0, &error);
    CL_EXPECT(CL_SUCCESS, error);
    EXPECT_NE(data, nullptr);
    return {*usm, context, data};
  }
  // Expects that the allocation fails with this error.
  void refuses(cl_int code, Usm kind, std::size_t size, const cl_mem_properties_intel* properties = nullptr,
               cl_uint alignment = 0) const {
    cl_int error = 1;
    EXPECT_EQ(nullptr, try_allocate(kind, size, properties, alignment, &error));
    CL_EXPECT(code, error);
    EXPECT_EQ(nullptr, try_allocate(kind, size, properties, alignment, nullptr));
  }
  // Valid and invalid parameters, common to all kinds of allocation.
  void check_allocation(Usm kind) const {
    for (cl_uint alignment = 0; alignment <= 64 << 10; alignment = alignment ? 2 * alignment : 1)
      for (const std::size_t size : {std::size_t{1}, random_engine()() % 5000 + 1, std::size_t{3} << 20}) {
        cl_int error = 1;
        const UsmMemory memory(*usm, context, try_allocate(kind, size, nullptr, alignment, &error));
        CL_EXPECT(CL_SUCCESS, error);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % (alignment ? alignment : 128), 0u);
      }
    for (const cl_uint alignment : {3u, 12u, 129u, 4097u, 1u << 17, 1u << 31, ~0u})
      refuses(CL_INVALID_VALUE, kind, 64, nullptr, alignment);
    refuses(CL_INVALID_BUFFER_SIZE, kind, 0);
    refuses(CL_INVALID_BUFFER_SIZE, kind, ~std::size_t{0});
    cl_ulong largest = 0;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, nullptr));
    refuses(CL_INVALID_BUFFER_SIZE, kind, largest + 1);
    const cl_mem_properties_intel unknown[] = {0x1234, 0, 0},
                                  twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0},
                                  unknown_flag[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 3, 0},
                                  two_places[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                  CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                                      CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
                                                  0};
    for (const auto* properties : {unknown, twice, unknown_flag, two_places})
      refuses(CL_INVALID_PROPERTY, kind, 64, properties);
    for (const cl_mem_alloc_flags_intel place :
         {CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL}) {
      const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL, place, 0};
      if (kind != Usm::shared) {
        refuses(CL_INVALID_PROPERTY, kind, 64, properties);
      } else {
        cl_int error = 1;
        const UsmMemory placed(*usm, context, try_allocate(kind, 5000, properties, 0, &error));
        CL_EXPECT(CL_SUCCESS, error);
      }
    }
    const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL,
                                                0},
                                  nothing[] = {0};
    for (const auto* properties : {combined, nothing}) {
      cl_int error = 1;
      const UsmMemory memory(*usm, context, try_allocate(kind, 64, properties, 0, &error));
      CL_EXPECT(CL_SUCCESS, error);
    }
  }

  template <class T>
  void write(const UsmMemory& memory, const std::vector<T>& values) const {
    CL_EXPECT(CL_SUCCESS, usm->copy(queue, CL_TRUE, memory.get(), values.data(), values.size() * sizeof(T), 0,
                                    nullptr, nullptr));
  }
  template <class T = std::uint8_t>
  std::vector<T> read(const UsmMemory& memory, std::size_t count) const {
    std::vector<T> values(count);
    CL_EXPECT(CL_SUCCESS,
              usm->copy(queue, CL_TRUE, values.data(), memory.get(), count * sizeof(T), 0, nullptr, nullptr));
    return values;
  }
  void launch(cl_kernel kernel, std::size_t items, cl_command_queue where = nullptr) const {
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(where ? where : queue.get(), kernel, 1, nullptr, &items,
                                                 nullptr, 0, nullptr, nullptr));
  }

  std::unique_ptr<UsmFunctions> usm;
};

// A kernel that runs until open() or the destructor.
class UsmGate {
 public:
  static constexpr const char* kSource =
      "kernel void hold(global atomic_int* opened) {\n"
      "  while (!atomic_load_explicit(opened, memory_order_acquire, memory_scope_all_svm_devices)); }\n";
  UsmGate(cl_kernel kernel, cl_command_queue queue, volatile cl_int* opened) : opened_(opened) {
    *opened_ = 0;
    const void* pointer = const_cast<cl_int*>(opened);
    CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, pointer));
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFlush(queue));
  }
  ~UsmGate() { open(); }
  void open() { __atomic_store_n(opened_, 1, __ATOMIC_RELEASE); }

 private:
  volatile cl_int* opened_;
};

}  // namespace test
