// SPDX-License-Identifier: Apache-2.0
#include "builtins/embedded.h"

// The symbols are defined by clcuda_embed (builtins/CMakeLists.txt).
#define CLCUDA_EMBEDDED(name)                  \
  extern "C" const char clcuda_##name[];       \
  extern "C" const char clcuda_##name##_end[]; \
  std::string_view clcuda::builtins::name() { return {clcuda_##name, clcuda_##name##_end}; }

CLCUDA_EMBEDDED(device_runtime)
CLCUDA_EMBEDDED(opencl_c_base_header)
CLCUDA_EMBEDDED(prelude)
CLCUDA_EMBEDDED(prelude_intel)
