// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/opencl.h"

namespace faults {

// Thrown when a call fails with an error that it may return. The scenario ends there, like an application that checks errors, and
// everything that it holds is released, whether commands are in flight or not.
struct Refused {};

// The result of one run of a scenario.
struct Verdict {
  bool told = false;      // a call or an event failed, or the context's callback was called
  std::string complaint;  // a violation of the specification; empty if there is none
};

// The environment of a scenario: devices, a context, and calls whose error codes are checked.
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

  // Checks a function's result; the scenario ends if it is not CL_SUCCESS.
  void call(const char* function, cl_int code);
  // Calls a function whose last parameter is a pointer to its error code.
  template <class Function, class... Arguments>
  auto make(const char* name, Function function, Arguments... arguments) {
    cl_int code = 1;
    const auto made = function(arguments..., &code);
    if (code == CL_SUCCESS && !made) complain(std::string(name) + " succeeds without a handle");
    if (code != CL_SUCCESS && made) complain(std::string(name) + " fails with a handle");
    call(name, code);
    return made;
  }
  // Waits for all events; the scenario ends if one failed.
  void wait(const std::vector<cl_event>& events);
  // Compares a result. A difference is an error only if no error has been reported to the application.
  template <class T>
  void expect(const char* what, const T& wanted, const T& found) {
    if (!(wanted == found)) wrong_ = what;
  }
  // A condition that must hold whether or not an error was reported; `otherwise` describes the failure.
  void insist(const char* otherwise, bool holds) {
    if (!holds) complain(otherwise);
  }
  // A condition that must hold after everything has been released and the context destroyed, if no error was reported.
  void expect_at_end(const char* what, std::function<bool()> holds) {
    last_.push_back({what, std::move(holds)});
  }
  // Keeps memory that commands may use until the context has been destroyed, wherever the scenario ends.
  template <class T>
  T& keep(T memory) {
    const auto kept = std::make_shared<T>(std::move(memory));
    kept_.push_back(kept);
    return *kept;
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
  std::vector<std::shared_ptr<void>> kept_;
  std::vector<cl_device_id> devices_;
  cl_context context_ = nullptr;
  bool watched_ = false;  // a destructor callback of the context is registered
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
