// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <charconv>
#include <memory>
#include <new>

#include "builtins/embedded.h"

extern "C" const char clcuda_library[];
extern "C" const char clcuda_library_index[];
extern "C" const char clcuda_library_index_end[];
extern "C" const char clcuda_library_dictionary[];
extern "C" const char clcuda_library_dictionary_end[];

namespace {

// Reads the next number of a line, which follows a blank.
size_t take_number(std::string_view& line) {
  line.remove_prefix(line.find(' ') + 1);
  size_t number = 0;
  std::from_chars(line.data(), line.data() + line.size(), number);
  return number;
}

// Prepared once, and never destroyed: threads may build during exit.
const ZSTD_DDict& dictionary() {
  static const ZSTD_DDict& prepared = []() -> const ZSTD_DDict& {
    const auto size = static_cast<size_t>(clcuda_library_dictionary_end - clcuda_library_dictionary);
    const ZSTD_DDict* made = ZSTD_createDDict(clcuda_library_dictionary, size);
    return made ? *made : throw std::bad_alloc();
  }();
  return prepared;
}

}  // namespace

size_t clcuda::builtins::unpacked_size(std::string_view packed_module) {
  return ZSTD_getFrameContentSize(packed_module.data(), packed_module.size());
}

// Unpacking what the build has packed fails only for lack of memory.
void clcuda::builtins::unpack(std::string_view packed_module, std::span<char> bitcode) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context ||
      ZSTD_isError(ZSTD_decompress_usingDDict(context.get(), bitcode.data(), bitcode.size(),
                                              packed_module.data(), packed_module.size(), &dictionary())))
    throw std::bad_alloc();
}

// The index is text, a line "function offset size" each, in byte order (pack_library.cpp): nothing to
// relocate or to parse when the library is loaded.
std::string_view clcuda::builtins::library_module_defining(std::string_view function) {
  std::string_view lines{clcuda_library_index, clcuda_library_index_end};
  while (!lines.empty()) {
    size_t middle = lines.size() / 2;
    size_t start = lines.rfind('\n', middle == 0 ? 0 : middle - 1);
    start = start == std::string_view::npos ? 0 : start + 1;
    size_t end = lines.find('\n', start);
    std::string_view line = lines.substr(start, end - start);
    int order = function.compare(line.substr(0, line.find(' ')));
    if (order == 0) {
      const size_t offset = take_number(line);
      return {clcuda_library + offset, take_number(line)};
    }
    lines = order < 0 ? lines.substr(0, start) : lines.substr(end + 1);
  }
  return {};
}
