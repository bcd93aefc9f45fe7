// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/device.h"

#include "ptx/driver/host_machine.h"

namespace clcuda::ptx::driver {

namespace {

// Not an address, so that the handle differs from a GPU's context and from every pointer.
constexpr std::uint64_t kContextHandleBase = 0xc1cd'a000'0000'0001;
constexpr std::uint64_t kMaxDevices = 1 << 16;

}  // namespace

Device::Device(int ordinal, std::size_t memory_bytes)
    : ordinal_(ordinal), memory_(memory_bytes), pool_(host_machine().threads) {}

CUcontext Device::context_handle() const {
  return reinterpret_cast<CUcontext>(kContextHandleBase + static_cast<std::uint64_t>(ordinal_));
}

std::optional<int> Device::ordinal_of(CUcontext handle) {
  const std::uint64_t ordinal = reinterpret_cast<std::uint64_t>(handle) - kContextHandleBase;
  return ordinal < kMaxDevices ? std::optional(static_cast<int>(ordinal)) : std::nullopt;
}

std::string Device::name() const {
  const std::string& model = host_machine().cpu_model;
  return model.empty() ? "clcuda CPU" : "clcuda CPU " + model;
}

}  // namespace clcuda::ptx::driver
