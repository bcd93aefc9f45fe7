// SPDX-License-Identifier: Apache-2.0
#include "compiler/parts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace clcuda::compiler {
namespace {

// In instructions as emitted by Clang, each of which takes about 60 µs to optimise and emit. A separate part costs 4 ms.
constexpr std::uint64_t kSmallestPart = 160;
// Larger programs, which approach the limits of pipeline.cpp, are not divided.
constexpr std::uint64_t kLargestProgram = 160'000;
constexpr std::uint64_t kMostParts = 16;

bool programs_are_whole = false;

using Callees = llvm::DenseMap<const llvm::Function*, std::vector<const llvm::Function*>>;

Callees callees_of(const llvm::Module& module) {
  Callees callees;
  for (const llvm::Function& function : module) {
    llvm::SetVector<const llvm::Function*> called;
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (callee && !callee->isDeclaration()) called.insert(callee);
      }
    }
    callees[&function].assign(called.begin(), called.end());
  }
  return callees;
}

// The number of instructions of a kernel and of everything that it calls.
std::uint64_t size_with_callees(const llvm::Function& kernel, const Callees& callees) {
  llvm::SetVector<const llvm::Function*> reached;
  reached.insert(&kernel);
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    size += reached[i]->getInstructionCount();
    for (const llvm::Function* callee : callees.at(reached[i])) reached.insert(callee);
  }
  return size;
}

// Assigns kernels to parts, the largest first, each to the smallest part so far.
std::vector<std::vector<std::size_t>> distribute(const std::vector<std::uint64_t>& sizes, std::size_t count) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return sizes[a] > sizes[b] || (sizes[a] == sizes[b] && a < b);
  });
  std::vector<std::vector<std::size_t>> parts(count);
  std::vector<std::uint64_t> filled(count);
  for (const std::size_t item : order) {
    const std::size_t part = std::ranges::min_element(filled) - filled.begin();
    parts[part].push_back(item);
    filled[part] += sizes[item];
  }
  for (auto& part : parts) std::ranges::sort(part);
  return parts;
}

}  // namespace

std::vector<std::vector<std::size_t>> divide(const llvm::Module& module,
                                             const std::vector<KernelInfo>& kernels) {
  if (programs_are_whole) return distribute(std::vector<std::uint64_t>(kernels.size()), 1);
  const Callees callees = callees_of(module);
  std::vector<std::uint64_t> sizes;
  sizes.reserve(kernels.size());
  for (const KernelInfo& kernel : kernels)
    sizes.push_back(size_with_callees(*module.getFunction(kernel.name), callees));
  const std::uint64_t all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  if (kernels.size() < 2 || all > kLargestProgram) return distribute(sizes, 1);
  // With more parts, the build would still take as long as the largest kernel.
  const std::uint64_t least = std::max(*std::ranges::max_element(sizes), kSmallestPart);
  return distribute(sizes, std::min({(all + least - 1) / least, kMostParts, std::uint64_t{kernels.size()}}));
}

void keep_programs_whole() { programs_are_whole = true; }

}  // namespace clcuda::compiler
