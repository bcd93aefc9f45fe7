// SPDX-License-Identifier: Apache-2.0
// cl_clcuda_cuda_interop: images in CUDA arrays of the application.
#include <array>

#include "cuda_interop_test.h"
#include "support/two_devices.h"

namespace {

using test::CudaInterop;
using test::CudaMemory;
using test::kBytes;
using test::kWords;
using test::plus;

// A CUDA array of the application, without mipmap levels.
class CudaArray {
 public:
  CudaArray(decltype(&::cuArray3DCreate) create, decltype(&::cuArrayDestroy) destroy,
            const CUDA_ARRAY3D_DESCRIPTOR& shape)
      : destroy_(destroy) {
    CUDA_EXPECT(CUDA_SUCCESS, create(&array_, &shape));
  }
  ~CudaArray() { CUDA_EXPECT(CUDA_SUCCESS, destroy_(array_)); }
  CudaArray(const CudaArray&) = delete;
  CudaArray& operator=(const CudaArray&) = delete;
  operator CUarray() const { return array_; }
  cl_mem_properties property() const { return reinterpret_cast<cl_mem_properties>(array_); }

 private:
  decltype(&::cuArrayDestroy) destroy_;
  CUarray array_ = nullptr;
};

class ImagesInArrays : public CudaInterop {
 protected:
  static constexpr std::size_t kWidth = 61, kHeight = 17, kDepth = 5;
  static constexpr cl_image_format kFormat{CL_R, CL_UNSIGNED_INT32};

  // The shape for an image type, with one channel as in kFormat.
  static CUDA_ARRAY3D_DESCRIPTOR shape_of(cl_mem_object_type type,
                                          unsigned flags = CUDA_ARRAY3D_SURFACE_LDST) {
    CUDA_ARRAY3D_DESCRIPTOR shape{};
    const bool layers = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    shape.Width = kWidth;
    shape.Height = type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 0 : kHeight;
    shape.Depth = layers || type == CL_MEM_OBJECT_IMAGE3D ? kDepth : 0;
    shape.Format = CU_AD_FORMAT_UNSIGNED_INT32;
    shape.NumChannels = 1;
    shape.Flags = flags | (layers ? CUDA_ARRAY3D_LAYERED : 0u);
    return shape;
  }
  static cl_image_desc desc_of(cl_mem_object_type type) {
    cl_image_desc desc{};
    desc.image_type = type;
    desc.image_width = kWidth;
    desc.image_height = kHeight;
    desc.image_depth = desc.image_array_size = kDepth;
    return desc;
  }
  test::Buffer image_in(CUarray array, const cl_image_desc& desc, cl_mem_flags flags = CL_MEM_READ_WRITE,
                        cl_context where = nullptr) const {
    const cl_mem_properties list[] = {CL_MEM_CUDA_ARRAY_CLCUDA, reinterpret_cast<cl_mem_properties>(array),
                                      0};
    cl_int error = 1;
    test::Buffer made = clCreateImageWithProperties(where ? where : context.get(), list, flags, &kFormat,
                                                    &desc, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  // Copies all texels to or from an array, with the CUDA driver.
  void copy(CUarray array, const CUDA_ARRAY3D_DESCRIPTOR& shape, cl_uint* texels, bool into_array) const {
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = into_array ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    copy.dstMemoryType = into_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    copy.srcHost = copy.dstHost = texels;
    copy.srcArray = copy.dstArray = array;
    copy.srcPitch = copy.dstPitch = copy.WidthInBytes = kWidth * sizeof(cl_uint);
    copy.Height = std::max<std::size_t>(shape.Height, 1);
    copy.Depth = std::max<std::size_t>(shape.Depth, 1);
    copy.srcHeight = copy.dstHeight = copy.Height;
    CUDA_EXPECT(CUDA_SUCCESS, driver.cuMemcpy3DAsync(&copy, stream));
    CUDA_EXPECT(CUDA_SUCCESS, driver.cuStreamSynchronize(stream));
  }
  void refuses_image(cl_int code, const std::vector<cl_mem_properties>& properties, const cl_image_desc& desc,
                     cl_mem_flags flags = 0, const cl_image_format& format = kFormat,
                     void* host = nullptr) const {
    cl_int error = 1;
    EXPECT_EQ(nullptr,
              clCreateImageWithProperties(context, properties.data(), flags, &format, &desc, host, &error));
    CL_EXPECT(code, error);
  }
};

// Texels that CUDA has written are the image's initial contents; the results of OpenCL commands are in the array when these have ended.
TEST_F(ImagesInArrays, OfEachType) {
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D}) {
    SCOPED_TRACE(type);
    const CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(type);
    const CudaArray array(driver.cuArray3DCreate, driver.cuArrayDestroy, shape);
    const bool lines = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const std::size_t zero[] = {0, 0, 0},
                      whole[] = {kWidth, lines ? kDepth : std::max<std::size_t>(shape.Height, 1),
                                 lines ? 1 : std::max<std::size_t>(shape.Depth, 1)};
    std::vector<cl_uint> texels = test::random_values<cl_uint>(whole[0] * whole[1] * whole[2]),
                         seen(texels.size());
    copy(array, shape, texels.data(), true);
    const test::Buffer image = image_in(array, desc_of(type));
    CUarray told = nullptr;
    CL_OK(array_of(image, device, 0, &told));
    EXPECT_EQ(told, array);
    CL_OK(clEnqueueReadImage(queue, image, CL_TRUE, zero, whole, 0, 0, seen.data(), 0, nullptr, nullptr));
    EXPECT_EQ(seen, texels);
    texels = test::random_values<cl_uint>(texels.size());
    CL_OK(clEnqueueWriteImage(queue, image, CL_TRUE, zero, whole, 0, 0, texels.data(), 0, nullptr, nullptr));
    copy(array, shape, seen.data(), false);
    EXPECT_EQ(seen, texels);
  }
}

TEST_F(ImagesInArrays, InKernels) {
  const CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(CL_MEM_OBJECT_IMAGE2D);
  const CudaArray array(driver.cuArray3DCreate, driver.cuArrayDestroy, shape);
  std::vector<cl_uint> texels = test::random_values<cl_uint>(kWidth * kHeight);
  copy(array, shape, texels.data(), true);
  {
    const test::Buffer image = image_in(array, desc_of(CL_MEM_OBJECT_IMAGE2D));
    const test::Buffer sums = make(texels.size() * sizeof(cl_uint));
    const test::Program built = build(
        "kernel void put(write_only image2d_t image) {\n"
        "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
        "  write_imageui(image, at, (uint4)(at.x * 1000 + at.y)); }\n");
    const test::Kernel sum = make_kernel(program, "sum"), put = make_kernel(built, "put");
    set_arguments(sum, image, sums);
    const std::size_t size[] = {kWidth, kHeight};
    CL_OK(clEnqueueNDRangeKernel(queue, sum, 2, nullptr, size, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(contents<cl_uint>(sums, texels.size()), texels);
    set_arguments(put, image);
    CL_OK(clEnqueueNDRangeKernel(queue, put, 2, nullptr, size, nullptr, 0, nullptr, nullptr));
    CL_OK(acquire(queue, 1, image.list(), nullptr, stream, 0, nullptr));
    copy(array, shape, texels.data(), false);
    CL_OK(release(queue, 1, image.list(), stream, 0, nullptr, nullptr));
  }
  for (std::size_t i = 0; i < texels.size(); ++i) ASSERT_EQ(texels[i], i % kWidth * 1000 + i / kWidth);
}

// Without CUDA_ARRAY3D_SURFACE_LDST kernels can only read the image; commands can write it.
TEST_F(ImagesInArrays, WithoutSurfaces) {
  const CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(CL_MEM_OBJECT_IMAGE2D, 0);
  const CudaArray array(driver.cuArray3DCreate, driver.cuArrayDestroy, shape);
  const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D);
  refuses_image(CL_INVALID_VALUE, {CL_MEM_CUDA_ARRAY_CLCUDA, array.property(), 0}, desc);
  refuses_image(CL_INVALID_VALUE, {CL_MEM_CUDA_ARRAY_CLCUDA, array.property(), 0}, desc, CL_MEM_WRITE_ONLY);
  const test::Buffer image = image_in(array, desc, CL_MEM_READ_ONLY),
                     sums = make(kWidth * kHeight * sizeof(cl_uint));
  const std::vector<cl_uint> texels = test::random_values<cl_uint>(kWidth * kHeight);
  const std::size_t zero[] = {0, 0, 0}, whole[] = {kWidth, kHeight, 1};
  CL_OK(clEnqueueWriteImage(queue, image, CL_FALSE, zero, whole, 0, 0, texels.data(), 0, nullptr, nullptr));
  const test::Kernel sum = make_kernel(program, "sum");
  set_arguments(sum, image, sums);
  CL_OK(clEnqueueNDRangeKernel(queue, sum, 2, nullptr, whole, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents<cl_uint>(sums, texels.size()), texels);
}

TEST_F(ImagesInArrays, Errors) {
  const CudaArray array(driver.cuArray3DCreate, driver.cuArrayDestroy, shape_of(CL_MEM_OBJECT_IMAGE2D)),
      layers(driver.cuArray3DCreate, driver.cuArrayDestroy, shape_of(CL_MEM_OBJECT_IMAGE2D_ARRAY));
  const cl_mem_properties device_property = reinterpret_cast<cl_mem_properties>(device);
  const std::vector<cl_mem_properties> good{CL_MEM_CUDA_ARRAY_CLCUDA, array.property(), 0},
      of_layers{CL_MEM_CUDA_ARRAY_CLCUDA, layers.property(), 0};
  const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D);
  refuses_image(CL_INVALID_PROPERTY, {CL_MEM_CUDA_ARRAY_CLCUDA, 0, 0}, desc);
  refuses_image(CL_INVALID_PROPERTY,
                {CL_MEM_CUDA_ARRAY_CLCUDA, array.property(), CL_MEM_CUDA_ARRAY_CLCUDA, array.property(), 0},
                desc);
  refuses_image(CL_INVALID_PROPERTY, {CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA, device_property, 0}, desc);
  refuses_image(CL_INVALID_PROPERTY, {0x1234, 0, 0}, desc);
  refuses_image(CL_INVALID_DEVICE,
                {CL_MEM_CUDA_ARRAY_CLCUDA, array.property(), CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA, 0, 0}, desc);
  refuses_image(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, good, desc, 0, {CL_RGBA, CL_UNSIGNED_INT32});
  refuses_image(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, good, desc, 0, {CL_R, CL_FLOAT});
  const auto refuses_desc = [&](const std::vector<cl_mem_properties>& list, const auto& change) {
    cl_image_desc changed = desc;
    change(changed);
    refuses_image(CL_INVALID_IMAGE_DESCRIPTOR, list, changed);
  };
  refuses_desc(good, [](cl_image_desc& d) { ++d.image_width; });
  refuses_desc(good, [](cl_image_desc& d) { --d.image_height; });
  refuses_desc(good, [](cl_image_desc& d) { d.image_type = CL_MEM_OBJECT_IMAGE1D; });
  refuses_desc(good, [](cl_image_desc& d) { d.image_type = CL_MEM_OBJECT_IMAGE3D; });
  refuses_desc(good, [](cl_image_desc& d) { d.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER; });
  refuses_desc(good, [](cl_image_desc& d) { d.num_mip_levels = 2; });
  refuses_desc(good, [](cl_image_desc& d) { d.image_row_pitch = 1024; });
  refuses_desc(of_layers, [](cl_image_desc&) {});
  refuses_desc(of_layers, [](cl_image_desc& d) { d.image_type = CL_MEM_OBJECT_IMAGE3D; });
  const test::Buffer buffer = make(kBytes);
  refuses_desc(good, [&](cl_image_desc& d) { d.buffer = buffer; });
  std::vector<cl_uint> host(kWidth * kHeight);
  refuses_image(CL_INVALID_HOST_PTR, good, desc, CL_MEM_USE_HOST_PTR, kFormat, host.data());
  refuses_image(CL_INVALID_VALUE, good, desc, CL_MEM_USE_HOST_PTR);
  refuses_image(CL_INVALID_VALUE, good, desc, CL_MEM_ALLOC_HOST_PTR);
  refuses_image(CL_INVALID_VALUE, good, desc, 1 << 6);  // CL_MEM_IMMUTABLE_EXT
  std::size_t size = 0;
  std::vector<cl_mem_properties> list(5);
  const std::vector<cl_mem_properties> both{CL_MEM_CUDA_ARRAY_CLCUDA, array.property(),
                                            CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA, device_property, 0};
  cl_int error = 1;
  const test::Buffer image =
      clCreateImageWithProperties(context, both.data(), CL_MEM_READ_ONLY, &kFormat, &desc, nullptr, &error);
  CL_OK(error);
  CL_OK(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 5 * sizeof list[0], list.data(), &size));
  EXPECT_EQ(list, both);
}

// An array on the second device: the first device gets its texels, and what it writes is copied back.
TEST_F(ImagesInArrays, SeveralDevices) {
  if (!test::TwoDevices::offered()) GTEST_SKIP() << "one device";
  const test::TwoDevices both;
  cl_int error = 1;
  CUcontext second = nullptr;
  CL_OK(clGetDeviceInfo(both.devices[1], CL_DEVICE_CUDA_CONTEXT_CLCUDA, sizeof second, &second, nullptr));
  CUDA_OK(driver.cuCtxSetCurrent(second));
  const CUDA_ARRAY3D_DESCRIPTOR shape = shape_of(CL_MEM_OBJECT_IMAGE2D);
  const CudaArray array(driver.cuArray3DCreate, driver.cuArrayDestroy, shape);
  const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D);
  const cl_mem_properties no_device[] = {CL_MEM_CUDA_ARRAY_CLCUDA, array.property(), 0},
                          on_second[] = {CL_MEM_CUDA_ARRAY_CLCUDA, array.property(),
                                         CL_MEM_CUDA_ARRAY_DEVICE_CLCUDA,
                                         reinterpret_cast<cl_mem_properties>(both.devices[1]), 0};
  EXPECT_EQ(nullptr,
            clCreateImageWithProperties(both.context, no_device, 0, &kFormat, &desc, nullptr, &error));
  CL_EXPECT(CL_INVALID_PROPERTY, error);
  EXPECT_EQ(nullptr, clCreateImageWithProperties(context, on_second, 0, &kFormat, &desc, nullptr, &error));
  CL_EXPECT(CL_INVALID_DEVICE, error);
  const test::Buffer image =
      clCreateImageWithProperties(both.context, on_second, 0, &kFormat, &desc, nullptr, &error);
  CL_OK(error);
  const std::vector<cl_uint> texels = test::random_values<cl_uint>(kWidth * kHeight),
                             others = test::random_values<cl_uint>(kWidth * kHeight);
  std::vector<cl_uint> seen(texels.size());
  const std::size_t zero[] = {0, 0, 0}, whole[] = {kWidth, kHeight, 1};
  CL_OK(clEnqueueWriteImage(both.queues[1], image, CL_TRUE, zero, whole, 0, 0, texels.data(), 0, nullptr,
                            nullptr));
  CL_OK(clEnqueueReadImage(both.queues[0], image, CL_TRUE, zero, whole, 0, 0, seen.data(), 0, nullptr,
                           nullptr));
  EXPECT_EQ(seen, texels);
  CL_OK(clEnqueueWriteImage(both.queues[0], image, CL_TRUE, zero, whole, 0, 0, others.data(), 0, nullptr,
                            nullptr));
  CL_OK(acquire(both.queues[1], 1, image.list(), nullptr, nullptr, 0, nullptr));
  CUDA_MEMCPY3D out{};
  out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  out.srcArray = array;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = seen.data();
  out.dstPitch = out.WidthInBytes = kWidth * sizeof(cl_uint);
  out.dstHeight = out.Height = kHeight;
  out.Depth = 1;
  CUDA_OK(driver.cuMemcpy3DAsync(&out, nullptr));
  CUDA_OK(driver.cuStreamSynchronize(nullptr));
  CL_OK(release(both.queues[1], 1, image.list(), nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(seen, others);
  CL_OK(clFinish(both.queues[1]));
  CUDA_OK(driver.cuCtxSetCurrent(primary));
}

}  // namespace
