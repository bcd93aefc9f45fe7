// SPDX-License-Identifier: Apache-2.0
// The CPU device's driver, whose devices report the attributes of GPUs of all generations, from the tables of compute capabilities in
// CUDA's programming guide.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "generations.h"
#include "support/own_driver.h"

LastCalls last_calls;

namespace {

using clcuda::cuda::DriverTable;

constexpr int kKilo = 1024;
// Pascal, Turing, Ampere (also as integrated in Orin), Ada, Hopper, Blackwell for data centres, as integrated in Thor, for workstations,
// and as integrated in GB10, which uses the host's page tables.
constexpr std::array<Generation, 12> kGenerations = {{
    {.capability = 61, .local_memory = 48 * kKilo, .threads_per_multiprocessor = 2048},
    {.capability = 75, .local_memory = 64 * kKilo, .threads_per_multiprocessor = 1024},
    {.capability = 80, .local_memory = 163 * kKilo, .threads_per_multiprocessor = 2048},
    {.capability = 86, .local_memory = 99 * kKilo, .threads_per_multiprocessor = 1536},
    {.capability = 87,
     .local_memory = 163 * kKilo,
     .threads_per_multiprocessor = 1536,
     .integrated = true,
     .concurrent_managed_access = false},
    {.capability = 89, .local_memory = 99 * kKilo, .threads_per_multiprocessor = 1536},
    {.capability = 90, .local_memory = 227 * kKilo, .threads_per_multiprocessor = 2048},
    {.capability = 100, .local_memory = 227 * kKilo, .threads_per_multiprocessor = 2048},
    {.capability = 103, .local_memory = 227 * kKilo, .threads_per_multiprocessor = 2048},
    {.capability = 110, .local_memory = 227 * kKilo, .threads_per_multiprocessor = 1536, .integrated = true},
    {.capability = 120, .local_memory = 99 * kKilo, .threads_per_multiprocessor = 1536},
    {.capability = 121,
     .local_memory = 99 * kKilo,
     .threads_per_multiprocessor = 1536,
     .integrated = true,
     .pageable_memory_access = true},
}};

std::vector<Generation> wanted() {
  const char* text = std::getenv("CAPABILITIES");
  if (!text) return {kGenerations.begin(), kGenerations.end()};
  std::vector<Generation> chosen;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');)
    for (const Generation& each : kGenerations)
      if (std::to_string(each.capability) == word) chosen.push_back(each);
  return chosen;
}

[[maybe_unused]] const bool kEnvironmentIsSet = [] {
  std::string devices;
  for (std::size_t i = 0; i < generations().size(); ++i) devices += "cpu,";
  setenv("CLCUDA_DEVICES", devices.c_str(), 1);
  setenv("CLCUDA_CACHE", "0", 1);
  return true;
}();

DriverTable sound;

CUresult attribute(int* value, CUdevice_attribute name, CUdevice device) {
  const CUresult result = sound.cuDeviceGetAttribute(value, name, device);
  if (result != CUDA_SUCCESS) return result;
  const Generation& generation = generations().at(static_cast<std::size_t>(device));
  switch (name) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = generation.capability / 10;
      break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = generation.capability % 10;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = generation.local_memory;
      break;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      *value = generation.threads_per_multiprocessor;
      break;
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
      *value = generation.integrated;
      break;
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
      *value = generation.concurrent_managed_access;
      break;
    case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
    case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES:
      *value = generation.pageable_memory_access;
      break;
    default:
      break;
  }
  return result;
}

CUresult name_of(char* text, int size, CUdevice device) {
  const std::string name = generations().at(static_cast<std::size_t>(device)).name();
  std::strncpy(text, name.c_str(), static_cast<std::size_t>(size));
  return CUDA_SUCCESS;
}

CUresult version_of(int* version) {
  const CUresult result = sound.cuDriverGetVersion(version);
  constexpr int kKnowsAll = 13000;  // the newest chips need PTX of this version
  const char* text = std::getenv("DRIVER_VERSION");
  *version = text ? std::atoi(text) : kKnowsAll;
  return result;
}

CUresult create_link(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_TARGET)
      last_calls.linked_for = static_cast<int>(reinterpret_cast<std::uintptr_t>(values[i]));
  return sound.cuLinkCreate(count, options, values, state);
}

CUresult add_to_link(CUlinkState state, CUjitInputType type, void* data, std::size_t size, const char* name,
                     unsigned count, CUjit_option* options, void** values) {
  if (type == CU_JIT_INPUT_PTX) last_calls.ptx = static_cast<const char*>(data);
  return sound.cuLinkAddData(state, type, data, size, name, count, options, values);
}

CUresult launch(const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra) {
  last_calls.overlaps =
      std::any_of(config->attrs, config->attrs + config->numAttrs, [](const CUlaunchAttribute& each) {
        return each.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION &&
               each.value.programmaticStreamSerializationAllowed;
      });
  return sound.cuLaunchKernelEx(config, function, parameters, extra);
}

}  // namespace

std::string Generation::name() const {
  return "GPU of " + std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

const std::vector<Generation>& generations() {
  static const std::vector<Generation>& all = *new std::vector<Generation>(wanted());
  return all;
}

const DriverTable& test::own_table(int device_count) {
  static const DriverTable table = [device_count] {
    sound = test::executors_table(device_count);
    DriverTable made = sound;
    made.cuDeviceGetAttribute = attribute;
    made.cuDeviceGetName = name_of;
    made.cuDriverGetVersion = version_of;
    made.cuLinkCreate = create_link;
    made.cuLinkAddData = add_to_link;
    made.cuLaunchKernelEx = launch;
    return made;
  }();
  return table;
}
