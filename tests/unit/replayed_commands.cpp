// SPDX-License-Identifier: Apache-2.0
// Commands that are emitted more than once, as command buffers will do: their memory is made resident again, and they repeat their
// operation on the current contents.
#include <array>

#include "cuda/context.h"
#include "runtime/commands/copy_buffer.h"
#include "runtime/commands/copy_image.h"
#include "runtime/commands/copy_memory.h"
#include "runtime/commands/fill_buffer.h"
#include "runtime/commands/fill_image.h"
#include "runtime/commands/launch_kernel.h"
#include "runtime/commands/transfer.h"
#include "runtime/device/scoped_stream.h"
#include "runtime/queue/command_queue.h"
#include "support/images.h"

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kSize = 4096, kSide = 8;

// Emits a command twice, and calls `after` each time.
template <class After>
void replay(clcuda::CommandQueue& queue, clcuda::Command* made, After after) {
  const auto command = clcuda::Ref<clcuda::Command>::adopt(made);
  const clcuda::cuda::DeviceContext& context = queue.resources().context();
  {
    const clcuda::cuda::Current current(context);
    command->prepare();
  }
  for (int time = 0; time < 2; ++time) {
    {
      const clcuda::cuda::Current current(context);
      const clcuda::ScopedStream stream(queue.resources());
      const clcuda::ResidentUses resident(command->uses(), queue.device_index(), *stream);
      command->emit(*stream);
      stream->synchronize();
    }
    after();
  }
}

class ReplayedCommand : public test::ImageTest {
 protected:
  clcuda::CommandQueue& commands() const { return clcuda::object_of<clcuda::CommandQueue>(queue.get()); }
  static clcuda::Buffer& at(const test::Buffer& buffer) {
    return clcuda::object_of<clcuda::Buffer>(buffer.get());
  }
  static clcuda::Image& image_at(cl_mem image) { return clcuda::object_of<clcuda::Image>(image); }

  // Writes new random bytes, which a command is to read or replace.
  Bytes renew(cl_mem buffer) const {
    const Bytes bytes = test::random_values(kSize);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, kSize, bytes.data(), 0, nullptr, nullptr));
    return bytes;
  }
  test::Image image_of_bytes() const {
    return make_image({CL_RGBA, CL_UNSIGNED_INT8}, test::image_desc(CL_MEM_OBJECT_IMAGE2D, kSide, kSide));
  }
  static constexpr clcuda::ImageRegion kWhole{.size = {kSide, kSide, 1}};
  static constexpr std::size_t kImageSize = kSide * kSide * 4;
  Bytes texels(cl_mem image) const {
    Bytes bytes(kImageSize);
    CL_EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, kNowhere, kWhole.size.data(), 0, 0,
                                             bytes.data(), 0, nullptr, nullptr));
    return bytes;
  }
  clcuda::Command* launch(cl_kernel kernel, const clcuda::NDRange& range) const {
    clcuda::Kernel& launched = clcuda::object_of<clcuda::Kernel>(kernel);
    return new clcuda::LaunchKernel(commands(), CL_COMMAND_NDRANGE_KERNEL, launched,
                                    clcuda::prepare_launch(commands(), launched, range, nullptr));
  }
};

TEST_F(ReplayedCommand, FillsABuffer) {
  for (const std::size_t pattern_size : {1u, 4u, 16u, 128u}) {
    const Bytes pattern = test::random_values(pattern_size);
    const test::Buffer buffer = make_buffer(kSize);
    Bytes expected = renew(buffer);
    for (std::size_t i = 1024; i < 3072; ++i) expected[i] = pattern[i % pattern_size];
    replay(commands(),
           new clcuda::FillBuffer(commands(), CL_COMMAND_FILL_BUFFER, at(buffer), pattern.data(),
                                  pattern_size, 1024, 2048),
           [&] {
             EXPECT_EQ(contents(buffer, kSize), expected);
             expected = renew(buffer);
             for (std::size_t i = 1024; i < 3072; ++i) expected[i] = pattern[i % pattern_size];
           });
  }
}

TEST_F(ReplayedCommand, CopiesWhatIsInTheBufferThen) {
  const test::Buffer from = make_buffer(kSize), to = make_buffer(kSize);
  for (const clcuda::Size3& region : {clcuda::Size3{100, 1, 1}, clcuda::Size3{5, 3, 2}}) {
    const clcuda::BufferCopy copy{.from = {.device = 7, .row_pitch = 16, .slice_pitch = 64},
                                  .to = {.device = 300, .row_pitch = 32, .slice_pitch = 128},
                                  .region = region};
    Bytes source = renew(from), target = renew(to);
    replay(commands(), new clcuda::CopyBuffer(commands(), CL_COMMAND_COPY_BUFFER, at(from), at(to), copy),
           [&] {
             for (std::size_t z = 0; z < region[2]; ++z)
               for (std::size_t y = 0; y < region[1]; ++y)
                 std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(7 + y * 16 + z * 64), region[0],
                             target.begin() + static_cast<std::ptrdiff_t>(300 + y * 32 + z * 128));
             EXPECT_EQ(contents(to, kSize), target);
             source = renew(from);
             target = renew(to);
           });
  }
}

TEST_F(ReplayedCommand, CopiesPlainMemory) {
  void* const from = clSVMAlloc(context, 0, kSize, 0);
  void* const to = clSVMAlloc(context, 0, kSize, 0);
  ASSERT_TRUE(from && to);
  const auto copy = [&](void* target, const void* source) {
    CL_EXPECT(CL_SUCCESS, clEnqueueSVMMemcpy(queue, CL_TRUE, target, source, kSize, 0, nullptr, nullptr));
  };
  const auto plain = [](void* at) {
    return clcuda::PlainMemory{reinterpret_cast<CUdeviceptr>(at), {}, nullptr};
  };
  Bytes expected = test::random_values(kSize);
  copy(from, expected.data());
  replay(commands(),
         new clcuda::CopyMemory(commands(), CL_COMMAND_SVM_MEMCPY, {plain(to), plain(from), kSize}), [&] {
           Bytes seen(kSize);
           copy(seen.data(), to);
           EXPECT_EQ(seen, expected);
           expected = test::random_values(kSize);
           copy(from, expected.data());
         });
  clSVMFree(context, from);
  clSVMFree(context, to);
}

// (Bytes of pageable memory are copied once, when the command is prepared.)
TEST_F(ReplayedCommand, WritesTheSameBytes) {
  const test::Buffer buffer = make_buffer(kSize);
  const Bytes written = test::random_values(kSize);
  Bytes host = written;
  clcuda::HostTransfer transfer{.to_device = true, .region = {4, kSize / 4, 1}};
  transfer.device = {.row_pitch = 4, .slice_pitch = kSize};
  transfer.host = {.host = host.data(), .row_pitch = 4, .slice_pitch = kSize};
  transfer.memory = clcuda::cuda::HostMemory::pageable;
  replay(commands(), new clcuda::Transfer(commands(), CL_COMMAND_WRITE_BUFFER_RECT, at(buffer), transfer),
         [&] {
           EXPECT_EQ(contents(buffer, kSize), written);
           renew(buffer);
           host.assign(kSize, 0);
         });
}

TEST_F(ReplayedCommand, FillsAndCopiesImages) {
  const test::Image filled = image_of_bytes(), copied = image_of_bytes();
  const test::Buffer buffer = make_buffer(kSize);
  const clcuda::FillImage::Texel texel{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  Bytes expected(kImageSize);
  for (std::size_t i = 0; i < kImageSize; ++i) expected[i] = static_cast<std::uint8_t>(i % 4 + 1);
  const auto clear = [&](cl_mem image) {
    const cl_uint zero[4] = {};
    CL_EXPECT(CL_SUCCESS,
              clEnqueueFillImage(queue, image, zero, kNowhere, kWhole.size.data(), 0, nullptr, nullptr));
    CL_EXPECT(CL_SUCCESS, clFinish(queue));
  };
  replay(commands(), new clcuda::FillImage(commands(), image_at(filled), kWhole, texel), [&] {
    EXPECT_EQ(texels(filled), expected);
    replay(commands(),
           new clcuda::CopyImage(commands(), CL_COMMAND_COPY_IMAGE, image_at(filled), kWhole,
                                 image_at(copied), kWhole),
           [&] {
             EXPECT_EQ(texels(copied), expected);
             clear(copied);
           });
    clear(filled);
  });
  Bytes source = renew(buffer);
  replay(commands(),
         new clcuda::CopyImage(commands(), CL_COMMAND_COPY_BUFFER_TO_IMAGE, at(buffer), 20, image_at(copied),
                               kWhole),
         [&] {
           EXPECT_EQ(texels(copied), Bytes(source.begin() + 20, source.begin() + 20 + kImageSize));
           source = renew(buffer);
         });
}

TEST_F(ReplayedCommand, LaunchesAKernelAgain) {
  const test::Program program = build(
      "kernel void add(global uint* a, const global uint* b, uint c) {"
      "  a[get_global_id(0)] += b[get_global_id(0)] + c; }");
  const test::Kernel kernel = make_kernel(program, "add");
  const auto before = test::random_values<cl_uint>(100), added = test::random_values<cl_uint>(100);
  const test::Buffer a = make_buffer(before), b = make_buffer(added);
  set_arguments(kernel, a, b, cl_uint{5});
  cl_uint times = 0;
  replay(commands(), launch(kernel, {.dimensions = 1, .global = {100, 1, 1}}), [&] {
    ++times;
    std::vector<cl_uint> expected = before;
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += times * (added[i] + 5);
    EXPECT_EQ(contents<cl_uint>(a, 100), expected);
  });
}

// Texture units cannot read such an image in place: each launch samples a copy of the buffer's current contents.
TEST_F(ReplayedCommand, SamplesWhatIsInTheBufferThen) {
  const test::Program program = build(
      "kernel void read(read_only image3d_t image, sampler_t s, global uchar4* to) {"
      "  const size_t i = get_global_id(0);"
      "  to[i] = convert_uchar4(read_imageui(image, s, (int4)(i % 8, i / 8, 0, 0))); }");
  const test::Kernel kernel = make_kernel(program, "read");
  const test::Buffer buffer = make_buffer(kSize), to = make_buffer(kImageSize);
  cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE3D, kSide, kSide, 2);
  desc.mem_object = buffer;
  const test::Image image = make_image({CL_RGBA, CL_UNSIGNED_INT8}, desc);
  cl_int error = CL_SUCCESS;
  const test::Sampler sampler =
      clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &error);
  CL_OK(error);
  set_arguments(kernel, image.get(), sampler.get(), to);
  Bytes source = renew(buffer);
  replay(commands(), launch(kernel, {.dimensions = 1, .global = {kSide * kSide, 1, 1}}), [&] {
    EXPECT_EQ(contents(to, kImageSize), Bytes(source.begin(), source.begin() + kImageSize));
    source = renew(buffer);
  });
}

}  // namespace
