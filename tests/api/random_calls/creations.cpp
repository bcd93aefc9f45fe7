// SPDX-License-Identifier: Apache-2.0
// Functions that create objects.
#include <string>

#include "api/random_calls/call.h"
#include "support/spirv.h"

namespace test {
namespace {

constexpr cl_mem_properties kPrivateAddress =
    0x5000;  // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, which the headers of 2023 lack

void CL_CALLBACK no_notice(const char*, const void*, std::size_t, void*) {}

// The bytes of a binary, some of them with a few bytes changed. A build that ends between the two queries may make it larger.
std::vector<unsigned char> binary_of(cl_program program) {
  cl_uint count = 0;
  std::array<std::size_t, 8> sizes{};
  if (clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr) != CL_SUCCESS ||
      clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes.data(), nullptr) != CL_SUCCESS ||
      count == 0)
    return {};
  std::vector<unsigned char> bytes(sizes[0] + (4 << 20));
  std::array<unsigned char*, 8> places{bytes.data()};
  clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof places, places.data(), nullptr);
  bytes.resize(sizes[0]);
  if (Arguments::once_in(3) && !bytes.empty())
    bytes[Arguments::below(bytes.size())] = static_cast<unsigned char>(Arguments::below(256));
  return bytes;
}

cl_image_format image_format() {
  if (Arguments::once_in(10)) return {Arguments::number() + CL_R, Arguments::number() + CL_SNORM_INT8};
  return {
      Arguments::one_of<cl_channel_order>({CL_R, CL_RG, CL_RGBA, CL_BGRA, CL_DEPTH, CL_sRGBA, CL_RGB, CL_A}),
      Arguments::one_of<cl_channel_type>({CL_UNORM_INT8, CL_UNSIGNED_INT8, CL_SIGNED_INT16, CL_SNORM_INT16,
                                          CL_FLOAT, CL_HALF_FLOAT, CL_UNORM_SHORT_565, CL_UNORM_INT_101010})};
}

// If it is filled from host memory, extents that are valid but exceed that memory are avoided.
cl_image_desc image_description(Arguments& any, bool filled) {
  const auto extent = [filled] {
    const std::size_t usual = 1 + Arguments::below(40), any_size = Arguments::size();
    return Arguments::once_in(12) && !(filled && any_size < std::size_t{1} << 48) ? any_size : usual;
  };
  const auto pitch = [] { return Arguments::once_in(3) ? Arguments::size() : 0; };
  cl_image_desc desc{};
  desc.image_type = Arguments::one_of<cl_mem_object_type>(
      {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
       CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D,
       CL_MEM_OBJECT_BUFFER, 77});
  desc.image_width = extent();
  desc.image_height = extent();
  desc.image_depth = extent();
  desc.image_array_size = extent();
  desc.image_row_pitch = pitch();
  desc.image_slice_pitch = pitch();
  desc.num_mip_levels = Arguments::once_in(3) ? Arguments::number() : 0;
  desc.num_samples = Arguments::once_in(20) ? Arguments::number() : 0;
  if (Arguments::once_in(4)) desc.mem_object = any.handle<cl_mem>();
  return desc;
}

// The ICD loader dereferences the value of CL_CONTEXT_PLATFORM before it calls the library, so it is a handle or null.
std::vector<cl_context_properties> context_properties(Arguments& any) {
  auto list = any.properties<cl_context_properties>({CL_CONTEXT_PLATFORM, CL_CONTEXT_INTEROP_USER_SYNC},
                                                    {CL_FALSE, CL_TRUE});
  for (std::size_t i = 0; i + 1 < list.size(); i += 2)
    if (list[i] == CL_CONTEXT_PLATFORM)
      list[i + 1] = reinterpret_cast<cl_context_properties>(any.handle<cl_platform_id>());
  return list;
}

// A source, valid or not.
std::string source() {
  return Arguments::one_of<const char*>({"kernel void plain(global int* a) {}", "", "kernel void",
                                         "int f(int a) { return a; }", "#error no\n",
                                         "extern int f(int); kernel void plain(global int* a) { if "
                                         "(get_global_size(0) == 77777777) *a = f(1); }",
                                         "#include <nothing>\n", "global int g;"});
}

const Call kCalls[] = {
    {"clCreateContext",
     [](Arguments& any) {
       const auto properties = context_properties(any);
       const auto devices = any.handles<cl_device_id>();
       cl_int error = 1;
       const cl_context made = clCreateContext(properties.data(), static_cast<cl_uint>(devices.size()),
                                               devices.data(), Arguments::once_in(2) ? no_notice : nullptr,
                                               Arguments::once_in(9) ? &any : nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreateContextFromType",
     [](Arguments& any) {
       const auto properties = context_properties(any);
       cl_int error = 1;
       const cl_context made = clCreateContextFromType(
           Arguments::once_in(9) ? nullptr : properties.data(),
           Arguments::flags({CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_DEFAULT}), nullptr,
           Arguments::once_in(9) ? &any : nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreateCommandQueue",
     [](Arguments& any) {
       cl_int error = 1;
       const cl_command_queue made =
           clCreateCommandQueue(any.handle<cl_context>(), any.handle<cl_device_id>(),
                                Arguments::flags({CL_QUEUE_PROFILING_ENABLE}), &error);
       return any.made(made, error);
     }},
    {"clCreateCommandQueueWithProperties",
     [](Arguments& any) {
       const auto properties =
           any.properties<cl_queue_properties>({CL_QUEUE_PROPERTIES, CL_QUEUE_SIZE}, {0, 1, 2, 3, 7, 15});
       cl_int error = 1;
       const cl_command_queue made = clCreateCommandQueueWithProperties(
           any.handle<cl_context>(), any.handle<cl_device_id>(), properties.data(), &error);
       return any.made(made, error);
     }},
    {"clCreateBuffer",
     [](Arguments& any) {
       const bool pointer = Arguments::once_in(3);
       cl_int error = 1;
       const cl_mem made = clCreateBuffer(any.handle<cl_context>(), Arguments::memory_flags(pointer),
                                          Arguments::size(), pointer ? any.host() : nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreateBufferWithProperties",
     [](Arguments& any) {
       const auto properties =
           any.properties<cl_mem_properties>({0, 7, kPrivateAddress, kPrivateAddress}, {0, 1});
       cl_int error = 1;
       const cl_mem made = clCreateBufferWithProperties(
           any.handle<cl_context>(), Arguments::once_in(3) ? nullptr : properties.data(),
           Arguments::memory_flags(false), Arguments::size(), nullptr, &error);
       return any.made(made, error);
     }},
    {"clImportMemoryARM",
     [](Arguments& any) {
       static const auto import = reinterpret_cast<decltype(&::clImportMemoryARM)>(
           clGetExtensionFunctionAddressForPlatform(any.platform(), "clImportMemoryARM"));
       const auto properties = any.properties<cl_import_properties_arm>(
           {CL_IMPORT_TYPE_ARM}, {CL_IMPORT_TYPE_HOST_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM});
       cl_int error = 1;
       const cl_mem made =
           import(any.handle<cl_context>(), Arguments::memory_flags(false),
                  Arguments::once_in(3) ? nullptr : properties.data(), any.host(), Arguments::size(), &error);
       return any.made(made, error);
     }},
    {"clCreateSubBuffer",
     [](Arguments& any) {
       const cl_buffer_region region{Arguments::once_in(2) ? 0 : Arguments::size(), Arguments::size()};
       cl_int error = 1;
       const cl_mem made =
           clCreateSubBuffer(any.handle<cl_mem>(), Arguments::memory_flags(false),
                             Arguments::once_in(20) ? Arguments::number() : CL_BUFFER_CREATE_TYPE_REGION,
                             Arguments::once_in(20) ? nullptr : &region, &error);
       return any.made(made, error);
     }},
    {"clCreateImageWithProperties",
     [](Arguments& any) {
       const cl_image_format format = image_format();
       const bool filled = Arguments::once_in(3);
       const cl_image_desc desc = image_description(any, filled);
       const bool pointer = filled && !desc.mem_object;
       const auto properties = any.properties<cl_mem_properties>({0}, {0});
       cl_int error = 1;
       const cl_mem made = clCreateImageWithProperties(
           any.handle<cl_context>(), Arguments::once_in(2) ? nullptr : properties.data(),
           Arguments::memory_flags(pointer), Arguments::once_in(40) ? nullptr : &format,
           Arguments::once_in(40) ? nullptr : &desc, pointer ? any.host() : nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreateImage2D",
     [](Arguments& any) {
       const cl_image_format format = image_format();
       const bool pointer = Arguments::once_in(3);
       cl_int error = 1;
       const cl_mem made = clCreateImage2D(any.handle<cl_context>(), Arguments::memory_flags(pointer),
                                           &format, Arguments::small_size(), Arguments::small_size() % 65,
                                           Arguments::once_in(2) ? 0 : Arguments::size(),
                                           pointer ? any.host() : nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreateImage3D",
     [](Arguments& any) {
       const cl_image_format format = image_format();
       cl_int error = 1;
       const cl_mem made =
           clCreateImage3D(any.handle<cl_context>(), Arguments::memory_flags(false), &format,
                           Arguments::small_size() % 65, Arguments::small_size() % 65,
                           Arguments::small_size() % 65, Arguments::once_in(2) ? 0 : Arguments::size(),
                           Arguments::once_in(2) ? 0 : Arguments::size(), nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreatePipe",
     [](Arguments& any) {
       cl_int error = 1;
       const cl_mem made = clCreatePipe(any.handle<cl_context>(),
                                        Arguments::flags({CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS}),
                                        static_cast<cl_uint>(Arguments::size()),
                                        static_cast<cl_uint>(Arguments::small_size()), nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreateSamplerWithProperties",
     [](Arguments& any) {
       const auto properties = any.properties<cl_sampler_properties>(
           {CL_SAMPLER_NORMALIZED_COORDS, CL_SAMPLER_ADDRESSING_MODE, CL_SAMPLER_FILTER_MODE,
            CL_SAMPLER_LOD_MIN_KHR, CL_SAMPLER_LOD_MAX_KHR, CL_SAMPLER_MIP_FILTER_MODE_KHR},
           {0, 1, CL_ADDRESS_REPEAT, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, CL_FILTER_NEAREST, 0x7fc00000,
            0x7f800000});
       cl_int error = 1;
       const cl_sampler made =
           clCreateSamplerWithProperties(any.handle<cl_context>(), properties.data(), &error);
       return any.made(made, error);
     }},
    {"clCreateSampler",
     [](Arguments& any) {
       cl_int error = 1;
       const cl_sampler made = clCreateSampler(any.handle<cl_context>(), Arguments::number() % 3,
                                               CL_ADDRESS_NONE + Arguments::number() % 6,
                                               CL_FILTER_NEAREST + Arguments::number() % 3, &error);
       return any.made(made, error);
     }},
    {"clCreateProgramWithSource",
     [](Arguments& any) {
       const std::string text = source();
       const char* strings[] = {text.c_str(), Arguments::once_in(9) ? nullptr : ""};
       const std::size_t lengths[] = {Arguments::below(text.size() + 1), 0};
       cl_int error = 1;
       const cl_program made =
           clCreateProgramWithSource(any.handle<cl_context>(), static_cast<cl_uint>(Arguments::below(3)),
                                     strings, Arguments::once_in(4) ? lengths : nullptr, &error);
       return any.made(made, error);
     }},
    {"clCreateProgramWithBinary",
     [](Arguments& any) {
       const auto devices = any.handles<cl_device_id>();
       const std::vector<unsigned char> binary = binary_of(any.handle<cl_program>());
       const auto* const bytes =
           binary.empty() ? static_cast<const unsigned char*>(Arguments::value()) : binary.data();
       std::array<const unsigned char*, 3> places{bytes, bytes, bytes};
       std::array<std::size_t, 3> sizes{Arguments::small_size(), 1, 40};
       if (!binary.empty()) sizes = {binary.size(), binary.size(), Arguments::below(binary.size())};
       cl_int error = 1;
       const cl_program made = clCreateProgramWithBinary(
           any.handle<cl_context>(), static_cast<cl_uint>(devices.size()), devices.data(), sizes.data(),
           places.data(), static_cast<cl_int*>(any.answer()), &error);
       return any.made(made, error);
     }},
    {"clCreateProgramWithBuiltInKernels",
     [](Arguments& any) {
       const auto devices = any.handles<cl_device_id>();
       cl_int error = 1;
       const cl_program made = clCreateProgramWithBuiltInKernels(
           any.handle<cl_context>(), static_cast<cl_uint>(devices.size()), devices.data(),
           Arguments::one_of<const char*>({"", "plain", ";", nullptr}), &error);
       return any.made(made, error);
     }},
    {"clCreateProgramWithIL",
     [](Arguments& any) {
       // Its kernels do nothing, in work-groups of sizes that may be specialized.
       static const std::string module = test::module("work_group");
       const std::size_t size = Arguments::once_in(3) ? Arguments::below(module.size()) : module.size();
       cl_int error = 1;
       const cl_program made =
           Arguments::once_in(3)
               ? clCreateProgramWithIL(any.handle<cl_context>(), Arguments::value(), Arguments::small_size(),
                                       &error)
               : clCreateProgramWithIL(any.handle<cl_context>(), module.data(), size, &error);
       return any.made(made, error);
     }},
    {"clCreateKernel",
     [](Arguments& any) {
       cl_int error = 1;
       const cl_kernel made = clCreateKernel(
           any.handle<cl_program>(),
           Arguments::one_of<const char*>({"plain", "images", "channels", "", nullptr}), &error);
       return any.made(made, error);
     }},
    {"clCreateKernelsInProgram",
     [](Arguments& any) {
       std::array<cl_kernel, 3> made{};
       const cl_uint room = Arguments::number() % 4;
       cl_uint count = 0;
       const cl_int code = clCreateKernelsInProgram(any.handle<cl_program>(), room,
                                                    Arguments::once_in(9) ? nullptr : made.data(), &count);
       for (const cl_kernel kernel : made) any.add(kernel);
       return code;
     }},
    {"clCloneKernel",
     [](Arguments& any) {
       cl_int error = 1;
       const cl_kernel made = clCloneKernel(any.handle<cl_kernel>(), &error);
       return any.made(made, error);
     }},
    {"clCreateUserEvent",
     [](Arguments& any) {
       cl_int error = 1;
       const cl_event made = clCreateUserEvent(any.handle<cl_context>(), &error);
       any.opened(made);
       return any.made(made, error);
     }},
    {"clSVMAlloc",
     [](Arguments& any) {
       const cl_context context = any.handle<cl_context>();
       any.add_shared(
           context,
           clSVMAlloc(context,
                      Arguments::flags({CL_MEM_READ_WRITE, CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_SVM_ATOMICS}),
                      Arguments::one_of<std::size_t>({0, 4096, 65536, ~std::size_t{0}}),
                      Arguments::one_of<cl_uint>({0, 1, 64, 128, 3, 4096})));
       return CL_SUCCESS;
     }},
    {"clCreateSubDevices",
     [](Arguments& any) {
       const auto properties = any.properties<cl_device_partition_property>(
           {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS}, {1, 2, 0, 1000});
       std::array<cl_device_id, 8> devices{};
       const cl_int code = clCreateSubDevices(any.handle<cl_device_id>(), properties.data(),
                                              Arguments::number() % 9, devices.data(), nullptr);
       for (const cl_device_id device : devices) any.add(device);
       return code;
     }},
};

}  // namespace

std::span<const Call> creations() { return kCalls; }

}  // namespace test
