// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <vector>

#include "world.h"

namespace faults {

// What an application does, from the creation of a context on. It checks its results, and ends at the first call that fails.
struct Scenario {
  const char* name;
  void (*body)(World& world);
  friend void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }
};

void objects(World& world);
void transfers(World& world);
void transfers_by_page_faults(World& world);
void launches(World& world);
void images(World& world);
void shared_memory(World& world);
void unified_memory(World& world);
void unified_memory_in_flight(World& world);
void memory_of_peers(World& world);
void buffer_addresses(World& world);
void imported_memory(World& world);
void intermediate_language(World& world);
void device_enqueue(World& world);
void several_devices(World& world);
void in_flight(World& world);

inline const std::vector<Scenario> kScenarios = {
    {"Objects", objects},
    {"Transfers", transfers},
    {"TransfersByPageFaults", transfers_by_page_faults},
    {"Launches", launches},
    {"Images", images},
    {"SharedMemory", shared_memory},
    {"UnifiedMemory", unified_memory},
    {"UnifiedMemoryInFlight", unified_memory_in_flight},
    {"MemoryOfPeers", memory_of_peers},
    {"BufferAddresses", buffer_addresses},
    {"ImportedMemory", imported_memory},
    {"IntermediateLanguage", intermediate_language},
    {"DeviceEnqueue", device_enqueue},
    {"SeveralDevices", several_devices},
    {"ReleaseInFlight", in_flight},
};

}  // namespace faults
