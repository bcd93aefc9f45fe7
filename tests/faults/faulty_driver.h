// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cuda/driver_api.h"

// The CPU device's driver, in which one call fails that would have succeeded. It stands in for ptx::driver_table in this program
// (the linker's --wrap).
//
//   driver::arm({.call = 17, .error = CUDA_ERROR_OUT_OF_MEMORY});  // or: .call = 1, …, .function = "cuLinkComplete"
//   …
//   if (driver::disarm().failed) …
//
// A call fails without having been made. Three kinds are made first: those that give something back (what the driver then keeps would
// be no leak of ours), those that wait, and questions after work, which count only once the work is done: the driver never tells of
// an error while it still goes on.
namespace faults::driver {

struct Fault {
  std::uint64_t call = 0;  // counted from arm(), the first is 1; 0: none
  CUresult error = CUDA_SUCCESS;
  bool lasting = false;            // every later call fails, too, as after an error that cuda.h calls sticky
  std::string_view function = {};  // the only one whose calls are counted, and fail; empty: all
};

struct Outcome {
  std::uint64_t calls = 0;
  const char* failed = nullptr;  // the name of the function that did
};

void arm(const Fault& fault);
Outcome disarm();

// How often a function has been called so far, with whatever result.
long calls_of(std::string_view function);

// How many calls of the driver this thread is in.
int calls_under_way();

// Called when the fault strikes, with the function's name.
void when_it_strikes(void (*function)(const char* name));

// From then on devices that nobody has used say that their kernels reach pageable memory by page faults.
void reach_host_memory_by_page_faults();

// What there is of each kind of thing that the driver hands out, but events: a device's clock takes new ones for an hour.
std::map<std::string, long> things();

}  // namespace faults::driver
