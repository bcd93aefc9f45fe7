// SPDX-License-Identifier: Apache-2.0
// Programs built in every way: synchronously or on a thread of the library, from source, from several parts, from a binary; and programs
// that fail to build.
#include <atomic>
#include <thread>

#include "soak/role.h"
#include "soak/session.h"
#include "soak/tally.h"

namespace soak {
namespace {

// A kernel that differs for each number.
struct Numbered {
  explicit Numbered(std::uint64_t number)
      : factor(static_cast<cl_uint>(mixed(number, 1)) | 1), mask(static_cast<cl_uint>(mixed(number, 2))) {}
  cl_uint factor, mask;

  std::string source() const {
    return "uint f(uint);\nkernel void k(global uint* a) {\n  const uint i = get_global_id(0);\n  a[i] = "
           "f(i) ^ " +
           std::to_string(mask) + "u;\n}\n";
  }
  std::string part() const { return "uint f(uint i) { return i * " + std::to_string(factor) + "u; }\n"; }
  cl_uint value(cl_uint i) const { return i * factor ^ mask; }
};

class Build {
 public:
  Build(Session& session, const char* options) : session_(session), options_(options) {}

  test::Program of_source(const std::string& source) const {
    test::Program program = created(source);
    if (chance(50)) {
      CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 0, nullptr, options_, nullptr, nullptr));
    } else {
      build_beside(program);
      wait_for_build(program);
    }
    count(Count::builds);
    return program;
  }
  test::Program of_parts(const Numbered& text) const {
    const test::Program parts[] = {created(text.source()), created(text.part())};
    cl_program handles[2];
    for (int i = 0; i < 2; ++i) {
      handles[i] = parts[i];
      CL_EXPECT(CL_SUCCESS,
                clCompileProgram(handles[i], 0, nullptr, options_, 0, nullptr, nullptr, nullptr, nullptr));
    }
    cl_int error = CL_SUCCESS;
    test::Program linked =
        clLinkProgram(session_.context(), 0, nullptr, nullptr, 2, handles, nullptr, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    count(Count::builds, 3);
    return linked;
  }
  test::Program of_binary(cl_program program) const {
    const auto number = session_.devices().size();
    std::vector<std::size_t> sizes(number);
    CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, number * sizeof(std::size_t),
                                           sizes.data(), nullptr));
    std::vector<Bytes> binaries;
    for (const std::size_t size : sizes) binaries.emplace_back(size);
    std::vector<unsigned char*> places;
    for (Bytes& binary : binaries) places.push_back(binary.data());
    CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, number * sizeof(unsigned char*),
                                           places.data(), nullptr));
    cl_int error = CL_SUCCESS;
    test::Program loaded = clCreateProgramWithBinary(
        session_.context(), static_cast<cl_uint>(number), session_.devices().data(), sizes.data(),
        const_cast<const unsigned char**>(places.data()), nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr));
    count(Count::builds);
    return loaded;
  }
  // A build continues after the application has released the program.
  void and_let_go(const std::string& source) const {
    const test::Program program = created(source);
    build_beside(program);
    count(Count::builds);
  }
  void refused() const {
    static constexpr const char* kTexts[] = {"kernel void k(global uint* a) { a[0] = ; }",
                                             "kernel void k(global uint* a) { *a = missing(1); }",
                                             "kernel int k() { return 1; }"};
    const test::Program program = created(any_of(kTexts));
    CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    count(Count::builds);
    count(Count::refused_builds);
  }

 private:
  test::Program created(const std::string& source) const {
    const char* text = source.c_str();
    cl_int error = CL_SUCCESS;
    const cl_program made = clCreateProgramWithSource(session_.context(), 1, &text, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  void build_beside(cl_program program) const {
    ++callbacks_due();
    const auto built = [](cl_program, void*) {
      count(Count::callbacks);
      --callbacks_due();
    };
    CL_EXPECT(CL_SUCCESS, clBuildProgram(program, 0, nullptr, options_, built, nullptr));
  }
  void wait_for_build(cl_program program) const {
    for (const cl_device_id device : session_.devices()) {
      cl_build_status status = CL_BUILD_IN_PROGRESS;
      while (status == CL_BUILD_IN_PROGRESS) {
        CL_EXPECT(CL_SUCCESS, clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status,
                                                    &status, nullptr));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      EXPECT_EQ(CL_BUILD_SUCCESS, status);
    }
  }

  Session& session_;
  const char* const options_;
};

// Launches k and reads its result.
std::unique_ptr<Pending> run(Session& session, cl_program program, const Numbered& text) {
  auto pending = std::make_unique<Pending>("program");
  cl_int error = CL_SUCCESS;
  const test::Kernel kernel = clCreateKernel(program, "k", &error);
  CL_EXPECT(CL_SUCCESS, error);
  const std::size_t items = 1 + below(500), size = items * sizeof(cl_uint);
  const test::Buffer buffer = session.buffer(size);
  const cl_mem handle = buffer;
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof handle, &handle));
  Chain chain(session);
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, events...);
  });
  Bytes expected(size);
  for (cl_uint i = 0; i < items; ++i) {
    const cl_uint value = text.value(i);
    std::memcpy(&expected[i * sizeof value], &value, sizeof value);
  }
  std::uint8_t* const seen = pending->seen(std::move(expected));
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueReadBuffer(queue, handle, CL_FALSE, 0, size, seen, events...);
  });
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

}  // namespace

std::unique_ptr<Pending> build(Session& session) {
  static constexpr const char* kOptions[] = {"", "-cl-std=CL3.0", "-cl-opt-disable", "-w -cl-mad-enable"};
  const std::uint64_t number = any_program_number();
  const Build build(session, kOptions[number % std::size(kOptions)]);
  const Numbered text(number);
  const std::string whole = text.part() + text.source();
  switch (below(20)) {
    case 0:
      build.refused();
      return nullptr;
    case 1:
    case 2:
      build.and_let_go(whole);
      return nullptr;
    case 3:
    case 4:
    case 5:
    case 6:
      return run(session, build.of_parts(text), text);
    case 7:
    case 8:
    case 9:
      return run(session, build.of_binary(build.of_source(whole)), text);
    default:
      return run(session, build.of_source(whole), text);
  }
}

}  // namespace soak
