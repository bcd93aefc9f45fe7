// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

namespace clcuda::test {

// Some of `all`, others in each run; all of them where CLCUDA_TEST_ALL is set. For what is alike, where a
// program each takes the CPU device long to compile.
template <class T>
std::vector<T> some_of(std::vector<T> all, std::size_t count, std::mt19937_64& random) {
  if (std::getenv("CLCUDA_TEST_ALL") || all.size() <= count) return all;
  std::shuffle(all.begin(), all.end(), random);
  all.resize(count);
  return all;
}

}  // namespace clcuda::test
