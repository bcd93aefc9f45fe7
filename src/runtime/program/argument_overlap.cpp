// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <span>

#include "base/config.h"
#include "runtime/program/kernel.h"

namespace clcuda {
namespace {

bool any_overlap(const MemoryUse& use, std::span<const MemoryUse> others) {
  return std::ranges::any_of(others, [&](const MemoryUse& other) { return use.may_conflict_with(other); });
}

}  // namespace

// Images are not compared: section 5.3.1 leaves the use of a buffer and of an image created from it in one kernel undefined.
bool Kernel::arguments_overlap(const ArgumentBlock& block) const noexcept {
  if (!config().distinct_arguments) return true;
  for (std::size_t i = 0; i < block.uses.size(); ++i)
    if (any_overlap(block.uses[i], std::span(block.uses).subspan(i + 1))) return true;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!leads_to_memory(i)) continue;
    for (std::size_t j = 0; j < i; ++j)
      if (leads_to_memory(j) && pointers_may_conflict(i, j)) return true;
    for (const MemoryUse& use : block.uses)
      if (use.parameter() != MemoryUse::kNoParameter && use.may_be_reached_by_pointer(arguments_[i].memory))
        return true;
  }
  return false;
}

// Whether the argument is a pointer of the application's, and not null.
bool Kernel::leads_to_memory(std::size_t argument) const noexcept {
  if (!arguments_[argument].holds_pointer) return false;
  const void* address = nullptr;
  std::memcpy(static_cast<void*>(&address), bytes_.data() + info_->arguments[argument].offset,
              sizeof address);
  return address != nullptr;
}

bool Kernel::pointers_may_conflict(std::size_t a, std::size_t b) const noexcept {
  if (!info_->arguments[a].is_written && !info_->arguments[b].is_written) return false;
  const void* memory = arguments_[a].memory;
  return !memory || !arguments_[b].memory || memory == arguments_[b].memory;
}

}  // namespace clcuda
