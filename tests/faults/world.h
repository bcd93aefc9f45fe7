// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/opencl.h"

namespace faults {

// What a call answered that failed as it may: the scenario ends there, as an application does that looks at its errors, and all that
// it holds is released, with work in flight or without.
struct Refused {};

// What became of one run of a scenario.
struct Verdict {
  bool told = false;      // a call failed, or an event, or the context's callback was called
  std::string complaint;  // what no application may see; empty if there is nothing
};

// What a scenario works with: devices, a context, and calls whose error codes are looked at.
//
//   const test::Buffer buffer = world.make("clCreateBuffer", clCreateBuffer, world.context(), 0, size, nullptr);
//   world.call("clFinish", clFinish(queue));
class World {
 public:
  explicit World(Verdict& verdict) : verdict_(verdict), told_(*new Told) {}
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Finds the devices and makes the context.
  void open();

  const std::vector<cl_device_id>& devices() const { return devices_; }
  cl_device_id device() const { return devices_.front(); }
  cl_context context() const { return context_; }
  test::Queue queue(cl_queue_properties properties = 0, std::size_t device = 0);
  test::Program program(const std::string& source, const char* options = "-cl-std=CL3.0");
  test::Kernel kernel(cl_program program, const char* name);
  template <class T>
  void argument(cl_kernel kernel, cl_uint index, const T& value) {
    call("clSetKernelArg", clSetKernelArg(kernel, index, sizeof value, &value));
  }
  test::Buffer buffer(std::size_t size, cl_mem_flags flags = 0, const void* host = nullptr);

  // The function's answer: CL_SUCCESS, or the scenario ends.
  void call(const char* function, cl_int code);
  // A function whose last parameter is where its error goes.
  template <class Function, class... Arguments>
  auto make(const char* name, Function function, Arguments... arguments) {
    cl_int code = 1;
    const auto made = function(arguments..., &code);
    if (code == CL_SUCCESS && !made) complain(std::string(name) + " succeeds without a handle");
    if (code != CL_SUCCESS && made) complain(std::string(name) + " fails with a handle");
    call(name, code);
    return made;
  }
  // Returns when all are over; the scenario ends if one failed.
  void wait(const std::vector<cl_event>& events);
  // What the scenario computed. It is wrong only where nobody was told of an error.
  template <class T>
  void expect(const char* what, const T& wanted, const T& found) {
    if (!(wanted == found)) wrong_ = what;
  }
  // What has to hold whoever was told of whatever; `otherwise` says what is wrong.
  void insist(const char* otherwise, bool holds) {
    if (!holds) complain(otherwise);
  }
  // What has to hold when all is released and the context has gone, where nobody was told of an error.
  void expect_at_end(const char* what, std::function<bool()> holds) {
    last_.push_back({what, std::move(holds)});
  }

 private:
  struct Told {
    std::atomic<bool> of_error = false, of_end = false;
  };

  void complain(const std::string& text);
  bool context_ends();

  Verdict& verdict_;
  Told& told_;  // outlives the context
  std::string wrong_;
  std::vector<std::pair<const char*, std::function<bool()>>> last_;
  std::vector<cl_device_id> devices_;
  cl_context context_ = nullptr;
  bool watched_ = false;  // the context's end is told
};

// Runs a scenario in a world of its own.
template <class Body>
Verdict run(Body body) {
  Verdict verdict;
  try {
    World world(verdict);
    world.open();
    body(world);
  } catch (const Refused&) {
    verdict.told = true;
  }
  return verdict;
}

}  // namespace faults
