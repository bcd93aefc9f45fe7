// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/abi/sampling.h"
#include "ptx/abi/texel_grid.h"

namespace clcuda::ptx {

// The process's texture and surface objects, by the 64-bit handles that kernels are given. `owner`: for remove_texel_objects_of(). Running
// kernels may go on using an object that is removed. remove_… returns false if the handle is not live.
std::uint64_t add_texture(const TexelResource& resource, const Sampling& sampling, const void* owner);
bool remove_texture(std::uint64_t handle);
std::uint64_t add_surface(const TexelResource& resource, const void* owner);
bool remove_surface(std::uint64_t handle);
void remove_texel_objects_of(const void* owner);

}  // namespace clcuda::ptx
