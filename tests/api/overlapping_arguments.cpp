// SPDX-License-Identifier: Apache-2.0
// Kernels whose arguments, without restrict, refer to the same bytes: a work-item reads through one pointer what it wrote through the
// other. Tested for each way in which two arguments can share memory; the same kernel is also launched with distinct memory, before and
// after.
#include <algorithm>
#include <cstdint>
#include <functional>

#include "support/device_info.h"
#include "support/opencl.h"
#include "svm_test.h"
#include "usm_test.h"

namespace {

constexpr std::size_t kWords = 5000;
constexpr cl_uint kCount = 700, kLoads = 4;

// The second kernel writes through a pointer to const, the third loads one of its pointers from memory.
constexpr char kSource[] =
    "kernel void chain(global uint* to, global const uint* from, uint count) {\n"
    "  for (uint i = 0; i < count; ++i) to[i] = from[i] * 3 + from[0] + from[1] * from[2];\n"
    "}\n"
    "kernel void chain_by_const(global const uint* to, global const uint* from, uint count) {\n"
    "  for (uint i = 0; i < count; ++i) ((global uint*)to)[i] = from[i] * 3 + from[0] + from[1] * from[2];\n"
    "}\n"
    "void add(global uint* to, uint value) { *to += value; }\n"
    "kernel void found(global uint* to, global uint* list, uint count) {\n"
    "  global uint* from = *(global uint* global*)list;\n"
    "  for (uint i = 0; i < count; ++i) { to[i] = from[i] * 3 + from[0] + from[1] * from[2]; add(from + i, "
    "0); }\n"
    "}\n"
    "kernel void add_first(global uint* first, global uint* last, uint count) {\n"
    "  for (uint i = 0; i < count; ++i) first[i] += last[-(long)count];\n"
    "}\n";

// The result of one work-item of `chain`.
void chain(std::vector<cl_uint>& to, std::size_t at, const std::vector<cl_uint>& from, std::size_t begin) {
  for (std::size_t i = 0; i < kCount; ++i)
    to[at + i] = from[begin + i] * 3 + from[begin] + from[begin + 1] * from[begin + 2];
}

class OverlappingArguments : public test::UsmTest {
 protected:
  using Set = std::function<void(cl_uint index, std::size_t word)>;

  void SetUp() override {
    UsmTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    program = build(kSource, "-cl-std=CL2.0");
    kernel = make_kernel(program, "chain");
    set_argument(kernel, 2, kCount);
  }
  void run() const { launch(kernel, 1); }
  // A launch with distinct buffers.
  void expect_apart() const {
    const auto from = test::random_values<cl_uint>(kWords);
    auto to = test::random_values<cl_uint>(kWords);
    const test::Buffer source = make_buffer(from), target = make_buffer(to);
    set_argument(kernel, 0, target);
    set_argument(kernel, 1, source);
    run();
    chain(to, 0, from, 0);
    EXPECT_EQ(contents<cl_uint>(target, kWords), to);
  }
  // Launches with arguments at these two places in memory that contains `words`.
  void expect(std::vector<cl_uint> words, std::pair<std::size_t, std::size_t> places, const Set& set,
              const std::function<std::vector<cl_uint>()>& read) const {
    const auto [to, from] = places;
    set(0, to);
    set(1, from);
    run();
    chain(words, to, words, from);
    EXPECT_EQ(read(), words) << "words " << to << " and " << from;
  }
  void expect_on_one_buffer() const {
    const auto words = test::random_values<cl_uint>(kWords);
    const test::Buffer buffer = make_buffer(words);
    expect(
        words, {0, 0}, [&](cl_uint index, std::size_t) { set_argument(kernel, index, buffer); },
        [&] { return contents<cl_uint>(buffer, kWords); });
  }
  // Aligned as the usual code variant requires. The second place is within the words that the kernel writes from the first on.
  static std::pair<std::size_t, std::size_t> random_words() {
    const std::size_t first = test::random_engine()() % kCount / 4 * 4;
    return {first, first + test::random_engine()() % 16 * 4};
  }

  test::Program program;
  test::Kernel kernel;
};

TEST_F(OverlappingArguments, SameBuffer) {
  for (int turn = 0; turn < 3; ++turn) {
    expect_on_one_buffer();
    expect_apart();
  }
}

TEST_F(OverlappingArguments, ConstPointersThatAreWritten) {
  kernel = make_kernel(program, "chain_by_const");
  set_argument(kernel, 2, kCount);
  expect_on_one_buffer();
  expect_apart();
}

TEST_F(OverlappingArguments, SubBuffers) {
  cl_uint bits = 0;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, nullptr));
  const std::size_t step = bits / 32;
  const auto words = test::random_values<cl_uint>(kWords);
  for (const auto& [to, from] :
       {std::pair<std::size_t, std::size_t>{0, step}, {step, 0}, {step, step}, {0, 0}}) {
    const test::Buffer buffer = make_buffer(words);
    std::vector<test::Buffer> parts;
    const Set set = [&](cl_uint index, std::size_t word) {
      const cl_buffer_region region{word * sizeof(cl_uint), (kCount + kLoads) * sizeof(cl_uint)};
      cl_int error = CL_SUCCESS;
      parts.emplace_back(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
      CL_EXPECT(CL_SUCCESS, error);
      set_argument(kernel, index, parts.back());
    };
    expect(words, {to, from}, set, [&] { return contents<cl_uint>(buffer, kWords); });
    // A sub-buffer and its buffer.
    const test::Buffer other = make_buffer(words);
    set_argument(kernel, 0, other);
    const cl_buffer_region region{step * sizeof(cl_uint), (kCount + kLoads) * sizeof(cl_uint)};
    const test::Buffer part = clCreateSubBuffer(other, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
    set_argument(kernel, 1, part);
    run();
    auto expected = words;
    chain(expected, 0, expected, step);
    EXPECT_EQ(contents<cl_uint>(other, kWords), expected);
    expect_apart();
  }
}

TEST_F(OverlappingArguments, PointersToSharedVirtualMemory) {
  const test::Svm memory(context, 0, kWords * sizeof(cl_uint));
  ASSERT_NE(memory.get(), nullptr);
  const auto copy = [&](void* to, const void* from) {
    CL_EXPECT(CL_SUCCESS,
              clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, kWords * sizeof(cl_uint), 0, nullptr, nullptr));
  };
  for (int turn = 0; turn < 4; ++turn) {
    const auto words = test::random_values<cl_uint>(kWords);
    copy(memory.get(), words.data());
    expect(
        words, random_words(),
        [&](cl_uint index, std::size_t word) {
          CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, index, memory.as<cl_uint>() + word));
        },
        [&] {
          std::vector<cl_uint> read(kWords);
          copy(read.data(), memory.get());
          return read;
        });
    expect_apart();
  }
}

TEST_F(OverlappingArguments, BufferOfSharedVirtualMemoryAndPointer) {
  const test::Svm memory(context, 0, kWords * sizeof(cl_uint));
  ASSERT_NE(memory.get(), nullptr);
  const auto words = test::random_values<cl_uint>(kWords);
  CL_OK(clEnqueueSVMMemcpy(queue, CL_TRUE, memory.get(), words.data(), kWords * sizeof(cl_uint), 0, nullptr,
                           nullptr));
  const test::Buffer buffer = make_buffer(kWords * sizeof(cl_uint), CL_MEM_USE_HOST_PTR, memory.get());
  const Set set = [&](cl_uint index, std::size_t) {
    if (index == 0) return set_argument(kernel, 0, buffer);
    CL_EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 1, memory.get()));
  };
  expect(words, {0, 0}, set, [&] { return contents<cl_uint>(buffer, kWords); });
}

TEST_F(OverlappingArguments, PointersToUnifiedSharedMemory) {
  for (const test::Usm kind : test::kAllKinds) {
    const test::UsmMemory memory = allocate(kind, kWords * sizeof(cl_uint)),
                          other = allocate(kind, kWords * sizeof(cl_uint));
    const auto words = test::random_values<cl_uint>(kWords);
    write(memory, words);
    const auto set = [&](cl_uint index, const test::UsmMemory& of, std::size_t word) {
      CL_EXPECT(CL_SUCCESS, usm->set_argument(kernel, index, of.as<cl_uint>() + word));
    };
    expect(
        words, random_words(), [&](cl_uint index, std::size_t word) { set(index, memory, word); },
        [&] { return read<cl_uint>(memory, kWords); });
    // Distinct memory.
    write(memory, words);
    write(other, words);
    set(0, other, 0);
    set(1, memory, 0);
    run();
    auto expected = words;
    chain(expected, 0, words, 0);
    EXPECT_EQ(read<cl_uint>(other, kWords), expected);
  }
}

TEST_F(OverlappingArguments, BufferAndItsAddress) {
  using SetPointer = cl_int(CL_API_CALL*)(cl_kernel, cl_uint, cl_ulong);
  constexpr cl_mem_properties kPrivateAddress = 0x5000;
  constexpr cl_mem_info kDeviceAddress = 0x5001;
  cl_platform_id platform = nullptr;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  const auto set_pointer = reinterpret_cast<SetPointer>(
      clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT"));
  if (!set_pointer) GTEST_SKIP() << "no addresses of buffers";
  auto words = test::random_values<cl_uint>(kWords);
  const cl_mem_properties properties[] = {kPrivateAddress, CL_TRUE, 0};
  for (const bool both : {false, true}) {
    const test::Buffer buffer = clCreateBufferWithProperties(context, properties, CL_MEM_COPY_HOST_PTR,
                                                             kWords * sizeof(cl_uint), words.data(), nullptr);
    cl_ulong address = 0;
    CL_OK(clGetMemObjectInfo(buffer, kDeviceAddress, sizeof address, &address, nullptr));
    const Set set = [&](cl_uint index, std::size_t word) {
      if (index == 0 && !both) return set_argument(kernel, 0, buffer);
      CL_EXPECT(CL_SUCCESS, set_pointer(kernel, index, address + word * sizeof(cl_uint)));
    };
    auto places = random_words();
    if (!both) places = {0, 4};
    expect(words, places, set, [&] { return contents<cl_uint>(buffer, kWords); });
  }
}

// Ranges by two pointers, the second of which is behind the last word: where other memory begins, or where there was other memory when the
// argument was set.
class EndsOfMemory : public OverlappingArguments {
 protected:
  void SetUp() override {
    OverlappingArguments::SetUp();
    if (!HasFatalFailure() && !IsSkipped()) kernel = make_kernel(program, "add_first");
  }
  // Runs the kernel, whose second argument is set, on the words from `memory` on.
  void expect_sums(char* memory, cl_uint count) const {
    auto words = test::random_values<cl_uint>(count);
    const std::size_t bytes = count * sizeof(cl_uint);
    CL_OK(usm->copy(queue, CL_TRUE, memory, words.data(), bytes, 0, nullptr, nullptr));
    CL_OK(usm->set_argument(kernel, 0, memory));
    set_argument(kernel, 2, count);
    run();
    for (cl_uint& word : words) word += words.front();
    std::vector<cl_uint> read(count);
    CL_OK(usm->copy(queue, CL_TRUE, read.data(), memory, bytes, 0, nullptr, nullptr));
    EXPECT_EQ(read, words);
  }
};

TEST_F(EndsOfMemory, WhereOtherMemoryBegins) {
  int pairs = 0;
  for (const test::Usm kind : test::kAllKinds) {
    for (const std::size_t size : {4096, 65536}) {
      std::vector<test::UsmMemory> all;
      for (int i = 0; i < 32; ++i) all.push_back(allocate(kind, size));
      for (const test::UsmMemory& memory : all) {
        const auto next = [&](const test::UsmMemory& other) { return other.get() == memory.get() + size; };
        if (std::ranges::none_of(all, next)) continue;
        ++pairs;
        CL_OK(usm->set_argument(kernel, 1, memory.get() + size));
        expect_sums(memory.get(), static_cast<cl_uint>(size / sizeof(cl_uint)));
      }
    }
  }
  if (pairs == 0) GTEST_SKIP() << "no allocations are neighbours";
}

TEST_F(EndsOfMemory, OfMemoryThatWasFreed) {
  constexpr cl_uint kAlignment = 65536, kHere = 512;
  int pairs = 0;
  for (const test::Usm kind : test::kAllKinds) {
    for (const std::size_t size : {4096, 65536, 1 << 20}) {
      char* const freed = static_cast<char*>(try_allocate(kind, size, nullptr, kAlignment));
      ASSERT_NE(freed, nullptr);
      CL_OK(usm->set_argument(kernel, 1, freed + kHere * sizeof(cl_uint)));
      CL_OK(usm->blocking_free(context, freed));
      std::vector<test::UsmMemory> all;
      for (int i = 0; i < 8; ++i) {
        // Of a block of the same size, but the block's beginning.
        const test::UsmMemory& memory = all.emplace_back(allocate(kind, size + kAlignment));
        const std::uintptr_t offset =
            reinterpret_cast<std::uintptr_t>(freed) - reinterpret_cast<std::uintptr_t>(memory.get());
        if (offset == 0 || offset > size + kAlignment - kHere * sizeof(cl_uint)) continue;
        ++pairs;
        expect_sums(memory.get() + offset, kHere);
      }
    }
  }
  if (pairs == 0) GTEST_SKIP() << "no allocation has the memory of the one before";
}

// Two buffers that import the same host memory.
TEST_F(OverlappingArguments, ImportsOfTheSameMemory) {
  cl_platform_id platform = nullptr;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  const auto import_memory = reinterpret_cast<decltype(&::clImportMemoryARM)>(
      clGetExtensionFunctionAddressForPlatform(platform, "clImportMemoryARM"));
  if (!import_memory || !test::offers(device, "cl_arm_import_memory")) GTEST_SKIP() << "no imported memory";
  auto memory = test::random_values<cl_uint>(kWords);
  const auto words = memory;
  std::vector<test::Buffer> imports;
  const Set set = [&](cl_uint index, std::size_t word) {
    cl_int error = 1;
    imports.emplace_back(import_memory(context, CL_MEM_READ_WRITE, nullptr, memory.data() + word,
                                       (kCount + kLoads) * sizeof(cl_uint), &error));
    CL_EXPECT(CL_SUCCESS, error);
    set_argument(kernel, index, imports.back());
  };
  expect(words, random_words(), set, [&] {
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
    return memory;
  });
}

TEST_F(OverlappingArguments, PointerFoundInMemory) {
  const test::UsmMemory memory = allocate(test::Usm::device, kWords * sizeof(cl_uint)),
                        list = allocate(test::Usm::device, sizeof(void*));
  const auto words = test::random_values<cl_uint>(kWords);
  write(memory, words);
  const auto [to, from] = random_words();
  write(list, std::vector<const void*>{memory.as<cl_uint>() + from});
  const test::Kernel found = make_kernel(program, "found");
  CL_OK(usm->set_argument(found, 0, memory.as<cl_uint>() + to));
  CL_OK(usm->set_argument(found, 1, list.get()));
  set_argument(found, 2, kCount);
  const cl_bool all = CL_TRUE;
  CL_OK(clSetKernelExecInfo(found, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof all, &all));
  launch(found, 1);
  auto expected = words;
  chain(expected, to, expected, from);
  EXPECT_EQ(read<cl_uint>(memory, kWords), expected);
}

}  // namespace
