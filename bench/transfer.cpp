// SPDX-License-Identifier: Apache-2.0
// Bandwidth between host and device by size, with pageable and pinned host memory, and within the device; also of images.
#include <array>
#include <string>

#include "harness/benchmark.h"
#include "harness/host_memory.h"
#include "support/client.h"

namespace {

using Size = std::array<size_t, 3>;

class Transfer {
 public:
  explicit Transfer(const bench::Options& options) : session_(options.device), host_memory_(session_) {
    benchmark::AddCustomContext("device", session_.device_name());
  }

  void add() {
    const size_t largest = size_t(session_.is_gpu() ? 256 : 64) << 20;
    for (size_t bytes = 64 << 10; bytes < largest; bytes *= 16) add_size(bytes);
    add_size(largest);
    const size_t n = session_.is_gpu() ? 8192 : 2048, m = session_.is_gpu() ? 256 : 64;
    add_image("picture", {n, n, 1});
    add_image("volume", {m, m, m});
  }

 private:
  void add_size(size_t bytes) {
    for (const bool pinned : {false, true})
      for (const bool write : {true, false})
        bench::add(name_of(write, pinned) + bench::size_name(bytes), [=, this](benchmark::State& state) {
          const client::Buffer buffer = session_.buffer(bytes);
          void* host = host_memory_.of(bytes, pinned);
          time(state, bytes, write ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", [&] {
            return write ? clEnqueueWriteBuffer(session_.queue(), buffer.get(), CL_TRUE, 0, bytes, host, 0,
                                                nullptr, nullptr)
                         : clEnqueueReadBuffer(session_.queue(), buffer.get(), CL_TRUE, 0, bytes, host, 0,
                                               nullptr, nullptr);
          });
        });
    bench::add("copy_" + bench::size_name(bytes), [=, this](benchmark::State& state) {
      const client::Buffer buffer = session_.buffer(bytes), other = session_.buffer(bytes);
      // A copy reads and writes, so each byte counts twice.
      time(state, 2 * bytes, "clEnqueueCopyBuffer", [&] {
        return clEnqueueCopyBuffer(session_.queue(), buffer.get(), other.get(), 0, 0, bytes, 0, nullptr,
                                   nullptr);
      });
    });
  }
  // Texels of four bytes, packed in host memory.
  void add_image(const std::string& kind, const Size& size) {
    const size_t bytes = 4 * size[0] * size[1] * size[2];
    for (const bool pinned : {false, true})
      for (const bool write : {true, false})
        bench::add(name_of(write, pinned) + kind + "_" + bench::size_name(bytes),
                   [=, this](benchmark::State& state) { image(state, size, bytes, write, pinned); });
  }
  void image(benchmark::State& state, const Size& size, size_t bytes, bool write, bool pinned) {
    const cl_image_format format = {CL_R, CL_FLOAT};
    cl_image_desc desc{};
    desc.image_type = size[2] > 1 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = size[0];
    desc.image_height = size[1];
    desc.image_depth = size[2];
    cl_int error = CL_SUCCESS;
    const client::Buffer image(clCreateImage(session_.context(), 0, &format, &desc, nullptr, &error));
    client::check(error, "clCreateImage");
    void* host = host_memory_.of(bytes, pinned);
    const size_t origin[3] = {0, 0, 0};
    time(state, bytes, write ? "clEnqueueWriteImage" : "clEnqueueReadImage", [&] {
      return write ? clEnqueueWriteImage(session_.queue(), image.get(), CL_TRUE, origin, size.data(), 0, 0,
                                         host, 0, nullptr, nullptr)
                   : clEnqueueReadImage(session_.queue(), image.get(), CL_TRUE, origin, size.data(), 0, 0,
                                        host, 0, nullptr, nullptr);
    });
  }
  static std::string name_of(bool write, bool pinned) {
    return std::string(write ? "write_" : "read_") + (pinned ? "pinned_" : "pageable_");
  }
  template <typename Enqueue>
  void time(benchmark::State& state, size_t bytes, const char* call, const Enqueue& enqueue) {
    const auto batch = [&](size_t n) {
      while (n--) client::check(enqueue(), call);
      client::check(clFinish(session_.queue()), "clFinish");
    };
    bench::time_batch(state, batch, double(bytes) * 1e-9, "GB/s");
  }

  client::Session session_;
  bench::HostMemory host_memory_;
};

}  // namespace

int main(int count, char** words) { return bench::run_main<Transfer>(count, words); }
