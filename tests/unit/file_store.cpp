// SPDX-License-Identifier: Apache-2.0
// The folder of the program cache, as processes with different limits see it.
#include "base/file_store.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <random>
#include <string>

namespace {

namespace fs = std::filesystem;
using clcuda::FileStore;

class Store : public testing::Test {
 protected:
  void SetUp() override {
    std::string path(testing::TempDir() + "store_XXXXXX");
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    folder = path;
  }
  void TearDown() override { fs::remove_all(folder); }
  fs::path folder;
};

// An entry that is too long for one process is intact for the one that stored it.
TEST_F(Store, LeavesEntriesThatAreTooLongForItsLimit) {
  constexpr std::uint64_t kLarge = 1 << 20;
  std::random_device random;
  std::string bytes(kLarge / 8, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  const clcuda::Digest key = clcuda::digest(bytes);
  FileStore large(folder, kLarge);
  large.store(key, bytes);
  large.settle();
  EXPECT_EQ(large.load(key), bytes);
  for (const std::uint64_t most : {std::uint64_t{0}, bytes.size() - 1}) {
    EXPECT_EQ(FileStore(folder, most).load(key), std::nullopt);
    EXPECT_EQ(large.load(key), bytes) << "after a process with " << most;
  }
}

}  // namespace
