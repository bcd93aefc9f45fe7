// SPDX-License-Identifier: Apache-2.0
#include "cuda/ptx_compiler.h"

#include <CL/cl.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "cuda/ptx_compiler_functions.h"

namespace clcuda::cuda {
namespace {

using Functions = PtxCompilerFunctions;

// One run of the compiler: owns the handle, from which code and logs are read.
class PtxCompiler {
 public:
  PtxCompiler(const Functions& functions, const std::string& ptx) : functions_(functions) {
    const Functions::Result result = functions_.create(&handle_, ptx.size(), ptx.c_str());
    if (result != Functions::kSuccess) fail("nvPTXCompilerCreate", result);
  }
  ~PtxCompiler() { functions_.destroy(&handle_); }
  PtxCompiler(const PtxCompiler&) = delete;
  PtxCompiler& operator=(const PtxCompiler&) = delete;

  MachineCode compile(const std::vector<std::string>& options) {
    std::vector<const char*> words;
    words.reserve(options.size());
    for (const std::string& option : options) words.push_back(option.c_str());
    const Functions::Result result =
        functions_.compile(handle_, static_cast<int>(words.size()), words.data());
    if (result != Functions::kSuccess) fail("nvPTXCompilerCompile", result);
    return {read(functions_.code_size, functions_.code), read(functions_.info_log_size, functions_.info_log)};
  }

 private:
  template <class Byte>
  std::string read(Functions::Result (*size_of)(Functions::Handle, std::size_t*),
                   Functions::Result (*copy)(Functions::Handle, Byte*)) const {
    std::size_t size = 0;
    if (size_of(handle_, &size) != Functions::kSuccess) return {};
    std::string bytes(size, '\0');
    return size && copy(handle_, bytes.data()) == Functions::kSuccess ? bytes : std::string();
  }
  [[noreturn]] void fail(const char* function, Functions::Result result) const {
    const std::string log = read(functions_.error_log_size, functions_.error_log);
    throw Error(result == Functions::kOutOfMemory ? CL_OUT_OF_HOST_MEMORY : CL_BUILD_PROGRAM_FAILURE,
                std::string(function) + ": error " + std::to_string(result) + "\n" + log);
  }

  const Functions& functions_;
  Functions::Handle handle_ = nullptr;
};

}  // namespace

int ptx_compiler_version() {
  const Functions* functions = ptx_compiler_functions();
  unsigned major = 0, minor = 0;
  if (functions) functions->version(&major, &minor);
  return static_cast<int>(major * 1000 + minor * 10);
}

MachineCode compile_machine_code(int sm, std::string_view ptx, const LinkOptions& options) {
  const Functions* functions = ptx_compiler_functions();
  if (!functions) throw Error(CL_BUILD_PROGRAM_FAILURE, "there is no PTX compiler library");
  std::vector<std::string> words = {"--gpu-name=sm_" + std::to_string(sm) + (options.whole_chip ? "a" : ""),
                                    "--opt-level=" + std::to_string(std::min(options.optimization_level, 3))};
  if (options.max_registers) words.push_back("--maxrregcount=" + std::to_string(options.max_registers));
  if (options.verbose) words.emplace_back("--verbose");
  if (options.line_info) words.emplace_back("--generate-line-info");
  return PtxCompiler(*functions, std::string(ptx)).compile(words);
}

}  // namespace clcuda::cuda
