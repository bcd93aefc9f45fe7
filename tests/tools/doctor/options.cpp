// SPDX-License-Identifier: Apache-2.0
// The doctor's options, its forms of output, and that the documentation has a section for each of its findings.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "doctor_test.h"

namespace {

class DoctorOptions : public test::Doctor {};

TEST_F(DoctorOptions, AreRefused) {
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"--nonsense"},
                                                                                     {"--only", "nonsense"},
                                                                                     {"--only"},
                                                                                     {"--limit", "0"},
                                                                                     {"--limit", "x"},
                                                                                     {"file"}}) {
    options = wrong;
    before = [] { (void)!freopen("/dev/null", "w", stderr); };
    EXPECT_EQ(run("loader"), 2) << wrong[0];
    EXPECT_EQ(all(), "");
  }
}

TEST_F(DoctorOptions, HelpAndVersion) {
  options = {"--help"};
  EXPECT_EQ(run("loader"), 0);
  EXPECT_NE(all().find("--json"), std::string::npos);
  options = {"--version"};
  EXPECT_EQ(run("loader"), 0);
  EXPECT_TRUE(all().starts_with("clcuda-doctor ")) << all();
}

TEST_F(DoctorOptions, Json) {
  options = {"--json"};
  environment["CLCUDA_LOG"] = "\"\\\t\x01\xff\xc3\xa4";
  EXPECT_EQ(run("environment"), 1);
  EXPECT_NE(all().find("\"problems\": 1,\n"), std::string::npos) << all();
  EXPECT_NE(
      all().find("{\"severity\": \"problem\", \"id\": \"variable-invalid\", \"text\": \"CLCUDA_LOG="
                 "\\\"\\\\  ?\xc3\xa4 is not understood: one of error, warning, info, debug is expected\", "
                 "\"remedy\": \""),
      std::string::npos)
      << all();
}

std::set<std::string> sections_of_findings() {
  std::ifstream document(CLCUDA_TROUBLESHOOTING);
  std::set<std::string> sections;
  for (std::string line; std::getline(document, line);)
    if (line.starts_with("#### ")) sections.insert(line.substr(5));
  return sections;
}

TEST_F(DoctorOptions, EachFindingIsDocumented) {
  options = {"--list"};
  EXPECT_EQ(run("loader"), 0);
  std::istringstream text(all());
  std::set<std::string> findings;
  for (std::string id; std::getline(text, id);) findings.insert(id);
  EXPECT_GT(findings.size(), 50u);
  EXPECT_EQ(findings, sections_of_findings());
}

}  // namespace
