// SPDX-License-Identifier: Apache-2.0
#include "cuda/ptx_compiler.h"

#include <CL/cl.h>
#include <nvPTXCompiler.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace clcuda::cuda {
namespace {

// One run of the compiler: the handle and what can be had of it.
class PtxCompiler {
 public:
  explicit PtxCompiler(const std::string& ptx) {
    const nvPTXCompileResult result = nvPTXCompilerCreate(&handle_, ptx.size(), ptx.c_str());
    if (result != NVPTXCOMPILE_SUCCESS) fail("nvPTXCompilerCreate", result);
  }
  ~PtxCompiler() { nvPTXCompilerDestroy(&handle_); }
  PtxCompiler(const PtxCompiler&) = delete;
  PtxCompiler& operator=(const PtxCompiler&) = delete;

  MachineCode compile(const std::vector<std::string>& options) {
    std::vector<const char*> words;
    words.reserve(options.size());
    for (const std::string& option : options) words.push_back(option.c_str());
    const nvPTXCompileResult result =
        nvPTXCompilerCompile(handle_, static_cast<int>(words.size()), words.data());
    if (result != NVPTXCOMPILE_SUCCESS) fail("nvPTXCompilerCompile", result);
    return {read(nvPTXCompilerGetCompiledProgramSize, nvPTXCompilerGetCompiledProgram),
            read(nvPTXCompilerGetInfoLogSize, nvPTXCompilerGetInfoLog)};
  }

 private:
  template <class Byte>
  std::string read(nvPTXCompileResult (*size_of)(nvPTXCompilerHandle, std::size_t*),
                   nvPTXCompileResult (*copy)(nvPTXCompilerHandle, Byte*)) const {
    std::size_t size = 0;
    if (size_of(handle_, &size) != NVPTXCOMPILE_SUCCESS) return {};
    std::string bytes(size, '\0');
    return size && copy(handle_, bytes.data()) == NVPTXCOMPILE_SUCCESS ? bytes : std::string();
  }
  [[noreturn]] void fail(const char* function, nvPTXCompileResult result) const {
    const std::string log = read(nvPTXCompilerGetErrorLogSize, nvPTXCompilerGetErrorLog);
    throw Error(result == NVPTXCOMPILE_ERROR_OUT_OF_MEMORY ? CL_OUT_OF_HOST_MEMORY : CL_BUILD_PROGRAM_FAILURE,
                std::string(function) + ": error " + std::to_string(result) + "\n" + log);
  }

  nvPTXCompilerHandle handle_ = nullptr;
};

}  // namespace

int ptx_compiler_version() {
  unsigned major = 0, minor = 0;
  nvPTXCompilerGetVersion(&major, &minor);
  return static_cast<int>(major * 1000 + minor * 10);
}

MachineCode compile_machine_code(int sm, std::string_view ptx, const LinkOptions& options) {
  std::vector<std::string> words = {"--gpu-name=sm_" + std::to_string(sm) + (options.whole_chip ? "a" : ""),
                                    "--opt-level=" + std::to_string(std::min(options.optimization_level, 3))};
  if (options.max_registers) words.push_back("--maxrregcount=" + std::to_string(options.max_registers));
  if (options.verbose) words.emplace_back("--verbose");
  if (options.line_info) words.emplace_back("--generate-line-info");
  return PtxCompiler(std::string(ptx)).compile(words);
}

}  // namespace clcuda::cuda
