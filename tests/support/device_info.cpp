// SPDX-License-Identifier: Apache-2.0
#include "device_info.h"

namespace test {

std::string device_text(cl_device_id device, cl_device_info name) {
  const std::vector<char> text = device_list<char>(device, name);
  return text.empty() ? std::string() : std::string(text.data());
}

bool offers(cl_device_id device, const std::string& extension) {
  return (" " + device_text(device, CL_DEVICE_EXTENSIONS) + " ").find(" " + extension + " ") !=
         std::string::npos;
}

}  // namespace test
