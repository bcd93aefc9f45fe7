// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <unistd.h>

#include "doctor_test.h"

namespace {

class DoctorEnvironment : public test::Doctor {};

TEST_F(DoctorEnvironment, IsWell) {
  environment["CLCUDA_DEVICES"] = "cpu,cpu";
  environment["CLCUDA_LOG"] = "debug";
  environment["CLCUDA_MEMORY"] = "100";
  environment["CLCUDA_VERSION"] = "";
  environment["CLCU"] = "of somebody else";
  EXPECT_EQ(run("environment"), 0) << all();
  EXPECT_EQ(text("environment"), "no variable is misspelt or has a wrong value");
}

TEST_F(DoctorEnvironment, HasMisspeltVariables) {
  environment["CLCUDA_CAHCE_DIR"] = "/x";
  expect("environment", "problem", "variable-misspelt",
         "CLCUDA_CAHCE_DIR is not a variable of clcuda's; CLCUDA_CACHE_DIR probably is meant");
  EXPECT_EQ(remedy("variable-misspelt"), "export CLCUDA_CACHE_DIR=/x");
  environment.erase("CLCUDA_CAHCE_DIR");
  for (const char* name : {"CLCUDA_DEVICE", "CLCUDADEVICES", "clcuda_devices", "CLUDA_DEVICES"}) {
    environment[name] = "cpu";
    EXPECT_EQ(run("environment"), 1) << name;
    EXPECT_EQ(text("variable-misspelt"),
              std::string(name) + " is not a variable of clcuda's; CLCUDA_DEVICES probably is meant");
    environment.erase(name);
  }
}

TEST_F(DoctorEnvironment, HasAnUnknownVariable) {
  environment["CLCUDA_NO_SUCH_THING"] = "1";
  expect("environment", "note", "variable-unknown", "CLCUDA_NO_SUCH_THING is not a variable of clcuda's");
}

struct Value {
  const char *variable, *value, *expected;
};
class DoctorValue : public test::Doctor, public testing::WithParamInterface<Value> {};

TEST_P(DoctorValue, IsInvalid) {
  const auto [variable, value, expected] = GetParam();
  environment[variable] = value;
  expect("environment", "problem", "variable-invalid",
         std::string(variable) + "=" + value + " is not understood: " + expected + " is expected");
}

INSTANTIATE_TEST_SUITE_P(All, DoctorValue,
                         testing::Values(Value{"CLCUDA_CACHE", "off", "0 or 1"},
                                         Value{"CLCUDA_CACHE_SIZE", "1G", "a number that is not negative"},
                                         Value{"CLCUDA_CPU_THREADS", "-1", "a number that is not negative"},
                                         Value{"CLCUDA_LOG", "verbose", "one of error, warning, info, debug"},
                                         Value{"CLCUDA_FILTERS", "soft", "one of hardware, exact"},
                                         Value{"CLCUDA_VERSION", "2.0", "one of 3.0, 3.1"},
                                         Value{"CLCUDA_DEVICES", "cpu,fpga",
                                               "gpu and cpu, with commas between them"}),
                         [](const auto& info) { return std::string(info.param.variable); });

TEST_F(DoctorEnvironment, OffersNoDevice) {
  environment["CLCUDA_DEVICES"] = ",";
  expect("environment", "problem", "devices-none", "CLCUDA_DEVICES=, offers no device");
}

TEST_F(DoctorEnvironment, OffersGpusWhereThereIsNone) {
  environment["CLCUDA_DEVICES"] = "gpu";
  expect("environment", "problem", "devices-no-gpu",
         "CLCUDA_DEVICES=gpu offers GPUs only, and there is no NVIDIA driver");
}

TEST_F(DoctorEnvironment, DumpsToNoFolder) {
  environment["CLCUDA_DUMP"] = "/proc/nowhere";
  EXPECT_EQ(run("environment"), geteuid() == 0 ? 0 : 1) << all();
  environment["CLCUDA_DUMP"] = file("a_file") + "/folder";
  expect("environment", "problem", "dump-folder",
         "CLCUDA_DUMP=" + path("a_file/folder") + " cannot be written: Not a directory");
}

TEST_F(DoctorEnvironment, TracesToNoFolder) {
  environment["CLCUDA_TRACE"] = path("trace.json");
  EXPECT_EQ(run("environment"), 0) << all();
  environment["CLCUDA_TRACE"] = path("nowhere/trace.json");
  expect("environment", "problem", "trace-file",
         "CLCUDA_TRACE=" + path("nowhere/trace.json") + " cannot be written: No such file or directory");
}

class DoctorLimits : public test::Doctor {};

TEST_F(DoctorLimits, AreWell) {
  before = [] {
    const rlimit stack{8 << 20, RLIM_INFINITY};
    setrlimit(RLIMIT_STACK, &stack);
  };
  EXPECT_EQ(run("limits"), 0) << all();
}

TEST_F(DoctorLimits, AddressSpace) {
  before = [] {
    const rlimit limit{rlim_t{4} << 30, rlim_t{4} << 30};
    setrlimit(RLIMIT_AS, &limit);
  };
  expect("limits", "problem", "limit-address-space", "the address space is limited to 4096 MiB");
  EXPECT_EQ(remedy("limit-address-space"), "ulimit -v unlimited");
}

TEST_F(DoctorLimits, Stack) {
  before = [] {
    const rlimit limit{256 << 10, 256 << 10};
    setrlimit(RLIMIT_STACK, &limit);
  };
  expect("limits", "problem", "limit-stack", "stacks are limited to 256 KiB");
}

TEST_F(DoctorLimits, OpenFiles) {
  before = [] {
    const rlimit limit{32, 32};
    setrlimit(RLIMIT_NOFILE, &limit);
  };
  expect("limits", "problem", "limit-open-files", "a process can open 32 files only");
}

TEST_F(DoctorLimits, LockedMemory) {
  before = [] {
    const rlimit limit{};
    setrlimit(RLIMIT_MEMLOCK, &limit);
  };
  expect("limits", "note", "limit-locked-memory", "no memory can be locked");
}

TEST_F(DoctorLimits, Seccomp) {
  machine_file("/proc/self/status", "Name:\tx\nSeccomp:\t2\n");
  expect("limits", "note", "seccomp",
         "a seccomp filter is active, as containers have one: it may refuse calls that the driver makes");
}

TEST_F(DoctorLimits, NoProc) {
  std::filesystem::remove_all(path("root/proc"));
  expect("limits", "problem", "proc-missing", "/proc is not mounted");
}

TEST_F(DoctorLimits, NoSharedMemory) {
  std::filesystem::remove_all(path("root/dev/shm"));
  expect("limits", "note", "shm-missing",
         "/dev/shm cannot be written, which the driver uses between processes");
}

}  // namespace
