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

void objects(World& world);
void transfers(World& world);
void launches(World& world);
void images(World& world);
void shared_memory(World& world);
void device_enqueue(World& world);
void several_devices(World& world);
void in_flight(World& world);

inline const std::vector<Scenario> kScenarios = {
    {"Objects", objects},
    {"Transfers", transfers},
    {"Launches", launches},
    {"Images", images},
    {"SharedMemory", shared_memory},
    {"DeviceEnqueue", device_enqueue},
    {"SeveralDevices", several_devices},
    {"ReleaseInFlight", in_flight},
};

}  // namespace faults
