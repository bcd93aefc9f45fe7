// SPDX-License-Identifier: Apache-2.0
// Log messages about what an idle device keeps.
#include <chrono>
#include <regex>
#include <thread>

#include "support/log.h"

namespace {

class IdleInLog : public test::Log {
 protected:
  static constexpr long kSize = 256 << 20;

  void fill_a_buffer(cl_command_queue where) const {
    const test::Buffer large = make_buffer(kSize);
    const cl_uint word = 1;
    CL_OK(clEnqueueFillBuffer(where, large, &word, sizeof word, 0, kSize, 0, nullptr, nullptr));
    CL_OK(clFinish(where));
  }
  struct Kept {
    long streams = 0, kib = 0;
  };
  // Unused memory goes back, and the log tells what does not, when the device has been idle for three seconds.
  template <class Work>
  static Kept kept_after(Work work) {
    work();
    std::string log;
    for (int i = 0; i < 60 && log.find("is idle") == std::string::npos; ++i)
      log += log_of([] { std::this_thread::sleep_for(std::chrono::seconds(1)); });
    std::smatch parts;
    const std::regex line(
        "is idle: ([0-9]+) streams, ([0-9]+) KiB in memory pools, [0-9]+ bytes of local memory");
    EXPECT_TRUE(std::regex_search(log, parts, line)) << log;
    return parts.empty() ? Kept() : Kept{std::stol(parts[1]), std::stol(parts[2])};
  }
};

TEST_F(IdleInLog, TellsWhatADeviceKeeps) {
  const Kept first = kept_after([&] { fill_a_buffer(queue); });
  EXPECT_GE(first.streams, 1);
  EXPECT_LT(first.kib, kSize >> 10) << "the buffer's memory is kept";
  const Kept second = kept_after([&] {
    std::vector<test::Queue> more;
    for (int i = 0; i < 40; ++i) {
      more.push_back(make_queue(0));
      fill_a_buffer(more.back());
    }
  });
  EXPECT_GE(second.streams, 41);
  EXPECT_LT(second.kib, kSize >> 10) << "the buffers' memory is kept";
}

}  // namespace
