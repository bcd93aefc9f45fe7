// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace clcuda::ptx {

// The machine that this process runs on, as LLVM knows it.
std::unique_ptr<llvm::TargetMachine> make_host_machine();
// Names it: code for another host must not be run here.
const std::string& host_name();

}  // namespace clcuda::ptx
