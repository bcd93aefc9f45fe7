// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <string_view>

#include "runtime/queue/ndrange.h"

namespace clcuda {

// The description of a command, for the report on a lost device and for the timeline.
struct CommandDetails {
  cl_command_type type = 0;
  std::string_view kernel = {};    // of a launch
  const NDRange* range = nullptr;  // of a launch
  std::size_t bytes = 0;           // copied or filled
};

// "write buffer" for CL_COMMAND_WRITE_BUFFER.
std::string_view name_of(cl_command_type type) noexcept;

}  // namespace clcuda
