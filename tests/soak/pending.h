// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "support/opencl.h"

namespace soak {

using Bytes = std::vector<std::uint8_t>;

// The expected results of commands in flight, to be checked when the last of them is complete, and the objects that they need until then.
class Pending {
 public:
  explicit Pending(std::string what) : what_(std::move(what)) {}

  // Memory to which a command will write; its expected contents are `expected`.
  std::uint8_t* seen(Bytes expected);
  // Keeps bytes that commands read, or an object, until this is destroyed.
  template <class Object>
  const Object& keep(Object object) {
    auto kept = std::make_shared<Object>(std::move(object));
    kept_.push_back(kept);
    return *kept;
  }
  void ends_with(test::Event last, bool fails) {
    last_ = std::move(last);
    fails_ = fails;
  }
  cl_event last() const { return last_; }

  // Waits in a random one of the ways that OpenCL has; `queues` are all queues of the commands.
  void wait(const std::vector<test::Queue>& queues) const;
  // Compares the results after the last command is complete.
  void check() const;
  // Has a callback check and delete this.
  static void leave(std::unique_ptr<Pending> pending);

 private:
  struct Read {
    Bytes seen, expected;
  };
  static std::string difference_of(const Read& read);

  const std::string what_;
  std::deque<Read> reads_;
  std::vector<std::shared_ptr<void>> kept_;
  test::Event last_;
  bool fails_ = false;
};

// The number of callbacks that were registered and have not been called yet.
std::atomic<std::int64_t>& callbacks_due();
// Registers a counted callback for the end of the event or the object.
void notify(cl_event event);
void notify(cl_mem memory);

}  // namespace soak
