// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <span>

#include "base/config.h"
#include "runtime/memory/buffer.h"
#include "runtime/memory/device_addresses.h"
#include "runtime/memory/svm.h"
#include "runtime/platform/context.h"
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
      if (use.parameter() != MemoryUse::kNoParameter && use.may_be_reached_by_pointer(memory_of(i)))
        return true;
  }
  return false;
}

// Whether the argument is a pointer of the application's, and not null.
bool Kernel::leads_to_memory(std::size_t argument) const noexcept {
  return arguments_[argument].holds_pointer && pointer_of(argument);
}

const void* Kernel::pointer_of(std::size_t argument) const noexcept {
  const void* pointer = nullptr;
  std::memcpy(static_cast<void*>(&pointer), bytes_.data() + info_->arguments[argument].offset,
              sizeof pointer);
  return pointer;
}

std::uint64_t Kernel::frees() const noexcept {
  return context().svm().freed() + context().device_addresses().removed();
}

// The identity (Storage::identity) of the memory that the kernel may access through a pointer argument; null if unknown, as where the
// pointer is both the beginning of one piece of memory and the end of another: programs pass the ends of ranges.
const void* Kernel::memory_of(const void* pointer) const noexcept {
  const auto of_buffer = [this](const void* byte) -> const void* {
    const Ref<Object> buffer = context().device_addresses().find(reinterpret_cast<CUdeviceptr>(byte));
    return buffer ? static_cast<Buffer&>(*buffer).memory_identity() : nullptr;
  };
  const SvmSpace::Around around = context().svm().around(pointer);
  const void* const at = around.at ? around.at : of_buffer(pointer);
  if (!at || !pointer) return nullptr;
  const void* const before =
      around.before ? around.before : of_buffer(static_cast<const std::byte*>(pointer) - 1);
  return before && before != at ? nullptr : at;
}

const void* Kernel::memory_of(std::size_t argument) const noexcept {
  const Argument& a = arguments_[argument];
  return a.frees == frees() ? a.memory : memory_of(pointer_of(argument));
}

bool Kernel::pointers_may_conflict(std::size_t a, std::size_t b) const noexcept {
  if (!info_->arguments[a].is_written && !info_->arguments[b].is_written) return false;
  const void *of_a = memory_of(a), *of_b = memory_of(b);
  return !of_a || !of_b || of_a == of_b;
}

}  // namespace clcuda
