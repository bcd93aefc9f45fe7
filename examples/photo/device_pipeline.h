// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "image.h"
#include "support/client.h"

namespace photo {

// The time of a command on the device, by its own clock, and the least number of bytes that it had to move.
struct Step {
  std::string name;
  double milliseconds;
  size_t bytes;
};

struct Outcome {
  Image image;
  std::vector<Step> steps;
};

// The session's queue must have profiling enabled.
Outcome process_on_device(const client::Session& session, const Image& image,
                          const std::vector<uint32_t>& weights);

}  // namespace photo
