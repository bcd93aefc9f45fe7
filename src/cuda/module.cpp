// SPDX-License-Identifier: Apache-2.0
#include "cuda/module.h"

#include <CL/cl.h>

#include <array>
#include <vector>

#include "cuda/error.h"

namespace clcuda::cuda {
namespace {

// Errors that are due to the process or the device, not to the program.
bool is_of_process(CUresult error) {
  switch (error) {
    case CUDA_ERROR_OUT_OF_MEMORY:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
    case CUDA_ERROR_JIT_COMPILATION_DISABLED:
    case CUDA_ERROR_OPERATING_SYSTEM:
      return true;
    default:
      return is_fatal(error);
  }
}

// One cuLink session: options, log buffers and the link state that dies with it.
class Linker {
 public:
  Linker(const DeviceContext& context, const LinkOptions& options) : driver_(context.driver()) {
    int major = 0, minor = 0;
    driver_.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, context.device());
    driver_.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, context.device());
    add(CU_JIT_TARGET, major * 10 + minor + (options.whole_chip ? CU_COMPUTE_ACCELERATED_TARGET_BASE : 0));
    add(CU_JIT_ERROR_LOG_BUFFER, log_.data());
    add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, log_.size());
    add(CU_JIT_INFO_LOG_BUFFER, info_.data());
    add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, info_.size());
    add(CU_JIT_OPTIMIZATION_LEVEL, options.optimization_level);
    if (options.max_registers) add(CU_JIT_MAX_REGISTERS, options.max_registers);
    if (options.verbose) add(CU_JIT_LOG_VERBOSE, 1);
    if (options.line_info) add(CU_JIT_GENERATE_LINE_INFO, 1);
    check(driver_,
          driver_.cuLinkCreate(static_cast<unsigned>(names_.size()), names_.data(), values_.data(), &state_),
          "cuLinkCreate");
  }
  ~Linker() {
    if (state_) driver_.cuLinkDestroy(state_);
  }
  Linker(const Linker&) = delete;
  Linker& operator=(const Linker&) = delete;

  MachineCode link(std::string_view ptx, std::string_view library) {
    // The driver reads PTX as a C string, its terminator counted.
    std::string text(ptx);
    verify(driver_.cuLinkAddData(state_, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "program.ptx", 0,
                                 nullptr, nullptr),
           "cuLinkAddData");
    if (!library.empty())
      verify(driver_.cuLinkAddData(state_, CU_JIT_INPUT_LIBRARY, const_cast<char*>(library.data()),
                                   library.size(), "library.a", 0, nullptr, nullptr),
             "cuLinkAddData");
    void* code = nullptr;
    size_t size = 0;
    verify(driver_.cuLinkComplete(state_, &code, &size), "cuLinkComplete");
    // The code belongs to the link state, so it is copied.
    return {{static_cast<const char*>(code), size}, info_.data()};
  }

 private:
  template <class T>
  void add(CUjit_option name, T value) {
    names_.push_back(name);
    if constexpr (std::is_pointer_v<T>)
      values_.push_back(value);
    else
      values_.push_back(reinterpret_cast<void*>(static_cast<std::uintptr_t>(value)));
  }
  void verify(CUresult error, const char* function) {
    if (error == CUDA_SUCCESS) return;
    const std::string reason =
        describe(driver_, error, function) + (log_[0] ? std::string("\n") + log_.data() : std::string());
    if (is_of_process(error)) throw DriverError(error, reason);
    throw Error(CL_BUILD_PROGRAM_FAILURE, reason);
  }

  const DriverTable& driver_;
  std::array<char, 16384> log_{}, info_{};
  std::vector<CUjit_option> names_;
  std::vector<void*> values_;
  CUlinkState state_ = nullptr;
};

}  // namespace

MachineCode link_machine_code(const DeviceContext& context, std::string_view ptx,
                              const LinkOptions& options) {
  Current current(context);
  return Linker(context, options).link(ptx, options.library);
}

int Function::attribute(CUfunction_attribute attribute) const {
  int value = 0;
  const DriverTable& driver = context_->driver();
  check(driver, driver.cuFuncGetAttribute(&value, attribute, function_), "cuFuncGetAttribute");
  return value;
}

void Function::set_attribute(CUfunction_attribute attribute, int value) const {
  const DriverTable& driver = context_->driver();
  check(driver, driver.cuFuncSetAttribute(function_, attribute, value), "cuFuncSetAttribute");
}

Module::Module(const DeviceContext& context, std::string_view machine_code) : context_(context) {
  Current current(context_);
  check(context_.driver(), context_.driver().cuModuleLoadData(&module_, machine_code.data()),
        "cuModuleLoadData");
}

Module::~Module() {
  try {
    Current current(context_);
    context_.module_users().forget(module_);
    context_.driver().cuModuleUnload(module_);
  } catch (const DriverError&) {
    // The device is lost or the driver is shutting down: there is nothing to unload from.
  }
}

Function Module::function(const std::string& name) const {
  CUfunction function = nullptr;
  check(context_.driver(), context_.driver().cuModuleGetFunction(&function, module_, name.c_str()),
        "cuModuleGetFunction");
  return {context_, module_, function};
}

}  // namespace clcuda::cuda
