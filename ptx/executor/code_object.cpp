// SPDX-License-Identifier: Apache-2.0
#include "ptx/executor/code_object.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <list>
#include <map>
#include <new>
#include <span>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "base/log.h"
#include "ptx/abi/code_object.h"
#include "ptx/execute/linked_code.h"
#include "ptx/executor/compile.h"
#include "ptx/executor/loaded_kernel.h"
#include "ptx/translate/host_target.h"

namespace clcuda::ptx {

namespace {

// About the time that optimised compilation of a small kernel takes.
constexpr std::uint64_t kWorthTieringUp = 5'000'000;  // nanoseconds

std::vector<std::string> symbols_of(const KernelCode& kernel) {
  std::vector<std::string> symbols;
  for (std::size_t region = 0; region <= kernel.waits.size(); ++region)
    symbols.push_back(kernel.symbol + "." + std::to_string(region));
  return symbols;
}

}  // namespace

Tier Kernel::tier() const noexcept { return code().tier; }

bool Kernel::spend(std::uint64_t nanoseconds) const noexcept {
  const std::uint64_t before = quick_nanoseconds_.fetch_add(nanoseconds, std::memory_order_relaxed);
  return before < kWorthTieringUp && before + nanoseconds >= kWorthTieringUp;
}

class LoadedCodeObject final : public CodeObject {
 public:
  LoadedCodeObject(CodeObjectDescription description, void* globals)
      : globals_(static_cast<std::byte*>(globals)), units_(std::move(description.units)) {
    const LinkedCode& code = codes_.emplace_back(description.object);
    std::vector<std::string> symbols;
    for (const KernelCode& kernel : description.kernels)
      std::ranges::move(symbols_of(kernel), std::back_inserter(symbols));
    const std::vector<void*> addresses = code.addresses(symbols);
    const Tier tier = units_.empty() ? Tier::full : Tier::quick;
    auto next = addresses.begin();
    for (KernelCode& kernel : description.kernels) {
      const auto begin = next;
      next += static_cast<std::ptrdiff_t>(kernel.waits.size()) + 1;
      Named& named = kernels_[kernel.description.name];
      named.kernel.description_ = std::move(kernel.description);
      named.loaded = load(kernel, {begin, next}, tier);
      named.kernel.code_.store(&named.loaded, std::memory_order_relaxed);
      by_index_.push_back(&named.kernel);
    }
    initialize(description.globals);
  }

  const Kernel* find_kernel(std::string_view name) const override {
    const auto found = kernels_.find(name);
    return found == kernels_.end() ? nullptr : &found->second.kernel;
  }
  const Kernel* kernel_at(std::uint64_t address) const override {
    const std::uint64_t offset = address - kFirstKernelAddress;
    return offset % 16 == 0 && offset / 16 < by_index_.size() ? by_index_[offset / 16] : nullptr;
  }
  const GlobalVariable* find_global(std::string_view name) const override {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
  }
  bool tier_up(const Kernel& kernel) noexcept override {
    Named& named = kernels_.find(kernel.description().name)->second;
    try {
      CodeObjectDescription made = compile_kernel(units_, kernel.description().name);
      KernelCode& better = made.kernels.at(0);
      named.full = load(better, codes_.emplace_back(made.object).addresses(symbols_of(better)), Tier::full);
    } catch (const std::exception& error) {
      log::error("kernel {} keeps its quick code: {}", kernel.description().name, error.what());
      return false;
    }
    named.kernel.code_.store(&named.full, std::memory_order_release);
    return true;
  }

 private:
  struct Named {
    Kernel kernel;
    LoadedKernel loaded, full;  // as it was loaded, and recompiled by tier_up()
  };

  LoadedKernel load(KernelCode& kernel, std::span<void* const> regions, Tier tier) const {
    LoadedKernel loaded{.globals = globals_,
                        .entry = {},
                        .slot_bytes = kernel.slot_bytes,
                        .kept_local_bytes = kernel.kept_local_bytes,
                        .dynamic_shared_offset = kernel.dynamic_shared_offset,
                        .tier = tier};
    for (void* region : regions) loaded.entry.regions.push_back(reinterpret_cast<RegionEntry>(region));
    loaded.entry.waits = std::move(kernel.waits);
    loaded.entry.exits = std::move(kernel.exits);
    return loaded;
  }

  void initialize(const GlobalsDescription& globals) {
    if (globals.bytes == 0) return;
    for (const InitialBytes& initial : globals.initial)
      std::memcpy(globals_ + initial.where, initial.bytes.data(), initial.bytes.size());
    for (const AddressFixup& fixup : globals.fixups) {
      const std::uint64_t address = (reinterpret_cast<std::uint64_t>(globals_) + fixup.target) >> fixup.shift;
      std::memcpy(globals_ + fixup.where, &address, fixup.bytes);
    }
    for (const GlobalEntry& entry : globals.exported)
      variables_[entry.name] = {entry.name, globals_ + entry.offset, static_cast<std::size_t>(entry.size)};
  }

  std::list<LinkedCode> codes_;  // the object's, and that of each recompiled kernel
  std::byte* globals_;
  std::vector<std::string> units_;  // the PTX of quick code
  std::map<std::string, Named, std::less<>> kernels_;
  std::vector<const Kernel*> by_index_;
  std::map<std::string, GlobalVariable, std::less<>> variables_;
};

namespace {

constexpr std::size_t kGlobalsAlignment = 4096;

}  // namespace

std::unique_ptr<CodeObject> CodeObject::load(std::string_view bytes,
                                             void* (*allocate_globals)(void*, std::size_t, std::size_t),
                                             void* user, std::string& log) {
  try {
    CodeObjectDescription description = deserialize(bytes, host_name());
    void* globals = nullptr;
    if (description.globals.bytes != 0) {
      globals = allocate_globals(user, description.globals.bytes, kGlobalsAlignment);
      if (!globals) throw std::runtime_error("no memory for the program's variables");
    }
    return std::make_unique<LoadedCodeObject>(std::move(description), globals);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::system_error&) {
    throw;
  } catch (const std::exception& error) {
    log.append(error.what()).append("\n");
    return nullptr;
  }
}

}  // namespace clcuda::ptx
