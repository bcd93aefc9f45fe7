// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine.h"
#include "report.h"

namespace clcuda::doctor {

// Each looks at one topic, and tells what is well, too. topics.def has their order.
#define TOPIC(name, text) void check_##name(const Machine& machine, Report& report);
#include "topics.def"
#undef TOPIC

}  // namespace clcuda::doctor
