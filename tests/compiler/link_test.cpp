// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::features;
using testing::kTarget;

CompiledProgram compiled(std::string_view source, std::vector<Header> headers = {},
                         const std::string& options = "-cl-std=CL3.0") {
  Outcome outcome = compile({source, headers}, options, kTarget, features());
  EXPECT_EQ(outcome.status, Status::success) << outcome.log;
  return std::move(outcome.program);
}

Outcome linked(std::vector<CompiledProgram> objects, const std::string& options = "") {
  std::vector<const CompiledProgram*> pointers;
  for (const CompiledProgram& object : objects) pointers.push_back(&object);
  return link(pointers, options, kTarget);
}

TEST(Compile, HeadersByName) {
  const CompiledProgram object =
      compiled("#include \"deep/a.h\"\n#include <b.h>\nkernel void k(global int* p) { *p = A + B; }",
               {{"deep/a.h", "#define A 1\n#include \"c.h\"\n"},
                {"b.h", "#define B 2\n"},
                {"deep/c.h", "int f(int);\n"}});
  EXPECT_EQ(object.kind, BinaryKind::compiled_object);
  EXPECT_FALSE(object.bitcode.empty());
  EXPECT_EQ(linked({object}).status, Status::success);
  const Outcome missing = compile("#include \"none.h\"", "", kTarget, features());
  EXPECT_EQ(missing.status, Status::failure);
  EXPECT_NE(missing.log.find("<kernel>:1"), std::string::npos) << missing.log;
}

TEST(Link, AcrossObjectsAndLibraries) {
  const CompiledProgram user = compiled("int twice(int x); kernel void k(global int* p) { *p = twice(*p); }");
  const CompiledProgram helper = compiled("int scale = 2; int twice(int x) { return scale * x; }");
  const Outcome executable = linked({user, helper});
  ASSERT_EQ(executable.status, Status::success) << executable.log;
  EXPECT_EQ(executable.program.kind, BinaryKind::executable);
  ASSERT_EQ(executable.program.kernels.size(), 1U);
  EXPECT_EQ(testing::ptxas_complaint(executable.program.uniform.ptx, 90), "");

  const Outcome library = linked({helper}, "-create-library");
  ASSERT_EQ(library.status, Status::success) << library.log;
  EXPECT_EQ(library.program.kind, BinaryKind::library);
  EXPECT_EQ(linked({user, library.program}).status, Status::success);
}

// Section 5.8.7: clLinkProgram does not take the options of code generation, so objects keep theirs, also as a library and in a binary.
TEST(Link, KeepsOptionsOfCodeGeneration) {
  constexpr char kSource[] =
      "kernel void k(global int* p) { int a[4]; for (int i = 0; i < 4; ++i) a[i] = p[i]; p[0] = a[p[5]]; }";
  for (const std::string option : {"-cl-opt-disable", "-cl-nv-opt-level=1", "-cl-nv-maxrregcount=32", "-w"}) {
    const std::string options = "-cl-std=CL3.0 " + option;
    const Outcome whole = build(kSource, options, kTarget, features());
    ASSERT_EQ(whole.status, Status::success) << whole.log;
    const CompiledProgram object = compiled(kSource, {}, options);
    const Outcome library = linked({object}, "-create-library");
    ASSERT_EQ(library.status, Status::success) << library.log;
    const auto reread = parse(serialize(object));
    ASSERT_TRUE(reread);
    for (const Outcome& made : {linked({object}), linked({library.program}), linked({*reread})}) {
      ASSERT_EQ(made.status, Status::success) << made.log;
      EXPECT_EQ(made.program.uniform.ptx, whole.program.uniform.ptx) << option;
      EXPECT_EQ(made.program.optimization_level, whole.program.optimization_level);
      EXPECT_EQ(made.program.max_registers, whole.program.max_registers);
      EXPECT_EQ(make_general_variant(made.program).code.ptx, make_general_variant(whole.program).code.ptx);
    }
  }
  // Of an executable with several objects, the one that asks for least decides.
  const CompiledProgram plain = compiled("int f(int x) { return x; }"),
                        held = compiled("int f(int x); kernel void k(global int* p) { *p = f(*p); }", {},
                                        "-cl-nv-maxrregcount=40 -cl-nv-opt-level=2");
  const Outcome both = linked({plain, held});
  ASSERT_EQ(both.status, Status::success) << both.log;
  EXPECT_EQ(both.program.max_registers, 40);
  EXPECT_EQ(both.program.optimization_level, 2);
}

// Objects and libraries as binaries. They contain the headers that they included: the files have been deleted by then.
TEST(Link, FromBinaries) {
  const auto folder = std::filesystem::temp_directory_path() / ("clcuda-link-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "near");
  std::ofstream(folder / "scale.h")
      << "#include \"near/by.h\"\n#if !__has_include(\"there.h\")\n#error\n#endif\n";
  std::ofstream(folder / "there.h") << "#error not read\n";
  std::ofstream(folder / "near/by.h") << "int scale = BY;\n";
  const auto in_bytes = [](const CompiledProgram& program) {
    auto read = parse(serialize(program));
    EXPECT_TRUE(read);
    return std::move(*read);
  };
  const CompiledProgram helper = in_bytes(compiled("#include <scale.h>\n#include \"twice.h\"\n",
                                                   {{"twice.h", "int twice(int x) { return scale * x; }"}},
                                                   "-cl-std=CL3.0 -DBY=2 -I " + folder.string()));
  std::filesystem::remove_all(folder);
  const CompiledProgram user =
      in_bytes(compiled("int twice(int x); kernel void k(global int* p) { *p = twice(*p); }"));
  const Outcome library = linked({helper}, "-create-library");
  ASSERT_EQ(library.status, Status::success) << library.log;
  const Outcome executable = linked({user, in_bytes(library.program)});
  ASSERT_EQ(executable.status, Status::success) << executable.log;
  EXPECT_EQ(executable.program.translations.size(), 2U);
  EXPECT_EQ(executable.program.global_variable_size, 4U);
  EXPECT_EQ(make_general_variant(in_bytes(executable.program)).code.ptx, executable.program.uniform.ptx);
  // With link options that apply to the objects.
  for (const char* options : {"", "-cl-denorms-are-zero"}) {
    const CompiledProgram unit = compiled("kernel void k(global float* p) { *p *= 0.1f; }"),
                          other = compiled("int f(int x) { return x; }");
    const Outcome at_once = linked({unit, other}, options),
                  from_bytes = linked({in_bytes(unit), in_bytes(other)}, options);
    ASSERT_EQ(from_bytes.status, Status::success) << from_bytes.log;
    EXPECT_EQ(at_once.program.uniform.ptx, from_bytes.program.uniform.ptx) << options;
    EXPECT_EQ(make_general_variant(at_once.program).code.ptx,
              make_general_variant(in_bytes(at_once.program)).code.ptx)
        << options;
  }
}

TEST(Link, NamesWhatIsUndefined) {
  const Outcome outcome =
      linked({compiled("int absent_one(int); kernel void k(global int* p) { *p = absent_one(*p); }")});
  EXPECT_EQ(outcome.status, Status::failure);
  EXPECT_NE(outcome.log.find("absent_one"), std::string::npos) << outcome.log;
}

TEST(Link, NamesWhatIsDefinedTwice) {
  const CompiledProgram object = compiled("int same(int x) { return x; } kernel void k() {}");
  const Outcome outcome = linked({object, compiled("int same(int x) { return -x; }")});
  EXPECT_EQ(outcome.status, Status::failure);
  EXPECT_NE(outcome.log.find("same"), std::string::npos) << outcome.log;
}

// A library function keeps its type, even if the program declares it differently.
TEST(Link, LibraryFunctionsOfAnotherType) {
  const std::string log = testing::refused(
      "int wrong(float x) __asm__(\"_Z3sinf\"); kernel void k(global int* p) { *p = wrong(*p); }");
  EXPECT_NE(log.find("sin(float)"), std::string::npos) << log;
}

TEST(Link, NothingAndGarbage) {
  EXPECT_EQ(linked({}).status, Status::failure);
  CompiledProgram garbage;
  garbage.bitcode = "BC\xC0\xDEgarbage";
  EXPECT_EQ(linked({garbage}).status, Status::failure);
  EXPECT_EQ(linked({compiled("kernel void k() {}")}, "-D A").status, Status::invalid_options);
}

TEST(Link, InlineFunctionsOfC99) {
  EXPECT_EQ(
      linked({compiled("inline int f(int x) { return x + 1; } kernel void k(global int* p) { *p = f(*p); }")})
          .status,
      Status::success);
}

}  // namespace
}  // namespace clcuda::compiler
