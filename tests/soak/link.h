// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "soak/tally.h"

// What the supervisor and a process that it has started say to each other, through a socket that is the
// process's descriptor 3. The supervisor sends letters, the process answers in lines.
namespace soak {

inline constexpr int kLinkDescriptor = 3;

enum class Order : char { rest = 'r', measure = 'm', go_on = 'g', end = 'e' };
// The next order, if there is one within that time. A process whose supervisor is gone ends.
std::optional<Order> next_order(std::chrono::milliseconds within);

inline constexpr char kRested[] = "rested", kMeasured[] = "measured", kCounts[] = "counts",
                      kFailed[] = "failed";
// A line of that word and numbers behind it.
void tell(const char* word, long number = 0);
void tell_counts();

}  // namespace soak
