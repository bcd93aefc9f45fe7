// SPDX-License-Identifier: Apache-2.0
// cuMemHostRegister: application memory that becomes page-locked. Error codes are those of NVIDIA's driver 580 on an H100.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "driver_test.h"

namespace clcuda::test {
namespace {

const auto kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

// Pages that the test has allocated with mmap.
class RegisteredMemory : public DriverTest {
 protected:
  static constexpr std::size_t kPages = 32;

  void SetUp() override {
    DriverTest::SetUp();
    pages_ = map(PROT_READ | PROT_WRITE);
  }
  void TearDown() override {
    DriverTest::TearDown();
    munmap(pages_, kPages * kPage);
  }
  static std::uint8_t* map(int protection) {
    void* made = mmap(nullptr, kPages * kPage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(made, MAP_FAILED);
    return static_cast<std::uint8_t*>(made);
  }
  std::uint8_t* page(std::size_t number) const { return pages_ + number * kPage; }
  CUresult add(void* begin, std::size_t size, unsigned flags = CU_MEMHOSTREGISTER_PORTABLE) const {
    return cu.cuMemHostRegister(begin, size, flags);
  }
  static CUdeviceptr address(void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
  // CU_MEMORYTYPE_HOST, or the negated error code.
  int type_at(void* pointer) const {
    unsigned type = 0;
    const CUresult result =
        cu.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pointer));
    return result ? -static_cast<int>(result) : static_cast<int>(type);
  }

 private:
  std::uint8_t* pages_ = nullptr;
};

TEST_F(RegisteredMemory, BadArguments) {
  EXPECT_EQ(add(nullptr, kPage), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(0), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(0), ~std::size_t{0}), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(0), kPage, 0x40), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(0), kPage, CU_MEMHOSTREGISTER_IOMEMORY), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cu.cuMemHostUnregister(nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemHostUnregister(page(0)), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(RegisteredMemory, MemoryThatTheProgramMayNotWrite) {
  EXPECT_EQ(munmap(page(8), 8 * kPage), 0);
  EXPECT_EQ(add(page(8), kPage), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(4), 8 * kPage), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(12), 8 * kPage), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(0), 8 * kPage), CUDA_SUCCESS);
  for (const int protection : {PROT_NONE, PROT_READ}) {
    std::uint8_t* other = map(protection);
    EXPECT_EQ(add(other, kPage), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(add(other, kPage, CU_MEMHOSTREGISTER_READ_ONLY),
              protection == PROT_READ ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
    munmap(other, kPages * kPage);
  }
}

TEST_F(RegisteredMemory, MemoryOfTheDriversOwn) {
  void* pinned = pinned_memory(kPage);
  EXPECT_EQ(add(pinned, kPage), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(reinterpret_cast<void*>(device_memory(kPage)), kPage), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemHostUnregister(pinned), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_F(RegisteredMemory, APageBelongsToOneRegistration) {
  ASSERT_EQ(add(page(4), 4 * kPage), CUDA_SUCCESS);
  EXPECT_EQ(add(page(4), 4 * kPage), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(add(page(2), 3 * kPage), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(add(page(6), 4 * kPage), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(add(page(5) + 10, 10), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(add(page(0), kPages * kPage), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  EXPECT_EQ(add(page(8), 4 * kPage), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemHostUnregister(page(5)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuMemHostUnregister(page(4)), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemHostUnregister(page(4)), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  EXPECT_EQ(add(page(4), kPage), CUDA_SUCCESS);
}

// The registered bytes are known to the driver, other bytes of the page are not.
TEST_F(RegisteredMemory, Attributes) {
  std::uint8_t* begin = page(4) + 100;
  ASSERT_EQ(add(begin, 5000), CUDA_SUCCESS);
  EXPECT_EQ(type_at(begin - 1), -CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(type_at(begin), CU_MEMORYTYPE_HOST);
  EXPECT_EQ(type_at(begin + 4999), CU_MEMORYTYPE_HOST);
  EXPECT_EQ(type_at(begin + 5000), -CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(page(5) + 2000, 100), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  CUdeviceptr start = 0, device = 0;
  std::size_t size = 0;
  EXPECT_EQ(cu.cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address(begin + 17)),
            CUDA_SUCCESS);
  EXPECT_EQ(start, address(begin));
  EXPECT_EQ(cu.cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address(begin + 17)),
            CUDA_SUCCESS);
  EXPECT_EQ(size, 5000u);
  EXPECT_EQ(cu.cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address(begin + 17)),
            CUDA_SUCCESS);
  EXPECT_EQ(device, address(begin + 17));
}

// Used in stream order, as host and as device memory.
TEST_F(RegisteredMemory, CopiesAndFills) {
  const std::size_t kSize = 4 * kPage;
  ASSERT_EQ(add(page(0), kSize), CUDA_SUCCESS);
  const CUstream s = stream();
  const CUdeviceptr memory = device_memory(kSize);
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyHtoDAsync(memory, page(0), kSize, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemsetD8Async(address(page(0)), 9, kPage, s), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoHAsync(page(1), memory, kPage, s), CUDA_SUCCESS);
  const auto bytes = random_bytes(kPage);
  ASSERT_EQ(cu.cuMemcpyHtoDAsync(address(page(2)), bytes.data(), kPage, s), CUDA_SUCCESS);
  std::memset(page(0), 2, kSize);
  gate.open();
  ASSERT_EQ(cu.cuStreamSynchronize(s), CUDA_SUCCESS);
  EXPECT_EQ(read(memory, kSize), std::vector<std::uint8_t>(kSize, 2));
  EXPECT_EQ(std::vector<std::uint8_t>(page(0), page(1)), std::vector<std::uint8_t>(kPage, 9));
  EXPECT_EQ(std::vector<std::uint8_t>(page(1), page(2)), std::vector<std::uint8_t>(kPage, 2));
  EXPECT_EQ(std::vector<std::uint8_t>(page(2), page(3)), bytes);
}

// A copy or fill must lie within one registration.
TEST_F(RegisteredMemory, CopiesAcrossTheEndOfARegistration) {
  ASSERT_EQ(add(page(0), 4 * kPage), CUDA_SUCCESS);
  ASSERT_EQ(add(page(4), 4 * kPage), CUDA_SUCCESS);
  const CUdeviceptr memory = device_memory(2 * kPage);
  for (std::uint8_t* crossing : {page(3), page(7), page(4) - 8}) {
    const std::size_t size = crossing == page(4) - 8 ? 16 : 2 * kPage;
    const CUdeviceptr there = address(crossing);
    EXPECT_EQ(cu.cuMemcpyHtoDAsync(memory, crossing, size, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.cuMemcpyDtoHAsync(crossing, memory, size, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.cuMemcpyDtoDAsync(there, memory, size, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.cuMemcpyDtoDAsync(memory, there, size, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.cuMemcpyHtoDAsync(there, page(20), size, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.cuMemsetD8Async(there, 1, size, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cu.cuMemsetD32Async(there, 1, size / 4, nullptr), CUDA_ERROR_INVALID_VALUE);
    CUDA_MEMCPY3D box{};
    box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = memory;
    box.srcPitch = box.dstPitch = size / 2;
    box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    box.dstDevice = there;
    box.WidthInBytes = size / 2;
    box.Height = 2;
    box.Depth = 1;
    EXPECT_EQ(cu.cuMemcpy3DAsync(&box, nullptr), CUDA_ERROR_INVALID_VALUE);
  }
}

TEST_F(RegisteredMemory, UnregisteringWaitsForTheContext) {
  ASSERT_EQ(add(page(0), kPage), CUDA_SUCCESS);
  const CUstream s = stream();
  std::atomic<bool> done = false;
  Gate gate;
  ASSERT_EQ(cu.cuLaunchHostFunc(s, Gate::function, gate.argument()), CUDA_SUCCESS);
  std::thread thread([&] {
    EXPECT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
    EXPECT_EQ(cu.cuMemHostUnregister(page(0)), CUDA_SUCCESS);
    done = true;
  });
  gate.wait_until_entered();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(done);
  gate.open();
  thread.join();
}

TEST_F(RegisteredMemory, GoesWithItsContext) {
  ASSERT_EQ(add(page(0), kPage), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuDevicePrimaryCtxRetain(&contexts[0], 0), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuCtxSetCurrent(contexts[0]), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuMemHostUnregister(page(0)), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

}  // namespace
}  // namespace clcuda::test
