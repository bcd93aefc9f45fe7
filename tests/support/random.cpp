// SPDX-License-Identifier: Apache-2.0
#include "random.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace test {

std::mt19937_64& random_engine() {
  if (std::mt19937_64* own = RandomEngineOfThread::current()) return *own;
  static std::mt19937_64 engine = [] {
    const char* wanted = std::getenv("CLCUDA_TEST_SEED");
    const auto seed = wanted ? std::stoul(wanted) : std::random_device{}();
    std::cout << "random seed " << seed << std::endl;
    testing::Test::RecordProperty("random_seed", std::to_string(seed));
    return std::mt19937_64(seed);
  }();
  return engine;
}

}  // namespace test
