// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler.h"

namespace clcuda::compiler::testing {

inline constexpr Target kTarget{90, 78};

// All features that the compiler supports, independent of a device.
const DeviceFeatures& features();

// A build that must succeed; otherwise its log is printed.
CompiledProgram built(std::string_view source, const std::string& options = "-cl-std=CL3.0",
                      Target for_target = kTarget);

// A build that has to fail with this status; returns the log.
std::string refused(std::string_view source, const std::string& options = "-cl-std=CL3.0",
                    Status status = Status::failure);

// The error message of ptxas for this PTX and architecture; empty if it accepts it. Skips the test without ptxas.
std::string ptxas_complaint(const std::string& ptx, int sm);

std::size_t count(std::string_view text, std::string_view part);

}  // namespace clcuda::compiler::testing
