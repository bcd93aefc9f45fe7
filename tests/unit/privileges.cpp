// SPDX-License-Identifier: Apache-2.0
// A process with more privileges than its caller ignores the caller's environment variables.
#include <sys/stat.h>

#include <filesystem>

#include "base/config.h"
#include "support/own_process.h"
#include "support/sanitized.h"

namespace {

namespace fs = std::filesystem;

TEST(Privileges, AnOrdinaryProcessReadsItsEnvironment) {
  EXPECT_FALSE(clcuda::is_privileged());
  setenv("CLCUDA_TEST_VARIABLE", "x", 1);
  EXPECT_STREQ(clcuda::environment("CLCUDA_TEST_VARIABLE"), "x");
}

// Run as another user, by a set-user-ID program.
TEST(Privileges, DISABLED_Gained) {
  ASSERT_NE(getuid(), geteuid());
  EXPECT_TRUE(clcuda::is_privileged());
  EXPECT_EQ(clcuda::environment("HOME"), nullptr);
  EXPECT_TRUE(clcuda::config().dump.empty());
  EXPECT_TRUE(clcuda::config().trace.empty());
  EXPECT_TRUE(clcuda::config().cache_dir.empty());
}

TEST(Privileges, AProcessThatGainedThemDoesNot) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a program of another user's";
  if (test::kSanitized) GTEST_SKIP() << "a sanitizer cannot look into such a process";
  std::string folder(testing::TempDir() + "privileges_XXXXXX");
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  ASSERT_EQ(chmod(folder.c_str(), 0755), 0);
  const std::string program = folder + "/program";
  fs::copy_file(fs::read_symlink("/proc/self/exe"), program);
  ASSERT_EQ(chown(program.c_str(), 65534, 65534), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  setenv("CLCUDA_DUMP", "/tmp", 1);
  setenv("CLCUDA_TRACE", "/tmp/trace.json", 1);
  setenv("CLCUDA_CACHE_DIR", "/tmp", 1);
  const pid_t child = test::start_test(program, "Privileges.DISABLED_Gained");
  ASSERT_GT(child, 0);
  EXPECT_EQ(test::exit_code_of(child, std::chrono::seconds(60)), 0);
  fs::remove_all(folder);
}

}  // namespace
