// SPDX-License-Identifier: Apache-2.0
// The program cache. The tests detect its use in its folder: an entry that is written again is a new file. Each build has its own process,
// in which a test runs a disabled test of this program (program_cache_builds.cpp).
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/own_process.h"
#include "support/spirv.h"

namespace {

namespace fs = std::filesystem;

class ProgramCache : public testing::Test {
 protected:
  void SetUp() override {
    std::string path(testing::TempDir() + "cache_XXXXXX");
    ASSERT_NE(nullptr, mkdtemp(path.data()));
    root = path;
    cache = root / "cache";
    setenv("CLCUDA_CACHE", "1", 1);
    setenv("CLCUDA_CACHE_DIR", cache.c_str(), 1);
    setenv("CLCUDA_CACHE_SIZE", "1024", 1);
    setenv("CLCUDA_CPU_QUICK", "0", 1);
    setenv("TEST_FOLDER", root.c_str(), 1);
    setenv("TEST_OPTIONS", "", 1);
    setenv("TEST_VALUE", "42", 1);
  }
  void TearDown() override { fs::remove_all(root); }

  static void run(const char* name) { test::run_alone(std::string("InNewProcess.DISABLED_") + name); }
  static void run_including(int expected) {
    setenv("TEST_VALUE", std::to_string(expected).c_str(), 1);
    run("Including");
  }
  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(store(), none))
      if (entry.is_regular_file() && entry.path().filename() != "CACHEDIR.TAG") found.push_back(entry.path());
    return found;
  }
  std::set<ino_t> identities() const {
    std::set<ino_t> found;
    for (const fs::path& path : files()) {
      struct stat status{};
      EXPECT_EQ(0, stat(path.c_str(), &status));
      found.insert(status.st_ino);
    }
    return found;
  }
  // The cache has its own folder within the configured one.
  fs::path store() const { return cache / "clcuda-programs"; }
  // A folder like that of an earlier process.
  void make_store() const {
    write(store() / "CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    fs::permissions(store(), fs::perms::owner_all);
  }
  void write_in_store(const std::string& folder, const std::string& name, const std::string& text) const {
    write(store() / folder / name, text);
    fs::permissions(store() / folder, fs::perms::owner_all);
  }
  // Files of 2 MB that have not been used for a day.
  static void write_old(const fs::path& path, const std::string& begin = "") {
    write(path, begin + std::string(2 << 20, 'x'));
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(24));
  }
  fs::path root, cache;
};

TEST_F(ProgramCache, ServesOtherProcesses) {
  run("Plain");
  const auto first = identities();
  EXPECT_FALSE(first.empty());
  run("Plain");
  EXPECT_EQ(first, identities());
}

// For a CPU device the first process stores quickly compiled code; the second one stores optimized code in addition.
TEST_F(ProgramCache, HasBetterCodeFromTheSecondProcessOn) {
  cl_device_type type = 0;
  CL_OK(clGetDeviceInfo(test::devices().at(0), CL_DEVICE_TYPE, sizeof type, &type, nullptr));
  if (type & CL_DEVICE_TYPE_GPU) GTEST_SKIP() << "a GPU's code is made once";
  setenv("CLCUDA_CPU_QUICK", "1", 1);
  run("Plain");
  const auto first = identities();
  run("Plain");
  const auto second = identities();
  EXPECT_TRUE(std::ranges::includes(second, first));
  EXPECT_EQ(first.size() + 1, second.size());
  run("Plain");
  EXPECT_EQ(second, identities());
}

TEST_F(ProgramCache, HasLinkedProgramsAndGeneralVariants) {
  run("Linked");
  const auto first = identities();
  run("Linked");
  EXPECT_EQ(first, identities());
}

// The first process's launch compiles it; another process's launch does not wait for it any more.
TEST_F(ProgramCache, LoadsAKnownGeneralVariantWithTheProgram) {
  setenv("CLCUDA_LOG", "info", 1);
  for (const char* when : {"launch", "build", "build"}) {
    setenv("TEST_VALUE", when, 1);
    run("WithAnOffset");
  }
  unsetenv("CLCUDA_LOG");
}

TEST_F(ProgramCache, GivesEachProgramItsVariables) { run("OverAndOver"); }

TEST_F(ProgramCache, DistinguishesBinariesWithTheSameText) { run("ForgedText"); }

TEST_F(ProgramCache, DistinguishesLibrariesByTheirOptions) { run("LibrariesAlike"); }

// What was not optimised for lack of time is no result for a process that has more time: two objects, the linked program and its general
// variant are made again. The machine code is not.
TEST_F(ProgramCache, DistinguishesLimitsOfBuilds) {
  for (const char* seconds : {"10", "11"}) {
    setenv("CLCUDA_BUILD_TIME", seconds, 1);
    const auto before = identities();
    run("Linked");
    const auto after = identities();
    EXPECT_TRUE(std::ranges::includes(after, before));
    if (!before.empty()) EXPECT_EQ(before.size() + 4, after.size());
  }
  unsetenv("CLCUDA_BUILD_TIME");
}

TEST_F(ProgramCache, DistinguishesOptions) {
  run("Plain");
  const auto first = identities();
  setenv("TEST_OPTIONS", "-D OTHER", 1);
  run("Plain");
  EXPECT_NE(first, identities());
}

// Programs built with different CLCUDA_VERSION have different entries.
TEST_F(ProgramCache, DistinguishesVersionsOfOpenCl) {
  for (const auto& [version, value] :
       {std::pair("3.1", "310"), std::pair("3.0", "300"), std::pair("", "310")}) {
    setenv("CLCUDA_VERSION", version, 1);
    setenv("TEST_VALUE", value, 1);
    run("OfVersion");
  }
  unsetenv("CLCUDA_VERSION");
}

// A module with other values of its specialization constants has another entry.
TEST_F(ProgramCache, DistinguishesValuesOfSpecializationConstants) {
  run("Module");
  const auto first = identities();
  EXPECT_FALSE(first.empty());
  setenv("TEST_VALUE", "43", 1);
  run("Module");
  const auto both = identities();
  EXPECT_TRUE(std::ranges::includes(both, first));
  EXPECT_GT(both.size(), first.size());
  setenv("TEST_VALUE", "42", 1);
  run("Module");
  EXPECT_EQ(both, identities());
}

TEST_F(ProgramCache, NoticesAChangedHeader) {
  setenv("TEST_OPTIONS", ("-I " + root.native()).c_str(), 1);
  write(root / "value.h", "#define VALUE 1");
  run_including(1);
  write(root / "value.h", "#define VALUE 2");
  run_including(2);
  const auto both = identities();
  write(root / "value.h", "#define VALUE 1");
  run_including(1);
  EXPECT_EQ(both, identities());
}

TEST_F(ProgramCache, NoticesAChangedHeaderWithinAProcess) {
  setenv("TEST_OPTIONS", ("-I " + root.native()).c_str(), 1);
  write(root / "value.h", "#define VALUE 42");
  run("WithinAProcess");
}

// The list of a program's headers, of which each build that finds others adds one, does not grow for ever.
TEST_F(ProgramCache, RemembersAFewHeadersOfAProgram) {
  setenv("TEST_OPTIONS", ("-I " + root.native()).c_str(), 1);
  const std::string header = root / "value.h";
  // How often the entry with the most headers names this one.
  const auto headers_named = [&] {
    std::size_t most = 0;
    for (const fs::path& path : files()) {
      std::ifstream file(path, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      std::size_t named = 0;
      for (auto at = text.find(header); at != std::string::npos; at = text.find(header, at + 1)) ++named;
      most = std::max(most, named);
    }
    return most;
  };
  const auto after = [&](int builds) {
    fs::remove_all(cache);
    setenv("TEST_COUNT", std::to_string(builds).c_str(), 1);
    run("WithManyHeaders");
    return headers_named();
  };
  const std::size_t one = after(1);
  EXPECT_GE(one, 1u);
  EXPECT_EQ(after(3), 3 * one);
  EXPECT_LT(after(20), 20 * one);
}

TEST_F(ProgramCache, NoticesAHeaderThatIsNoFileAnyMore) {
  setenv("TEST_OPTIONS", ("-I " + root.native()).c_str(), 1);
  for (const char* kind : {"0", "1"}) {
    setenv("TEST_COUNT", kind, 1);
    run("WithAHeaderThatIsNoFile");
    fs::remove(root / "value.h");
  }
}

// The library's own headers are no files, so that a program without #include does not depend on any.
TEST_F(ProgramCache, KnowsNoFilesOfPlainPrograms) {
  setenv("TEST_OPTIONS", ("-I " + root.native()).c_str(), 1);
  for (const char* name : {"opencl-c-base.h", "clcuda-prelude.h", "clcuda-prelude-intel.h"})
    write(root / name, "#error this is the program's");
  run("Plain");
  for (const char* name : {"opencl-c-base.h", "clcuda-prelude.h"}) {
    fs::remove(root / name);
    ASSERT_EQ(0, mkfifo((root / name).c_str(), S_IRWXU));
  }
  const auto before = identities();
  EXPECT_FALSE(before.empty());
  run("Plain");
  EXPECT_EQ(before, identities());
}

TEST_F(ProgramCache, NoticesAHeaderThatNowComesFirst) {
  setenv("TEST_OPTIONS", ("-I " + (root / "a").native() + " -I " + (root / "b").native()).c_str(), 1);
  write(root / "b" / "value.h", "#define VALUE 1");
  run_including(1);
  write(root / "a" / "value.h", "#define VALUE 2");
  run_including(2);
}

TEST_F(ProgramCache, NoticesAHeaderOfAHeader) {
  setenv("TEST_OPTIONS", ("-I " + root.native()).c_str(), 1);
  write(root / "value.h", "#include \"inner.h\"");
  write(root / "inner.h", "#define VALUE 3");
  run_including(3);
  write(root / "inner.h", "#define VALUE 4");
  run_including(4);
}

TEST_F(ProgramCache, PassesOverDamage) {
  run("Plain");
  ASSERT_FALSE(files().empty());
  for (const bool cut : {false, true}) {
    for (const fs::path& path : files()) {
      const auto size = fs::file_size(path);
      if (cut) {
        fs::resize_file(path, test::random_engine()() % size);
        continue;
      }
      std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
      const auto place = static_cast<std::streamoff>(test::random_engine()() % size);
      file.seekg(place);
      const auto old = static_cast<char>(file.get());
      file.seekp(place);
      file.put(static_cast<char>(old ^ (1 << test::random_engine()() % 8)));
    }
    run("Plain");
  }
}

// Entries with correct header, size and digest but invalid contents; in particular the length of the machine code, with which they begin.
TEST_F(ProgramCache, PassesOverForgedEntries) {
  constexpr std::size_t kSizePlace = 8, kDigestPlace = 16, kHeader = 32;
  const auto contents = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const auto forge = [&](const fs::path& path, std::string content) {
    std::string header = contents(path).substr(0, kHeader);
    const std::uint64_t size = content.size();
    const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
    const std::uint64_t digest[] = {hash.low64, hash.high64};
    std::memcpy(header.data() + kSizePlace, &size, sizeof size);
    std::memcpy(header.data() + kDigestPlace, digest, sizeof digest);
    std::ofstream(path, std::ios::binary) << header << content;
  };
  const auto with_length = [](std::string content, std::uint64_t length) {
    std::memcpy(content.data(), &length, sizeof length);
    return content;
  };
  for (int way = 0; way < 7; ++way) {
    SCOPED_TRACE(way);
    fs::remove_all(cache);
    run("Plain");
    ASSERT_FALSE(files().empty());
    for (const fs::path& path : files()) {
      const std::string content = contents(path).substr(kHeader);
      ASSERT_GT(content.size(), sizeof(std::uint64_t));
      std::uint64_t length = 0;
      std::memcpy(&length, content.data(), sizeof length);
      const std::uint64_t all = content.size() - sizeof length;
      forge(path, way == 0   ? std::string()
                  : way == 1 ? content.substr(0, sizeof length - 1)
                  : way == 2 ? with_length(content, 0)
                  : way == 3 ? with_length(content, all + 1)
                  : way == 4 ? with_length(content, ~std::uint64_t{0})
                  : way == 5 ? with_length(content, length - 1)
                             : with_length(content.substr(0, sizeof length), 0));
    }
    run("Plain");
  }
}

// An entry is replaced by an empty file, a file larger than memory, a folder, a pipe, a link to itself.
TEST_F(ProgramCache, PassesOverWhatIsNoEntry) {
  const auto replace = [](const fs::path& path, int by) {
    if (by == 1) return fs::resize_file(path, std::uintmax_t{1} << 40);
    fs::remove(path);
    if (by == 0) std::ofstream(path).flush();
    if (by == 2) fs::create_directory(path);
    if (by == 3) EXPECT_EQ(0, mkfifo(path.c_str(), 0600));
    if (by == 4) fs::create_symlink(path, path);
  };
  for (int by = 0; by < 5; ++by) {
    SCOPED_TRACE(by);
    fs::remove_all(cache);
    run("Plain");
    ASSERT_FALSE(files().empty());
    for (const fs::path& path : files()) replace(path, by);
    run("Plain");
  }
}

TEST_F(ProgramCache, ServesManyProcessesAtOnce) {
  std::vector<std::thread> processes;
  for (int i = 0; i < 16; ++i) processes.emplace_back([] { run("Plain"); });
  for (std::thread& process : processes) process.join();
  for (const fs::path& path : files()) EXPECT_EQ(std::string::npos, path.native().find(".part")) << path;
}

TEST_F(ProgramCache, IsNoLargerThanAllowed) {
  setenv("CLCUDA_CACHE_SIZE", "1", 1);
  make_store();
  for (int i = 0; i < 30; ++i)
    write_in_store("00", std::string(28, '0') + std::to_string(10 + i),
                   "clcache1" + std::string(100'000, 'x'));
  run("Plain");
  std::uintmax_t total = 0;
  for (const fs::path& path : files()) total += fs::file_size(path);
  EXPECT_LE(total, 1u << 20);
  EXPECT_GT(total, 0u);
  // The newest entry is kept.
  const auto kept = identities();
  run("Plain");
  EXPECT_EQ(kept, identities());
}

// Files of others in the configured folder, in the cache's folder or behind a symbolic link are not deleted, whatever their names.
TEST_F(ProgramCache, TouchesNothingThatIsNotItsOwn) {
  setenv("CLCUDA_CACHE_SIZE", "1", 1);
  make_store();
  const std::string name(30, 'a');
  const fs::path elsewhere = root / "elsewhere";
  const std::vector<fs::path> others = {cache / "thesis" / "chapter.part1.txt",
                                        cache / "holiday.jpg",
                                        cache / "aa" / name,
                                        cache / "aa" / (name + ".partXXXXXX"),
                                        store() / "aa" / "chapter.part1.txt",
                                        store() / "aa" / name,
                                        store() / "aa" / (name + ".part0123456789abcdef"),
                                        store() / "holiday.jpg",
                                        elsewhere / name,
                                        elsewhere / (name + ".part0123456789abcdef")};
  for (const fs::path& path : others) write_old(path, path.parent_path() == elsewhere ? "clcache1" : "");
  // A folder within the store that lets other users in.
  const fs::path in_open_folder = store() / "dd" / name;
  write_old(in_open_folder, "clcache1");
  fs::permissions(store() / "dd", fs::perms(0755));
  fs::permissions(store() / "aa", fs::perms::owner_all);
  fs::permissions(elsewhere, fs::perms::owner_all);
  fs::create_directory_symlink(elsewhere, store() / "bb");
  // Files of the cache are deleted: an old entry, and the temporary file of a process that died.
  const fs::path old = store() / "cc" / name, unfinished = store() / "cc" / (name + ".part0123456789abcdef");
  for (const fs::path& path : {old, unfinished}) write_old(path, "clcache1");
  fs::permissions(store() / "cc", fs::perms::owner_all);
  run("Plain");
  for (const fs::path& path : others) EXPECT_TRUE(fs::exists(path)) << path;
  EXPECT_TRUE(fs::exists(in_open_folder));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_FALSE(fs::exists(unfinished));
}

// The contents of a folder that others can write to, that is a link, or that has foreign files, cannot be trusted.
TEST_F(ProgramCache, UsesNoFolderThatOthersMayHaveMade) {
  const auto expect_unused = [&] {
    run("Plain");
    EXPECT_TRUE(files().empty());
    fs::remove_all(cache);
  };
  for (const auto mode : {fs::perms(0755), fs::perms(0770), fs::perms(0777)}) {
    make_store();
    fs::permissions(store(), mode);
    expect_unused();
  }
  fs::create_directories(store() / "a folder of somebody");
  fs::permissions(store(), fs::perms::owner_all);
  expect_unused();
  // The mark of such a folder is a file, not a link to one.
  make_store();
  fs::rename(store() / "CACHEDIR.TAG", root / "CACHEDIR.TAG");
  fs::create_symlink(root / "CACHEDIR.TAG", store() / "CACHEDIR.TAG");
  expect_unused();
  const fs::path elsewhere = root / "elsewhere";
  fs::create_directories(elsewhere);
  fs::permissions(elsewhere, fs::perms::owner_all);
  fs::create_directories(cache);
  fs::create_directory_symlink(elsewhere, store());
  run("Plain");
  EXPECT_TRUE(fs::is_empty(elsewhere));
  fs::remove_all(cache);
  if (geteuid() == 0) {
    make_store();
    ASSERT_EQ(0, chown(store().c_str(), 65534, 65534));
    expect_unused();
  }
  // An empty folder of the user is used.
  fs::create_directories(store());
  fs::permissions(store(), fs::perms::owner_all);
  run("Plain");
  EXPECT_FALSE(files().empty());
}

TEST_F(ProgramCache, CanDoWithoutItsFolder) {
  write(cache, "a file");
  run("Plain");
  fs::remove(cache);
  run("OnAFullDisk");
  EXPECT_TRUE(files().empty());
}

// A full disk, or the end of the process, may have left a part of the mark.
TEST_F(ProgramCache, IsMadeAfterAFullDisk) {
  run("OnAFullDisk");
  EXPECT_TRUE(files().empty());
  run("Plain");
  EXPECT_FALSE(files().empty());
  fs::remove_all(store());
  write(store() / "CACHEDIR.TAG", "Signature: 8a477f59");
  fs::permissions(store(), fs::perms::owner_all);
  run("Plain");
  EXPECT_FALSE(files().empty());
}

// What the application prints with its standard streams closed is in no file.
TEST_F(ProgramCache, IsNotPrintedInto) {
  setenv("CLCUDA_DUMP", (cache / "dump").c_str(), 1);
  for (int i = 0; i < 3; ++i) {
    fs::remove_all(cache);
    run("WithClosedStreams");
    for (const auto& entry : fs::recursive_directory_iterator(cache)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      EXPECT_EQ(std::string::npos, text.find("THE APPLICATION'S")) << entry.path();
    }
    run("Plain");
    EXPECT_FALSE(files().empty());
  }
  unsetenv("CLCUDA_DUMP");
}

TEST_F(ProgramCache, KeepsNothingOfWhatChanges) { run("OfItsTime"); }

// Without a size, nothing is kept, nor is what others have kept removed. Larger numbers than there are are the largest.
TEST_F(ProgramCache, HasTheSizeThatIsConfigured) {
  setenv("CLCUDA_CACHE_SIZE", "4294967296", 1);
  run("Plain");
  const auto kept = identities();
  EXPECT_FALSE(kept.empty());
  for (const char* none : {"0", "-1", "-4294967295"}) {
    setenv("CLCUDA_CACHE_SIZE", none, 1);
    run("Plain");
    EXPECT_EQ(kept, identities()) << none;
  }
  fs::remove_all(cache);
  run("Plain");
  EXPECT_FALSE(fs::exists(cache));
}

// A cache of root's in a user's home would shut that user out.
TEST_F(ProgramCache, IsNotMadeByRootInTheHomeOfAUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user's";
  unsetenv("CLCUDA_CACHE_DIR");
  unsetenv("XDG_CACHE_HOME");
  const char* old_home = std::getenv("HOME");
  const std::string before = old_home ? old_home : "";
  const fs::path home = root / "home";
  setenv("HOME", home.c_str(), 1);
  fs::create_directory(home);
  ASSERT_EQ(0, chown(home.c_str(), 65534, 65534));
  run("Plain");
  for (const fs::path& made : fs::directory_iterator(home))
    EXPECT_EQ(".nv", made.filename());  // the cache of NVIDIA's driver
  ASSERT_EQ(0, chown(home.c_str(), 0, 0));
  run("Plain");
  EXPECT_TRUE(fs::exists(home / ".cache"));
  setenv("HOME", before.c_str(), 1);
}

TEST_F(ProgramCache, CanBeSwitchedOff) {
  setenv("CLCUDA_CACHE", "0", 1);
  run("Plain");
  EXPECT_FALSE(fs::exists(cache));
}

// CLCUDA_DUMP writes the PTX of each build, whether it is in the cache or not.
TEST_F(ProgramCache, HidesNothingFromTheDump) {
  const fs::path dump = root / "dump";
  for (const char* when : {"made", "found"}) {
    setenv("CLCUDA_DUMP", dump.c_str(), 1);
    run("Plain");
    unsetenv("CLCUDA_DUMP");
    ASSERT_FALSE(fs::is_empty(dump)) << when;
    std::ifstream file(fs::directory_iterator(dump)->path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(std::string::npos, text.find(".entry k")) << when;
    fs::remove_all(dump);
  }
}

TEST_F(ProgramCache, LiesWhereTheSystemKeepsCaches) {
  unsetenv("CLCUDA_CACHE_DIR");
  setenv("XDG_CACHE_HOME", root.c_str(), 1);
  run("Plain");
  EXPECT_FALSE(fs::is_empty(root / "clcuda"));
  unsetenv("XDG_CACHE_HOME");
  const char* old_home = std::getenv("HOME");
  const std::string home = old_home ? old_home : "";
  setenv("HOME", (root / "home").c_str(), 1);
  run("Plain");
  EXPECT_FALSE(fs::is_empty(root / "home" / ".cache" / "clcuda"));
  setenv("HOME", home.c_str(), 1);
}

}  // namespace
