// SPDX-License-Identifier: Apache-2.0
// Program binaries with correct size and checksum but invalid contents: fields, lengths, names, device code. Each is rejected, or can be
// used without a crash. CLCUDA_TEST_SEED repeats a run, CLCUDA_TEST_SECONDS makes each test longer.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <string>

#include "support/mutation.h"
#include "support/programs.h"

namespace {

// The fields follow the header; texts and lists begin with their length in 64 bits.
constexpr std::size_t kHeader = 32, kSizePlace = 16, kChecksumPlace = 24;

std::size_t below(std::size_t end) { return test::random_engine()() % end; }

// The beginnings of the texts.
const std::string kSource = "kernel void plain(", kDeviceCode = "//\n// Generated";

// Changes a few bytes.
void damage(std::string& bytes) {
  const std::size_t place = below(bytes.size() + 1);
  switch (below(5)) {
    case 0:
      bytes.erase(place, below(64));
      break;
    case 1:
      bytes.insert(place, below(64), static_cast<char>(test::random_engine()()));
      break;
    case 2:
      // A 64-bit number with which additions overflow.
      for (std::size_t i = place; i < std::min(place + 8, bytes.size()); ++i)
        bytes[i] = static_cast<char>(-1);
      break;
    default:
      if (place < bytes.size()) bytes[place] = static_cast<char>(test::random_engine()());
  }
}

// A binary, split at one of its texts.
struct Parts {
  std::string before, text, after;
};
Parts apart(const std::string& binary, const std::string& beginning) {
  const std::size_t place = binary.find(beginning, kHeader);
  if (place == std::string::npos || place < kHeader + sizeof(std::uint64_t)) return {binary, {}, {}};
  std::uint64_t length = 0;
  std::memcpy(&length, binary.data() + place - sizeof length, sizeof length);
  return {binary.substr(0, place - sizeof length), binary.substr(place, length),
          binary.substr(place + length)};
}
std::string joined(const Parts& parts) {
  // Some lengths are wrong, by 1 or by a power of two.
  const std::uint64_t wrong = below(16) ? 0 : below(2) ? below(3) - 1 : std::uint64_t{1} << below(64);
  const std::uint64_t length = parts.text.size() + wrong;
  return parts.before + std::string(reinterpret_cast<const char*>(&length), sizeof length) + parts.text +
         parts.after;
}

// Corrects size and checksum.
std::string sealed(std::string bytes) {
  const std::uint64_t size = bytes.size() - kHeader, checksum = XXH3_64bits(bytes.data() + kHeader, size);
  std::memcpy(bytes.data() + kSizePlace, &size, sizeof size);
  std::memcpy(bytes.data() + kChecksumPlace, &checksum, sizeof checksum);
  return bytes;
}

class ForgedBinaries : public test::Programs {
 protected:
  static std::string bytes_of(cl_program program) {
    const std::vector<unsigned char> bytes = binary(program);
    return {bytes.begin(), bytes.end()};
  }
  // A program whose kernels access no memory, so that any arguments are harmless.
  test::Program harmless() const {
    return build(
        "kernel void plain(global int* a, local int* b, constant int* c, int d, float4 e) {\n"
        "  if (get_global_size(0) == 77777777) a[0] = b[0] + c[0] + d + e.x;\n"
        "}\n"
        "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void other(float x, read_only image2d_t i,\n"
        "                                                                sampler_t s) {\n"
        "  if (x == 77777777) printf(\"%f\", read_imagef(i, s, (float2)(x, x)).x);\n"
        "}\n");
  }
  test::Program load(const std::string& bytes) const {
    const auto* place = reinterpret_cast<const unsigned char*>(bytes.data());
    const std::size_t size = bytes.size();
    cl_int error = 1;
    test::Program made = clCreateProgramWithBinary(context, 1, &device, &size, &place, nullptr, &error);
    EXPECT_TRUE(error == CL_SUCCESS || error == CL_INVALID_BINARY) << test::error_name(error);
    EXPECT_EQ(error == CL_SUCCESS, made.get() != nullptr);
    return made;
  }
  // Whether the program was created and can be built; failures are allowed.
  bool builds(const test::Program& program) const {
    if (!program) return false;
    const cl_int code = clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    // CL_OUT_OF_HOST_MEMORY: the binary may contain huge lengths.
    constexpr cl_int kRefusals[] = {CL_BUILD_PROGRAM_FAILURE, CL_INVALID_BINARY, CL_OUT_OF_HOST_MEMORY};
    EXPECT_TRUE(code == CL_SUCCESS || std::ranges::count(kRefusals, code)) << test::error_name(code);
    return code == CL_SUCCESS;
  }
  bool is_cpu() const {
    cl_device_type type = 0;
    CL_EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr));
    return (type & CL_DEVICE_TYPE_CPU) != 0;
  }
  // Sets all arguments to plausible values, and launches.
  void use(cl_kernel kernel) const {
    cl_uint count = 0;
    CL_OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, nullptr));
    const test::Buffer buffer = make_buffer(4096);
    const cl_mem handle = buffer;
    std::array<std::byte, 4096> value{};
    std::memcpy(value.data(), &handle, sizeof handle);
    char text[64];
    for (cl_uint i = 0; i < std::min(count, 100u); ++i) {
      clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, nullptr);
      for (const std::size_t size : {1, 4, 8, 16, 4096})
        for (const bool memory : {false, true})
          if (clSetKernelArg(kernel, i, size, memory ? value.data() : nullptr) == CL_SUCCESS) break;
    }
    const std::size_t global = 8, local[] = {4, 2, 1};
    const std::size_t sizes[] = {global, global, 1};
    clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr);
    clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, sizes, local, 0, nullptr, nullptr);
    clFinish(queue);
  }
  void use(const test::Program& program) const {
    if (!builds(program)) return;
    std::array<cl_kernel, 4> kernels{};
    cl_uint count = 0;
    if (clCreateKernelsInProgram(program, kernels.size(), kernels.data(), &count) != CL_SUCCESS) return;
    for (test::Kernel kernel : kernels)
      if (kernel) use(kernel);
  }
  // Repeats the body for CLCUDA_TEST_SECONDS, at least five times.
  template <class Body>
  void again_and_again(const Body& body) const {
    const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 3);
    int times = 0;
    for (; !HasFailure() && (times < 5 || std::chrono::steady_clock::now() < end); ++times) body();
    RecordProperty("times", times);
  }
};

// Changes the fields before the source, between source and device code, and after that.
TEST_F(ForgedBinaries, Fields) {
  const Parts code = apart(bytes_of(harmless()), kDeviceCode);
  const Parts source = apart(code.before, kSource);
  ASSERT_FALSE(code.text.empty() || source.text.empty());
  again_and_again([&] {
    Parts outer = code, inner = source;
    for (std::size_t changes = 1 + below(4); changes > 0; --changes)
      damage(below(8) ? inner.after : below(2) ? outer.after : inner.before);
    outer.before = joined(inner);
    use(load(sealed(joined(outer))));
  });
}

// The device code of an executable is checked by the driver. That of a GPU would compile it inside this process.
TEST_F(ForgedBinaries, DeviceCode) {
  if (!is_cpu()) GTEST_SKIP() << "needs the CPU device";
  const Parts parts = apart(bytes_of(harmless()), kDeviceCode);
  ASSERT_FALSE(parts.text.empty());
  const std::vector<std::string> tokens = test::tokens_of(parts.text);
  again_and_again([&] {
    Parts forged = parts;
    if (below(4))
      forged.text = test::mutated(tokens, 4);
    else
      damage(forged.text);
    // Not launched: changed code may do anything.
    builds(load(sealed(joined(forged))));
  });
}

// The source of an object is compiled when it is linked, with the headers and options that the binary contains.
TEST_F(ForgedBinaries, Object) {
  const std::string object = bytes_of(
      compiled("kernel void plain(global int* a, float4 v) {\n"
               "  for (int i = 0; i < v.x; ++i) a[i] = a[i] > 3 ? a[i] * 7 : (int)sin((float)a[i]);\n"
               "}\n"));
  const Parts parts = apart(object, kSource);
  ASSERT_FALSE(parts.text.empty());
  const std::vector<std::string> tokens = test::tokens_of(parts.text);
  again_and_again([&] {
    Parts forged = parts;
    if (below(2)) damage(forged.after);
    if (below(4))
      forged.text = test::mutated(tokens, 4);
    else
      damage(forged.text);
    builds(load(sealed(joined(forged))));
  });
}

// Binaries contain no bitcode, because LLVM does not validate it.
TEST_F(ForgedBinaries, HaveNoBitcode) {
  for (const std::string& binary :
       {bytes_of(harmless()), bytes_of(compiled("kernel void k(global int* a) { *a = 1; }"))})
    EXPECT_EQ(binary.npos, binary.find("BC\xc0\xde"));
}

}  // namespace
