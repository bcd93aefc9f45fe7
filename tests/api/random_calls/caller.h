// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/random_calls/call.h"

namespace test {

// Makes calls of any function with any arguments, one after the other, on objects of all kinds that it has in
// a context.
//
//   test::Caller caller(context, device);
//   EXPECT_EQ("", caller.call());
class Caller {
 public:
  Caller(cl_context context, cl_device_id device);

  // One call. What it answered, if that is no code that the specification has for the function; otherwise
  // nothing.
  std::string call();

 private:
  // An object of each kind, without which no call would get anywhere.
  void populate();
  void add_queues();
  void add_memory();
  void add_programs();
  Program created(const char* text) const;

  const cl_context context_;
  const cl_device_id device_;
  const bool trace_;
  const std::vector<Call> table_;
  Queue queue_;
  Program program_;
  Arguments any_;
};

}  // namespace test
