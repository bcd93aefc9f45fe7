// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clcuda {

// What CLCUDA_DEVICES asks for: words between commas.
struct DeviceWords {
  bool gpus = false;
  int cpus = 0;
  std::vector<std::string> unknown;  // passed over
};

DeviceWords parse_device_words(std::string_view text);

}  // namespace clcuda
