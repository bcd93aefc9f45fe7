// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "api/random_calls/call.h"

namespace test {

// Makes random calls of any function with random arguments, on objects of all types in a context.
//
//   test::Caller caller(context, device);
//   EXPECT_EQ("", caller.call());
class Caller {
 public:
  Caller(cl_context context, cl_device_id device);

  // Makes one call. Returns a description if its result is not among the error codes that the specification lists for the function,
  // otherwise an empty string.
  std::string call();

 private:
  // Creates an object of each type, without which most calls would fail.
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
