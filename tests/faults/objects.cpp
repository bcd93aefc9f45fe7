// SPDX-License-Identifier: Apache-2.0
// Creates an object of each type and queries it.
#include "scenarios.h"
#include "support/images.h"

namespace faults {
namespace {

constexpr char kLibrary[] = "uint twice(uint x) { return 2 * x; }\n",
               kSource[] = "uint twice(uint x);\nkernel void k(global uint* a) { a[0] = twice(a[0]); }\n";

test::Program source(World& world, const char* text) {
  return world.make("clCreateProgramWithSource", clCreateProgramWithSource, world.context(), 1u, &text,
                    nullptr);
}

void memory(World& world) {
  std::vector<cl_uint> values(1024, 3);
  const std::size_t size = values.size() * sizeof(cl_uint);
  const test::Buffer on_host =
      world.make("clCreateBuffer", clCreateBuffer, world.context(), CL_MEM_USE_HOST_PTR, size, values.data());
  const cl_buffer_region region{1024, 1024};
  const test::Buffer part = world.make("clCreateSubBuffer", clCreateSubBuffer, on_host.get(), 0,
                                       CL_BUFFER_CREATE_TYPE_REGION, &region);
  const test::Buffer pipe = world.make("clCreatePipe", clCreatePipe, world.context(), 0, 16u, 100u, nullptr);
  const cl_image_format format{CL_R, CL_FLOAT};
  std::vector<float> texels(64 * 64 * 2, 0.5f);
  for (const cl_mem_object_type type :
       {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY}) {
    const cl_image_desc desc =
        test::image_desc(type, 64, type == CL_MEM_OBJECT_IMAGE1D ? 0 : 64,
                         type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE2D ? 0 : 2);
    const test::Image image = world.make("clCreateImage", clCreateImage, world.context(),
                                         CL_MEM_COPY_HOST_PTR, &format, &desc, texels.data());
  }
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE1D_BUFFER, 256);
  desc.mem_object = on_host;
  const test::Image of_buffer =
      world.make("clCreateImage", clCreateImage, world.context(), 0, &format, &desc, nullptr);
}

void programs(World& world) {
  const test::Program library = source(world, kLibrary), main = source(world, kSource);
  for (const cl_program part : {library.get(), main.get()})
    world.call("clCompileProgram",
               clCompileProgram(part, 0, nullptr, nullptr, 0, nullptr, nullptr, nullptr, nullptr));
  const cl_program parts[] = {library, main};
  // A program whose linking failed may be returned as well, and must be released.
  cl_int code = 1;
  const test::Program linked =
      clLinkProgram(world.context(), 0, nullptr, nullptr, 2, parts, nullptr, nullptr, &code);
  world.call("clLinkProgram", code);
  const std::size_t count = world.devices().size();
  std::vector<std::size_t> sizes(count);
  world.call("clGetProgramInfo", clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES,
                                                  count * sizeof(std::size_t), sizes.data(), nullptr));
  std::vector<std::vector<unsigned char>> binaries;
  std::vector<unsigned char*> places;
  for (const std::size_t size : sizes) places.push_back(binaries.emplace_back(size).data());
  world.call("clGetProgramInfo", clGetProgramInfo(linked, CL_PROGRAM_BINARIES, count * sizeof(unsigned char*),
                                                  places.data(), nullptr));
  const test::Program loaded = world.make(
      "clCreateProgramWithBinary", clCreateProgramWithBinary, world.context(), static_cast<cl_uint>(count),
      world.devices().data(), sizes.data(), const_cast<const unsigned char**>(places.data()), nullptr);
  world.call("clBuildProgram", clBuildProgram(loaded, 0, nullptr, nullptr, nullptr, nullptr));
  const test::Kernel kernel = world.kernel(loaded, "k");
  const test::Kernel clone = world.make("clCloneKernel", clCloneKernel, kernel.get());
  std::size_t group = 0;
  cl_ulong local = 0;
  world.call("clGetKernelWorkGroupInfo",
             clGetKernelWorkGroupInfo(clone, world.device(), CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group,
                                      nullptr));
  world.call("clGetKernelWorkGroupInfo",
             clGetKernelWorkGroupInfo(clone, world.device(), CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local,
                                      nullptr));
  world.expect("the size of groups", true, group > 0);
}

void part_of_device(World& world) {
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_device_id parts[2] = {};
  cl_uint count = 0;
  world.call("clCreateSubDevices", clCreateSubDevices(world.device(), halves, 2, parts, &count));
  struct Parts {
    ~Parts() {
      for (cl_uint i = 0; i < count; ++i) clReleaseDevice(list[i]);
    }
    cl_device_id* list;
    cl_uint count;
  } owned{parts, count};
  const test::Context context =
      world.make("clCreateContext", clCreateContext, nullptr, count, parts, nullptr, nullptr);
  const test::Queue queue = world.make("clCreateCommandQueueWithProperties",
                                       clCreateCommandQueueWithProperties, context.get(), parts[0], nullptr);
  world.call("clFinish", clFinish(queue));
}

}  // namespace

void objects(World& world) {
  const test::Queue queue = world.queue(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                    other = world.queue(0, 1);
  std::size_t size = 0;
  for (const cl_device_info name :
       {CL_DEVICE_NAME, CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_DEVICE_SVM_CAPABILITIES})
    world.call("clGetDeviceInfo", clGetDeviceInfo(world.device(), name, 0, nullptr, &size));
  memory(world);
  programs(world);
  part_of_device(world);
  const test::Sampler sampler = world.make("clCreateSampler", clCreateSampler, world.context(), CL_TRUE,
                                           CL_ADDRESS_REPEAT, CL_FILTER_LINEAR);
  world.call("clFinish", clFinish(queue));
}

}  // namespace faults
