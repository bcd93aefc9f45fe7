// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "image.h"
#include "support/client.h"

namespace photo {

// What one command took on the device, by its own clock, and how many bytes it had to move at least.
struct Step {
  std::string name;
  double milliseconds;
  size_t bytes;
};

struct Outcome {
  Image image;
  std::vector<Step> steps;
};

// The session's queue must have profiling on.
Outcome process_on_device(const client::Session& session, const Image& image,
                          const std::vector<uint32_t>& weights);

}  // namespace photo
