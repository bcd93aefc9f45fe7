// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <vector>

#include "opencl.h"

namespace test {

// Checks the handle that the destructor callback of an object gets: it is invalid, and no new object gets the same handle before the
// callback returns.
//
//   HandleInCallback<cl_program, Program> seen{use, make};
//   clSetProgramReleaseCallback(program, seen.look, &seen);
//   program.reset();
//   seen.expect_nobodys(CL_INVALID_PROGRAM);
template <class Handle, class Owner>
struct HandleInCallback {
  static constexpr int kOthers = 10'000;           // more than the library keeps for reuse
  std::function<std::vector<cl_int>(Handle)> use;  // passes the handle to four functions, returns codes
  std::function<Owner()> make;                     // creates another object of this type
  std::promise<void> done = {};
  std::vector<cl_int> codes = {};
  int others = 0;

  static void CL_CALLBACK look(Handle handle, void* user) {
    auto& self = *static_cast<HandleInCallback*>(user);
    self.codes = self.use(handle);
    while (self.others < kOthers && self.make() != handle) ++self.others;
    self.done.set_value();
  }
  void expect_nobodys(cl_int code) {
    ASSERT_EQ(std::future_status::ready, done.get_future().wait_for(std::chrono::seconds(100)));
    EXPECT_EQ(std::vector<cl_int>(4, code), codes);
    EXPECT_EQ(kOthers, others);
  }
};

}  // namespace test
