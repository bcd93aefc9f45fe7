// SPDX-License-Identifier: Apache-2.0
#include "driver_probe.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>

#include "cuda/driver_library.h"

namespace clcuda::doctor {
namespace {

using cuda::DriverTable;

std::string name_of(const DriverTable& driver, CUresult code) {
  const char* name = nullptr;
  return driver.cuGetErrorName(code, &name) == CUDA_SUCCESS && name ? name : "an unknown error";
}

std::string file_of(const char* library) {
  void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
  link_map* map = nullptr;
  if (!handle || ::dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || !map) return {};
  std::error_code error;
  return std::filesystem::canonical(map->l_name, error).native();
}

void write_gpu(const DriverTable& driver, int index, const ReportWriter& writer) {
  CUdevice device = 0;
  char name[256] = "";
  int major = 0, minor = 0, mode = 0;
  std::size_t free = 0, total = 0;
  if (driver.cuDeviceGet(&device, index) != CUDA_SUCCESS) return;
  driver.cuDeviceGetName(name, sizeof name - 1, device);
  driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  driver.cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device);
  driver.cuDeviceTotalMem(&total, device);
  CUcontext context = nullptr;
  CUresult made = driver.cuDevicePrimaryCtxRetain(&context, device);
  if (made == CUDA_SUCCESS) made = driver.cuCtxSetCurrent(context);
  if (made == CUDA_SUCCESS) made = driver.cuMemGetInfo(&free, &total);
  writer.write("gpu", name, std::to_string(major * 10 + minor), std::to_string(mode),
               std::to_string(static_cast<int>(made)), name_of(driver, made), std::to_string(free),
               std::to_string(total));
  if (context) driver.cuDevicePrimaryCtxRelease(device);
}

void probe_driver(const ReportWriter& writer) {
  writer.write("library", file_of("libcuda.so.1"));
  std::string failure;
  const DriverTable* driver = cuda::gpu_driver(&failure);
  if (!driver) return writer.write("failure", failure);
  int version = 0, count = 0;
  if (driver->cuDriverGetVersion(&version) == CUDA_SUCCESS) writer.write("version", std::to_string(version));
  CUresult code = driver->cuInit(0);
  if (code == CUDA_SUCCESS) code = driver->cuDeviceGetCount(&count);
  writer.write("init", std::to_string(static_cast<int>(code)), name_of(*driver, code));
  for (int index = 0; index < count; ++index) write_gpu(*driver, index, writer);
}

// The few functions of NVML that are needed; its header is no part of the driver.
struct Management {
  using Device = void*;
  int (*init)() = nullptr;
  int (*version)(char* text, unsigned size) = nullptr;
  int (*count)(unsigned* count) = nullptr;
  int (*device)(unsigned index, Device* device) = nullptr;
  int (*name)(Device device, char* text, unsigned size) = nullptr;
  int (*mode)(Device device, int* mode) = nullptr;
  int (*mig)(Device device, unsigned* current, unsigned* pending) = nullptr;

  bool load() {
    void* handle = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto& slot, const char* symbol) {
      slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(handle ? ::dlsym(handle, symbol)
                                                                              : nullptr);
      return slot != nullptr;
    };
    find(mig, "nvmlDeviceGetMigMode");
    return find(init, "nvmlInit_v2") && find(version, "nvmlSystemGetDriverVersion") &&
           find(count, "nvmlDeviceGetCount_v2") && find(device, "nvmlDeviceGetHandleByIndex_v2") &&
           find(name, "nvmlDeviceGetName") && find(mode, "nvmlDeviceGetComputeMode");
  }
};

void probe_management(const ReportWriter& writer) {
  Management nvml;
  if (!nvml.load()) return;
  if (const int code = nvml.init(); code != 0) return writer.write("failure", std::to_string(code));
  char text[256] = "";
  if (nvml.version(text, sizeof text - 1) == 0) writer.write("version", text);
  unsigned count = 0;
  if (nvml.count(&count) != 0) return;
  for (unsigned index = 0; index < count; ++index) {
    Management::Device device = nullptr;
    int mode = 0;
    unsigned mig = 0, pending = 0;
    char name[256] = "";
    if (nvml.device(index, &device) != 0) continue;
    nvml.name(device, name, sizeof name - 1);
    nvml.mode(device, &mode);
    if (nvml.mig && nvml.mig(device, &mig, &pending) != 0) mig = 0;
    writer.write("gpu", name, std::to_string(mode), std::to_string(mig));
  }
}

// The first start takes a few seconds on a machine with many GPUs.
constexpr std::chrono::seconds kLimit{30};

}  // namespace

const ChildReport& driver_probe() {
  static const ChildReport child = ask_child(kLimit, probe_driver);
  return child;
}

const ChildReport& management_probe() {
  static const ChildReport child = ask_child(kLimit, probe_management);
  return child;
}

}  // namespace clcuda::doctor
