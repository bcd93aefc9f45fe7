// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

// Fresh random numbers in each run, which can be repeated.
namespace test {

// Random numbers for the current thread only: in a program with several threads, each one's numbers can be repeated.
//
//   test::RandomEngineOfThread own(seed);
class RandomEngineOfThread {
 public:
  explicit RandomEngineOfThread(std::uint64_t seed) : engine_(seed) { current() = &engine_; }
  ~RandomEngineOfThread() { current() = before_; }
  RandomEngineOfThread(const RandomEngineOfThread&) = delete;
  RandomEngineOfThread& operator=(const RandomEngineOfThread&) = delete;
  static std::mt19937_64*& current() {
    static thread_local std::mt19937_64* engine = nullptr;
    return engine;
  }

 private:
  std::mt19937_64* const before_ = current();
  std::mt19937_64 engine_;
};

// Seeded differently in each run; CLCUDA_TEST_SEED sets the seed.
std::mt19937_64& random_engine();

template <class T = std::uint8_t>
std::vector<T> random_values(std::size_t count) {
  std::vector<T> values(count);
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // Uses all bytes of each random number, because the engine is slow under a sanitizer.
    for (std::size_t filled = 0; filled < count * sizeof(T); filled += sizeof(std::uint64_t)) {
      const std::uint64_t word = random_engine()();
      std::memcpy(reinterpret_cast<std::byte*>(values.data()) + filled, &word,
                  std::min(sizeof word, count * sizeof(T) - filled));
    }
  } else {
    for (T& value : values) value = static_cast<T>(random_engine()());
  }
  return values;
}

}  // namespace test
