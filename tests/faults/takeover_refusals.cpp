// SPDX-License-Identifier: Apache-2.0
// A context of two devices: commands that write on one device to objects whose contents are on the other, and that fail because of a driver
// error. They leave the contents as they were, even if part of their work has been submitted.
#include <CL/cl_clcuda.h>

#include <functional>
#include <string>

#include "refusing_driver.h"
#include "support/images.h"
#include "support/two_devices.h"

namespace faults {
namespace {

using Bytes = std::vector<std::uint8_t>;

class TakeoverRefusals : public RefusingDriver<test::OpenCL> {
 protected:
  void SetUp() override {
    RefusingDriver::SetUp();
    test::TwoDevices made;
    context = std::move(made.context);
    queues = std::move(made.queues);
    queue = make_queue(0);
  }

  // Enqueues a command in the second device's queue, with an event if the pointer is not null.
  using Enqueue = std::function<cl_int(cl_command_queue, cl_event*)>;
  // Reads an object.
  using Read = std::function<Bytes(cl_command_queue)>;

  // The result of the command: that of the call, or of the command's execution.
  cl_int run(const Enqueue& enqueue, bool with_event) const {
    test::Event event;
    const cl_int code = enqueue(queues[1], with_event ? event.out() : nullptr);
    if (clFinish(queues[1]) != CL_SUCCESS)
      CL_EXPECT(CL_SUCCESS, clFinish(queues[1]));  // it may meet the fault
    if (code != CL_SUCCESS || !event) return code;
    const cl_int status = test::status_of(event);
    return status < 0 ? status : CL_SUCCESS;
  }

  // Has each driver call of the command that submits work fail, one after the other. `renew` brings the object to the first device and
  // returns its contents.
  void refuse_each_call(const char* command, const std::function<Bytes()>& renew, const Enqueue& enqueue,
                        const Read& read) {
    int refused = 0;
    for (const char* function :
         {"cuMemsetD8Async", "cuMemsetD32Async", "cuMemcpyHtoDAsync", "cuMemcpyDtoDAsync",
          "cuMemcpyPeerAsync", "cuMemcpy3DAsync", "cuLaunchKernelEx", "cuEventRecord", "cuStreamWaitEvent"}) {
      for (const bool with_event : {false, true}) {
        for (std::uint64_t call = 1;; ++call) {
          SCOPED_TRACE(std::string(command) + ": call " + std::to_string(call) + " of " + function);
          const Bytes before = renew();
          driver::arm({.call = call, .error = CUDA_ERROR_NOT_SUPPORTED, .function = function});
          const cl_int code = run(enqueue, with_event);
          if (!driver::disarm().failed) break;
          if (code == CL_SUCCESS) continue;  // it could do without the call
          ++refused;
          EXPECT_TRUE(read(queues[0]) == before) << "on the first device";
          EXPECT_TRUE(read(queues[1]) == before) << "on the second device";
        }
      }
    }
    EXPECT_GT(refused, 0) << command;
    const Bytes before = renew();
    CL_EXPECT(CL_SUCCESS, run(enqueue, true));
    EXPECT_FALSE(read(queues[0]) == before) << command;
  }

  std::array<test::Queue, 2> queues;
};

class TakeoversOfBuffers : public TakeoverRefusals {
 protected:
  static constexpr std::size_t kSize = 40000, kOrigin = 4096, kPart = 20000;

  void SetUp() override {
    TakeoverRefusals::SetUp();
    buffer = make_buffer(kSize);
    source = make_buffer(test::random_values(kSize));
    cl_int error = 1;
    const cl_buffer_region region{kOrigin, kPart};
    part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    CL_OK(error);
    program = build_for_both();
  }
  test::Program build_for_both() const {
    const char* text = "kernel void add(global uchar* a) { a[get_global_id(0)] += 7; }";
    cl_int error = 1;
    test::Program made = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    CL_EXPECT(CL_SUCCESS, clBuildProgram(made, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
    return made;
  }

  void refuse(const char* command, const Enqueue& enqueue) {
    refuse_each_call(
        command, [this] { return renew(); }, enqueue, [this](cl_command_queue where) { return read(where); });
  }
  Bytes renew() const {
    Bytes bytes = test::random_values(kSize);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueWriteBuffer(queues[0], buffer, CL_TRUE, 0, kSize, bytes.data(), 0, nullptr, nullptr));
    return bytes;
  }
  Bytes read(cl_command_queue where) const {
    Bytes bytes(kSize);
    CL_EXPECT(CL_SUCCESS,
              clEnqueueReadBuffer(where, buffer, CL_TRUE, 0, kSize, bytes.data(), 0, nullptr, nullptr));
    return bytes;
  }

  test::Buffer buffer, source, part;
  test::Program program;
};

TEST_F(TakeoversOfBuffers, ByFills) {
  for (const std::size_t pattern_size : {1u, 4u, 32u}) {
    const Bytes pattern = test::random_values(pattern_size);
    refuse("clEnqueueFillBuffer", [&](cl_command_queue where, cl_event* event) {
      return clEnqueueFillBuffer(where, buffer, pattern.data(), pattern_size, 0, kSize, 0, nullptr, event);
    });
    refuse("clEnqueueFillBuffer of a part", [&](cl_command_queue where, cl_event* event) {
      return clEnqueueFillBuffer(where, part, pattern.data(), pattern_size, 64, kPart - 96, 0, nullptr,
                                 event);
    });
  }
}

TEST_F(TakeoversOfBuffers, ByWrites) {
  const Bytes written = test::random_values(kSize);
  for (const cl_bool blocking : {CL_FALSE, CL_TRUE}) {
    refuse("clEnqueueWriteBuffer", [&](cl_command_queue where, cl_event* event) {
      return clEnqueueWriteBuffer(where, buffer, blocking, 0, kSize, written.data(), 0, nullptr, event);
    });
    refuse("clEnqueueWriteBufferRect", [&](cl_command_queue where, cl_event* event) {
      const std::size_t nowhere[3] = {}, region[3] = {100, 100, 2};
      return clEnqueueWriteBufferRect(where, buffer, blocking, nowhere, nowhere, region, 150, 0, 100, 0,
                                      written.data(), 0, nullptr, event);
    });
  }
}

TEST_F(TakeoversOfBuffers, ByCopies) {
  refuse("clEnqueueCopyBuffer", [&](cl_command_queue where, cl_event* event) {
    return clEnqueueCopyBuffer(where, source, buffer, 0, 0, kSize, 0, nullptr, event);
  });
  refuse("clEnqueueCopyBuffer within a buffer", [&](cl_command_queue where, cl_event* event) {
    return clEnqueueCopyBuffer(where, buffer, buffer, 0, kSize / 2, kSize / 2, 0, nullptr, event);
  });
}

// A range that is launched in several grids, of which some have run when the next one is refused.
TEST_F(TakeoversOfBuffers, ByKernels) {
  const test::Kernel add = make_kernel(program, "add");
  for (const test::Buffer* argument : {&buffer, &part}) {
    set_arguments(add, *argument);
    refuse("clEnqueueNDRangeKernel", [&](cl_command_queue where, cl_event* event) {
      const std::size_t global = kPart - 17, local = 64;
      return clEnqueueNDRangeKernel(where, add, 1, nullptr, &global, &local, 0, nullptr, event);
    });
  }
}

// An acquire for a stream of the application's, which is to write all of the buffer.
TEST_F(TakeoversOfBuffers, ByAcquires) {
  const cl_mem_flags writes = CL_MEM_WRITE_ONLY;
  int refused = 0;
  for (std::uint64_t call = 1;; ++call) {
    const Bytes before = renew();
    driver::arm({.call = call, .error = CUDA_ERROR_NOT_SUPPORTED, .function = "cuStreamWaitEvent"});
    const cl_int code =
        clEnqueueAcquireCudaObjectsCLCUDA(queues[1], 1, buffer.list(), &writes, nullptr, 0, nullptr);
    if (!driver::disarm().failed) break;
    CL_EXPECT(CL_OUT_OF_RESOURCES, code);
    ++refused;
    EXPECT_TRUE(read(queues[0]) == before);
  }
  EXPECT_GT(refused, 0);
}

class TakeoversOfImages : public TakeoverRefusals {
 protected:
  static constexpr std::size_t kWidth = 64, kHeight = 32, kSize = kWidth * kHeight * 4;
  static constexpr std::size_t kNowhere[3] = {}, kWhole[3] = {kWidth, kHeight, 1};

  void SetUp() override {
    TakeoverRefusals::SetUp();
    image = make_image();
    source = make_image();
    write(queues[0], source);
    bytes = make_buffer(test::random_values(kSize));
  }
  test::Image make_image() const {
    const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, kWidth, kHeight);
    cl_int error = 1;
    test::Image made = clCreateImage(context, 0, &format, &desc, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return made;
  }
  static Bytes write(cl_command_queue where, cl_mem to) {
    Bytes texels = test::random_values(kSize);
    CL_EXPECT(CL_SUCCESS, clEnqueueWriteImage(where, to, CL_TRUE, kNowhere, kWhole, 0, 0, texels.data(), 0,
                                              nullptr, nullptr));
    return texels;
  }
  void refuse(const char* command, const Enqueue& enqueue) {
    refuse_each_call(
        command, [this] { return write(queues[0], image); }, enqueue,
        [this](cl_command_queue where) {
          Bytes texels(kSize);
          CL_EXPECT(CL_SUCCESS, clEnqueueReadImage(where, image, CL_TRUE, kNowhere, kWhole, 0, 0,
                                                   texels.data(), 0, nullptr, nullptr));
          return texels;
        });
  }

  test::Image image, source;
  test::Buffer bytes;
};

TEST_F(TakeoversOfImages, ByWrites) {
  const Bytes texels = test::random_values(kSize);
  for (const cl_bool blocking : {CL_FALSE, CL_TRUE})
    refuse("clEnqueueWriteImage", [&](cl_command_queue where, cl_event* event) {
      return clEnqueueWriteImage(where, image, blocking, kNowhere, kWhole, 0, 0, texels.data(), 0, nullptr,
                                 event);
    });
}

TEST_F(TakeoversOfImages, ByFills) {
  const cl_uint colour[4] = {5, 6, 7, 8};
  const std::size_t half[3] = {kWidth, kHeight / 2, 1};
  for (const std::size_t* region : {kWhole, half})
    refuse("clEnqueueFillImage", [&](cl_command_queue where, cl_event* event) {
      return clEnqueueFillImage(where, image, colour, kNowhere, region, 0, nullptr, event);
    });
}

TEST_F(TakeoversOfImages, ByCopies) {
  refuse("clEnqueueCopyImage", [&](cl_command_queue where, cl_event* event) {
    return clEnqueueCopyImage(where, source, image, kNowhere, kNowhere, kWhole, 0, nullptr, event);
  });
  refuse("clEnqueueCopyBufferToImage", [&](cl_command_queue where, cl_event* event) {
    return clEnqueueCopyBufferToImage(where, bytes, image, 0, kNowhere, kWhole, 0, nullptr, event);
  });
}

TEST_F(TakeoversOfImages, ByKernels) {
  const char* text =
      "kernel void add(read_write image2d_t a) { int2 at = (int2)(get_global_id(0), get_global_id(1));"
      "  write_imageui(a, at, read_imageui(a, at) + 7); }";
  cl_int error = 1;
  const test::Program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  CL_OK(error);
  CL_OK(clBuildProgram(program, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  const test::Kernel add = make_kernel(program, "add");
  set_argument(add, 0, image.get());
  refuse("clEnqueueNDRangeKernel", [&](cl_command_queue where, cl_event* event) {
    const std::size_t global[2] = {kWidth - 1, kHeight}, local[2] = {16, 4};
    return clEnqueueNDRangeKernel(where, add, 2, nullptr, global, local, 0, nullptr, event);
  });
}

}  // namespace
}  // namespace faults
