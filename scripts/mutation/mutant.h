// SPDX-License-Identifier: Apache-2.0
// What each file begins with in which scripts/mutate has put mutants. The environment of a program says which one is on
// (CLCUDA_MUTANT, a number from 1), and which file notes what was reached (CLCUDA_MUTANTS_REACHED, a byte for each).
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

#pragma clang diagnostic ignored "-Weverything"

namespace clcuda_mutants {

constexpr unsigned kMost = 4096;
constinit inline unsigned chosen = 0;
constinit inline volatile unsigned char* reached = nullptr;

// Ahead of all other constructors. A program of several files, or with a library of its own beside it, comes here several times.
[[gnu::constructor(101)]] inline void read_environment() {
  if (const char* number = std::getenv("CLCUDA_MUTANT")) chosen = std::strtoul(number, nullptr, 10);
  const char* name = std::getenv("CLCUDA_MUTANTS_REACHED");
  if (!name || reached) return;
  const int file = open(name, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void* map = mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map != MAP_FAILED) reached = static_cast<volatile unsigned char*>(map);
}

inline bool on(unsigned number) {
  if (reached) reached[number] = 1;
  return number == chosen;
}

}  // namespace clcuda_mutants

// Where the compiler computes a value, it computes that of the original.
constexpr bool clcuda_mutant(unsigned number) {
  if (std::is_constant_evaluated()) return false;
  return clcuda_mutants::on(number);
}
