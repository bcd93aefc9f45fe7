// SPDX-License-Identifier: Apache-2.0
// cl_arm_import_memory 1.1.0: buffers in host memory that the application has allocated itself.
#include <CL/cl_ext.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <future>
#include <memory>
#include <thread>

#include "support/device_info.h"
#include "support/opencl.h"
#include "support/two_devices.h"

namespace {

const auto kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
constexpr std::size_t kPages = 64;
constexpr char kSource[] =
    "kernel void add(global uchar* p, uchar v) { p[get_global_id(0)] += v; }\n"
    "kernel void add_words(global uint* p, uint v) { p[get_global_id(0)] += v; }\n"
    "kernel void double_them(global uchar* to, global const uchar* from) {\n"
    "  to[get_global_id(0)] = 2 * from[get_global_id(0)];\n"
    "}\n"
    "kernel void texels(read_only image1d_buffer_t image, global uint* out) {\n"
    "  out[get_global_id(0)] = read_imageui(image, (int)get_global_id(0)).x;\n"
    "}\n"
    "kernel void hold(global atomic_int* opened) {\n"
    "  while (!atomic_load_explicit(opened, memory_order_acquire, memory_scope_all_svm_devices));\n"
    "}\n";

using Bytes = std::vector<std::uint8_t>;

std::size_t below(std::size_t bound) { return static_cast<std::size_t>(test::random_engine()() % bound); }

class ImportMemory : public test::OpenCL {
 protected:
  void SetUp() override {
    OpenCL::SetUp();
    if (HasFatalFailure()) return;
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
    import_memory = reinterpret_cast<decltype(import_memory)>(
        clGetExtensionFunctionAddressForPlatform(platform, "clImportMemoryARM"));
    pages = map(PROT_READ | PROT_WRITE);
    if (!import_memory) GTEST_SKIP() << "not offered";
    if (!test::offers(device, "cl_arm_import_memory")) {
      refuses(CL_INVALID_OPERATION, pages, kPage);
      GTEST_SKIP() << "not offered";
    }
    const Bytes random = test::random_values(kPages * kPage);
    std::copy(random.begin(), random.end(), pages);
    program = build(kSource);
    add = make_kernel(program, "add");
  }
  void TearDown() override {
    OpenCL::TearDown();
    if (pages) munmap(pages, kPages * kPage);
  }
  static std::uint8_t* map(int protection, std::uint8_t* at = nullptr) {
    void* made =
        mmap(at, kPages * kPage, protection, MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
    EXPECT_NE(made, MAP_FAILED);
    return static_cast<std::uint8_t*>(made);
  }
  std::uint8_t* page(std::size_t number) const { return pages + number * kPage; }
  test::Buffer import(void* memory, std::size_t size, cl_mem_flags flags = CL_MEM_READ_WRITE,
                      const cl_import_properties_arm* properties = nullptr,
                      cl_context where = nullptr) const {
    cl_int error = 1;
    test::Buffer made = import_memory(where ? where : context.get(), flags, properties, memory, size, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  void refuses(cl_int code, void* memory, std::size_t size, cl_mem_flags flags = 0,
               const cl_import_properties_arm* properties = nullptr) const {
    cl_int error = 1;
    EXPECT_EQ(nullptr, import_memory(context, flags, properties, memory, size, &error));
    CL_EXPECT(code, error);
    EXPECT_EQ(nullptr, import_memory(context, flags, properties, memory, size, nullptr));
  }
  void launch_add(cl_mem buffer, std::size_t size, cl_uchar value, cl_command_queue where = nullptr) const {
    set_arguments(add, buffer, value);
    CL_EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(where ? where : queue.get(), add, 1, nullptr, &size, nullptr,
                                                 0, nullptr, nullptr));
  }
  static Bytes plus(Bytes bytes, cl_uchar value) {
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(byte + value);
    return bytes;
  }
  template <class T>
  T info(cl_mem buffer, cl_mem_info name) const {
    T value{};
    CL_EXPECT(CL_SUCCESS, clGetMemObjectInfo(buffer, name, sizeof value, &value, nullptr));
    return value;
  }

  decltype(&::clImportMemoryARM) import_memory = nullptr;
  std::uint8_t* pages = nullptr;
  test::Program program;
  test::Kernel add;
};

TEST_F(ImportMemory, ExtensionStrings) {
  EXPECT_TRUE(test::offers(device, "cl_arm_import_memory_host"));
  EXPECT_FALSE(test::offers(device, "cl_arm_import_memory_dma_buf"));
  EXPECT_FALSE(test::offers(device, "cl_arm_import_memory_protected"));
  for (const cl_name_version& entry :
       test::device_list<cl_name_version>(device, CL_DEVICE_EXTENSIONS_WITH_VERSION))
    if (std::string(entry.name) == "cl_arm_import_memory") EXPECT_EQ(entry.version, CL_MAKE_VERSION(1, 1, 0));
}

TEST_F(ImportMemory, Properties) {
  const cl_import_properties_arm none[] = {0}, host[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, 0},
                                 twice[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, CL_IMPORT_TYPE_ARM,
                                            CL_IMPORT_TYPE_HOST_ARM, 0},
                                 dma_buf[] = {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0},
                                 hardware_buffer[] = {CL_IMPORT_TYPE_ARM,
                                                      CL_IMPORT_TYPE_ANDROID_HARDWARE_BUFFER_ARM, 0},
                                 no_type[] = {CL_IMPORT_TYPE_ARM, 7, 0},
                                 is_protected[] = {CL_IMPORT_TYPE_PROTECTED_ARM, CL_TRUE, 0},
                                 unknown[] = {0x1234, 0, 0};
  for (const auto* good : {none, host}) import(pages, kPage, 0, good);
  for (const auto* bad : {twice, dma_buf, hardware_buffer, no_type, is_protected, unknown})
    refuses(CL_INVALID_PROPERTY, pages, kPage, 0, bad);
}

TEST_F(ImportMemory, Flags) {
  for (const cl_mem_flags good :
       {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR,
        CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_USE_HOST_PTR})
    import(pages, kPage, good);
  for (const cl_mem_flags bad :
       {CL_MEM_COPY_HOST_PTR, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 1 << 30})
    refuses(CL_INVALID_VALUE, pages, kPage, bad);
  const test::Buffer hidden = import(pages, kPage, CL_MEM_HOST_NO_ACCESS);
  Bytes bytes(kPage);
  CL_EXPECT(CL_INVALID_OPERATION,
            clEnqueueReadBuffer(queue, hidden, CL_TRUE, 0, kPage, bytes.data(), 0, nullptr, nullptr));
}

TEST_F(ImportMemory, Errors) {
  cl_int error = 1;
  EXPECT_EQ(nullptr, import_memory(nullptr, 0, nullptr, pages, kPage, &error));
  CL_EXPECT(CL_INVALID_CONTEXT, error);
  refuses(CL_INVALID_VALUE, nullptr, kPage);
  refuses(CL_INVALID_BUFFER_SIZE, pages, 0);
  refuses(CL_INVALID_BUFFER_SIZE, pages, CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM);
  refuses(CL_INVALID_OPERATION, pages, ~std::size_t{0} - kPage);
}

TEST_F(ImportMemory, MemoryThatTheProgramMayNotWrite) {
  EXPECT_EQ(0, munmap(page(8), 8 * kPage));
  refuses(CL_INVALID_OPERATION, page(8), kPage);
  refuses(CL_INVALID_OPERATION, page(4) + 5, 8 * kPage);
  refuses(CL_INVALID_OPERATION, page(12) + 5, 8 * kPage);
  // A failed import leaves no page imported.
  import(page(4), 4 * kPage);
  for (const int protection : {PROT_NONE, PROT_READ}) {
    std::uint8_t* other = map(protection);
    refuses(CL_INVALID_OPERATION, other, kPage);
    munmap(other, kPages * kPage);
  }
}

// A file that is mapped to be read can be imported as an immutable object.
TEST_F(ImportMemory, ImmutableMemoryThatTheProgramMayNotWrite) {
  constexpr cl_mem_flags kImmutable = 1 << 6;  // the headers of 2023 lack CL_MEM_IMMUTABLE_EXT
  const Bytes values = test::random_values(9 * kPage - 50);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), &std::fclose);
  ASSERT_EQ(1u, std::fwrite(values.data(), values.size(), 1, file.get()));
  ASSERT_EQ(0, std::fflush(file.get()));
  auto* mapped =
      static_cast<std::uint8_t*>(mmap(nullptr, values.size(), PROT_READ, MAP_SHARED, fileno(file.get()), 0));
  ASSERT_NE(mapped, MAP_FAILED);
  refuses(CL_INVALID_OPERATION, mapped, values.size());
  refuses(CL_INVALID_OPERATION, mapped, values.size(), CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY);
  refuses(CL_INVALID_VALUE, mapped, values.size(), kImmutable | CL_MEM_READ_WRITE);
  {
    // Its pages are shared by both.
    const test::Buffer part = import(mapped + 3, 4 * kPage, kImmutable | CL_MEM_READ_ONLY);
    const test::Buffer whole = import(mapped, values.size(), kImmutable), copy = make_buffer(values.size());
    EXPECT_EQ(contents(part, 4 * kPage), Bytes(values.begin() + 3, values.begin() + 3 + 4 * kPage));
    CL_OK(clEnqueueCopyBuffer(queue, whole, copy, 0, 0, values.size(), 0, nullptr, nullptr));
    launch_add(copy, values.size(), 3);
    EXPECT_EQ(contents(copy, values.size()), plus(values, 3));
    const test::Kernel double_them = make_kernel(program, "double_them");
    set_arguments(double_them, copy.get(), whole.get());
    const std::size_t size = values.size();
    CL_OK(clEnqueueNDRangeKernel(queue, double_them, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
    Bytes doubled = values;
    for (std::uint8_t& byte : doubled) byte = static_cast<std::uint8_t>(2 * byte);
    EXPECT_EQ(contents(copy, values.size()), doubled);
    CL_EXPECT(CL_INVALID_OPERATION,
              clEnqueueWriteBuffer(queue, whole, CL_TRUE, 0, 1, values.data(), 0, nullptr, nullptr));
    CL_EXPECT(CL_INVALID_OPERATION,
              clEnqueueFillBuffer(queue, whole, values.data(), 1, 0, kPage, 0, nullptr, nullptr));
    refuses(CL_INVALID_OPERATION, mapped, kPage);
  }
  CL_OK(clFinish(queue));
  munmap(mapped, values.size());
}

TEST_F(ImportMemory, Queries) {
  std::uint8_t* memory = page(1) + 52;
  const test::Buffer buffer = import(memory, 10'000, CL_MEM_READ_ONLY);
  EXPECT_EQ(info<cl_mem_object_type>(buffer, CL_MEM_TYPE), CL_MEM_OBJECT_BUFFER);
  EXPECT_EQ(info<cl_mem_flags>(buffer, CL_MEM_FLAGS), CL_MEM_READ_ONLY);
  EXPECT_EQ(info<std::size_t>(buffer, CL_MEM_SIZE), 10'000u);
  EXPECT_EQ(info<void*>(buffer, CL_MEM_HOST_PTR), memory);
  EXPECT_EQ(info<cl_bool>(buffer, CL_MEM_USES_SVM_POINTER), CL_FALSE);
  EXPECT_EQ(info<cl_context>(buffer, CL_MEM_CONTEXT), context.get());
  std::size_t size = 1;
  CL_OK(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, 0, nullptr, &size));
  EXPECT_EQ(size, 0u);
}

// Kernels access the imported memory itself, with any alignment.
TEST_F(ImportMemory, InKernels) {
  for (const std::size_t offset : {0, 1, 16, 100, 4095})
    for (const std::size_t size : {1, 100, 4096, 4097, 20'000}) {
      SCOPED_TRACE(std::to_string(offset) + " + " + std::to_string(size));
      std::uint8_t* memory = page(1) + offset;
      const Bytes all(pages, page(kPages)), before(memory, memory + size);
      const test::Buffer buffer = import(memory, size);
      launch_add(buffer, size, 3);
      CL_OK(clFinish(queue));
      EXPECT_EQ(Bytes(memory, memory + size), plus(before, 3));
      for (std::size_t i = 0; i < size; ++i) memory[i] = static_cast<std::uint8_t>(i);
      launch_add(buffer, size, 1);
      CL_OK(clFinish(queue));
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(memory[i], static_cast<std::uint8_t>(i + 1));
      std::copy(before.begin(), before.end(), memory);
      EXPECT_EQ(Bytes(pages, page(kPages)), all);
    }
}

TEST_F(ImportMemory, SubBuffersAndMaps) {
  std::uint8_t* memory = page(1) + 12;
  const test::Buffer buffer = import(memory, 5 * kPage);
  const cl_buffer_region region{4 * 128, 3 * kPage};
  cl_int error = 1;
  const test::Buffer part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  CL_OK(error);
  EXPECT_EQ(info<void*>(part, CL_MEM_HOST_PTR), memory + region.origin);
  const Bytes before(memory + region.origin, memory + region.origin + region.size);
  launch_add(part, region.size, 5);
  void* mapped = clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 10, 2 * kPage, 0,
                                    nullptr, nullptr, &error);
  CL_OK(error);
  EXPECT_EQ(mapped, memory + region.origin + 10);
  EXPECT_EQ(info<cl_uint>(part, CL_MEM_MAP_COUNT), 1u);
  EXPECT_EQ(Bytes(memory + region.origin, memory + region.origin + region.size), plus(before, 5));
  std::memset(mapped, 77, 2 * kPage);
  CL_OK(clEnqueueUnmapMemObject(queue, part, mapped, 0, nullptr, nullptr));
  EXPECT_EQ(contents(buffer, 5 * kPage), Bytes(memory, memory + 5 * kPage));
  EXPECT_EQ(memory[region.origin + 10], 77);
}

// Boxes whose rows, and images whose texels, cross the boundaries of registered memory.
TEST_F(ImportMemory, BoxesAndImages) {
  std::uint8_t* memory = page(1) + 256;
  const test::Buffer buffer = import(memory, 6 * kPage), plain = make_buffer(Bytes(6 * kPage, 1));
  const std::size_t origin[] = {13, 1, 0}, other[] = {3, 0, 0}, region[] = {900, 3, 4}, row = 1024,
                    slice = 5 * row;
  Bytes expected(6 * kPage, 1);
  for (std::size_t z = 0; z < region[2]; ++z)
    for (std::size_t y = 0; y < region[1]; ++y)
      std::copy_n(memory + z * slice + (y + 1) * row + 13, region[0],
                  expected.begin() + z * slice + y * row + 3);
  CL_OK(clEnqueueCopyBufferRect(queue, buffer, plain, origin, other, region, row, slice, row, slice, 0,
                                nullptr, nullptr));
  EXPECT_EQ(contents(plain, 6 * kPage), expected);
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  desc.image_width = 5 * kPage / 4;
  desc.buffer = buffer;
  cl_int error = 1;
  const test::Buffer image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, nullptr, &error);
  CL_OK(error);
  const test::Buffer seen = make_buffer(5 * kPage);
  const test::Kernel texels = make_kernel(program, "texels");
  set_arguments(texels, image, seen);
  CL_OK(clEnqueueNDRangeKernel(queue, texels, 1, nullptr, &desc.image_width, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(contents(seen, 5 * kPage), Bytes(memory, memory + 5 * kPage));
  const test::Buffer array = [&] {
    cl_image_desc two{};
    two.image_type = CL_MEM_OBJECT_IMAGE2D;
    two.image_width = 512;
    two.image_height = 10;
    return clCreateImage(context, CL_MEM_READ_WRITE, &format, &two, nullptr, &error);
  }();
  CL_OK(error);
  const std::size_t zero[] = {0, 0, 0}, whole[] = {512, 10, 1};
  CL_OK(clEnqueueCopyBufferToImage(queue, buffer, array, 8, zero, whole, 0, nullptr, nullptr));
  Bytes texels_seen(512 * 10 * 4);
  CL_OK(
      clEnqueueReadImage(queue, array, CL_TRUE, zero, whole, 0, 0, texels_seen.data(), 0, nullptr, nullptr));
  EXPECT_EQ(texels_seen, Bytes(memory + 8, memory + 8 + texels_seen.size()));
}

// Fills whose start address is not aligned to the pattern size.
TEST_F(ImportMemory, Fills) {
  for (const std::size_t offset : {0, 1, 2, 3, 5, 4094})
    for (const std::size_t pattern_size : {1, 2, 4, 8, 16}) {
      SCOPED_TRACE(std::to_string(offset) + " pattern " + std::to_string(pattern_size));
      std::uint8_t* memory = page(1) + offset;
      const Bytes pattern = test::random_values(pattern_size);
      const std::size_t size = 2 * kPage + 4 * pattern_size;
      Bytes expected(pages, page(8));
      for (std::size_t i = 0; i < size; ++i)
        expected[kPage + offset + pattern_size + i] = pattern[i % pattern_size];
      const test::Buffer buffer = import(memory, 3 * kPage);
      CL_OK(clEnqueueFillBuffer(queue, buffer, pattern.data(), pattern_size, pattern_size, size, 0, nullptr,
                                nullptr));
      CL_OK(clFinish(queue));
      EXPECT_EQ(Bytes(pages, page(8)), expected);
    }
}

// Imports of the same pages, released in any order; the remaining imports stay valid.
TEST_F(ImportMemory, ImportsThatOverlap) {
  std::uint8_t* places[] = {page(4) + 100, page(4) + 100, page(5), page(2) + 7, page(7) + 3000};
  const std::size_t sizes[] = {3 * kPage, 3 * kPage, 10, 4 * kPage, 50};
  for (std::size_t first = 0; first < 5; ++first) {
    test::Buffer buffers[5];
    for (std::size_t i = 0; i < 5; ++i) {
      const std::size_t which = (first + i) % 5;
      buffers[which] = import(places[which], sizes[which]);
    }
    for (std::size_t i = 0; i < 5; ++i) {
      const std::size_t which = (first * 2 + i * 3) % 5;
      Bytes expected(places[which], places[which] + sizes[which]);
      launch_add(buffers[which], sizes[which], 9);
      EXPECT_EQ(contents(buffers[which], sizes[which]), plus(expected, 9));
      buffers[which].reset();
    }
  }
}

// Transfers, copies and kernels on imports that share pages, and host memory that overlaps them, compared with a model on the host.
TEST_F(ImportMemory, RandomCommands) {
  Bytes model(pages, page(kPages)), device_model = test::random_values(kPages * kPage);
  const test::Buffer plain = make_buffer(device_model);
  struct Import {
    test::Buffer buffer;
    std::size_t begin, size;
  };
  std::vector<Import> imports;
  for (int step = 0; step < 300; ++step) {
    SCOPED_TRACE(step);
    if (imports.empty() || below(6) == 0) {
      const std::size_t begin = below(kPages * kPage - 1),
                        size = 1 + below(std::min(10 * kPage, kPages * kPage - begin));
      imports.push_back({import(pages + begin, size), begin, size});
    }
    const std::size_t which = below(imports.size());
    const Import& one = imports[which];
    const std::size_t offset = below(one.size), size = 1 + below(one.size - offset),
                      elsewhere = below(kPages * kPage - size + 1);
    const auto in_model = model.begin() + static_cast<std::ptrdiff_t>(one.begin + offset),
               in_device = device_model.begin() + static_cast<std::ptrdiff_t>(elsewhere);
    switch (below(7)) {
      case 0:
        launch_add(one.buffer, one.size, 1);
        for (std::size_t i = 0; i < one.size; ++i) ++model[one.begin + i];
        break;
      case 1:
        CL_OK(clEnqueueCopyBuffer(queue, one.buffer, plain, offset, elsewhere, size, 0, nullptr, nullptr));
        std::copy_n(in_model, size, in_device);
        break;
      case 2:
        CL_OK(clEnqueueCopyBuffer(queue, plain, one.buffer, elsewhere, offset, size, 0, nullptr, nullptr));
        std::copy_n(in_device, size, in_model);
        break;
      case 3: {
        const Bytes bytes = test::random_values(size);
        CL_OK(clEnqueueWriteBuffer(queue, one.buffer, CL_TRUE, offset, size, bytes.data(), 0, nullptr,
                                   nullptr));
        std::copy(bytes.begin(), bytes.end(), in_model);
        break;
      }
      case 4: {
        Bytes bytes(size);
        CL_OK(clEnqueueReadBuffer(queue, one.buffer, below(2) ? CL_TRUE : CL_FALSE, offset, size,
                                  bytes.data(), 0, nullptr, nullptr));
        CL_OK(clFinish(queue));
        ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), in_model));
        break;
      }
      case 5:  // host memory, parts of which may be imported
        CL_OK(clEnqueueWriteBuffer(queue, plain, below(2) ? CL_TRUE : CL_FALSE, elsewhere, size,
                                   pages + one.begin + offset, 0, nullptr, nullptr));
        std::copy_n(in_model, size, in_device);
        break;
      default:
        CL_OK(clFinish(queue));
        imports.erase(imports.begin() + static_cast<std::ptrdiff_t>(which));
    }
    if (below(8) == 0) {
      CL_OK(clFinish(queue));
      ASSERT_TRUE(std::equal(model.begin(), model.end(), pages));
    }
  }
  ASSERT_EQ(contents(plain, device_model.size()), device_model);
  ASSERT_TRUE(std::equal(model.begin(), model.end(), pages));
}

// Host memory of which a part is imported is the source of CL_MEM_COPY_HOST_PTR, of writes and the target of reads.
TEST_F(ImportMemory, ContentsFromMemoryImportedInPart) {
  const test::Buffer imported = import(page(2), kPage);
  for (const std::size_t size : {std::size_t{16}, std::size_t{4000}, 3 * kPage, 40 * kPage})
    for (std::uint8_t* from : {page(2) - 8, page(3) - 8, page(1)}) {
      SCOPED_TRACE(size);
      const Bytes expected(from, from + size);
      EXPECT_EQ(contents(make_buffer(expected.size(), CL_MEM_COPY_HOST_PTR, from), size), expected);
      const test::Buffer buffer = make_buffer(size);
      CL_OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, size, from, 0, nullptr, nullptr));
      EXPECT_EQ(contents(buffer, size), expected);
      launch_add(buffer, size, 1);
      CL_OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, size, from, 0, nullptr, nullptr));
      CL_OK(clFinish(queue));
      EXPECT_EQ(Bytes(from, from + size), plus(expected, 1));
    }
}

TEST_F(ImportMemory, SharedVirtualMemory) {
  auto* shared = static_cast<std::uint8_t*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * kPage, 0));
  ASSERT_NE(shared, nullptr);
  CL_OK(clEnqueueSVMMemFill(queue, shared, "\1", 1, 2 * kPage, 0, nullptr, nullptr));
  refuses(CL_INVALID_BUFFER_SIZE, shared + kPage, kPage + 1);
  {
    const test::Buffer buffer = import(shared + 64, kPage);
    EXPECT_EQ(info<cl_bool>(buffer, CL_MEM_USES_SVM_POINTER), CL_TRUE);
    launch_add(buffer, kPage, 4);
    EXPECT_EQ(contents(buffer, kPage), Bytes(kPage, 5));
  }
  clSVMFree(context, shared);
}

TEST_F(ImportMemory, MemoryOfADevice) {
  cl_platform_id platform = nullptr;
  CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
  const auto allocate = reinterpret_cast<clDeviceMemAllocINTEL_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clDeviceMemAllocINTEL"));
  const auto free = reinterpret_cast<clMemFreeINTEL_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clMemFreeINTEL"));
  cl_int error = 1;
  void* memory = allocate(context, device, nullptr, kPage, 0, &error);
  CL_OK(error);
  refuses(CL_INVALID_OPERATION, memory, kPage);
  CL_OK(free(context, memory));
}

// Memory that the application has registered with the driver. The driver's functions come from cl_clcuda_cuda_interop.
class ImportOfRegisteredMemory : public ImportMemory {
 protected:
  void SetUp() override {
    ImportMemory::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    cl_platform_id platform = nullptr;
    CL_OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr));
    using Find = void*(CL_API_CALL*)(cl_device_id, const char*);
    const auto find =
        reinterpret_cast<Find>(clGetExtensionFunctionAddressForPlatform(platform, "clGetCudaFunctionCLCUDA"));
    if (!find) GTEST_SKIP() << "not clcuda";
    const auto set_current = reinterpret_cast<int (*)(void*)>(find(device, "cuCtxSetCurrent"));
    add_memory = reinterpret_cast<decltype(add_memory)>(find(device, "cuMemHostRegister"));
    remove_memory = reinterpret_cast<decltype(remove_memory)>(find(device, "cuMemHostUnregister"));
    constexpr cl_device_info kCudaContext = 0x7C1C0002;  // CL_DEVICE_CUDA_CONTEXT_CLCUDA
    ASSERT_EQ(0, set_current(test::device_info<void*>(device, kCudaContext)));
  }
  int (*add_memory)(void*, std::size_t, unsigned) = nullptr;
  int (*remove_memory)(void*) = nullptr;
};

TEST_F(ImportOfRegisteredMemory, IsUsedAsItIs) {
  ASSERT_EQ(0, add_memory(page(4), 4 * kPage, 1));
  std::uint8_t* places[] = {page(4), page(5) + 9, page(2), page(6), page(2) + 77, page(7) + 4000};
  const std::size_t sizes[] = {4 * kPage, 100, 3 * kPage, 10 * kPage, 20 * kPage, 5 * kPage};
  for (std::size_t i = 0; i < std::size(places); ++i) {
    SCOPED_TRACE(i);
    const Bytes before(places[i], places[i] + sizes[i]);
    const test::Buffer buffer = import(places[i], sizes[i]);
    launch_add(buffer, sizes[i], 2);
    EXPECT_EQ(contents(buffer, sizes[i]), plus(before, 2));
    CL_OK(clEnqueueFillBuffer(queue, buffer, "\7", 1, 0, sizes[i], 0, nullptr, nullptr));
    CL_OK(clFinish(queue));
    EXPECT_EQ(Bytes(places[i], places[i] + sizes[i]), Bytes(sizes[i], 7));
  }
  EXPECT_EQ(0, remove_memory(page(4)));  // the library must not have unregistered it
  import(page(0), kPages * kPage);
}

// Only a part of a page is registered by the application. An import that exceeds the registered part fails.
TEST_F(ImportOfRegisteredMemory, SharesAPage) {
  ASSERT_EQ(0, add_memory(page(4) + 100, 5000, 1));
  refuses(CL_INVALID_OPERATION, page(4), 50);
  refuses(CL_INVALID_OPERATION, page(4) + 200, 5000);
  refuses(CL_INVALID_OPERATION, page(5) + 2000, 100);
  refuses(CL_INVALID_OPERATION, page(0), kPages * kPage);
  import(page(4) + 200, 4900);
  import(page(6), kPage);
  EXPECT_EQ(0, remove_memory(page(4) + 100));
  import(page(0), kPages * kPage);
}

// A kernel that runs until the host stops it; releases of imports must not wait for it.
class ImportWhileBusy : public ImportMemory {
 protected:
  void SetUp() override {
    ImportMemory::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    opened = static_cast<cl_int*>(clSVMAlloc(
        context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, sizeof(cl_int), 0));
    if (!opened) GTEST_SKIP() << "the host cannot tell a kernel to end";
    other = make_queue(0);
    hold = make_kernel(program, "hold");
    CL_OK(clSetKernelArgSVMPointer(hold, 0, opened));
    close();
  }
  void TearDown() override {
    if (opened) {
      open();
      clFinish(other);
      clSVMFree(context, opened);
    }
    ImportMemory::TearDown();
  }
  void close() const {
    __atomic_store_n(opened, 0, __ATOMIC_RELEASE);
    const std::size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(other, hold, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFlush(other));
  }
  void open() const { __atomic_store_n(opened, 1, __ATOMIC_RELEASE); }

  cl_int* opened = nullptr;
  test::Queue other;
  test::Kernel hold;
};

TEST_F(ImportWhileBusy, ReleaseDoesNotWait) {
  const Bytes before(page(0), page(4));
  {
    const test::Buffer buffer = import(pages, 4 * kPage), used = import(page(8), 4 * kPage);
    launch_add(buffer, 4 * kPage, 1);
    CL_OK(clFinish(queue));
    launch_add(used, 4 * kPage, 1, other);
  }
  EXPECT_EQ(Bytes(page(0), page(4)), plus(before, 1));
  EXPECT_EQ(0, __atomic_load_n(opened, __ATOMIC_ACQUIRE));
}

// A write from host memory of which a part is imported must wait for the kernels before it that change that part.
TEST_F(ImportWhileBusy, WritesComeBehindKernels) {
  const test::Buffer imported = import(page(2), kPage);
  for (const std::size_t size : {std::size_t{100}, 2 * kPage, 4 * kPage, 40 * kPage})
    for (const std::size_t first : {1, 2}) {
      SCOPED_TRACE(std::to_string(first) + ", " + std::to_string(size));
      std::uint8_t* from = first == 1 ? page(2) - 50 : page(2);
      Bytes expected(from, from + size);
      for (std::size_t i = 0; i < size; ++i)
        if (from + i >= page(2) && from + i < page(3)) ++expected[i];
      const test::Buffer plain = make_buffer(size);
      launch_add(imported, kPage, 1, other);
      CL_OK(clEnqueueWriteBuffer(other, plain, CL_FALSE, 0, size, from, 0, nullptr, nullptr));
      open();
      CL_OK(clFinish(other));
      EXPECT_EQ(contents(plain, size), expected);
      close();
    }
}

// The application frees the memory and maps other pages at the same address while the device is busy.
TEST_F(ImportWhileBusy, OtherPagesInItsPlace) {
  {
    const test::Buffer buffer = import(pages, kPages * kPage);
    launch_add(buffer, kPages * kPage, 1);
    CL_OK(clFinish(queue));
  }
  map(PROT_READ | PROT_WRITE, pages);
  const Bytes values = test::random_values(kPages * kPage);
  const test::Buffer plain = make_buffer(values);
  CL_OK(clEnqueueReadBuffer(queue, plain, CL_TRUE, 0, values.size(), pages, 0, nullptr, nullptr));
  EXPECT_EQ(Bytes(pages, page(kPages)), values);
  std::memset(pages, 5, values.size());
  CL_OK(clEnqueueWriteBuffer(queue, plain, CL_TRUE, 0, values.size(), pages, 0, nullptr, nullptr));
  EXPECT_EQ(contents(plain, values.size()), Bytes(values.size(), 5));
  CL_OK(
      clEnqueueWriteBuffer(queue, plain, CL_TRUE, 0, 100, std::memset(page(3), 6, 100), 0, nullptr, nullptr));
  EXPECT_EQ(contents(plain, 100), Bytes(100, 6));
  // The next import at this address uses the new pages; it may wait for the device.
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    open();
  });
  const test::Buffer again = import(page(1) + 3, 2 * kPage);
  opener.join();
  std::memset(pages, 1, values.size());
  launch_add(again, 2 * kPage, 8);
  CL_OK(clFinish(queue));
  EXPECT_EQ(Bytes(page(1) + 3, page(3) + 3), Bytes(2 * kPage, 9));
}

TEST_F(ImportMemory, DestructorCallback) {
  std::promise<void> gone;
  {
    const test::Buffer buffer = import(pages, kPage);
    CL_OK(clSetMemObjectDestructorCallback(
        buffer, [](cl_mem, void* user) { static_cast<std::promise<void>*>(user)->set_value(); }, &gone));
    launch_add(buffer, kPage, 1);
  }
  EXPECT_EQ(std::future_status::ready, gone.get_future().wait_for(std::chrono::seconds(60)));
}

// Queues of several devices in turn use the same imported memory.
TEST_F(ImportMemory, SeveralDevices) {
  if (!test::TwoDevices::offered()) GTEST_SKIP() << "one device";
  const test::TwoDevices both;
  cl_int error = 1;
  const test::Program built =
      clCreateProgramWithSource(both.context, 1, std::array<const char*, 1>{kSource}.data(), nullptr, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(built, 2, both.devices.data(), "-cl-std=CL3.0", nullptr, nullptr));
  add = make_kernel(built, "add");
  std::uint8_t* memory = page(1) + 30;
  const std::size_t size = 5 * kPage;
  Bytes expected(memory, memory + size);
  const test::Buffer buffer = import(memory, size, 0, nullptr, both.context),
                     plain = clCreateBuffer(both.context, 0, size, nullptr, &error);
  CL_OK(error);
  for (cl_uchar turn = 1; turn < 9; ++turn) {
    launch_add(buffer, size, turn, both.queues[turn % 2]);
    CL_OK(clFinish(both.queues[turn % 2]));
    expected = plus(expected, turn);
    EXPECT_EQ(Bytes(memory, memory + size), expected);
  }
  // Copies to the memory of one device, from there to the import by a queue of the other device, and back to the host.
  CL_OK(clEnqueueCopyBuffer(both.queues[0], buffer, plain, 0, 0, size, 0, nullptr, nullptr));
  launch_add(plain, size, 1, both.queues[0]);
  CL_OK(clFinish(both.queues[0]));
  CL_OK(clEnqueueCopyBuffer(both.queues[1], plain, buffer, 0, 0, size, 0, nullptr, nullptr));
  CL_OK(clFinish(both.queues[1]));
  EXPECT_EQ(Bytes(memory, memory + size), plus(expected, 1));
}

}  // namespace
