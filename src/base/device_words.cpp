// SPDX-License-Identifier: Apache-2.0
#include "base/device_words.h"

#include <algorithm>

namespace clcuda {

DeviceWords parse_device_words(std::string_view text) {
  DeviceWords words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, comma);
    if (word == "gpu")
      words.gpus = true;
    else if (word == "cpu")
      ++words.cpus;
    else if (!word.empty())
      words.unknown.emplace_back(word);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

}  // namespace clcuda
