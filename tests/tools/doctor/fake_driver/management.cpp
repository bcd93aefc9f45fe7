// SPDX-License-Identifier: Apache-2.0
// A libnvidia-ml.so.1 whose results a test controls.
#include <cstddef>
#include <cstring>

#include "options.h"

#define FAKE extern "C" __attribute__((visibility("default"))) int

FAKE nvmlInit_v2() { return 0; }
FAKE nvmlSystemGetDriverVersion(char* text, unsigned size) {
  std::strncpy(text, "570.1", size);
  return 0;
}
FAKE nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(fake_option("FAKE_NVML_COUNT", 1));
  return 0;
}
FAKE nvmlDeviceGetHandleByIndex_v2(unsigned, void** device) {
  *device = nullptr;
  return 0;
}
FAKE nvmlDeviceGetName(void*, char* text, unsigned size) {
  std::strncpy(text, "Fake GPU", size);
  return 0;
}
FAKE nvmlDeviceGetComputeMode(void*, int* mode) {
  *mode = 0;
  return 0;
}
FAKE nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
  *current = *pending = static_cast<unsigned>(fake_option("FAKE_NVML_MIG", 0));
  return 0;
}
