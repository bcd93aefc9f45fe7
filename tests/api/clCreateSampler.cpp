// SPDX-License-Identifier: Apache-2.0
// clCreateSampler, clCreateSamplerWithProperties, clRetainSampler, clReleaseSampler, clGetSamplerInfo.
#include "support/images.h"

namespace {

class CreateSampler : public test::ImageTest {
 protected:
  template <class T>
  T info(cl_sampler sampler, cl_sampler_info name) const {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetSamplerInfo(sampler, name, sizeof value, &value, nullptr));
    return value;
  }
  cl_int error = 1;
};

TEST_F(CreateSampler, TellsWhatItWasMadeWith) {
  const test::Sampler sampler = make_sampler(false, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR);
  EXPECT_EQ(info<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_FALSE});
  EXPECT_EQ(info<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_CLAMP_TO_EDGE});
  EXPECT_EQ(info<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE), cl_filter_mode{CL_FILTER_LINEAR});
  EXPECT_EQ(info<cl_context>(sampler, CL_SAMPLER_CONTEXT), context.get());
  CL_OK(clRetainSampler(sampler));
  EXPECT_EQ(info<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT), 2u);
  CL_OK(clReleaseSampler(sampler));
  size_t size = 1;
  CL_OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, nullptr, &size));
  EXPECT_EQ(size, 0u);
}

TEST_F(CreateSampler, WithProperties) {
  const cl_sampler_properties list[] = {CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_MIRRORED_REPEAT, 0};
  const test::Sampler sampler = clCreateSamplerWithProperties(context, list, &error);
  CL_OK(error);
  EXPECT_EQ(info<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS), cl_bool{CL_TRUE});
  EXPECT_EQ(info<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_MIRRORED_REPEAT});
  EXPECT_EQ(info<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE), cl_filter_mode{CL_FILTER_NEAREST});
  cl_sampler_properties found[3] = {};
  CL_OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof found, found, nullptr));
  EXPECT_TRUE(std::equal(std::begin(list), std::end(list), std::begin(found)));
  const test::Sampler plain = clCreateSamplerWithProperties(context, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(info<cl_addressing_mode>(plain, CL_SAMPLER_ADDRESSING_MODE),
            cl_addressing_mode{CL_ADDRESS_CLAMP});
}

TEST_F(CreateSampler, Errors) {
  EXPECT_EQ(nullptr, clCreateSampler(nullptr, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, clCreateSampler(context, 7, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateSampler(context, CL_TRUE, 7, CL_FILTER_NEAREST, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, 7, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(nullptr, nullptr, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  for (const cl_sampler_properties name :
       {CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_ADDRESSING_MODE, CL_SAMPLER_FILTER_MODE}) {
    const cl_sampler_properties odd[] = {name, 7, 0};
    EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context, odd, &error));
    CL_EXPECT(CL_INVALID_VALUE, error);
  }
  const cl_sampler_properties wide[] = {CL_SAMPLER_FILTER_MODE,
                                        cl_sampler_properties{1} << 32 | CL_FILTER_LINEAR, 0};
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context, wide, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  const cl_sampler_properties unknown[] = {1, 1, 0}, twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                                                CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context, unknown, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateSamplerWithProperties(context, twice, &error));
  CL_EXPECT(CL_INVALID_VALUE, error);
  CL_EXPECT(CL_INVALID_SAMPLER, clRetainSampler(nullptr));
  CL_EXPECT(CL_INVALID_SAMPLER, clReleaseSampler(reinterpret_cast<cl_sampler>(context.get())));
  cl_uint value = 0;
  CL_EXPECT(CL_INVALID_SAMPLER,
            clGetSamplerInfo(nullptr, CL_SAMPLER_FILTER_MODE, sizeof value, &value, nullptr));
  const test::Sampler sampler = make_sampler(true, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST);
  CL_EXPECT(CL_INVALID_VALUE, clGetSamplerInfo(sampler, 7, sizeof value, &value, nullptr));
  CL_EXPECT(CL_INVALID_VALUE, clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, 1, &value, nullptr));
}

}  // namespace
