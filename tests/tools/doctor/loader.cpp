// SPDX-License-Identifier: Apache-2.0
#include "doctor_test.h"

namespace {

class DoctorLoader : public test::Doctor {
 protected:
  DoctorLoader() { environment["LD_LIBRARY_PATH"] = path("lib"); }
  std::string clcuda_icd(const std::string& name) const {
    return file("root/etc/OpenCL/vendors/" + name, CLCUDA_LIBRARY "\n");
  }
  std::string vendors() const { return path("root/etc/OpenCL/vendors"); }
};

TEST_F(DoctorLoader, IsTheSystems) {
  EXPECT_EQ(run("loader"), 0);
  EXPECT_NE(all().find("libOpenCL.so"), std::string::npos) << all();
}

TEST_F(DoctorLoader, IsMissing) {
  const std::string library = file("lib/libOpenCL.so.1");  // an empty file, where the linker searches first
  expect("loader", "problem", "loader-missing", "there is no ICD loader: " + library + ": file too short");
  EXPECT_EQ(remedy("loader-missing"), "install one: apt-get install ocl-icd-libopencl1");
}

TEST_F(DoctorLoader, Crashes) {
  copy_fake("libcrashing.so", "libOpenCL.so.1");
  expect("loader", "problem", "loader-crashes",
         "loading libOpenCL.so.1 was ended by signal 11 (Segmentation fault)");
}

TEST_F(DoctorLoader, IsOfUnknownMake) {
  const std::string library = copy_fake("libcuda.so.1", "libOpenCL.so.1");
  expect("loader", "note", "loader-unknown",
         library + " does not say which loader it is; it may be one vendor's own and read no .icd files");
}

TEST_F(DoctorLoader, FindsClcuda) {
  const std::string icd = clcuda_icd("clcuda.icd");
  EXPECT_EQ(run("icd"), 0) << all();
  EXPECT_EQ(text("icd"), icd + " names " CLCUDA_LIBRARY ", which loads");
}

TEST_F(DoctorLoader, FindsNothing) {
  expect("icd", "problem", "icd-absent",
         "nothing that the loader reads (" + vendors() + ") names clcuda's library");
}

TEST_F(DoctorLoader, FindsNoFolder) {
  environment["OCL_ICD_VENDORS"] = path("nowhere");
  run("icd");
  EXPECT_EQ(text("icd-folder-missing"),
            "there is no folder " + path("nowhere") +
                ", in which the loader looks for .icd files (the variable OCL_ICD_VENDORS)");
  EXPECT_EQ(severity("icd-absent"), "problem");
}

TEST_F(DoctorLoader, IsToldOfAMissingLibrary) {
  const std::string icd = file("root/etc/OpenCL/vendors/clcuda.icd", "/nowhere/libclcuda.so");
  expect("icd", "problem", "icd-library-missing", icd + " names /nowhere/libclcuda.so, which does not exist");
}

TEST_F(DoctorLoader, IsToldOfAMissingLibraryOfOthers) {
  clcuda_icd("clcuda.icd");
  const std::string icd = file("root/etc/OpenCL/vendors/other.icd", "/nowhere/libother.so");
  expect("icd", "note", "icd-other-fails",
         icd +
             " names /nowhere/libother.so of another implementation, which does not load: there is no such "
             "file");
}

TEST_F(DoctorLoader, IsToldOfALibraryThatDoesNotLoad) {
  const std::string library =
      file("lib/libclcuda.so", "no library at all, though of a name that could be one's");
  const std::string icd = file("root/etc/OpenCL/vendors/clcuda.icd", library);
  EXPECT_EQ(run("icd"), 1);
  EXPECT_TRUE(
      text("icd-library-fails").starts_with(icd + " names " + library + ", which does not load: " + library))
      << all();
}

TEST_F(DoctorLoader, IsToldOfALibraryThatCrashes) {
  const std::string library = copy_fake("libcrashing.so", "libclcuda.so");
  const std::string icd = file("root/etc/OpenCL/vendors/clcuda.icd", library);
  expect("icd", "problem", "icd-library-crashes",
         icd + " names " + library + "; loading that was ended by signal 11 (Segmentation fault)");
}

TEST_F(DoctorLoader, IsToldOfSomethingElse) {
  const std::string library = copy_fake("libcuda.so.1", "libclcuda.so");
  const std::string icd = file("root/etc/OpenCL/vendors/clcuda.icd", library);
  expect("icd", "problem", "icd-no-implementation",
         icd + " names " + library +
             ", which is no OpenCL implementation (it lacks clGetExtensionFunctionAddress)");
}

TEST_F(DoctorLoader, IsToldOfClcudaTwice) {
  const std::string first = clcuda_icd("a.icd"), second = clcuda_icd("b.icd");
  expect("icd", "problem", "icd-twice",
         "clcuda is named twice, by " + first + " and by " + second +
             ": programs see its devices twice, or an old library");
}

TEST_F(DoctorLoader, IsToldByAnEmptyFile) {
  clcuda_icd("clcuda.icd");
  const std::string icd = file("root/etc/OpenCL/vendors/empty.icd", "\n");
  expect("icd", "problem", "icd-empty", icd + " names no library");
}

TEST_F(DoctorLoader, IsToldByWhatIsNoFile) {
  clcuda_icd("clcuda.icd");
  const std::string icd = path("root/etc/OpenCL/vendors/other.icd");
  std::filesystem::create_directory(icd);
  expect("icd", "problem", "icd-no-file", icd + " is a folder, not a file");
  std::filesystem::remove(icd);
  ASSERT_EQ(mkfifo(icd.c_str(), 0600), 0);
  expect("icd", "problem", "icd-no-file", icd + " is a pipe, not a file");
}

// Both kinds of variables name the same library, as set by scripts/with-clcuda.
TEST_F(DoctorLoader, IsToldByVariables) {
  clcuda_icd("clcuda.icd");
  environment["OCL_ICD_VENDORS"] = vendors();
  environment["OCL_ICD_FILENAMES"] = CLCUDA_LIBRARY;
  EXPECT_EQ(run("icd"), 0) << all();
}

TEST_F(DoctorLoader, RunsAProgram) {
  clcuda_icd("clcuda.icd");
  environment["OCL_ICD_VENDORS"] = vendors();
  environment["CLCUDA_DEVICES"] = "cpu";
  environment["CLCUDA_CACHE"] = "0";
  EXPECT_EQ(run("run"), 0) << all();
  EXPECT_NE(text("run").find("a kernel was built and ran"), std::string::npos) << all();
}

TEST_F(DoctorLoader, RunsNoProgram) {
  environment["OCL_ICD_VENDORS"] = path("nowhere");
  expect("run", "problem", "run-no-platform", "programs find no platform of clcuda's (nor any other)");
}

TEST_F(DoctorLoader, RunsNoProgramWhereVariablesOfferNoDevice) {
  clcuda_icd("clcuda.icd");
  environment["OCL_ICD_VENDORS"] = vendors();
  environment["CLCUDA_DEVICES"] = "none";
  expect("run", "problem", "run-no-platform", "programs find no platform of clcuda's (nor any other)");
}

TEST_F(DoctorLoader, RunsAProgramThatCrashes) {
  const std::string library = copy_fake("libcrashing.so", "libclcuda.so");
  file("root/etc/OpenCL/vendors/clcuda.icd", library);
  environment["OCL_ICD_VENDORS"] = vendors();
  expect("run", "problem", "run-crashes", "a small program was ended by signal 11 (Segmentation fault)");
}

}  // namespace
