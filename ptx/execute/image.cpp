// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/image.h"

#include <cstring>
#include <map>
#include <stdexcept>

#include "ptx/execute/image_format.h"
#include "ptx/execute/linked_code.h"
#include "ptx/execute/loaded_kernel.h"

namespace clcuda::ptx {

class LoadedImage final : public Image {
 public:
  LoadedImage(ImageDescription description, void* globals)
      : code_(description.object), globals_(static_cast<std::byte*>(globals)) {
    std::vector<std::string> symbols;
    for (const KernelCode& kernel : description.kernels)
      for (std::size_t region = 0; region <= kernel.waits.size(); ++region)
        symbols.push_back(kernel.symbol + "." + std::to_string(region));
    const std::vector<void*> addresses = code_.addresses(symbols);
    std::size_t next = 0;
    for (KernelCode& kernel : description.kernels) {
      LoadedKernel loaded{.globals = globals_,
                          .entry = {},
                          .slot_bytes = kernel.slot_bytes,
                          .kept_local_bytes = kernel.kept_local_bytes,
                          .dynamic_shared_offset = kernel.dynamic_shared_offset};
      for (std::size_t region = 0; region <= kernel.waits.size(); ++region)
        loaded.entry.regions.push_back(reinterpret_cast<RegionEntry>(addresses[next++]));
      loaded.entry.waits = std::move(kernel.waits);
      loaded.entry.exits = std::move(kernel.exits);
      Named& named = kernels_[kernel.description.name];
      named.loaded = std::move(loaded);
      named.kernel.description_ = std::move(kernel.description);
      named.kernel.entry_ = &named.loaded;
    }
    initialize(description.globals);
  }

  const Kernel* find_kernel(std::string_view name) const override {
    const auto found = kernels_.find(name);
    return found == kernels_.end() ? nullptr : &found->second.kernel;
  }
  const GlobalVariable* find_global(std::string_view name) const override {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
  }

 private:
  struct Named {
    Kernel kernel;
    LoadedKernel loaded;
  };

  void initialize(const GlobalsDescription& globals) {
    if (globals.bytes == 0) return;
    std::memcpy(globals_, globals.initial.data(), globals.initial.size());
    std::memset(globals_ + globals.initial.size(), 0, globals.bytes - globals.initial.size());
    for (const AddressFixup& fixup : globals.fixups) {
      const std::uint64_t address = (reinterpret_cast<std::uint64_t>(globals_) + fixup.target) >> fixup.shift;
      std::memcpy(globals_ + fixup.where, &address, fixup.bytes);
    }
    for (const GlobalEntry& entry : globals.exported)
      variables_[entry.name] = {entry.name, globals_ + entry.offset, static_cast<std::size_t>(entry.size)};
  }

  LinkedCode code_;
  std::byte* globals_;
  std::map<std::string, Named, std::less<>> kernels_;
  std::map<std::string, GlobalVariable, std::less<>> variables_;
};

namespace {

constexpr std::size_t globals_alignment = 4096;

}  // namespace

std::unique_ptr<Image> Image::load(std::string_view bytes,
                                   void* (*allocate_globals)(void*, std::size_t, std::size_t), void* user,
                                   std::string& log) {
  try {
    ImageDescription description = deserialize(bytes);
    void* globals = nullptr;
    if (description.globals.bytes != 0) {
      globals = allocate_globals(user, description.globals.bytes, globals_alignment);
      if (!globals) throw std::runtime_error("no memory for the program's variables");
    }
    return std::make_unique<LoadedImage>(std::move(description), globals);
  } catch (const std::exception& error) {
    log.append(error.what()).append("\n");
    return nullptr;
  }
}

}  // namespace clcuda::ptx
