// SPDX-License-Identifier: Apache-2.0
// What the tests of the program cache (program_cache.cpp) run in processes of their own: each builds programs, and checks the kernels'
// results.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "support/own_process.h"
#include "support/spirv.h"

namespace {

namespace fs = std::filesystem;

// Run by the tests in a new process: builds, and checks the kernel's result.
class InNewProcess : public test::ModulePrograms {
 protected:
  // The kernel must write the value of TEST_VALUE.
  void build_and_run(const std::string& source) {
    const std::string options = std::string("-cl-std=CL3.0 ") + environment("TEST_OPTIONS");
    const test::Program program = create(source);
    ASSERT_EQ("CL_SUCCESS",
              test::error_name(clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr)))
        << info(program, CL_PROGRAM_BUILD_LOG);
    log = info(program, CL_PROGRAM_BUILD_LOG);
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer result = make_buffer(sizeof(cl_int));
    set_arguments(kernel, result);
    const size_t one = 1;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(environment("TEST_VALUE"), std::to_string(contents<cl_int>(result, 1)[0]));
  }
  static std::string environment(const char* name) {
    const char* text = std::getenv(name);
    return text ? text : "";
  }
  std::string log;
};

const std::string kPlain = "#warning look here\nkernel void k(global int* a) { a[0] = 42; }";
const std::string kIncluding = "#include \"value.h\"\nkernel void k(global int* a) { a[0] = VALUE; }";

TEST_F(InNewProcess, DISABLED_Plain) {
  build_and_run(kPlain);
  EXPECT_NE(std::string::npos, log.find("look here"));
  // A second build in the same process.
  const std::string first = log;
  build_and_run(kPlain);
  EXPECT_EQ(first, log);
}

TEST_F(InNewProcess, DISABLED_Including) { build_and_run(kIncluding); }

const std::string kVersion =
    "kernel void k(global int* a) { a[get_global_id(0) - 41] = __OPENCL_VERSION__; }";

// From source and from a binary; the launch needs the general variant, which is compiled from the source in both cases.
TEST_F(InNewProcess, DISABLED_OfVersion) {
  const test::Program built = build(kVersion);
  const std::vector<unsigned char> bytes = binary(built);
  const unsigned char* data = bytes.data();
  const size_t size = bytes.size(), offset = 41, one = 1;
  const test::Program loaded = clCreateProgramWithBinary(context, 1, &device, &size, &data, nullptr, nullptr);
  CL_OK(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr));
  for (const cl_program program : {built.get(), loaded.get()}) {
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer result = make_buffer(sizeof(cl_int));
    set_arguments(kernel, result);
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(environment("TEST_VALUE"), std::to_string(contents<cl_int>(result, 1)[0]));
  }
}

TEST_F(InNewProcess, DISABLED_WithinAProcess) {
  build_and_run(kIncluding);
  std::ofstream(environment("TEST_FOLDER") + "/value.h") << "#define VALUE 7";
  setenv("TEST_VALUE", "7", 1);
  build_and_run(kIncluding);
}

// Builds with TEST_COUNT different headers.
TEST_F(InNewProcess, DISABLED_WithManyHeaders) {
  const int count = std::stoi(environment("TEST_COUNT"));
  for (int value = 1; value <= count; ++value) {
    setenv("TEST_VALUE", std::to_string(value).c_str(), 1);
    std::ofstream(environment("TEST_FOLDER") + "/value.h") << "#define VALUE " << value;
    build_and_run(kIncluding);
  }
}

TEST_F(InNewProcess, DISABLED_OnAFullDisk) {
  rlimit limit{};
  ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &limit));
  const rlimit full{0, limit.rlim_max};
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &full));
  build_and_run(kPlain);
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &limit));
}

// What was an included file is now something that has no end, or that nobody writes to.
TEST_F(InNewProcess, DISABLED_WithAHeaderThatIsNoFile) {
  const fs::path header = environment("TEST_FOLDER") + "/value.h";
  std::ofstream(header) << "#define VALUE 42";
  build_and_run(kIncluding);
  fs::remove(header);
  if (environment("TEST_COUNT") == "0")
    ASSERT_EQ(0, mkfifo(header.c_str(), S_IRWXU));
  else
    fs::create_symlink("/dev/zero", header);
  const test::Program program = create(kIncluding);
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE,
            clBuildProgram(program, 1, &device, environment("TEST_OPTIONS").c_str(), nullptr, nullptr));
}

// The same program is built again while kernels of the first one exist, and after they are gone: it works and has its own variables.
TEST_F(InNewProcess, DISABLED_OverAndOver) {
  const char* text = "kernel void plain(global int* a) { a[0] += 1; }";
  const char* counting = "int count; kernel void counting(global int* a) { a[0] = ++count; }";
  const test::Buffer plain = make_buffer(std::vector<cl_int>{0}),
                     counted = make_buffer(std::vector<cl_int>{0});
  std::vector<test::Kernel> alive;
  for (int i = 1; i <= 8; ++i) {
    for (auto& [name, buffer, source] : {std::tuple(std::string("plain"), &plain, text),
                                         std::tuple(std::string("counting"), &counted, counting)}) {
      const test::Program program = build(source);
      test::Kernel kernel = make_kernel(program, name.c_str());
      set_arguments(kernel, *buffer);
      const size_t one = 1;
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      if (i < 4) alive.push_back(std::move(kernel));
    }
    EXPECT_EQ(i, contents<cl_int>(plain, 1)[0]);
    EXPECT_EQ(1, contents<cl_int>(counted, 1)[0]);
    if (i == 6) alive.clear();
  }
}

// A linked program, and a launch that needs the general variant (an offset).
TEST_F(InNewProcess, DISABLED_Linked) {
  const test::Program parts[] = {
      compiled("int f(int a) { return a + 1; }"),
      compiled("int f(int); kernel void k(global int* a) { a[0] = f(get_global_id(0)); }")};
  const cl_program handles[] = {parts[0], parts[1]};
  const test::Program program = clLinkProgram(context, 1, &device, "", 2, handles, nullptr, nullptr, nullptr);
  ASSERT_NE(nullptr, program.get());
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer result = make_buffer(sizeof(cl_int));
  set_arguments(kernel, result);
  const size_t offset = 41, one = 1;
  CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(42, contents<cl_int>(result, 1)[0]);
}

// A launch with an offset. TEST_VALUE: whether the general variant's code is loaded by the build or by the launch.
TEST_F(InNewProcess, DISABLED_WithAnOffset) {
  const auto loads = [&](const auto& call) {
    testing::internal::CaptureStderr();
    call();
    return testing::internal::GetCapturedStderr().find("general variant for ") != std::string::npos;
  };
  test::Program program;
  EXPECT_EQ(environment("TEST_VALUE") == "build", loads([&] {
              program = build("kernel void k(global int* a) { a[get_global_id(0) - 41] = 42; }");
            }));
  const test::Kernel kernel = make_kernel(program, "k");
  const test::Buffer result = make_buffer(sizeof(cl_int));
  set_arguments(kernel, result);
  const size_t offset = 41, one = 1;
  EXPECT_EQ(environment("TEST_VALUE") == "launch", loads([&] {
              CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0,
                                                           nullptr, nullptr));
            }));
  EXPECT_EQ(contents<cl_int>(result, 1)[0], 42);
}

// A binary is given the text of another one, whose general variant is known and whose kernel has one argument less.
TEST_F(InNewProcess, DISABLED_ForgedText) {
  const std::string body = ") { a[get_global_id(0) - 41] = 42; }",
                    two = "kernel void k(global int* a, int b" + body;
  std::string one = "kernel void k(global int* a" + body;
  one.resize(two.size(), ' ');
  const size_t offset = 41, items = 1;
  const test::Buffer result = make_buffer(sizeof(cl_int));
  const auto launch = [&](const test::Program& program, auto... more) {
    const test::Kernel kernel = make_kernel(program, "k");
    set_arguments(kernel, result, more...);
    return clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &items, nullptr, 0, nullptr, nullptr);
  };
  const auto bytes_of = [](const test::Program& program) {
    const std::vector<unsigned char> bytes = binary(program);
    return std::string(bytes.begin(), bytes.end());
  };
  const auto load = [&](const std::string& bytes) {
    test::Program program = create_with_binary({bytes.begin(), bytes.end()});
    CL_EXPECT(CL_SUCCESS, build_error(program));
    return program;
  };
  CL_OK(launch(load(bytes_of(build(one)))));
  EXPECT_EQ(42, contents<cl_int>(result, 1)[0]);
  std::string forged = bytes_of(build(two));
  const size_t text = forged.find(two);
  ASSERT_NE(std::string::npos, text);
  forged.replace(text, two.size(), one);
  constexpr size_t kChecksumPlace = 24, kHeader = 32;
  const std::uint64_t checksum = XXH3_64bits(forged.data() + kHeader, forged.size() - kHeader);
  std::memcpy(forged.data() + kChecksumPlace, &checksum, sizeof checksum);
  CL_EXPECT(CL_OUT_OF_RESOURCES, launch(load(forged), cl_int{1}));
}

// Section 5.8.7: libraries of the same code are linked with the options of the link, or without them.
TEST_F(InNewProcess, DISABLED_LibrariesAlike) {
  const test::Program object = compiled("kernel void k(global float* a) { a[1] = a[0] * 0.5f; }");
  for (const bool takes_options : {true, false}) {
    const test::Program library =
        linked({object}, takes_options ? "-create-library -enable-link-options" : "-create-library");
    const test::Program program = linked({library}, "-cl-denorms-are-zero");
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer values = make_buffer(std::vector<float>{0x1p-128F, 1});
    set_arguments(kernel, values);
    const size_t one = 1;
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(takes_options ? 0 : 0x1p-129F, contents<float>(values, 2)[1]);
  }
}

// TEST_VALUE is the value of a specialization constant of the module.
TEST_F(InNewProcess, DISABLED_Module) {
  const cl_uint factor = static_cast<cl_uint>(std::stoul(environment("TEST_VALUE")));
  const test::Program program = create_with_il(test::module("scale"));
  CL_OK(specialize(program, 7, factor));
  CL_OK(build_error(program));
  EXPECT_EQ(std::vector<cl_uint>{2 * factor}, run<cl_uint>(program, "scale", {2}));
}

// Builds while the standard streams are closed and threads print nevertheless. The entry is long, so that writing it takes time.
TEST_F(InNewProcess, DISABLED_WithClosedStreams) {
  constexpr int kAside = 100;
  for (int stream = 0; stream < 3; ++stream) {
    ASSERT_GE(fcntl(stream, F_DUPFD_CLOEXEC, kAside + stream), 0);
    close(stream);
  }
  std::atomic<bool> ended = false;
  std::vector<std::thread> printers;
  for (int stream : {1, 2})
    printers.emplace_back([&, stream] {
      while (!ended) (void)!::write(stream, "THE APPLICATION'S", 17);
    });
  const test::Program program = create(kPlain + "//" + std::string(8 << 20, 'x'));
  const cl_int error = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
  ended = true;
  for (std::thread& printer : printers) printer.join();
  for (int stream = 0; stream < 3; ++stream) dup2(kAside + stream, stream);
  CL_EXPECT(CL_SUCCESS, error);
}

// __TIME__ in several spellings, of which builds at different times have different values.
TEST_F(InNewProcess, DISABLED_OfItsTime) {
  const std::string kernel = "kernel void k(global uchar* a) { for (int i = 0; i < 8; ++i) a[i] = time[i]; }";
  const std::pair<std::string, const char*> programs[] = {
      {"constant char time[] = __TIME__; " + kernel, ""},
      {"#define PASTE(a, b) a##b\nconstant char time[] = PASTE(__TI, ME__); " + kernel, ""},
      {"constant char time[] = __TI\\\nME__; " + kernel, ""},
      {"constant char time[] = TIME; " + kernel, "-DTIME=__TIME__"}};
  const auto times = [&] {
    std::vector<std::vector<cl_uchar>> all;
    for (const auto& [source, options] : programs) {
      const test::Program program = create(source);
      CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &device, options, nullptr, nullptr));
      const test::Kernel k = make_kernel(program, "k");
      const test::Buffer result = make_buffer(8);
      set_arguments(k, result);
      const size_t one = 1;
      CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
      all.push_back(contents<cl_uchar>(result, 8));
    }
    return all;
  };
  const auto before = times();
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  const auto after = times();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NE(before[i], after[i]) << programs[i].first;
}

}  // namespace
