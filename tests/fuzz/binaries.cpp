// SPDX-License-Identifier: Apache-2.0
// Program binaries. An input is what follows a binary's header. The header is adjusted to it, because a wrong size or checksum would reject
// every input.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "fuzz.h"
#include "programs.h"
#include "support/spirv.h"

namespace fuzz {
namespace {

constexpr std::size_t kHeader = 32, kSizePlace = 16, kChecksumPlace = 24;

std::string binary_of(cl_program program) {
  std::size_t size = 0;
  clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr);
  std::string bytes(size, '\0');
  char* place = bytes.data();
  clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, nullptr);
  if (size <= kHeader) std::abort();
  return bytes;
}

// An executable, a compiled object and a library of OpenCL C, an executable of SPIR-V.
const std::vector<std::string>& binaries() {
  static const std::vector<std::string> made = [] {
    const cl_device_id one = device();
    const test::Program built = program_of(
        "kernel void plain(global int* a, local int* b, constant int* c, float4 e) { a[0] = b[0] + c[0] + "
        "e.x; }\n"
        "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void other(read_only image2d_t i, sampler_t "
        "s) {\n"
        "  printf(\"%f\", read_imagef(i, s, (float2)(0, 1)).x);\n"
        "}\n");
    clBuildProgram(built, 1, &one, "-cl-kernel-arg-info", nullptr, nullptr);
    const test::Program compiled = program_of("int twice(int a) { return 2 * a; }\n");
    clCompileProgram(compiled, 1, &one, "-DA=1", 0, nullptr, nullptr, nullptr, nullptr);
    const test::Program library =
        clLinkProgram(context(), 1, &one, "-create-library", 1, compiled.list(), nullptr, nullptr, nullptr);
    const std::string module = test::module("scale");
    const test::Program of_module = clCreateProgramWithIL(context(), module.data(), module.size(), nullptr);
    clBuildProgram(of_module, 1, &one, "", nullptr, nullptr);
    return std::vector{binary_of(built), binary_of(compiled), binary_of(library), binary_of(of_module)};
  }();
  return made;
}

std::string sealed(std::string_view payload) {
  std::string bytes = binaries().front().substr(0, kHeader);
  const std::uint64_t size = payload.size(), checksum = XXH3_64bits(payload.data(), size);
  std::memcpy(bytes.data() + kSizePlace, &size, sizeof size);
  std::memcpy(bytes.data() + kChecksumPlace, &checksum, sizeof checksum);
  return bytes.append(payload);
}

}  // namespace

void run(std::string_view input) {
  const cl_device_id one = device();
  const auto load = [&](const std::string& bytes) -> test::Program {
    const auto* place = reinterpret_cast<const unsigned char*>(bytes.data());
    const std::size_t size = bytes.size();
    return clCreateProgramWithBinary(context(), 1, &one, &size, &place, nullptr, nullptr);
  };
  const std::string bytes = sealed(input);
  use(load(bytes), "");
  // Linked as an object or a library, together with a valid one.
  const test::Program sound = load(binaries()[1]), program = load(bytes);
  if (!program) return;
  const cl_program both[] = {sound, program};
  const test::Program linked = clLinkProgram(context(), 1, &one, "", 2, both, nullptr, nullptr, nullptr);
}

std::vector<std::string> made_seeds() {
  std::vector<std::string> seeds;
  for (const std::string& binary : binaries()) seeds.push_back(binary.substr(kHeader));
  return seeds;
}

const Form kForm = Form::bytes;

}  // namespace fuzz
