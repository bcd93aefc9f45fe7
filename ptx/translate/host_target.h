// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace clcuda::ptx {

// LLVM's description of the machine that this process runs on, with all features of its processor.
std::unique_ptr<llvm::TargetMachine> make_host_machine();
// Names that machine; code for another one must not be run here.
const std::string& host_name();

}  // namespace clcuda::ptx
