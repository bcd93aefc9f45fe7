// SPDX-License-Identifier: Apache-2.0
#include "compiler/target.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <memory>

#include "compiler/build_thread.h"

namespace clcuda::compiler {
namespace {

// Plain targets (PTX for them runs on every later chip) with the PTX version that introduced each, but at least 7.0, which the library's
// tanh.approx needs and every supported driver reads; and the version that introduced the architecture-specific target (sm_90a), if there
// is one. Family-specific targets (sm_100f) have no feature that the architecture-specific ones lack.
struct Architecture {
  int sm, ptx;
  int whole_ptx = kNever;

  static constexpr int kNever = 1000;
};
constexpr Architecture kArchitectures[] = {{75, 70},      {80, 70},      {86, 71},      {87, 74},
                                           {88, 90},      {89, 78},      {90, 78, 80},  {100, 86, 86},
                                           {103, 88, 88}, {110, 90, 90}, {120, 87, 87}, {121, 88, 88}};

// For a chip newer than the table, or a driver older than the chip, the newest architecture that both support.
Architecture best_for(const Target& target) {
  Architecture best = kArchitectures[0];
  for (const Architecture& known : kArchitectures) {
    if (known.sm <= target.sm && known.ptx <= target.ptx) best = known;
  }
  return best;
}

// The newest PTX version of a CUDA version, encoded as by cuDriverGetVersion. PTX 8.0 came with CUDA 12.0 and 9.0 with 13.0; 12.6 brought
// no new version.
int newest_ptx_of(int cuda) {
  constexpr int kBeforeCuda12 = 78;
  const int major = cuda / 1000, minor = cuda % 1000 / 10;
  if (major < 12) return kBeforeCuda12;
  const int versions = major == 12 && minor >= 6 ? minor - 1 : minor;
  return (major - 4) * 10 + std::min(versions, 9);
}

// The parameter limit of every PTX version, the larger limit, and the version that introduced the larger one.
constexpr std::uint32_t kFewParameterBytes = 4352, kManyParameterBytes = 32764;
constexpr int kPtxForManyParameters = 81;

}  // namespace

bool can_wait(const Target& target) { return best_for(target).sm >= 90; }

int architecture_of(const Target& target) { return best_for(target).sm; }

bool has_whole_chip(const Target& target) {
  const Architecture best = best_for(target);
  return best.sm == target.sm && best.whole_ptx <= target.ptx;
}

std::string cpu_name(const Target& target) { return "sm_" + std::to_string(architecture_of(target)); }

namespace {

int newest_ptx(const Target& target) {
  std::string error;
  const llvm::Triple triple(kDeviceTriple);
  const llvm::Target* nvptx = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!nvptx) throw CompilerFault{error};
  const std::unique_ptr<llvm::MCSubtargetInfo> known(nvptx->createMCSubtargetInfo(triple, "", ""));
  int newest = best_for(target).ptx;
  for (const llvm::SubtargetFeatureKV& feature : known->getAllProcessorFeatures()) {
    llvm::StringRef name = feature.Key;
    int version = 0;
    if (name.consume_front("ptx") && !name.getAsInteger(10, version) && version <= target.ptx)
      newest = std::max(newest, version);
  }
  return newest;
}

}  // namespace

std::string ptx_feature(const Target& target, std::uint32_t parameter_bytes) {
  const int lowest =
      std::max(best_for(target).ptx, parameter_bytes > kFewParameterBytes ? kPtxForManyParameters : 0);
  return "+ptx" + std::to_string(lowest);
}

std::string declared_for(const Target& target, std::string ptx) {
  if (!target.whole_chip) return ptx;
  const auto replace = [&ptx](const std::string& directive, const std::string& by) {
    const std::size_t begin = ptx.find(directive), end = ptx.find('\n', begin);
    if (begin == ptx.npos || end == ptx.npos) throw CompilerFault{"internal error: PTX without " + directive};
    ptx.replace(begin, end - begin, directive + by);
  };
  const int newest = newest_ptx(target);
  replace(".version ", std::to_string(newest / 10) + "." + std::to_string(newest % 10));
  replace(".target ", cpu_name(target) + "a");
  return ptx;
}

std::uint32_t most_parameter_bytes(const Target& target) {
  return target.ptx >= kPtxForManyParameters ? kManyParameterBytes : kFewParameterBytes;
}

Target target_for(int sm, int driver, int library) {
  const Target of_driver{.sm = sm, .ptx = newest_ptx_of(driver)};
  const Target of_both{.sm = sm, .ptx = std::min(of_driver.ptx, newest_ptx_of(library))};
  const bool library_counts = library != 0 && architecture_of(of_both) == architecture_of(of_driver);
  return library_counts ? of_both : of_driver;
}

Target target_for_chip(int sm) {
  constexpr int kOldestDriver = 12000;
  return {.sm = sm, .ptx = std::max(newest_ptx_of(kOldestDriver), best_for({sm, Architecture::kNever}).ptx)};
}

bool runs_on(const Target& made_for, const Target& device) {
  const bool has_chip = made_for.whole_chip ? made_for.sm == device.sm : made_for.sm <= device.sm;
  return has_chip && made_for.ptx <= device.ptx;
}

}  // namespace clcuda::compiler
