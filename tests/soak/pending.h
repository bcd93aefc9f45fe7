// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "support/opencl.h"

namespace soak {

using Bytes = std::vector<std::uint8_t>;

// What commands under way will have brought to the host once the last of them is complete, and what they need
// until then.
class Pending {
 public:
  explicit Pending(std::string what) : what_(std::move(what)) {}

  // Memory that a command will write to, where `expected` is to be in the end.
  std::uint8_t* seen(Bytes expected);
  // Bytes that commands read, or an object that is to go no earlier.
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

  // In one of the ways in which an application can; `queues` are all that the commands were given to.
  void wait(const std::vector<test::Queue>& queues) const;
  // Looks at what is there when the last command is complete.
  void check() const;
  // Leaves it to a callback to check this, and to end it.
  static void leave(std::unique_ptr<Pending> pending);

 private:
  struct Read {
    Bytes seen, expected;
  };
  const std::string what_;
  std::deque<Read> reads_;
  std::vector<std::shared_ptr<void>> kept_;
  test::Event last_;
  bool fails_ = false;
};

// Calls of the process that are still to come: a count of callbacks that were registered and have not been
// called.
std::atomic<std::int64_t>& callbacks_due();
// Has the end of the event, or of the object, counted among the callbacks.
void notify(cl_event event);
void notify(cl_mem memory);

}  // namespace soak
