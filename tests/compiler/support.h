// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler.h"

namespace clcuda::compiler::testing {

inline constexpr Target kTarget{90, 78};

// All that the compiler can do, whatever a device chooses to report.
const DeviceFeatures& features();

// A build that has to succeed; its log is shown otherwise.
CompiledProgram built(std::string_view source, const std::string& options = "-cl-std=CL3.0",
                      Target for_target = kTarget);

// A build that has to fail with this status; returns the log.
std::string refused(std::string_view source, const std::string& options = "-cl-std=CL3.0",
                    Status status = Status::failure);

// What ptxas says about the text for a chip: empty if it accepts it. Skips the test where there is no ptxas.
std::string ptxas_complaint(const std::string& ptx, int sm);

std::size_t count(std::string_view text, std::string_view part);

}  // namespace clcuda::compiler::testing
