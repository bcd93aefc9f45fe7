// SPDX-License-Identifier: Apache-2.0
// A fuzz program as a test: its seeds, which include inputs that fuzzing has found, and random changes to them. CLCUDA_TEST_SEED repeats a
// run, CLCUDA_TEST_SECONDS makes it longer. CLCUDA_FUZZ_INPUT names a file, or a folder of files, to use instead.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz.h"
#include "support/module_mutation.h"
#include "support/mutation.h"

namespace {

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> contents_of_files_in(const std::filesystem::path& folder) {
  std::vector<std::string> found;
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.push_back(contents(entry.path()));
  return found;
}

std::vector<std::string> seeds() {
  if (const char* input = std::getenv("CLCUDA_FUZZ_INPUT"))
    return std::filesystem::is_directory(input) ? contents_of_files_in(input) : std::vector{contents(input)};
  std::vector<std::string> found = fuzz::made_seeds();
  const std::vector<std::string> kept = contents_of_files_in(CLCUDA_FUZZ_SEEDS);
  found.insert(found.end(), kept.begin(), kept.end());
  return found;
}

std::size_t below(std::size_t end) { return static_cast<std::size_t>(test::random_engine()() % end); }

// A few bytes changed, removed, or inserted from elsewhere.
std::string damaged(std::string bytes) {
  for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
    const std::size_t place = below(bytes.size() + 1);
    switch (below(4)) {
      case 0:
        bytes.erase(place, below(16));
        break;
      case 1:
        bytes.insert(place, bytes.substr(below(bytes.size() + 1), below(16)));
        break;
      default:
        if (place < bytes.size()) bytes[place] = static_cast<char>(test::random_engine()());
    }
  }
  return bytes;
}

std::string changed(const std::string& input) {
  if (input.empty() || below(2)) return damaged(input);
  switch (fuzz::kForm) {
    case fuzz::Form::text:
      return test::mutated(test::tokens_of(input), 4);
    case fuzz::Form::module:
      return test::mutated_module(input, 4);
    case fuzz::Form::bytes:
      break;
  }
  return damaged(input);
}

TEST(Fuzz, SeedsAreTaken) {
  const std::vector<std::string> inputs = seeds();
  if (inputs.empty()) GTEST_SKIP() << "no " CLCUDA_FUZZ_SEEDS;
  for (const std::string& input : inputs) fuzz::run(input);
}

TEST(Fuzz, ChangedSeedsAreTaken) {
  const std::vector<std::string> inputs = seeds();
  if (inputs.empty()) GTEST_SKIP() << "no " CLCUDA_FUZZ_SEEDS;
  const char* wanted = std::getenv("CLCUDA_TEST_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(wanted ? std::atoi(wanted) : 3);
  int times = 0;
  for (; times < 5 || std::chrono::steady_clock::now() < end; ++times) {
    fuzz::run(changed(inputs[below(inputs.size())]));
  }
  RecordProperty("times", times);
}

}  // namespace
