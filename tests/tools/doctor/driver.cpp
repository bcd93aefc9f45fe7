// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>

#include "doctor_test.h"

namespace {

class DoctorDriver : public test::Doctor {};

TEST_F(DoctorDriver, IsWell) {
  have_driver();
  EXPECT_EQ(run("driver,gpu"), 0) << all();
  EXPECT_EQ(text("gpu"), "Fake GPU: compute capability 9.0, 4096 of 8192 MiB free");
}

TEST_F(DoctorDriver, NoGpu) {
  expect("driver,gpu", "note", "gpu-none", "no NVIDIA GPU is seen on this machine");
}

TEST_F(DoctorDriver, NoModule) {
  machine_file("/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
  machine_file("/sys/bus/pci/devices/0000:01:00.0/class", "0x030000\n");
  expect("driver", "problem", "driver-not-loaded",
         "there is an NVIDIA GPU, but the driver's kernel module is not loaded");
  machine_file("/proc/modules", "ext4 1 0\nnouveau 1 0 - Live\n");
  expect("driver", "problem", "driver-nouveau",
         "the kernel uses nouveau for the GPU, which does not run CUDA");
}

TEST_F(DoctorDriver, NoLibrary) {
  have_driver();
  const std::string library = file("lib/libcuda.so.1");  // now empty
  expect(
      "driver,gpu", "problem", "driver-library-missing",
      "the kernel module is loaded, but the driver's library does not load: " + library + ": file too short");
}

TEST_F(DoctorDriver, NoLibraryInAContainer) {
  have_driver();
  file("lib/libcuda.so.1");
  machine_file("/.dockerenv");
  expect("container,driver,gpu", "problem", "container-driver",
         "this container lacks the driver's library (libcuda.so.1)");
}

TEST_F(DoctorDriver, HiddenFromAContainer) {
  machine_file("/run/.containerenv");
  environment["NVIDIA_VISIBLE_DEVICES"] = "none";
  expect("container", "problem", "container-hides-gpus",
         "NVIDIA_VISIBLE_DEVICES=none gives this container no GPU");
}

TEST_F(DoctorDriver, OfAContainerWithoutComputing) {
  machine_file("/.dockerenv");
  environment["NVIDIA_VISIBLE_DEVICES"] = "all";
  environment["NVIDIA_DRIVER_CAPABILITIES"] = "utility,graphics";
  expect("container", "problem", "container-capabilities",
         "NVIDIA_DRIVER_CAPABILITIES=utility,graphics leaves the driver's library out of this container");
}

TEST_F(DoctorDriver, NoNode) {
  have_driver();
  std::filesystem::remove(path("root/dev/nvidia-uvm"));
  expect("driver", "problem", "device-nodes-missing",
         "the kernel module is loaded, but there is no /dev/nvidia-uvm");
}

TEST_F(DoctorDriver, OldVersion) {
  have_driver();
  environment["FAKE_CUDA_VERSION"] = "11080";
  expect("driver", "problem", "driver-too-old", "the driver is for CUDA 11.8; clcuda needs one for 12.0");
}

TEST_F(DoctorDriver, LacksFunctions) {
  have_driver();
  copy_fake("libnvidia-ml.so.1", "libcuda.so.1");
  EXPECT_EQ(run("driver"), 1);
  EXPECT_EQ(severity("driver-library-old"), "problem") << all();
  EXPECT_TRUE(text("driver-library-old").starts_with("the driver has no cu")) << all();
}

TEST_F(DoctorDriver, OfTwoVersions) {
  have_driver("570.1");
  copy_fake("libcuda.so.1", "libcuda.so.525.60.13");
  std::filesystem::remove(path("lib/libcuda.so.1"));
  std::filesystem::create_symlink("libcuda.so.525.60.13", path("lib/libcuda.so.1"));
  expect("driver", "problem", "driver-mismatch",
         "the kernel module is of version 570.1, the driver's library of 525.60.13");
}

TEST_F(DoctorDriver, Stub) {
  have_driver();
  environment["FAKE_CUDA_INIT"] = "34";
  expect("driver", "problem", "driver-stub",
         path("lib/libcuda.so.1") + " is the CUDA toolkit's stub, no driver");
}

struct Start {
  const char *code, *id, *text;
};
class DoctorDriverStart : public DoctorDriver, public testing::WithParamInterface<Start> {};

TEST_P(DoctorDriverStart, IsTold) {
  have_driver();
  environment["FAKE_CUDA_INIT"] = GetParam().code;
  environment["FAKE_CUDA_COUNT"] = "0";
  options = {"--limit", "2"};
  expect("driver,gpu", "problem", GetParam().id, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Codes, DoctorDriverStart,
    testing::Values(Start{"crash", "driver-crashes",
                          "starting the driver was ended by signal 11 (Segmentation fault)"},
                    Start{"hang", "driver-hangs", "starting the driver took longer than 2 s"},
                    Start{"100", "driver-finds-no-gpu", "the driver finds no GPU (CUDA_ERROR_NO_DEVICE)"},
                    Start{"802", "driver-not-ready", "the driver is not ready (CUDA_ERROR_SYSTEM_NOT_READY)"},
                    Start{"803", "driver-mismatch",
                          "the kernel module is of version 570.1, the driver's library of another version"},
                    Start{"804", "driver-incompatible",
                          "the driver's library is a compatibility package that this GPU does not support"},
                    Start{"999", "driver-fails", "the driver does not start: CUDA_ERROR_OF_A_TEST"}),
    [](const auto& info) { return "Of" + std::string(info.param.code); });

class DoctorGpu : public test::Doctor {
 protected:
  DoctorGpu() { have_driver(); }
};

TEST_F(DoctorGpu, Hidden) {
  environment["CUDA_VISIBLE_DEVICES"] = "7";
  environment["FAKE_CUDA_INIT"] = "100";
  environment["FAKE_CUDA_COUNT"] = "0";
  expect("driver,gpu", "problem", "gpu-hidden", "CUDA_VISIBLE_DEVICES=7 hides every GPU");
  environment["CUDA_VISIBLE_DEVICES"] = "";
  expect("driver,gpu", "problem", "gpu-hidden", "CUDA_VISIBLE_DEVICES= hides every GPU");
}

TEST_F(DoctorGpu, HiddenInPart) {
  environment["CUDA_VISIBLE_DEVICES"] = "0";
  environment["FAKE_NVML_COUNT"] = "4";
  expect("gpu", "note", "gpu-some-hidden", "CUDA_VISIBLE_DEVICES=0 shows 1 of 4 GPUs");
}

TEST_F(DoctorGpu, TooOld) {
  environment["FAKE_CUDA_CAPABILITY"] = "61";
  expect("gpu", "problem", "gpu-too-old", "Fake GPU has compute capability 6.1; clcuda needs 7.5");
}

TEST_F(DoctorGpu, Prohibited) {
  environment["FAKE_CUDA_MODE"] = "2";
  expect("gpu", "problem", "gpu-prohibited", "Fake GPU prohibits computing (its compute mode)");
  EXPECT_EQ(remedy("gpu-prohibited"), "nvidia-smi -i 0 -c DEFAULT");
}

TEST_F(DoctorGpu, Exclusive) {
  environment["FAKE_CUDA_MODE"] = "3";
  expect("gpu", "note", "gpu-exclusive", "Fake GPU serves one process at a time (its compute mode)");
  environment["FAKE_CUDA_CONTEXT"] = "46";
  expect("gpu", "problem", "gpu-busy", "Fake GPU is used by another process, and serves one at a time");
}

TEST_F(DoctorGpu, Divided) {
  environment["FAKE_NVML_MIG"] = "1";
  expect("gpu", "note", "gpu-mig", "Fake GPU is divided (MIG): a program gets one part of it");
  environment["FAKE_CUDA_COUNT"] = "0";
  expect("gpu", "problem", "gpu-mig-empty", "Fake GPU is divided (MIG), but has no compute instance");
}

TEST_F(DoctorGpu, Full) {
  environment["FAKE_CUDA_FREE_MIB"] = "20";
  expect("gpu", "problem", "gpu-memory", "Fake GPU has 20 of 8192 MiB free");
  environment["FAKE_CUDA_CONTEXT"] = "2";
  expect("gpu", "problem", "gpu-memory", "Fake GPU has too few of 8192 MiB free");
}

TEST_F(DoctorGpu, Broken) {
  environment["FAKE_CUDA_CONTEXT"] = "999";
  expect("gpu", "problem", "gpu-context", "Fake GPU cannot be used: CUDA_ERROR_OF_A_TEST");
}

}  // namespace
