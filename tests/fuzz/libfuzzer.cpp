// SPDX-License-Identifier: Apache-2.0
// Entry points for libFuzzer. The first folder among the arguments gets the program's own seeds.
#include <filesystem>
#include <fstream>

#include "fuzz.h"
#include "support/module_mutation.h"
#include "support/mutation.h"

namespace {

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace

extern "C" {

int LLVMFuzzerRunDriver(int* count, char*** arguments, int (*run)(const std::uint8_t*, std::size_t));
std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

// Half of the mutations of a text or module exchange its own parts, which keeps more of it valid than changes of bytes.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed) {
  if (fuzz::kForm == fuzz::Form::bytes || seed % 2 || size == 0) return LLVMFuzzerMutate(bytes, size, most);
  std::mt19937_64 engine(seed);
  const std::string changed = fuzz::kForm == fuzz::Form::text
                                  ? test::mutated(test::tokens_of(text_of(bytes, size)), 4, engine)
                                  : test::mutated_module(text_of(bytes, size), 4, engine);
  const std::size_t length = std::min(changed.size(), most);
  std::memcpy(bytes, changed.data(), length);
  return length;
}

}  // extern "C"

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    const std::filesystem::path folder(arguments[i]);
    if (!std::filesystem::is_directory(folder)) continue;
    const std::vector<std::string> seeds = fuzz::made_seeds();
    for (std::size_t number = 0; number < seeds.size(); ++number)
      std::ofstream(folder / ("made-" + std::to_string(number)), std::ios::binary) << seeds[number];
    break;
  }
  return LLVMFuzzerRunDriver(&count, &arguments, [](const std::uint8_t* bytes, std::size_t size) {
    fuzz::run(text_of(bytes, size));
    return 0;
  });
}
