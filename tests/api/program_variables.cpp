// SPDX-License-Identifier: Apache-2.0
// Program-scope variables: shared by all kernels of a program and all their launches.
#include "support/programs.h"

namespace {

class ProgramVariables : public test::Programs {
 protected:
  void SetUp() override {
    Programs::SetUp();
    program = build(R"(
      int table[4] = {1, 20, 300, 4000};
      global int* place = table + 1;
      kernel void add(int v) { table[get_global_id(0)] += v; }
      kernel void move(int by) { place += by; }
      kernel void read(global int* out) { for (int i = 0; i < 4; ++i) out[i] = table[i]; out[4] = *place; }
      int next() { static int calls = 100; return calls++; }
      kernel void count(global int* out) { out[0] = next(); }
    )");
    out = make_buffer(std::vector<cl_int>(5));
  }
  void run(const char* name, const void* argument, std::size_t argument_size, std::size_t offset = 0) const {
    const test::Kernel kernel = make_kernel(program, name);
    const std::size_t one = 1;
    CL_OK(clSetKernelArg(kernel, 0, argument_size, argument));
    CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &one, nullptr, 0, nullptr, nullptr));
  }
  void add(cl_int value, std::size_t place) const { run("add", &value, sizeof value, place); }
  std::vector<cl_int> read(const char* name = "read") const {
    const cl_mem memory = out;
    run(name, &memory, sizeof memory);
    return contents<cl_int>(out, 5);
  }
  test::Program program;
  test::Buffer out;
};

// Launches with and without an offset use different variants of the code, but the same variables.
TEST_F(ProgramVariables, AreSharedByAllLaunches) {
  EXPECT_EQ((std::vector<cl_int>{1, 20, 300, 4000, 20}), read());
  add(5, 0);
  add(7, 2);
  EXPECT_EQ((std::vector<cl_int>{6, 20, 307, 4000, 20}), read());
  const cl_int by = 2;
  run("move", &by, sizeof by);
  add(1, 3);
  EXPECT_EQ((std::vector<cl_int>{6, 20, 307, 4001, 4001}), read());
}

TEST_F(ProgramVariables, OfFunctionsKeepTheirValue) {
  for (cl_int i = 100; i < 105; ++i) EXPECT_EQ(i, read("count")[0]);
}

TEST_F(ProgramVariables, BeginAnewInAnotherProgram) {
  add(5, 0);
  const test::Program first = std::move(program);
  SetUp();
  EXPECT_EQ((std::vector<cl_int>{1, 20, 300, 4000, 20}), read());
}

TEST_F(ProgramVariables, SizeIsTold) {
  std::size_t size = 0, most = 0;
  CL_OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size,
                              &size, nullptr));
  EXPECT_GE(size, 4 * sizeof(cl_int) + 8 + sizeof(cl_int));
  EXPECT_LE(size, 64u);
  const test::Program none = build("kernel void k() {}");
  CL_OK(clGetProgramBuildInfo(none, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size, &size,
                              nullptr));
  EXPECT_EQ(0u, size);
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, nullptr));
  EXPECT_GE(most, 64u << 10);
}

// Variables of each type and width between variables of one byte: initialization and stores change only the variable itself.
class VariablesOfEveryType : public test::Programs {
 protected:
  struct Variable {
    std::string type, name;
    std::size_t width;
    std::vector<cl_int> first;  // values that every type can represent
    cl_int guard;
  };
  void SetUp() override {
    Programs::SetUp();
    for (const std::string scalar :
         {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"}) {
      for (const std::size_t width : {1, 2, 3, 4, 8, 16}) {
        Variable variable{scalar + (width == 1 ? "" : std::to_string(width)),
                          scalar + std::to_string(width) + "_",
                          width,
                          {},
                          below(100)};
        for (std::size_t i = 0; i < width; ++i) variable.first.push_back(below(60));
        variables.push_back(variable);
        elements += width + 1;
      }
    }
  }
  static cl_int below(std::uint64_t limit) { return static_cast<cl_int>(test::random_engine()() % limit); }
  static std::string element(const Variable& variable, std::size_t index) {
    constexpr const char* kDigits = "0123456789abcdef";
    return variable.name + (variable.width == 1 ? "" : std::string(".s") + kDigits[index]);
  }
  // A value of the variable's type, with `suffix` after each of its elements.
  static std::string value(const Variable& variable, const std::string& suffix) {
    std::string text = "(" + variable.type + ")(";
    for (std::size_t i = 0; i < variable.width; ++i)
      text += (i ? ", " : "") + std::to_string(variable.first[i]) + suffix;
    return text + ")";
  }
  // Statements that add to the initial values of all variables, and that read all.
  std::string store() const {
    std::string text;
    for (const Variable& variable : variables)
      text += "  " + variable.name + " = " + value(variable, " + add") + ";\n";
    return text;
  }
  std::string read() const {
    std::string text;
    for (const Variable& variable : variables) {
      for (std::size_t i = 0; i < variable.width; ++i)
        text += "  *out++ = (int)" + element(variable, i) + ";\n";
      text += "  *out++ = guard_" + variable.name + ";\n";
    }
    return text;
  }
  std::vector<cl_int> expected(cl_int added) const {
    std::vector<cl_int> values;
    for (const Variable& variable : variables) {
      for (const cl_int first : variable.first) values.push_back(first + added);
      values.push_back(variable.guard);
    }
    return values;
  }
  std::vector<cl_int> run(cl_program program, const char* name, cl_int add, std::size_t items) const {
    const test::Kernel kernel = make_kernel(program, name);
    const test::Buffer out = make_buffer(elements * sizeof(cl_int));
    set_arguments(kernel, out, add);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
    return contents<cl_int>(out, elements);
  }
  static constexpr const char* kHalves = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  std::vector<Variable> variables;
  std::size_t elements = 0;
};

TEST_F(VariablesOfEveryType, InGlobalAndConstantMemory) {
  std::string text = kHalves, constants = kHalves;
  for (const Variable& variable : variables) {
    const std::string declarations = variable.type + " " + variable.name + " = " + value(variable, "") + "; ",
                      guard = "uchar guard_" + variable.name + " = " + std::to_string(variable.guard) + ";\n";
    text += "global " + declarations + "global " + guard;
    constants += "constant " + declarations + "constant " + guard;
  }
  const std::string reader = "kernel void look(global int* out, int add) {\n" + read() + "}\n";
  const test::Program program =
      build(text + reader + "kernel void change(global int* out, int add) {\n" + store() + "}\n");
  EXPECT_EQ(expected(0), run(program, "look", 0, 1));
  const cl_int add = 1 + below(60);
  run(program, "change", add, 1);
  EXPECT_EQ(expected(add), run(program, "look", 0, 1));
  EXPECT_EQ(expected(0), run(build(constants + reader), "look", 0, 1));
}

// Arrays and structures of these types, read at an index that is known only at run time.
TEST_F(VariablesOfEveryType, InArraysAndStructures) {
  std::string declarations = kHalves, reads;
  std::vector<cl_int> wanted;
  for (const Variable& variable : variables) {
    std::string values;
    for (int i = 0; i < 3; ++i) values += (i ? ", " : "") + value(variable, " + " + std::to_string(i));
    for (const std::string space : {"global", "constant"}) {
      const std::string name = space[0] + variable.name;
      declarations += space + " " + variable.type + " array_" + name + "[3] = {" + values + "};\n" + space +
                      " struct { char a; " + variable.type + " b[2]; char c; } struct_" + name + " = {1, {" +
                      value(variable, "") + ", " + value(variable, " + 1") + "}, 2};\n";
      reads += "  read_" + variable.name + "(array_" + name + "[1 + zero]); read_" + variable.name +
               "(array_" + name + "[2 + zero]);\n  *out++ = struct_" + name + ".a; read_" + variable.name +
               "(struct_" + name + ".b[1 + zero]); *out++ = struct_" + name + ".c;\n";
      const auto add = [&](cl_int more) {
        for (const cl_int first : variable.first) wanted.push_back(first + more);
      };
      add(1), add(2), wanted.push_back(1), add(1), wanted.push_back(2);
    }
    declarations += "#define read_" + variable.name + "(v)";
    for (std::size_t i = 0; i < variable.width; ++i)
      declarations +=
          std::string(" *out++ = (int)(v)") + element(variable, i).substr(variable.name.size()) + ";";
    declarations += "\n";
  }
  elements = wanted.size();
  const test::Program program =
      build(declarations + "kernel void k(global int* out, int zero) {\n" + reads + "}\n");
  EXPECT_EQ(wanted, run(program, "k", 0, 1));
}

TEST_F(VariablesOfEveryType, InLocalMemory) {
  std::string text = std::string(kHalves) + "kernel void k(global int* out, int add) {\n", guards;
  for (const Variable& variable : variables) {
    text += "  local " + variable.type + " " + variable.name + "; local uchar guard_" + variable.name + ";\n";
    guards += "  guard_" + variable.name + " = " + std::to_string(variable.guard) + " + add - add;\n";
  }
  const auto by = [](int item, const std::string& statements) {
    return "  if (get_local_id(0) == " + std::to_string(item) + ") {\n" + statements +
           "  }\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  };
  const cl_int add = below(60);
  EXPECT_EQ(expected(add),
            run(build(text + by(0, guards) + by(1, store()) + by(2, read()) + "}\n"), "k", add, 3));
}

}  // namespace
