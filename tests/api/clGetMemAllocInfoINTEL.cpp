// SPDX-License-Identifier: Apache-2.0
#include "usm_test.h"

namespace {

class MemAllocInfo : public test::UsmTest {
 protected:
  template <class T>
  T info(const void* at, cl_mem_info_intel name) const {
    T value{};
    std::size_t size = 0;
    CL_EXPECT(CL_SUCCESS, usm->info(context, at, name, sizeof value, &value, &size));
    EXPECT_EQ(size, sizeof value);
    return value;
  }
  void describes(const void* at, cl_uint type, void* base, std::size_t size, cl_device_id on,
                 cl_mem_alloc_flags_intel flags) const {
    EXPECT_EQ(info<cl_uint>(at, CL_MEM_ALLOC_TYPE_INTEL), type);
    EXPECT_EQ(info<void*>(at, CL_MEM_ALLOC_BASE_PTR_INTEL), base);
    EXPECT_EQ(info<std::size_t>(at, CL_MEM_ALLOC_SIZE_INTEL), size);
    EXPECT_EQ(info<cl_device_id>(at, CL_MEM_ALLOC_DEVICE_INTEL), on);
    EXPECT_EQ(info<cl_mem_alloc_flags_intel>(at, CL_MEM_ALLOC_FLAGS_INTEL), flags);
  }
};

TEST_F(MemAllocInfo, OfAnyByteOfAnAllocation) {
  const std::size_t size = 1 + test::random_engine()() % 100'000;
  const auto check = [&](void* data, cl_uint type, cl_device_id on, cl_mem_alloc_flags_intel flags) {
    const test::UsmMemory memory(*usm, context, data);
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1})
      describes(memory.get() + at, type, data, size, on, flags);
  };
  const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0},
                                placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
  check(usm->host_alloc(context, nullptr, size, 0, nullptr), CL_MEM_TYPE_HOST_INTEL, nullptr, 0);
  check(usm->host_alloc(context, combined, size, 0, nullptr), CL_MEM_TYPE_HOST_INTEL, nullptr,
        CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
  check(usm->device_alloc(context, device, nullptr, size, 0, nullptr), CL_MEM_TYPE_DEVICE_INTEL, device, 0);
  check(usm->shared_alloc(context, device, placed, size, 0, nullptr), CL_MEM_TYPE_SHARED_INTEL, device,
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL);
  check(usm->shared_alloc(context, nullptr, nullptr, size, 0, nullptr), CL_MEM_TYPE_SHARED_INTEL, nullptr, 0);
}

TEST_F(MemAllocInfo, OfAnythingElse) {
  int on_stack = 0;
  void* const svm = clSVMAlloc(context, 0, 64, 0);
  void* const freed = allocate(test::Usm::device, 64).release();
  CL_OK(usm->free(context, freed));
  const test::UsmMemory memory = allocate(test::Usm::host, 64);
  for (const void* at : {static_cast<const void*>(nullptr), static_cast<const void*>(&on_stack),
                         static_cast<const void*>(svm), static_cast<const void*>(freed),
                         static_cast<const void*>(memory.get() + 64), reinterpret_cast<const void*>(~0ul)})
    describes(at, CL_MEM_TYPE_UNKNOWN_INTEL, nullptr, 0, nullptr, 0);
  clSVMFree(context, svm);
}

TEST_F(MemAllocInfo, Errors) {
  const test::UsmMemory memory = allocate(test::Usm::host, 64);
  std::size_t size = 0;
  cl_uint type = 0;
  CL_EXPECT(CL_INVALID_CONTEXT,
            usm->info(nullptr, memory.get(), CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, &size));
  CL_EXPECT(CL_INVALID_VALUE, usm->info(context, memory.get(), 0x1234, sizeof type, &type, &size));
  CL_EXPECT(CL_INVALID_VALUE,
            usm->info(context, memory.get(), CL_MEM_ALLOC_TYPE_INTEL, sizeof type - 1, &type, &size));
  CL_EXPECT(CL_INVALID_VALUE, usm->info(context, memory.get(), CL_MEM_ALLOC_SIZE_INTEL, 4, &size, nullptr));
  CL_EXPECT(CL_SUCCESS, usm->info(context, memory.get(), CL_MEM_ALLOC_SIZE_INTEL, 0, nullptr, &size));
  EXPECT_EQ(size, sizeof(std::size_t));
  CL_EXPECT(CL_SUCCESS, usm->info(context, memory.get(), CL_MEM_ALLOC_SIZE_INTEL, 0, nullptr, nullptr));
}

}  // namespace
