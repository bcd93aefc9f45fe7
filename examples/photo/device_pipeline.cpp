// SPDX-License-Identifier: Apache-2.0
#include "device_pipeline.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "gaussian.h"

extern "C" const char photo_kernels[];
extern "C" const char photo_kernels_end[];

namespace photo {
namespace {

constexpr size_t kLevels = 256;
constexpr size_t kTile = 16;

size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

// Enqueues commands and keeps their events, until all are complete and their times can be queried.
class Recorder {
 public:
  explicit Recorder(const client::Session& session) : queue_(session.queue()) {}

  void write(const char* name, const client::Buffer& to, const void* from, size_t bytes) {
    cl_event event = nullptr;
    client::check(clEnqueueWriteBuffer(queue_, to.get(), CL_FALSE, 0, bytes, from, 0, nullptr, &event),
                  "clEnqueueWriteBuffer");
    remember(name, event, bytes);
  }
  void read(const char* name, const client::Buffer& from, void* to, size_t bytes) {
    cl_event event = nullptr;
    client::check(clEnqueueReadBuffer(queue_, from.get(), CL_FALSE, 0, bytes, to, 0, nullptr, &event),
                  "clEnqueueReadBuffer");
    remember(name, event, bytes);
  }
  void clear(const client::Buffer& buffer, size_t bytes) {
    const cl_uint zero = 0;
    client::check(
        clEnqueueFillBuffer(queue_, buffer.get(), &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr),
        "clEnqueueFillBuffer");
  }
  void launch(const char* name, const client::Kernel& kernel, std::vector<size_t> global,
              std::vector<size_t> local, size_t bytes) {
    cl_event event = nullptr;
    client::check(clEnqueueNDRangeKernel(queue_, kernel.get(), cl_uint(global.size()), nullptr, global.data(),
                                         local.empty() ? nullptr : local.data(), 0, nullptr, &event),
                  "clEnqueueNDRangeKernel");
    remember(name, event, bytes);
  }

  std::vector<Step> finish() {
    client::check(clFinish(queue_), "clFinish");
    for (size_t i = 0; i < events_.size(); ++i) {
      cl_ulong start = 0, end = 0;
      client::check(clGetEventProfilingInfo(events_[i].get(), CL_PROFILING_COMMAND_START, sizeof start,
                                            &start, nullptr),
                    "clGetEventProfilingInfo");
      client::check(
          clGetEventProfilingInfo(events_[i].get(), CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr),
          "clGetEventProfilingInfo");
      steps_[i].milliseconds = double(end - start) * 1e-6;
    }
    return std::move(steps_);
  }

 private:
  void remember(const char* name, cl_event event, size_t bytes) {
    events_.emplace_back(event);
    steps_.push_back({name, 0, bytes});
  }

  cl_command_queue queue_;
  std::vector<client::Event> events_;
  std::vector<Step> steps_;
};

}  // namespace

Outcome process_on_device(const client::Session& session, const Image& image,
                          const std::vector<uint32_t>& weights) {
  const size_t bytes = image.bytes.size();
  const size_t weight_bytes = weights.size() * sizeof weights[0];
  const cl_uint pixels = cl_uint(image.pixels());
  const cl_int width = image.width, height = image.height, radius = radius_of(weights);

  const client::Program program =
      session.build({photo_kernels, size_t(photo_kernels_end - photo_kernels)},
                    "-DCHANNELS=" + std::to_string(image.channels) + " -DTILE=" + std::to_string(kTile));
  const client::Kernel histogram = session.kernel(program, "histogram");
  const client::Kernel equalising_table = session.kernel(program, "equalising_table");
  const client::Kernel equalise = session.kernel(program, "equalise");
  const client::Kernel blur_rows = session.kernel(program, "blur_rows");
  const client::Kernel blur_columns = session.kernel(program, "blur_columns");

  const client::Buffer original = session.buffer(bytes, CL_MEM_READ_ONLY);
  const client::Buffer counts = session.buffer(kLevels * sizeof(cl_uint));
  const client::Buffer table = session.buffer(kLevels * sizeof(cl_uint));
  const client::Buffer equalised = session.buffer(bytes);
  const client::Buffer between = session.buffer(bytes * 2);
  const client::Buffer blurred = session.buffer(bytes, CL_MEM_WRITE_ONLY);
  const client::Buffer device_weights = session.buffer(weight_bytes, CL_MEM_READ_ONLY);

  // A pixel with three channels occupies as much memory as one with four.
  const size_t pixel_bytes = sizeof(cl_uint) * (image.channels == 3 ? 4 : size_t(image.channels));
  const client::Local tile_memory{kTile * (kTile + 2 * size_t(radius)) * pixel_bytes};
  client::set_arguments(histogram, original, pixels, counts);
  client::set_arguments(equalising_table, counts, pixels, table);
  client::set_arguments(equalise, original, pixels, table, equalised);
  client::set_arguments(blur_rows, equalised, width, height, device_weights, radius, tile_memory, between);
  client::set_arguments(blur_columns, between, width, height, device_weights, radius, tile_memory, blurred);

  Outcome outcome{{image.width, image.height, image.channels, std::vector<uint8_t>(bytes)}, {}};
  const size_t counting_groups = std::clamp<size_t>(pixels / (kLevels * 16), 1, 1024);
  const std::vector<size_t> tiles{round_up(size_t(width), kTile), round_up(size_t(height), kTile)};
  Recorder recorder(session);
  recorder.clear(counts, kLevels * sizeof(cl_uint));
  recorder.write("write weights", device_weights, weights.data(), weight_bytes);
  recorder.write("write image", original, image.bytes.data(), bytes);
  recorder.launch("histogram", histogram, {counting_groups * kLevels}, {kLevels}, bytes);
  recorder.launch("equalising_table", equalising_table, {kLevels}, {kLevels}, 2 * kLevels * sizeof(cl_uint));
  recorder.launch("equalise", equalise, {round_up(pixels, 64)}, {64}, 2 * bytes);
  recorder.launch("blur_rows", blur_rows, tiles, {kTile, kTile}, 3 * bytes);
  recorder.launch("blur_columns", blur_columns, tiles, {kTile, kTile}, 3 * bytes);
  recorder.read("read image", blurred, outcome.image.bytes.data(), bytes);
  outcome.steps = recorder.finish();
  return outcome;
}

}  // namespace photo
