// SPDX-License-Identifier: Apache-2.0
#include "builtins/embedded.h"

namespace {

#define CLCUDA_MODULE(name)                     \
  extern "C" const char clcuda_module_##name[]; \
  extern "C" const char clcuda_module_##name##_end[];
#include "library_modules.def"
#undef CLCUDA_MODULE

extern "C" const char clcuda_library_index[];
extern "C" const char clcuda_library_index_end[];

std::string_view module_named(std::string_view name) {
#define CLCUDA_MODULE(module) \
  if (name == #module) return {clcuda_module_##module, clcuda_module_##module##_end};
#include "library_modules.def"
#undef CLCUDA_MODULE
  return {};
}

}  // namespace

// The index is text, a line "function module" each, in byte order: nothing to relocate or to parse when the
// library is loaded.
std::string_view clcuda::builtins::library_module_defining(std::string_view function) {
  std::string_view lines{clcuda_library_index, clcuda_library_index_end};
  while (!lines.empty()) {
    size_t middle = lines.size() / 2;
    size_t start = lines.rfind('\n', middle == 0 ? 0 : middle - 1);
    start = start == std::string_view::npos ? 0 : start + 1;
    size_t end = lines.find('\n', start);
    std::string_view line = lines.substr(start, end - start);
    size_t space = line.find(' ');
    int order = function.compare(line.substr(0, space));
    if (order == 0) return module_named(line.substr(space + 1));
    lines = order < 0 ? lines.substr(0, start) : lines.substr(end + 1);
  }
  return {};
}
