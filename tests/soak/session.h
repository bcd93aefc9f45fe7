// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/random_calls/setter.h"
#include "soak/pending.h"
#include "soak/random.h"

namespace soak {

// A context on some devices or sub-devices, with queues of all kinds, and several activities at the same time: each enqueues a chain of
// commands, releases most of its objects immediately, and leaves a Pending with the expected results.
class Session {
 public:
  Session();
  // Leaves the activities in flight to callbacks.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Starts or ends an activity.
  void step();
  // Ends all activities.
  void settle();

  // For activities.
  cl_context context() const { return context_; }
  const std::vector<cl_device_id>& devices() const { return devices_; }
  const std::vector<test::Queue>& queues() const { return queues_; }
  bool has_device_queue() const { return device_queue_.get() != nullptr; }
  test::Setter& setter() { return setter_; }
  test::Kernel kernel(const char* name) const;
  test::Buffer buffer(std::size_t size, cl_mem_flags flags = 0, void* host = nullptr) const;

 private:
  void choose_devices();
  void make_queues();
  void build_kernels();
  void end_one();

  std::vector<test::Owned<cl_device_id, clReleaseDevice>> parts_;
  std::vector<cl_device_id> devices_;
  test::Context context_;
  test::Queue device_queue_;
  std::vector<test::Queue> queues_;
  test::Program program_;
  std::vector<std::unique_ptr<Pending>> pending_;
  test::Setter setter_;
};

// Commands in any queues, each of which waits for the previous one.
//
//   Chain chain(session);
//   chain([&](cl_command_queue queue, cl_uint count, const cl_event* waits, cl_event* event) {
//     return clEnqueueFillBuffer(queue, …, count, waits, event);
//   });
//   pending.ends_with(chain.take_last(), chain.fails());
class Chain {
 public:
  // Some chains begin with a user event that another thread sets after a short time, a few with one that it sets to an error.
  explicit Chain(Session& session);
  // Uses only the session's first queue, whose device has a device queue.
  void stay() { stays_ = true; }
  bool fails() const { return fails_; }

  template <class Call>
  void operator()(Call call) {
    const test::Queue& queue = stays_ ? session_.queues().front() : any_of(session_.queues());
    test::Event event;
    const cl_int code = call(queue.get(), last_ ? 1 : 0, last_ ? last_.list() : nullptr, event.out());
    EXPECT_EQ("CL_SUCCESS", test::error_name(code));
    if (code == CL_SUCCESS) follow(queue, std::move(event));
  }
  // Waits for the last command, unless the chain fails.
  void wait() const;
  test::Event take_last();

 private:
  void follow(const test::Queue& queue, test::Event event);

  Session& session_;
  test::Event last_;
  bool fails_ = false, stays_ = false;
};

// The activities: each starts something and returns the expected results, or null if the devices do not support it.
using Activity = std::unique_ptr<Pending> (*)(Session&);
std::unique_ptr<Pending> transfer(Session& session);
std::unique_ptr<Pending> launch(Session& session);
std::unique_ptr<Pending> reduce(Session& session);
std::unique_ptr<Pending> share_memory(Session& session);
std::unique_ptr<Pending> use_unified_memory(Session& session);
std::unique_ptr<Pending> pass_through_pipe(Session& session);
std::unique_ptr<Pending> enqueue_on_device(Session& session);
std::unique_ptr<Pending> print(Session& session);
std::unique_ptr<Pending> build(Session& session);

}  // namespace soak
