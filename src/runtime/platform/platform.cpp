// SPDX-License-Identifier: Apache-2.0
#include "runtime/platform/platform.h"

#include <memory>
#include <string>
#include <utility>

#include "base/config.h"
#include "base/device_words.h"
#include "base/log.h"
#include "base/trace/start.h"
#include "cuda/driver_library.h"
#include "cuda/error.h"
#include "cuda/requirements.h"
#include "ptx/driver/driver.h"
#include "runtime/platform/device.h"

namespace clcuda {
namespace {

// The devices that CLCUDA_DEVICES selects; unknown words are logged and ignored.
DeviceWords offer_of_this_machine() {
  const std::string& wish = config().devices;
  if (wish.empty()) return cuda::gpu_present() ? DeviceWords{.gpus = true} : DeviceWords{.cpus = 1};
  DeviceWords words = parse_device_words(wish);
  for (const std::string& word : words.unknown)
    log::warning("CLCUDA_DEVICES: '{}' is neither gpu nor cpu", word);
  return words;
}

}  // namespace

std::vector<Platform*> Platform::offered() {
  trace::start();
  const DeviceWords offer = offer_of_this_machine();
  std::unique_ptr<Platform> gpu, cpu;
  if (const cuda::DriverTable* driver = offer.gpus ? cuda::gpu_driver() : nullptr)
    gpu.reset(new Platform(*driver, 0));
  if (offer.cpus > 0) cpu.reset(new Platform(ptx::driver_table(offer.cpus), offer.cpus));

  std::vector<Platform*> platforms;
  platforms.reserve(2);
  for (std::unique_ptr<Platform>* each : {&gpu, &cpu})
    if (*each) platforms.push_back(each->release());
  return platforms;
}

std::span<Platform* const> Platform::all() {
  static const std::vector<Platform*>& platforms = *new std::vector<Platform*>(offered());
  return platforms;
}

Platform::Platform(const cuda::DriverTable& driver, int cpu_devices)
    : Object(kType, nullptr), driver_(driver), cpu_devices_(cpu_devices) {}

std::span<Device* const> Platform::devices() {
  if (lost_by_fork())
    throw Error(CL_OUT_OF_RESOURCES,
                "this process was forked from one that uses the devices; only the parent can");
  MutexLock lock(mutex_);
  if (!initialised_) initialise();
  return devices_;
}

// If no device remains because all of them, or the driver, are too old, that is written whatever CLCUDA_LOG says: clinfo shows a platform
// without devices, and nothing else would say why.
void Platform::initialise() {
  note_driver_started();
  int count = 0;
  CUresult error = driver_.cuInit(0);
  if (error == CUDA_SUCCESS) error = driver_.cuDeviceGetCount(&count);
  if (error != CUDA_SUCCESS)
    return log::error("platform {}: {}", name(), cuda::describe(driver_, error, "cuInit"));
  std::vector<std::string> shortcomings;
  if (std::string text = cuda::shortcoming_of(driver_); !text.empty()) {
    shortcomings.push_back(std::move(text));
    count = 0;
  }
  std::vector<std::unique_ptr<Device>> found;  // none is kept if one throws
  for (int index = 0; index < count; ++index) {
    CUdevice ordinal = 0;
    cuda::check(driver_, driver_.cuDeviceGet(&ordinal, index), "cuDeviceGet");
    if (std::string text = cuda::shortcoming_of(driver_, ordinal); !text.empty()) {
      shortcomings.push_back(std::move(text));
      continue;
    }
    found.push_back(std::make_unique<Device>(*this, ordinal));
  }
  for (const std::string& text : shortcomings) {
    if (found.empty())
      log::write(log::Level::error, text);
    else
      log::warning("{}", text);
  }
  devices_.reserve(found.size());
  for (std::unique_ptr<Device>& device : found) devices_.push_back(device.release());
  initialised_ = true;
}

void Platform::set_dispatch_data(void* data) {
  MutexLock lock(mutex_);
  set_loader_data(data);
  for (Device* device : devices_) device->take_dispatch_data(*this);
}

}  // namespace clcuda
