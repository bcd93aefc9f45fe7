// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor_test.h"

namespace {

namespace fs = std::filesystem;

class DoctorCache : public test::Doctor {
 protected:
  static constexpr uid_t kNobody = 65534;
  DoctorCache() { environment["CLCUDA_CACHE_DIR"] = path("cache"); }
  // The cache's folder, with mode 0700.
  std::string store() const {
    fs::create_directories(path("cache/clcuda-programs"));
    chmod(path("cache/clcuda-programs").c_str(), 0700);
    return path("cache/clcuda-programs");
  }
  // Runs the doctor as another user.
  void as_nobody() {
    program = path("doctor");
    fs::copy_file(CLCUDA_DOCTOR, program);
    before = [] {
      if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(125);
    };
  }
};

TEST_F(DoctorCache, IsWell) {
  EXPECT_EQ(run("cache"), 0) << all();
  EXPECT_EQ(text("cache"), path("cache/clcuda-programs") + " will be made when it is needed");
  store();
  EXPECT_EQ(run("cache"), 0) << all();
  EXPECT_EQ(text("cache"), store() + " is used");
}

TEST_F(DoctorCache, IsOff) {
  environment["CLCUDA_CACHE"] = "0";
  expect("cache", "note", "cache-off",
         "the program cache is off (CLCUDA_CACHE=0): programs are built each time");
}

TEST_F(DoctorCache, HasNoHome) {
  environment.erase("CLCUDA_CACHE_DIR");
  environment.erase("HOME");
  environment["XDG_CACHE_HOME"] = "not/absolute";
  expect("cache", "problem", "cache-no-home",
         "no folder is known for the program cache: neither CLCUDA_CACHE_DIR nor an absolute XDG_CACHE_HOME "
         "or HOME "
         "is set");
}

TEST_F(DoctorCache, WouldBeRootsInAHomeOfAUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user's";
  const std::string home = path("home");
  fs::create_directory(home);
  ASSERT_EQ(chown(home.c_str(), kNobody, kNobody), 0);
  environment["CLCUDA_CACHE_DIR"] = home + "/.cache/clcuda";
  expect("cache", "problem", "cache-of-root",
         "root makes no " + home +
             "/.cache/clcuda/clcuda-programs, since the folder above it belongs to another user");
}

TEST_F(DoctorCache, LetsOthersIn) {
  chmod(store().c_str(), 0755);
  expect("cache", "problem", "cache-mode", path("cache/clcuda-programs") + " lets other users in");
  EXPECT_EQ(remedy("cache-mode"), "chmod 700 " + path("cache/clcuda-programs"));
}

TEST_F(DoctorCache, BelongsToSomebodyElse) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(chown(store().c_str(), kNobody, kNobody), 0);
  expect("cache", "problem", "cache-foreign", path("cache/clcuda-programs") + " belongs to another user");
}

TEST_F(DoctorCache, IsALink) {
  fs::create_directories(path("cache"));
  fs::create_directories(path("elsewhere"));
  fs::create_directory_symlink(path("elsewhere"), path("cache/clcuda-programs"));
  expect("cache", "problem", "cache-link",
         path("cache/clcuda-programs") + " is a symbolic link or a file, which is not followed");
}

TEST_F(DoctorCache, HoldsSomethingElse) {
  store();
  file("cache/clcuda-programs/thesis.txt", "…");
  expect("cache", "problem", "cache-contents",
         path("cache/clcuda-programs") + " holds something else than the program cache");
}

TEST_F(DoctorCache, IsBelowAFile) {
  file("cache");
  expect("cache", "problem", "cache-link",
         path("cache/clcuda-programs") + " is a symbolic link or a file, which is not followed");
  environment["CLCUDA_CACHE_DIR"] = path("cache/folder");
  EXPECT_EQ(run("cache"), 1) << all();
}

TEST_F(DoctorCache, CannotBeWritten) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  as_nobody();
  fs::create_directories(path("cache"));
  expect("cache", "problem", "cache-not-writable", path("cache") + " cannot be written: Permission denied");
}

TEST_F(DoctorCache, CannotBeRead) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  as_nobody();
  store();
  ASSERT_EQ(chmod(path("cache").c_str(), 0700), 0);
  expect("cache", "problem", "cache-unreadable",
         path("cache/clcuda-programs") + " cannot be looked at: Permission denied");
}

// A read-only file system, mounted in a namespace of the doctor's process.
TEST_F(DoctorCache, IsOnAReadOnlyDisk) {
  static std::string folder;
  folder = path("cache");
  fs::create_directories(folder);
  before = [] {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS) != 0) _exit(125);
    if (mount("none", folder.c_str(), "tmpfs", MS_RDONLY, "size=1m") != 0) _exit(125);
  };
  if (run("cache") == 125) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(text("cache-read-only"), folder + " is on a file system that cannot be written") << all();
}

TEST_F(DoctorCache, IsOnAFullDisk) {
  static std::string folder;
  folder = path("cache");
  fs::create_directories(folder);
  before = [] {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS) != 0) _exit(125);
    if (mount("none", folder.c_str(), "tmpfs", 0, "size=1m") != 0) _exit(125);
  };
  if (run("cache") == 125) GTEST_SKIP() << "no file system can be mounted here";
  EXPECT_EQ(text("cache-full"), folder + " has 1 MiB free") << all();
}

TEST_F(DoctorCache, IsTooSmall) {
  environment["CLCUDA_CACHE_SIZE"] = "1";
  expect("cache", "note", "cache-size", "CLCUDA_CACHE_SIZE=1 is too small for programs to be kept");
}

TEST_F(DoctorCache, IsNotUsedByAPrivilegedProcess) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a program of another user's";
  program = path("doctor");
  fs::copy_file(CLCUDA_DOCTOR, program);
  ASSERT_EQ(chown(program.c_str(), kNobody, kNobody), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  environment["CLCUDA_CAHCE"] = "1";
  expect("cache,environment", "note", "privileged",
         "this process has privileges that its caller lacks (set-user-ID or the like): clcuda ignores its "
         "variables "
         "and has no cache");
  EXPECT_EQ(text("variable-misspelt"), "");
}

}  // namespace
