// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/sampler.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "api/entry_point.h"
#include "api/info_writer.h"
#include "api/known_values.h"

namespace clcuda::api {
namespace {

bool is_filter(cl_filter_mode filter) { return filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR; }

// Section 5.7.1: known modes only.
void check_state(const SamplerState& state) {
  require(state.addressing >= CL_ADDRESS_NONE && state.addressing <= CL_ADDRESS_MIRRORED_REPEAT,
          CL_INVALID_VALUE, "no such addressing mode");
  require(is_filter(state.filter) && is_filter(state.mip_filter), CL_INVALID_VALUE, "no such filter mode");
}

void require_flag(cl_sampler_properties value) {
  require(value == CL_TRUE || value == CL_FALSE, CL_INVALID_VALUE, "neither CL_TRUE nor CL_FALSE");
}

cl_sampler create_sampler(cl_context handle, const SamplerState& state,
                          std::vector<cl_sampler_properties> properties) {
  Context& context = object_of<Context>(handle);
  check_state(state);
  return handle_of(*new Sampler(context, state, std::move(properties)));
}

// A property that is an enumeration must be 0 in its high half.
cl_uint enumeration_of(cl_sampler_properties property) {
  require(property <= std::numeric_limits<cl_uint>::max(), CL_INVALID_VALUE, "no such mode");
  return static_cast<cl_uint>(property);
}

// A property that is a float has its bits in the low half.
float float_of(cl_sampler_properties property) {
  float value = 0;
  std::memcpy(&value, &property, sizeof value);
  return value;
}

SamplerState state_of(const cl_sampler_properties* properties) {
  SamplerState state;
  std::vector<cl_sampler_properties> seen;
  for (const cl_sampler_properties* p = properties; p && *p; p += 2) {
    require(std::ranges::find(seen, p[0]) == seen.end(), CL_INVALID_VALUE,
            "a sampler property is given twice");
    seen.push_back(p[0]);
    switch (p[0]) {
      case CL_SAMPLER_NORMALIZED_COORDS:
        require_flag(p[1]);
        state.normalized = p[1] == CL_TRUE;
        break;
      case CL_SAMPLER_ADDRESSING_MODE:
        state.addressing = enumeration_of(p[1]);
        break;
      case CL_SAMPLER_FILTER_MODE:
        state.filter = enumeration_of(p[1]);
        break;
      case CL_SAMPLER_MIP_FILTER_MODE_KHR:
        state.mip_filter = enumeration_of(p[1]);
        break;
      case CL_SAMPLER_LOD_MIN_KHR:
        state.lod_min = float_of(p[1]);
        break;
      case CL_SAMPLER_LOD_MAX_KHR:
        state.lod_max = float_of(p[1]);
        break;
      default:
        throw unknown_property(CL_INVALID_VALUE, "an unknown sampler property", p[0]);
    }
  }
  return state;
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                                       cl_filter_mode filter, cl_int* error) {
  return created(error, context, [&] {
    object_of<Context>(context);
    require_flag(normalized);
    return create_sampler(
        context, {.normalized = normalized == CL_TRUE, .addressing = addressing, .filter = filter}, {});
  });
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties* properties, cl_int* error) {
  return created(error, context, [&] {
    object_of<Context>(context);
    std::vector<cl_sampler_properties> list;
    const SamplerState state = state_of(properties);
    for (const cl_sampler_properties* p = properties; p && *p; p += 2) list.insert(list.end(), {p[0], p[1]});
    if (properties) list.push_back(0);
    return create_sampler(context, state, std::move(list));
  });
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return guarded(sampler, [&] { object_of<Sampler>(sampler).retain_api(); });
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return guarded(sampler, [&] {
    require(object_of<Sampler>(sampler).release_api(), CL_INVALID_SAMPLER,
            "released more often than retained");
  });
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler handle, cl_sampler_info name, size_t size, void* value,
                                    size_t* size_ret) {
  return guarded(handle, [&]() -> InfoWriter::Written {
    const Sampler& sampler = object_of<Sampler>(handle);
    const SamplerState& state = sampler.state();
    InfoWriter out(name, size, value, size_ret);
    switch (name) {
      case CL_SAMPLER_REFERENCE_COUNT:
        return out.write<cl_uint>(sampler.api_count());
      case CL_SAMPLER_CONTEXT:
        return out.write<cl_context>(handle_of(sampler.context()));
      case CL_SAMPLER_NORMALIZED_COORDS:
        return out.write<cl_bool>(state.normalized);
      case CL_SAMPLER_ADDRESSING_MODE:
        return out.write<cl_addressing_mode>(state.addressing);
      case CL_SAMPLER_FILTER_MODE:
        return out.write<cl_filter_mode>(state.filter);
      case CL_SAMPLER_MIP_FILTER_MODE_KHR:
        return out.write<cl_filter_mode>(state.mip_filter);
      case CL_SAMPLER_LOD_MIN_KHR:
        return out.write<cl_float>(state.lod_min);
      case CL_SAMPLER_LOD_MAX_KHR:
        return out.write<cl_float>(state.lod_max);
      case CL_SAMPLER_PROPERTIES:
        return out.array(sampler.properties());
    }
    out.unknown();
  });
}
