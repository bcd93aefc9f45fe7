// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "compiler/ptx_modules.h"
#include "support.h"

namespace clcuda::compiler {
namespace {

using testing::built;

std::string kernels(unsigned count, unsigned statements, const std::string& statement = "x = x * 3u + 1u; ") {
  std::string source;
  for (unsigned k = 0; k < count; ++k) {
    source += "kernel void k" + std::to_string(k) + "(global uint* p) { uint x = *p; ";
    for (unsigned i = 0; i < statements; ++i) source += statement;
    source += "*p = x; }\n";
  }
  return source;
}

TEST(Parts, OfALargeProgramHaveEachKernelOnce) {
  const CompiledProgram program = built(kernels(40, 60));
  const VariantOutcome general = make_general_variant(program);
  ASSERT_EQ(general.status, Status::success) << general.log;
  for (const std::string* ptx : {&program.uniform.ptx, &general.code.ptx}) {
    const auto modules = ptx_modules(*ptx);
    EXPECT_GT(modules.size(), 4U);
    EXPECT_LE(modules.size(), 16U);
    const auto entries = ptx_entries(modules);
    EXPECT_EQ(entries.size(), 40U);
    std::set<std::size_t> used;
    for (const auto& [name, module] : entries) {
      used.insert(module);
      EXPECT_EQ(testing::count(*ptx, ".entry " + std::string(name) + "("), 1U) << name;
    }
    EXPECT_EQ(used.size(), modules.size());
  }
  EXPECT_EQ(testing::ptxas_complaint(program.uniform.ptx, 90), "");
}

TEST(Parts, AreNotMadeOfSmallPrograms) {
  EXPECT_EQ(ptx_modules(built(kernels(5, 2)).uniform.ptx).size(), 1U);
}

TEST(Parts, AreNotMadeWhereKernelsShareVariables) {
  const CompiledProgram program = built("global uint shared;\n" + kernels(20, 50, "x = x * 3u + shared++; "));
  EXPECT_EQ(ptx_modules(program.uniform.ptx).size(), 1U);
  EXPECT_EQ(ptx_entries(ptx_modules(program.uniform.ptx)).size(), 20U);
}

TEST(Parts, AreTheSameEachTime) {
  const std::string source = kernels(20, 50);
  EXPECT_EQ(built(source).uniform.ptx, built(source).uniform.ptx);
}

TEST(PtxModules, ComeApartAsTheyWereJoined) {
  const std::vector<std::string> modules = {".entry a()\n", "// b\n.entry b(\n.entry c (", "x"};
  const std::string text = join_ptx_modules(modules);
  const auto apart = ptx_modules(text);
  EXPECT_EQ(std::vector<std::string>(apart.begin(), apart.end()), modules);
  const std::map<std::string_view, std::size_t> expected = {{"a", 0}, {"b", 1}, {"c", 1}};
  EXPECT_EQ(ptx_entries(apart), expected);
  EXPECT_EQ(ptx_modules("").size(), 1U);
}

}  // namespace
}  // namespace clcuda::compiler
