// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clcuda {

// The parsed value of CLCUDA_DEVICES: "gpu,cpu,cpu" selects all GPUs and two CPU devices.
struct DeviceWords {
  bool gpus = false;
  int cpus = 0;
  std::vector<std::string> unknown;  // ignored words
};

DeviceWords parse_device_words(std::string_view text);

}  // namespace clcuda
