// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "soak/tally.h"

// The protocol between the supervisor and a process that it has started, through a socket with descriptor 3 in the process. The supervisor
// sends letters, the process answers in lines.
namespace soak {

inline constexpr int kLinkDescriptor = 3;

enum class Order : char { rest = 'r', measure = 'm', go_on = 'g', end = 'e' };
// The next order, if one arrives within that time. If the supervisor has ended, the process exits.
std::optional<Order> next_order(std::chrono::milliseconds within);

inline constexpr char kRested[] = "rested", kMeasured[] = "measured", kCounts[] = "counts",
                      kFailed[] = "failed";
// Sends a line with that word and number.
void tell(const char* word, long number = 0);
void tell_counts();

}  // namespace soak
