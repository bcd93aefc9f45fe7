// SPDX-License-Identifier: Apache-2.0
#include "ptx/translate/host_target.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace clcuda::ptx {
namespace {

std::string host_features() {
  std::vector<std::string> features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures())
    features.push_back((feature.second ? "+" : "-") + feature.first().str());
  std::ranges::sort(features);
  std::string joined;
  for (const std::string& feature : features) joined += (joined.empty() ? "" : ",") + feature;
  return joined;
}

}  // namespace

const std::string& host_name() {
  static const std::string name = llvm::sys::getHostCPUName().str() + ":" + host_features();
  return name;
}

std::unique_ptr<llvm::TargetMachine> make_host_machine() {
  static const bool initialised =
      !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  if (!initialised) throw std::runtime_error("no code generator for this host");
  std::string reason;
  const llvm::Triple triple(llvm::sys::getProcessTriple());
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target) throw std::runtime_error(reason);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // PTX itself specifies which operations are fused
  auto* machine =
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), host_features(), options,
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default);
  if (!machine) throw std::runtime_error("no code generator for this host");
  return std::unique_ptr<llvm::TargetMachine>(machine);
}

}  // namespace clcuda::ptx
