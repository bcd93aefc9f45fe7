// SPDX-License-Identifier: Apache-2.0
#include "ptx/executor/texel_objects.h"

#include "ptx/execute/bindless_objects.h"
#include "ptx/execute/make_texture.h"

namespace clcuda::ptx {

std::uint64_t add_texture(const TexelResource& resource, const Sampling& sampling, const void* owner) {
  return textures().add(make_texture(resource, sampling), owner);
}

bool remove_texture(std::uint64_t handle) { return textures().remove(handle); }

std::uint64_t add_surface(const TexelResource& resource, const void* owner) {
  return surfaces().add(resource, owner);
}

bool remove_surface(std::uint64_t handle) { return surfaces().remove(handle); }

void remove_texel_objects_of(const void* owner) {
  textures().remove_all_of(owner);
  surfaces().remove_all_of(owner);
}

}  // namespace clcuda::ptx
