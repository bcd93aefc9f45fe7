// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "runtime/platform/context.h"

namespace clcuda {

// A sampler's properties (section 5.7).
struct SamplerState {
  bool normalized = true;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  cl_filter_mode mip_filter = CL_FILTER_NEAREST;
  float lod_min = 0.0f, lod_max = 3.4028234663852886e38f;
};

// cl_sampler. A kernel argument is the sampler's number, so the object need not exist longer than the call of clSetKernelArg.
class Sampler final : public Object {
 public:
  using Handle = cl_sampler;
  static constexpr ObjectType kType = ObjectType::sampler;
  static constexpr cl_int kInvalid = CL_INVALID_SAMPLER;

  Sampler(Context& context, const SamplerState& state, std::vector<cl_sampler_properties> properties)
      : Object(kType, context), context_(context), state_(state), properties_(std::move(properties)) {}

  Context& context() const { return *context_; }
  const SamplerState& state() const { return state_; }
  const std::vector<cl_sampler_properties>& properties() const { return properties_; }
  std::uint64_t number() const;  // encodes the state (builtins/image_descriptor.h)

 private:
  ~Sampler() override = default;

  const Ref<Context> context_;
  const SamplerState state_;
  const std::vector<cl_sampler_properties> properties_;
};

}  // namespace clcuda
