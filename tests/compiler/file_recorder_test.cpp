// SPDX-License-Identifier: Apache-2.0
#include "compiler/file_recorder.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "support.h"

namespace clcuda::compiler::testing {
namespace {

// A file that is read several times is recorded once.
TEST(FileRecorder, KeepsAFileOnce) {
  std::string path = ::testing::TempDir() + "recorded_XXXXXX";
  const int made = mkstemp(path.data());
  ASSERT_GE(made, 0);
  close(made);
  std::ofstream(path) << "text";
  FileRecorder files;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(files.openFileForRead(path));
  EXPECT_TRUE(files.exists(path));
  const std::vector<Header> kept = files.take_files();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].name, path);
  EXPECT_EQ(kept[0].text, "text");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace clcuda::compiler::testing
