// SPDX-License-Identifier: Apache-2.0
// A large program is split into several parts of device code, which are compiled in parallel, without any visible difference.
#include <array>
#include <random>
#include <string>
#include <utility>

#include "support/programs.h"

namespace {

constexpr unsigned kKernels = 12, kSteps = 70, kItems = 64;

class ProgramParts : public test::Programs {
 protected:
  using Steps = std::array<std::array<cl_uint, 2>, kSteps>;

  void SetUp() override {
    Programs::SetUp();
    std::mt19937 random(std::random_device{}());
    for (Steps& steps : all_)
      for (auto& step : steps) step = {static_cast<cl_uint>(random()) | 1, static_cast<cl_uint>(random())};
    for (cl_uint& value : table_) value = static_cast<cl_uint>(random());
  }

  // Each kernel is long enough for a part of its own; all use the same function and constants.
  std::string source(const std::string& function = "look_up") const {
    std::string text = "uint absent(uint x);\nconstant uint table[4] = {";
    for (const cl_uint value : table_) text += std::to_string(value) + "u,";
    text += "};\nuint look_up(uint x) { return table[x % 4] ^ (uint)get_global_id(0); }\n";
    for (unsigned k = 0; k < kKernels; ++k) {
      text += "kernel void k" + std::to_string(k) + "(global uint* p) {\n  uint x = p[get_global_id(0)];\n";
      for (const auto& [factor, summand] : all_[k])
        text += "  x = x * " + std::to_string(factor) + "u + " + std::to_string(summand) + "u;\n";
      text += "  p[get_global_id(0)] = " + function + "(x);\n}\n";
    }
    return text;
  }
  cl_uint expected(unsigned kernel, cl_uint x, cl_uint id) const {
    for (const auto& [factor, summand] : all_[kernel]) x = x * factor + summand;
    return table_[x % 4] ^ id;
  }

  void run_all(cl_program program, std::size_t offset) {
    for (unsigned k = 0; k < kKernels; ++k) {
      std::vector<cl_uint> values(kItems);
      for (unsigned i = 0; i < kItems; ++i) values[i] = i * 77 + k;
      const test::Buffer buffer = make_buffer(values);
      const test::Kernel kernel = make_kernel(program, ("k" + std::to_string(k)).c_str());
      const cl_mem memory = buffer;
      const std::size_t items = kItems - offset;
      CL_OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &items, nullptr, 0, nullptr, nullptr));
      for (unsigned i = static_cast<unsigned>(offset); i < kItems; ++i) values[i] = expected(k, values[i], i);
      EXPECT_EQ(values, contents<cl_uint>(buffer, kItems)) << k;
    }
  }

 private:
  std::array<Steps, kKernels> all_{};
  std::array<cl_uint, 4> table_{};
};

TEST_F(ProgramParts, AllKernelsWorkWithAndWithoutAnOffset) {
  const test::Program program = build(source());
  run_all(program, 0);
  run_all(program, 3);
}

// Whichever parts and variants the kernels are of that leave and find an address.
TEST_F(ProgramParts, AConstantHasOneAddress) {
  std::string steps;
  for (unsigned i = 0; i < kSteps; ++i)
    steps += "  x = x * 77 + (x >> " + std::to_string(i % 13 + 1) + ");\n";
  for (const std::string space : {"constant", "global const"}) {
    SCOPED_TRACE(space);
    const test::Program program =
        build(space +
                  " int table[4] = {11, 22, 33, 44};\n"
                  "typedef struct { " +
                  space +
                  " int* place; long index; int value, equal; } Entry;\n"
                  "kernel void put(global Entry* e, global uint* y) { uint x = y[0];\n" +
                  steps +
                  "  y[0] = x; e->place = &table[1]; }\n"
                  "kernel void get(global Entry* e, global uint* y) { uint x = y[0];\n" +
                  steps +
                  "  y[0] = x; e->index = e->place - table; e->value = *e->place; e->equal = e->place == "
                  "&table[1]; }\n",
              "-cl-std=CL3.0");
    const test::Kernel put = make_kernel(program, "put"), get = make_kernel(program, "get");
    for (const std::size_t offset_of_put : {0, 3}) {
      for (const std::size_t offset_of_get : {0, 5}) {
        struct Entry {
          cl_ulong place;
          cl_long index;
          cl_int value, equal;
        };
        const test::Buffer entry = make_buffer(sizeof(Entry)),
                           other = make_buffer(std::vector<cl_uint>(1, 5));
        const std::size_t one = 1;
        for (const auto& [kernel, offset] :
             {std::pair(put.get(), offset_of_put), {get.get(), offset_of_get}}) {
          set_arguments(kernel, entry, other);
          CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0, nullptr, nullptr));
        }
        const Entry found = contents<Entry>(entry, 1).front();
        EXPECT_EQ(found.index, 1);
        EXPECT_EQ(found.value, 22);
        EXPECT_EQ(found.equal, 1);
      }
    }
  }
}

TEST_F(ProgramParts, GoThroughABinary) {
  const std::vector<unsigned char> bytes = binary(build(source()));
  const unsigned char* start = bytes.data();
  const std::size_t size = bytes.size();
  const test::Program program =
      clCreateProgramWithBinary(context, 1, &device, &size, &start, nullptr, nullptr);
  CL_OK(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  run_all(program, 0);
}

TEST_F(ProgramParts, AFunctionThatIsMissingIsNamedOnce) {
  const test::Program program = create(source("absent"));
  CL_EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  const std::string log = info(program, CL_PROGRAM_BUILD_LOG);
  const std::size_t first = log.find("undefined reference");
  EXPECT_NE(std::string::npos, first) << log;
  EXPECT_EQ(std::string::npos, log.find("undefined reference", first + 1)) << log;
}

}  // namespace
