// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "base/step_budget.h"
#include "driver_kernel_test.h"

namespace clcuda::test {
namespace {

using Module = DriverKernelTest;

TEST_F(Module, FunctionsAndGlobals) {
  EXPECT_EQ(function("add"), function("add"));
  CUfunction none = nullptr;
  EXPECT_EQ(cu.cuModuleGetFunction(&none, module, "absent"), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cu.cuModuleGetFunction(nullptr, module, "add"), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuModuleGetFunction(&none, module, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuModuleGetFunction(&none, nullptr, "add"), CUDA_ERROR_INVALID_HANDLE);
  CUdeviceptr table = 0;
  std::size_t size = 0;
  ASSERT_EQ(cu.cuModuleGetGlobal(&table, &size, module, "table"), CUDA_SUCCESS);
  EXPECT_EQ(size, 16u);
  EXPECT_EQ(cu.cuModuleGetGlobal(&table, nullptr, module, "absent"), CUDA_ERROR_NOT_FOUND);
  std::uint32_t words[4] = {};
  ASSERT_EQ(cu.cuMemcpyDtoHAsync(words, table, 16, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(words[3], 44u);
  ASSERT_EQ(cu.cuMemsetD32Async(table + 4, 99, 1, nullptr), CUDA_SUCCESS);
  const CUdeviceptr out = device_memory(16);
  ASSERT_EQ(launch(function("read_table"), 1, 4, nullptr, out), CUDA_SUCCESS);
  ASSERT_EQ(cu.cuMemcpyDtoHAsync(words, out, 16, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(words[0], 11u);
  EXPECT_EQ(words[1], 99u);
}

TEST_F(Module, LinkedCodeLoads) {
  char log[512] = "untouched";
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUlinkState link = nullptr;
  ASSERT_EQ(cu.cuLinkCreate(2, names, values, &link), CUDA_SUCCESS);
  std::string text = kTestPtx;
  ASSERT_EQ(
      cu.cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "test", 0, nullptr, nullptr),
      CUDA_SUCCESS);
  void* image = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(cu.cuLinkComplete(link, &image, &size), CUDA_SUCCESS);
  EXPECT_EQ(log[0], 0);
  const std::string copy(static_cast<char*>(image), size);
  EXPECT_EQ(cu.cuLinkDestroy(link), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuLinkDestroy(link), CUDA_ERROR_INVALID_HANDLE);
  CUmodule loaded = nullptr;
  ASSERT_EQ(cu.cuModuleLoadData(&loaded, copy.data()), CUDA_SUCCESS);
  CUfunction add = nullptr;
  EXPECT_EQ(cu.cuModuleGetFunction(&add, loaded, "add"), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuModuleUnload(loaded), CUDA_SUCCESS);
  EXPECT_EQ(cu.cuModuleUnload(loaded), CUDA_ERROR_INVALID_HANDLE);
}

std::size_t resident_bytes() {
  std::size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST_F(Module, LargeVariablesTakeNoMemoryUntilTheyAreUsed) {
  constexpr std::size_t kSize = 1000000000;
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".global .b8 first[1000000000] = {7};\n.global .b8 second[1000000000] = {0, 8};\n";
  const std::size_t before = resident_bytes();
  CUmodule loaded = nullptr;
  ASSERT_EQ(cu.cuModuleLoadData(&loaded, text.c_str()), CUDA_SUCCESS);
  EXPECT_LT(resident_bytes(), before + kSize / 10);
  for (const std::string name : {"first", "second"}) {
    CUdeviceptr address = 0;
    std::size_t size = 0;
    ASSERT_EQ(cu.cuModuleGetGlobal(&address, &size, loaded, name.c_str()), CUDA_SUCCESS);
    EXPECT_EQ(size, kSize);
    EXPECT_EQ(read(address, 3),
              (name == "first" ? std::vector<std::uint8_t>{7, 0, 0} : std::vector<std::uint8_t>{0, 8, 0}));
    EXPECT_EQ(read(address + kSize - 1, 1), std::vector<std::uint8_t>{0});
  }
  EXPECT_EQ(cu.cuModuleUnload(loaded), CUDA_SUCCESS);
}

// Targets for a single chip or family are accepted; instructions that only these have may be missing.
TEST_F(Module, OfTheWholeChip) {
  for (const std::string target : {"sm_90", "sm_90a", "sm_100f", "sm_120a, debug"}) {
    const std::string text = ".version 9.0\n.target " + target +
                             "\n.address_size 64\n.global .b32 number = 7;\n.visible .entry k() { ret; }\n";
    CUmodule loaded = nullptr;
    ASSERT_EQ(cu.cuModuleLoadData(&loaded, text.c_str()), CUDA_SUCCESS) << target;
    EXPECT_EQ(cu.cuModuleUnload(loaded), CUDA_SUCCESS);
  }
}

// A build limits all its modules together.
TEST_F(Module, CompilationCountsForTheStepOfItsThread) {
  const auto budget = std::make_shared<WorkBudget>(WorkBudget::Limits{.time = {}, .bytes = 1 << 30});
  {
    const StepOfThread step(budget);
    CUmodule loaded = nullptr;
    if (cu.cuModuleLoadData(&loaded, kTestPtx) ==
        CUDA_SUCCESS) {  // nothing checks the budget in this program
      EXPECT_EQ(cu.cuModuleUnload(loaded), CUDA_SUCCESS);
    }
  }
  EXPECT_TRUE(budget->exceeded());
}

TEST_F(Module, RefusedPtxTellsWhy) {
  char log[2000] = "", small[8] = "";
  for (auto [buffer, capacity] : {std::pair(log, sizeof log), std::pair(small, sizeof small)}) {
    CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[] = {buffer, reinterpret_cast<void*>(capacity)};
    CUlinkState link = nullptr;
    ASSERT_EQ(cu.cuLinkCreate(2, names, values, &link), CUDA_SUCCESS);
    std::string text =
        ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() { nonsense.u32 %r1; }\n";
    ASSERT_EQ(cu.cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size(), "bad", 0, nullptr, nullptr),
              CUDA_SUCCESS);
    void* image = nullptr;
    EXPECT_EQ(cu.cuLinkComplete(link, &image, nullptr), CUDA_ERROR_INVALID_PTX);
    EXPECT_GT(std::strlen(buffer), 0u);
    EXPECT_EQ(reinterpret_cast<std::size_t>(values[1]), std::strlen(buffer));
    EXPECT_EQ(cu.cuLinkDestroy(link), CUDA_SUCCESS);
  }
  CUmodule none = nullptr;
  EXPECT_EQ(cu.cuModuleLoadData(&none, "not PTX at all"), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(cu.cuModuleLoadData(&none, ""), CUDA_ERROR_INVALID_PTX);
  EXPECT_EQ(cu.cuModuleLoadData(&none, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuModuleLoadData(nullptr, kTestPtx), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Module, OtherInputsOfALink) {
  CUlinkState link = nullptr;
  EXPECT_EQ(cu.cuLinkCreate(0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuLinkCreate(1, nullptr, nullptr, &link), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cu.cuLinkCreate(0, nullptr, nullptr, &link), CUDA_SUCCESS);
  char bytes[] =
      "\x7f"
      "ELF",
       archive[] = "!<arch>\n";
  const auto add = [&](int type, char* data, std::size_t size) {
    return cu.cuLinkAddData(link, static_cast<CUjitInputType>(type), data, size, nullptr, 0, nullptr,
                            nullptr);
  };
  EXPECT_EQ(add(CU_JIT_INPUT_CUBIN, bytes, 4), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(add(CU_JIT_INPUT_FATBINARY, bytes, 4), CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(add(CU_JIT_INPUT_LIBRARY, bytes, 4), CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(add(CU_JIT_INPUT_LIBRARY, archive, 8), CUDA_SUCCESS);
  EXPECT_EQ(add(99, bytes, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(add(CU_JIT_INPUT_PTX, nullptr, 4), CUDA_ERROR_INVALID_VALUE);
  CUjit_option name = CU_JIT_OPTIMIZATION_LEVEL;
  void* level = nullptr;
  for (const bool has_names : {true, false})  // options are passed as two arrays
    EXPECT_EQ(cu.cuLinkAddData(link, CU_JIT_INPUT_LIBRARY, archive, 8, nullptr, 1,
                               has_names ? &name : nullptr, has_names ? nullptr : &level),
              CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuLinkAddData(link, CU_JIT_INPUT_LIBRARY, archive, 8, nullptr, 1, &name, &level),
            CUDA_SUCCESS);
  void* image = nullptr;
  EXPECT_EQ(cu.cuLinkComplete(link, &image, nullptr), CUDA_ERROR_INVALID_IMAGE);  // nothing to link
  EXPECT_EQ(cu.cuLinkComplete(nullptr, &image, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuLinkDestroy(link), CUDA_SUCCESS);
}

TEST_F(Module, FunctionAttributes) {
  const auto get = [&](const char* name, CUfunction_attribute attribute) {
    int value = -1;
    EXPECT_EQ(cu.cuFuncGetAttribute(&value, attribute, function(name)), CUDA_SUCCESS);
    return value;
  };
  EXPECT_EQ(get("add", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
  EXPECT_EQ(get("limited", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 128);
  EXPECT_EQ(get("add", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 0);
  EXPECT_EQ(get("add", CU_FUNC_ATTRIBUTE_BINARY_VERSION), 90);
  EXPECT_EQ(get("add", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES), 48 * 1024);
  int value = 0;
  EXPECT_EQ(cu.cuFuncGetAttribute(&value, static_cast<CUfunction_attribute>(99), function("add")),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuFuncGetAttribute(nullptr, CU_FUNC_ATTRIBUTE_NUM_REGS, function("add")),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cu.cuFuncSetAttribute(function("add"), CU_FUNC_ATTRIBUTE_NUM_REGS, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuFuncSetAttribute(function("add"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Module, Occupancy) {
  int blocks = -1, grid = 0, block = 0;
  EXPECT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("add"), 256, 0), CUDA_SUCCESS);
  EXPECT_GE(blocks, 1);
  EXPECT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("limited"), 256, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("add"), 0, 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cu.cuOccupancyMaxPotentialBlockSize(&grid, &block, function("limited"), nullptr, 0, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(block, 128);
  EXPECT_GE(grid, 1);
  EXPECT_EQ(cu.cuOccupancyMaxPotentialBlockSize(&grid, &block, function("fixed"), nullptr, 0, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(block, 64);
  EXPECT_EQ(cu.cuOccupancyMaxPotentialBlockSize(
                &grid, &block, function("add"), [](int size) { return std::size_t(size) * 1024; }, 0, 0),
            CUDA_SUCCESS);
  EXPECT_GE(block, 16);
  EXPECT_LE(block, 48);
  EXPECT_EQ(cu.cuOccupancyMaxPotentialBlockSize(nullptr, &block, function("add"), nullptr, 0, 0),
            CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace clcuda::test
