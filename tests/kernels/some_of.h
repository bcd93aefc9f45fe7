// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace clcuda::test {

// A random selection of `count` elements; all of them if CLCUDA_TEST_ALL is set. For similar cases, each of which needs a program that
// takes long to compile for the CPU device.
template <class T>
std::vector<T> some_of(std::vector<T> all, std::size_t count, std::mt19937_64& random) {
  if (std::getenv("CLCUDA_TEST_ALL") || all.size() <= count) return all;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(count);
  return all;
}

}  // namespace clcuda::test
