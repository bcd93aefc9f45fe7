// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "image.h"

namespace photo {

// The same computation in plain code on the host, to check the device.
Image process_on_host(const Image& image, const std::vector<uint32_t>& weights);

}  // namespace photo
