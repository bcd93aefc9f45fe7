// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/link.h"

#include <cstdint>
#include <string_view>

#include "ptx/driver/current_context.h"
#include "ptx/driver/entry.h"

namespace clcuda::ptx::driver {

namespace {

// The highest optimisation level, which is the default, requests fully optimised code at once.
Tier tier_of(unsigned count, const CUjit_option* options, void* const* values) {
  constexpr std::uintptr_t kHighest = 4;
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_OPTIMIZATION_LEVEL && reinterpret_cast<std::uintptr_t>(values[i]) < kHighest)
      return Tier::quick;
  return Tier::full;
}

}  // namespace

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return entry([&] {
    Context& context = current_context();
    CUlinkState& out = required(state);
    const LinkLogs logs(count, options, values);
    out = handle_from<CUlinkState>(
        handles<Link>().add(Ref<Link>::adopt(new Link(context, tier_of(count, options, values), logs))));
    return CUDA_SUCCESS;
  });
}

// PTX is parsed by cuLinkComplete, which reports errors in it.
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t size, const char* name,
                       unsigned count, CUjit_option* options, void** values) {
  return entry([&] {
    const Ref<Link> link = handles<Link>().get(number(state));
    link->context().require_usable();
    require(data != nullptr && size > 0 && (count == 0 || (options && values)));
    link->add(type, {static_cast<const char*>(data), size}, name);
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* size) {
  return entry([&] {
    const Ref<Link> link = handles<Link>().get(number(state));
    link->context().require_usable();
    void*& image_out = required(image);
    const std::string_view bytes = link->complete();
    image_out = const_cast<char*>(bytes.data());
    if (size) *size = bytes.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return entry(
      [&] { return handles<Link>().remove(number(state)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; });
}

}  // namespace clcuda::ptx::driver
