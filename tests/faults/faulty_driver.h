// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cuda/driver_api.h"

// The CPU device's driver, in which one call fails that would have succeeded. It replaces ptx::driver_table in this program (the linker's
// --wrap).
//
//   driver::arm({.call = 17, .error = CUDA_ERROR_OUT_OF_MEMORY});  // or: .call = 1, …, .function = "cuLinkComplete"
//   …
//   if (driver::disarm().failed) …
//
// A failing call is not executed, with three exceptions: calls that free something (otherwise the driver's objects would leak), calls that
// wait, and queries of completed work. Queries are counted only after the work is done: a driver does not report an error of work that
// still runs.
namespace faults::driver {

struct Fault {
  std::uint64_t call = 0;  // counted from arm(), from 1; 0: none
  CUresult error = CUDA_SUCCESS;
  bool lasting = false;            // every later call fails too, as after an error that cuda.h calls sticky
  std::string_view function = {};  // only calls of this function count and fail; empty: of all functions
};

struct Outcome {
  std::uint64_t calls = 0;
  const char* failed = nullptr;  // the function whose call failed
};

void arm(const Fault& fault);
Outcome disarm();

// The number of calls of a function so far, with any result.
long calls_of(std::string_view function);

// The number of driver calls in progress on this thread.
int calls_under_way();

// Sets a function that is called when a call is made to fail, with the driver function's name.
void when_it_strikes(void (*function)(const char* name));

// Devices that are initialized after this call report that kernels access pageable memory by page faults.
void reach_host_memory_by_page_faults();

// The number of driver objects of each kind that exist, except events: a device's clock creates new ones for an hour.
std::map<std::string, long> things();

}  // namespace faults::driver
