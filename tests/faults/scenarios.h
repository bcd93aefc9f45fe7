// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <vector>

#include "world.h"

namespace faults {

// Something that applications do, from the context on. It checks what it computes, and ends at the first call that fails.
struct Scenario {
  const char* name;
  void (*body)(World& world);
  friend void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }
};

void transfers(World& world);
void launches(World& world);

inline const std::vector<Scenario> kScenarios = {{"Transfers", transfers}, {"Launches", launches}};

}  // namespace faults
