// SPDX-License-Identifier: Apache-2.0
// Samplers come with images, which are not offered: none can be created, so no handle names one.
#include "api/entry_point.h"
#include "runtime/context.h"

namespace clcuda::api {
namespace {

cl_sampler refuse_sampler(cl_context context, cl_int* error) {
  return created(error, [&]() -> cl_sampler {
    object_of<Context>(context);
    throw Error(CL_INVALID_OPERATION, "no device of the context supports images");
  });
}

cl_int no_sampler() {
  return guarded([] { throw Error(CL_INVALID_SAMPLER, "not a valid handle"); });
}

}  // namespace
}  // namespace clcuda::api

using namespace clcuda;
using namespace clcuda::api;

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool, cl_addressing_mode, cl_filter_mode,
                                       cl_int* error) {
  return refuse_sampler(context, error);
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context, const cl_sampler_properties*,
                                                     cl_int* error) {
  return refuse_sampler(context, error);
}

cl_int CL_API_CALL clRetainSampler(cl_sampler) { return no_sampler(); }
cl_int CL_API_CALL clReleaseSampler(cl_sampler) { return no_sampler(); }
cl_int CL_API_CALL clGetSamplerInfo(cl_sampler, cl_sampler_info, size_t, void*, size_t*) {
  return no_sampler();
}
