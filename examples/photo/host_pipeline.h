// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "image.h"

namespace photo {

// What the device does, plainly, on the host: to check the device by.
Image process_on_host(const Image& image, const std::vector<uint32_t>& weights);

}  // namespace photo
