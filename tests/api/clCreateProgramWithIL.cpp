// SPDX-License-Identifier: Apache-2.0
#include <CL/cl_ext.h>
#include <sys/resource.h>

#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>

#include "support/device_info.h"
#include "support/own_process.h"
#include "support/sanitized.h"
#include "support/spirv.h"

namespace {

class ProgramWithIL : public test::ModulePrograms {
 protected:
  static std::string il_of(cl_program program) {
    std::size_t size = 1;
    CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_IL, 0, nullptr, &size));
    std::string bytes(size, '\0');
    CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_IL, size, bytes.data(), nullptr));
    return bytes;
  }
};

TEST_F(ProgramWithIL, TellsOfItself) {
  const std::string module = test::module("scale");
  const test::Program program = create_with_il(module);
  EXPECT_EQ(module, il_of(program));
  std::size_t size = 0;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, nullptr, &size));
  EXPECT_EQ(1u, size);
  EXPECT_EQ(CL_BUILD_NONE, status(program));
  cl_device_id its_device = nullptr;
  CL_OK(clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof its_device, &its_device, nullptr));
  EXPECT_EQ(device, its_device);
  char too_small = 0;
  CL_EXPECT(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_IL, 1, &too_small, nullptr));
}

TEST_F(ProgramWithIL, RunsItsKernels) {
  const test::Program program = build_il(test::module("scale"));
  EXPECT_EQ("scale", program_text(program, CL_PROGRAM_KERNEL_NAMES));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE), binary_type(program));
  std::vector<cl_uint> values = test::random_values<cl_uint>(1000);
  const std::vector<cl_uint> results = run(program, "scale", values);
  for (cl_uint& value : values) value *= 3;
  EXPECT_EQ(values, results);
}

// The general variant is made of the module once more.
TEST_F(ProgramWithIL, RunsRangesWithAnOffset) {
  const test::Program program = build_il(test::module("scale"));
  std::vector<cl_uint> values = test::random_values<cl_uint>(100);
  const std::vector<cl_uint> results = run(program, "scale", values, 37);
  for (std::size_t i = 37; i < values.size(); ++i) values[i] *= 3;
  EXPECT_EQ(values, results);
}

// Section 5.8.1 of the extension: the same under another name.
TEST_F(ProgramWithIL, ExtensionFunctionDoesTheSame) {
  EXPECT_TRUE(test::offers(device, "cl_khr_il_program"));
  const auto platform = test::device_info<cl_platform_id>(device, CL_DEVICE_PLATFORM);
  const auto create = reinterpret_cast<clCreateProgramWithILKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clCreateProgramWithILKHR"));
  ASSERT_NE(nullptr, create);
  const std::string module = test::module("scale");
  cl_int error = 1;
  const test::Program program = create(context, module.data(), module.size(), &error);
  CL_OK(error);
  EXPECT_EQ(module, il_of(program));
  EXPECT_EQ(nullptr, create(nullptr, module.data(), module.size(), &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, create(context, module.data(), 0, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
}

TEST_F(ProgramWithIL, RefusesBadArguments) {
  const std::string module = test::module("scale");
  cl_int error = 1;
  EXPECT_EQ(nullptr, clCreateProgramWithIL(nullptr, module.data(), module.size(), &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, clCreateProgramWithIL(nullptr, nullptr, 0, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, clCreateProgramWithIL(context, nullptr, module.size(), &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithIL(context, module.data(), 0, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateProgramWithIL(context, module.data(), 0, nullptr));
}

// Section 5.8.1: input that is not well formed.
TEST_F(ProgramWithIL, RefusesWhatIsNoModule) {
  const std::string module = test::module("scale");
  CL_EXPECT(CL_INVALID_VALUE, create_error("abcd"));
  CL_EXPECT(CL_INVALID_VALUE, create_error("kernel void k(global int* a) { a[0] = 1; }"));
  CL_EXPECT(CL_INVALID_VALUE, create_error(std::string(64, '\0')));
  // Cut off: within the header, within an instruction, within a word.
  for (const std::size_t size : {std::size_t{4}, std::size_t{16}, module.size() - 16, module.size() - 1})
    CL_EXPECT(CL_INVALID_VALUE, create_error(module.substr(0, size))) << size;
  // An instruction of no words, one that reaches beyond the end.
  for (const char words : {0, 0x7F}) {
    std::string bad = module;
    bad[22] = words;
    CL_EXPECT(CL_INVALID_VALUE, create_error(bad));
  }
  for (int i = 0; i < 50; ++i) {
    const std::vector<std::uint8_t> bytes = test::random_values(1 + test::random_engine()() % 1000);
    CL_EXPECT(CL_INVALID_VALUE, create_error({bytes.begin(), bytes.end()}));
  }
}

// As many decorations of one id, looked at for as many constants with that id, would take hours.
TEST_F(ProgramWithIL, RefusesManyDecorationsOfOneId) {
  constexpr std::size_t kMany = 1'000'000;
  std::string module = test::module("scale").substr(0, 5 * sizeof(cl_uint));
  const auto add = [&](std::initializer_list<cl_uint> words) {
    for (const cl_uint word : words) module.append(reinterpret_cast<const char*>(&word), sizeof word);
  };
  constexpr cl_uint kDecorate = 71, kSpecId = 1, kTypeBool = 20, kSpecConstantTrue = 48;
  for (std::size_t i = 0; i < kMany; ++i) add({4 << 16 | kDecorate, 1, kSpecId, 7});
  add({2 << 16 | kTypeBool, 2});
  for (std::size_t i = 0; i < kMany; ++i) add({3 << 16 | kSpecConstantTrue, 2, 1});
  cl_int error = CL_SUCCESS;
  EXPECT_EQ(nullptr, clCreateProgramWithIL(context, module.data(), module.size(), &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
}

// Memory is in proportion to the module, not to a decoration's operands times the targets of its group.
TEST_ALONE(ProgramWithIL, LongDecorationsOfManyTargets) {
  constexpr cl_uint kOperands = 5000, kTargets = 60'000, kDecorations = 64, kFirst = 100;
  constexpr cl_uint kDecorate = 71, kGroup = 73, kGroupDecorate = 74, kUserSemantic = 5635, kSpecId = 1;
  std::string module = test::module("scale").substr(0, 5 * sizeof(cl_uint));
  const auto add = [&](std::vector<cl_uint> words) {
    words.front() |= static_cast<cl_uint>(words.size()) << 16;
    module.append(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(cl_uint));
  };
  const cl_uint bound = kFirst + kTargets;
  std::memcpy(module.data() + 12, &bound, sizeof bound);
  add({17, 6});     // OpCapability Kernel
  add({17, 4});     // Addresses
  add({14, 2, 2});  // OpMemoryModel Physical64 OpenCL
  std::vector<cl_uint> long_one = {kDecorate, 1, kUserSemantic};
  long_one.resize(kOperands, 0x41414141);
  long_one.push_back(0);
  add(long_one);
  for (cl_uint i = 0; i < kDecorations; ++i) add({kDecorate, 2, kSpecId, i});
  std::vector<cl_uint> targets = {kGroupDecorate, 0};
  for (cl_uint i = 0; i < kTargets; ++i) targets.push_back(kFirst + i);
  for (const cl_uint group : {1, 2}) {
    add({kGroup, group});
    targets[1] = group;
    add(targets);
  }
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  CL_EXPECT(CL_SUCCESS, build_error(create_with_il(module)));
  getrusage(RUSAGE_SELF, &after);
  if (!test::kSanitized) EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 400 << 10);  // KiB
}

TEST_F(ProgramWithIL, RefusesVersionsThatAreNotReported) {
  std::string module = test::module("scale");
  module[6] = 9;
  CL_EXPECT(CL_INVALID_VALUE, create_error(module));
}

TEST_F(ProgramWithIL, TakesWordsInEitherByteOrder) {
  const std::string module = test::with_swapped_words(test::module("scale"));
  const test::Program program = build_il(module);
  EXPECT_EQ(module, il_of(program));
  const std::vector<cl_uint> expected = {3, 6, 9};
  EXPECT_EQ(expected, run<cl_uint>(program, "scale", {1, 2, 3}));
  // A value of a specialization constant has the host's order all the same.
  const test::Program other = create_with_il(module);
  CL_EXPECT(CL_SUCCESS, specialize(other, 7, cl_uint{0x10203}));
  CL_OK(build_error(other));
  EXPECT_EQ(std::vector<cl_uint>{0x20406}, run<cl_uint>(other, "scale", {2}));
}

// Well formed, but nothing that an OpenCL device runs: the build says why.
TEST_F(ProgramWithIL, BuildOfOtherCapabilitiesFails) {
  const test::Program program = create_with_il(test::module("shader"));
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, build_error(program));
  EXPECT_EQ(CL_BUILD_ERROR, status(program));
  EXPECT_NE(std::string::npos, info(program, CL_PROGRAM_BUILD_LOG).find("Shader"))
      << info(program, CL_PROGRAM_BUILD_LOG);
  CL_EXPECT(CL_COMPILE_PROGRAM_FAILURE,
            clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
}

TEST_F(ProgramWithIL, ChecksBuildOptions) {
  const test::Program program = create_with_il(test::module("scale"));
  CL_EXPECT(CL_INVALID_BUILD_OPTIONS, build_error(program, "-cl-no-such-option"));
  CL_EXPECT(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(program, 1, &device, "-cl-no-such-option", 0,
                                                          nullptr, nullptr, nullptr, nullptr));
  // Section 5.8.6: those of the preprocessor and of the language mean nothing to a module.
  CL_OK(build_error(program, "-D A=1 -I /none -cl-std=CL3.0 -cl-fast-relaxed-math"));
  EXPECT_EQ("-D A=1 -I /none -cl-std=CL3.0 -cl-fast-relaxed-math", info(program, CL_PROGRAM_BUILD_OPTIONS));
}

// Section 5.8.5: headers are ignored, whatever they are.
TEST_F(ProgramWithIL, CompilesWithoutHeaders) {
  const test::Program program = create_with_il(test::module("scale"));
  const char* name = "a.h";
  const cl_program header = program;
  CL_OK(clCompileProgram(program, 1, &device, "", 1, &header, &name, nullptr, nullptr));
  EXPECT_EQ(cl_program_binary_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT), binary_type(program));
  CL_OK(clCompileProgram(program, 1, &device, "", 3, nullptr, nullptr, nullptr, nullptr));
}

TEST_F(ProgramWithIL, IsNoHeader) {
  const test::Program module = create_with_il(test::module("scale")), source = create("");
  const char* name = "a.h";
  CL_EXPECT(CL_INVALID_PROGRAM,
            clCompileProgram(source, 1, &device, "", 1, module.list(), &name, nullptr, nullptr));
}

TEST_F(ProgramWithIL, TellsOfWorkGroupSizes) {
  const test::Program program = create_with_il(test::module("work_group"));
  CL_OK(specialize(program, 1, cl_uint{6}));
  CL_OK(build_error(program));
  const auto size_of = [&](const char* name) {
    std::array<std::size_t, 3> size{};
    CL_EXPECT(CL_SUCCESS,
              clGetKernelWorkGroupInfo(make_kernel(program, name), device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                       sizeof size, size.data(), nullptr));
    return size;
  };
  EXPECT_EQ((std::array<std::size_t, 3>{8, 4, 2}), size_of("fixed"));
  EXPECT_EQ((std::array<std::size_t, 3>{0, 0, 0}), size_of("hinted"));
  EXPECT_EQ((std::array<std::size_t, 3>{6, 1, 1}), size_of("chosen"));
  // Section 5.9.3: attributes are those of a source.
  std::string attributes(100, 'x');
  std::size_t length = 0;
  CL_OK(clGetKernelInfo(make_kernel(program, "fixed"), CL_KERNEL_ATTRIBUTES, attributes.size(),
                        attributes.data(), &length));
  EXPECT_EQ(1u, length);
}

// Section 5.10: work-groups of another number of sub-groups are refused, and none are chosen.
TEST_F(ProgramWithIL, NumberOfSubGroupsIsRequired) {
  const test::Program program = create_with_il(test::module("sub_groups"));
  CL_OK(specialize(program, 1, cl_uint{2}));
  CL_OK(build_error(program));
  constexpr std::size_t kItems = 12 * 32;
  const test::Buffer buffer = make_buffer(std::vector<cl_uint>(kItems));
  for (const auto& [name, count] : {std::pair<const char*, std::size_t>{"three", 3}, {"chosen", 2}}) {
    const test::Kernel kernel = make_kernel(program, name);
    set_arguments(kernel, buffer);
    const auto ask = [&](cl_kernel_sub_group_info query, std::size_t input) {
      std::size_t value = 77;
      CL_EXPECT(CL_SUCCESS, clGetKernelSubGroupInfo(kernel, device, query, sizeof input, &input, sizeof value,
                                                    &value, nullptr));
      return value;
    };
    EXPECT_EQ(count, ask(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0));
    EXPECT_EQ(count * 32, ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, count));
    EXPECT_EQ(0u, ask(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 4));
    const auto launch = [&](std::size_t items, const std::size_t* local) {
      return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, local, 0, nullptr, nullptr);
    };
    for (const std::size_t local : {std::size_t{1}, (count - 1) * 32, count * 32 + 1, (count + 1) * 32})
      CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, launch(local, &local)) << local;
    CL_EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, kernel, 0, nullptr, nullptr));
    for (const std::size_t local : {(count - 1) * 32 + 1, count * 32}) CL_OK(launch(local, &local));
    CL_OK(launch(kItems, nullptr));
    EXPECT_EQ(std::vector<cl_uint>(kItems, static_cast<cl_uint>(count)), contents<cl_uint>(buffer, kItems));
  }
}

// Section 5.10: work-groups need not divide the range, unless the build says that they do.
TEST_F(ProgramWithIL, WorkGroupsMayBePartial) {
  const std::vector<cl_uint> values(10, 1);
  const std::size_t items = values.size(), group = 4;
  for (const char* options : {"", "-cl-std=CL1.2", "-cl-uniform-work-group-size"}) {
    const test::Program program = build_il(test::module("scale"), options);
    const test::Kernel kernel = make_kernel(program, "scale");
    const test::Buffer buffer = make_buffer(values);
    set_arguments(kernel, buffer);
    const bool uniform = std::string(options).find("uniform") != std::string::npos;
    CL_EXPECT(uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr))
        << options;
    EXPECT_EQ(std::vector<cl_uint>(10, uniform ? 1 : 3), contents<cl_uint>(buffer, items)) << options;
  }
}

// Section 5.9.4: clGetKernelArgInfo answers for programs created from source only, whatever the options and names in the module.
TEST_F(ProgramWithIL, TellsOfArgumentsTheirNumberAlone) {
  for (const char* options : {"", "-cl-kernel-arg-info"}) {
    const test::Program program = build_il(test::module("arguments"), options);
    const test::Kernel kernel = make_kernel(program, "all");
    cl_uint count = 0;
    CL_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
    ASSERT_EQ(9u, count);
    cl_ulong value = 0;
    for (const cl_kernel_arg_info name :
         {CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_TYPE_NAME,
          CL_KERNEL_ARG_TYPE_QUALIFIER, CL_KERNEL_ARG_NAME})
      CL_EXPECT(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                clGetKernelArgInfo(kernel, 0, name, sizeof value, &value, nullptr))
          << options;
    CL_EXPECT(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 9, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr));
  }
}

// Sizes of arguments are checked as those of a source are.
TEST_F(ProgramWithIL, ChecksArguments) {
  const test::Program program = build_il(test::module("arguments"));
  const test::Kernel kernel = make_kernel(program, "all");
  const std::vector<std::byte> zeros(64);
  const auto code = [&](cl_uint index, std::size_t size, const void* value) {
    return clSetKernelArg(kernel, index, size, value);
  };
  CL_EXPECT(CL_INVALID_ARG_SIZE, code(0, 4, zeros.data()));
  CL_EXPECT(CL_SUCCESS, code(2, 48, nullptr));
  CL_EXPECT(CL_INVALID_ARG_VALUE, code(2, 48, zeros.data()));
  CL_EXPECT(CL_SUCCESS, code(3, 4, zeros.data()));  // uchar3
  CL_EXPECT(CL_INVALID_ARG_SIZE, code(3, 3, zeros.data()));
  CL_EXPECT(CL_SUCCESS, code(4, 32, zeros.data()));  // the structure, by value
  CL_EXPECT(CL_INVALID_ARG_SIZE, code(4, 16, zeros.data()));
  CL_EXPECT(CL_INVALID_MEM_OBJECT, code(5, sizeof(cl_mem), zeros.data()));
  CL_EXPECT(CL_INVALID_SAMPLER, code(7, sizeof(cl_sampler), zeros.data()));
  CL_EXPECT(CL_SUCCESS, code(8, 8, zeros.data()));
  CL_EXPECT(CL_INVALID_ARG_INDEX, code(9, 8, zeros.data()));
}

// What a compiler makes of OpenCL C computes what OpenCL C does.
TEST_F(ProgramWithIL, ComputesWhatTheSourceDoes) {
  const test::Program program = build_il(test::module("mixed"));
  const std::vector<cl_uint> values = test::random_values<cl_uint>(1024);
  const test::Kernel total = make_kernel(program, "total");
  const test::Buffer in = make_buffer(values), sum = make_buffer(std::vector<cl_uint>{0});
  set_arguments(total, in, sum);
  CL_OK(clSetKernelArg(total, 2, 64 * sizeof(cl_uint), nullptr));
  const std::size_t items = values.size(), group = 64;
  CL_OK(clEnqueueNDRangeKernel(queue, total, 1, nullptr, &items, &group, 0, nullptr, nullptr));
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), cl_uint{0}), contents<cl_uint>(sum, 1)[0]);

  const test::Kernel smooth = make_kernel(program, "smooth");
  std::vector<cl_float> numbers(items);
  for (cl_float& number : numbers) number = static_cast<cl_float>(test::random_engine()() % 1000);
  const test::Buffer from = make_buffer(numbers), to = make_buffer(items * sizeof(cl_float));
  set_arguments(smooth, from, to, static_cast<cl_uint>(items));
  CL_OK(clEnqueueNDRangeKernel(queue, smooth, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  const std::vector<cl_float> smoothed = contents<cl_float>(to, items);
  for (std::size_t i = 0; i < items; ++i) {
    const cl_float before = numbers[i ? i - 1 : 0], after = numbers[std::min(i + 1, items - 1)];
    EXPECT_EQ(before / 4 + numbers[i] / 2 + after / 4, smoothed[i]) << i;
  }
}

TEST_F(ProgramWithIL, KindsOfArithmetic) {
  const test::Program program = build_il(test::module("mixed"));
  const test::Kernel kinds = make_kernel(program, "kinds");
  std::vector<cl_int> values(500);
  std::iota(values.begin(), values.end(), 0);
  const std::size_t items = values.size();
  const test::Buffer in = make_buffer(values), out = make_buffer(items * sizeof(cl_int));
  set_arguments(kinds, in, out);
  CL_OK(clEnqueueNDRangeKernel(queue, kinds, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  const std::vector<cl_int> results = contents<cl_int>(out, items);
  for (const cl_int value : values) {
    const cl_int expected = value % 5 == 0   ? __builtin_popcount(static_cast<unsigned>(value))
                            : value % 5 == 1 ? value << 3
                            : value % 5 < 4
                                ? value * 65537 + 9
                                : static_cast<cl_int>(std::rint(static_cast<float>(value) * 0.3f));
    EXPECT_EQ(expected, results[static_cast<std::size_t>(value)]) << value;
  }
}

TEST_F(ProgramWithIL, BuildsWithACallback) {
  struct Told {
    std::atomic<int> times = 0;
  } told;
  const test::Program program = create_with_il(test::module("scale"));
  CL_OK(clBuildProgram(
      program, 1, &device, "", [](cl_program, void* user) { static_cast<Told*>(user)->times++; }, &told));
  while (told.times == 0) std::this_thread::yield();
  EXPECT_EQ(CL_BUILD_SUCCESS, status(program));
  EXPECT_EQ(std::vector<cl_uint>{12}, run<cl_uint>(program, "scale", {4}));
}

TEST_F(ProgramWithIL, ThreadsBuildForThemselves) {
  const std::string module = test::module("scale");
  std::vector<std::thread> threads;
  for (cl_uint number = 1; number <= 6; ++number)
    threads.emplace_back([&, number] {
      const test::RandomEngineOfThread own(number);
      for (cl_uint round = 0; round < 3; ++round) {
        const test::Program program = create_with_il(module);
        const cl_uint factor = 10 * number + round;
        CL_EXPECT(CL_SUCCESS, specialize(program, 7, factor));
        CL_EXPECT(CL_SUCCESS, build_error(program));
        EXPECT_EQ(std::vector<cl_uint>{7 * factor}, run<cl_uint>(program, "scale", {7}));
      }
    });
  for (std::thread& thread : threads) thread.join();
}

// Run once more with two devices (CMakeLists.txt).
TEST_F(ProgramWithIL, SeveralDevicesEachHaveIt) {
  if (test::devices().size() < 2) GTEST_SKIP() << "one device only";
  const cl_device_id both[] = {test::devices()[0], test::devices()[1]};
  cl_int error = 1;
  context = clCreateContext(nullptr, 2, both, nullptr, nullptr, &error);
  CL_OK(error);
  const test::Program program = create_with_il(test::module("scale"));
  CL_OK(specialize(program, 7, cl_uint{11}));
  CL_OK(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
  for (const cl_device_id one : both) {
    queue = clCreateCommandQueueWithProperties(context, one, nullptr, &error);
    CL_OK(error);
    EXPECT_EQ(std::vector<cl_uint>{22}, run<cl_uint>(program, "scale", {2}));
  }
  // For one of them after the other, with values of their own.
  const test::Program other = create_with_il(test::module("scale"));
  for (cl_uint i = 0; i < 2; ++i) {
    CL_OK(specialize(other, 7, i + 5));
    CL_OK(clBuildProgram(other, 1, &both[i], "", nullptr, nullptr));
  }
  for (cl_uint i = 0; i < 2; ++i) {
    queue = clCreateCommandQueueWithProperties(context, both[i], nullptr, &error);
    EXPECT_EQ(std::vector<cl_uint>{2 * (i + 5)}, run<cl_uint>(other, "scale", {2}));
  }
}

}  // namespace
