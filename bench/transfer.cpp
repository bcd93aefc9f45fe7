// SPDX-License-Identifier: Apache-2.0
// Bandwidth between host and device by size, from ordinary (pageable) and from pinned host memory, and within
// the device.
#include <cstdio>
#include <exception>
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

int main(int count, char** words) {
  try {
    Transfer(bench::parse_options(count, words)).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "transfer: %s\n", error.what());
    return 1;
  }
}
