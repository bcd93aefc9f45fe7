// SPDX-License-Identifier: Apache-2.0
// Bandwidth between host and device by size, from ordinary (pageable) and from pinned host memory, and within
// the device; and of images.
#include <array>
#include <string>
#include <vector>

#include "harness/measure.h"
#include "support/client.h"

namespace {

std::string size_name(size_t bytes) {
  return bytes >= (1 << 20) ? std::to_string(bytes >> 20) + "_MiB" : std::to_string(bytes >> 10) + "_KiB";
}

// Host memory that the implementation pins: a mapped buffer made for that.
class PinnedMemory {
 public:
  PinnedMemory(const client::Session& session, size_t bytes)
      : queue_(session.queue()), buffer_(session.buffer(bytes, CL_MEM_ALLOC_HOST_PTR)) {
    cl_int error = CL_SUCCESS;
    pointer_ = clEnqueueMapBuffer(queue_, buffer_.get(), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                  nullptr, nullptr, &error);
    client::check(error, "clEnqueueMapBuffer");
  }
  ~PinnedMemory() {
    clEnqueueUnmapMemObject(queue_, buffer_.get(), pointer_, 0, nullptr, nullptr);
    clFinish(queue_);
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* pointer() const { return pointer_; }

 private:
  cl_command_queue queue_;
  client::Buffer buffer_;
  void* pointer_;
};

class Transfer {
 public:
  explicit Transfer(const bench::Options& options)
      : session_(options.device),
        report_("transfer", options, session_.platform_name(), session_.device_name()) {}

  void run() {
    const size_t largest = size_t(session_.is_gpu() ? 256 : 64) << 20;
    for (size_t bytes = 64 << 10; bytes < largest; bytes *= 16) run_size(bytes);
    run_size(largest);
    const size_t n = session_.is_gpu() ? 8192 : 2048, m = session_.is_gpu() ? 256 : 64;
    run_image("picture", {n, n, 1});
    run_image("volume", {m, m, m});
  }

 private:
  void run_size(size_t bytes) {
    const client::Buffer buffer = session_.buffer(bytes), other = session_.buffer(bytes);
    const std::string suffix = "_" + size_name(bytes);
    std::vector<char> pageable(bytes, 1);
    const PinnedMemory pinned(session_, bytes);
    run_host(suffix, "pageable", buffer, pageable.data(), bytes);
    run_host(suffix, "pinned", buffer, pinned.pointer(), bytes);
    // A copy reads and writes, so each byte counts twice.
    rate("copy" + suffix, 2 * bytes, [&] {
      client::check(
          clEnqueueCopyBuffer(session_.queue(), buffer.get(), other.get(), 0, 0, bytes, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
    });
  }
  void run_host(const std::string& suffix, const std::string& kind, const client::Buffer& buffer, void* host,
                size_t bytes) {
    rate("write_" + kind + suffix, bytes, [&] {
      client::check(
          clEnqueueWriteBuffer(session_.queue(), buffer.get(), CL_TRUE, 0, bytes, host, 0, nullptr, nullptr),
          "clEnqueueWriteBuffer");
    });
    rate("read_" + kind + suffix, bytes, [&] {
      client::check(
          clEnqueueReadBuffer(session_.queue(), buffer.get(), CL_TRUE, 0, bytes, host, 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    });
  }
  // Texels of four bytes, packed in host memory.
  void run_image(const std::string& kind, const std::array<size_t, 3>& size) {
    const cl_image_format format = {CL_R, CL_FLOAT};
    cl_image_desc desc{};
    desc.image_type = size[2] > 1 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = size[0];
    desc.image_height = size[1];
    desc.image_depth = size[2];
    cl_int error = CL_SUCCESS;
    const client::Buffer image(clCreateImage(session_.context(), 0, &format, &desc, nullptr, &error));
    client::check(error, "clCreateImage");
    const size_t bytes = 4 * size[0] * size[1] * size[2];
    std::vector<char> pageable(bytes, 1);
    const PinnedMemory pinned(session_, bytes);
    const std::string suffix = kind + "_" + size_name(bytes);
    run_image_from("pageable_" + suffix, image.get(), pageable.data(), size, bytes);
    run_image_from("pinned_" + suffix, image.get(), pinned.pointer(), size, bytes);
  }
  void run_image_from(const std::string& name, cl_mem image, void* host, const std::array<size_t, 3>& size,
                      size_t bytes) {
    const size_t origin[3] = {0, 0, 0};
    rate("write_" + name, bytes, [&] {
      client::check(clEnqueueWriteImage(session_.queue(), image, CL_TRUE, origin, size.data(), 0, 0, host, 0,
                                        nullptr, nullptr),
                    "clEnqueueWriteImage");
    });
    rate("read_" + name, bytes, [&] {
      client::check(clEnqueueReadImage(session_.queue(), image, CL_TRUE, origin, size.data(), 0, 0, host, 0,
                                       nullptr, nullptr),
                    "clEnqueueReadImage");
    });
  }
  template <typename Act>
  void rate(const std::string& name, size_t bytes, const Act& act) {
    const auto batch = [&](size_t n) {
      while (n--) act();
      client::check(clFinish(session_.queue()), "clFinish");
    };
    report_.run(name, batch, double(bytes) * 1e-9, "GB/s");
  }

  client::Session session_;
  bench::Report report_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Transfer>("transfer", count, words); }
