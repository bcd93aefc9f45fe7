// SPDX-License-Identifier: Apache-2.0
// The PTX compiler library, linked into clcuda.
#include <nvPTXCompiler.h>

#include "cuda/ptx_compiler_functions.h"

namespace clcuda::cuda {
namespace {

using Handle = PtxCompilerFunctions::Handle;

static_assert(NVPTXCOMPILE_SUCCESS == PtxCompilerFunctions::kSuccess);
static_assert(NVPTXCOMPILE_ERROR_OUT_OF_MEMORY == PtxCompilerFunctions::kOutOfMemory);

nvPTXCompilerHandle native(Handle compiler) { return static_cast<nvPTXCompilerHandle>(compiler); }

PtxCompilerFunctions::Result create(Handle* compiler, std::size_t length, const char* ptx) {
  nvPTXCompilerHandle made = nullptr;
  const nvPTXCompileResult result = nvPTXCompilerCreate(&made, length, ptx);
  *compiler = made;
  return result;
}

PtxCompilerFunctions::Result destroy(Handle* compiler) {
  nvPTXCompilerHandle handle = native(*compiler);
  return nvPTXCompilerDestroy(&handle);
}

template <auto function, class Out>
PtxCompilerFunctions::Result call(Handle compiler, Out* out) {
  return function(native(compiler), out);
}

constexpr PtxCompilerFunctions kLinked{
    .version = [](unsigned* major, unsigned* minor) -> int { return nvPTXCompilerGetVersion(major, minor); },
    .create = create,
    .destroy = destroy,
    .compile = [](Handle compiler, int count, const char* const* options) -> int {
      return nvPTXCompilerCompile(native(compiler), count, options);
    },
    .code_size = call<nvPTXCompilerGetCompiledProgramSize>,
    .code = call<nvPTXCompilerGetCompiledProgram>,
    .info_log_size = call<nvPTXCompilerGetInfoLogSize>,
    .info_log = call<nvPTXCompilerGetInfoLog>,
    .error_log_size = call<nvPTXCompilerGetErrorLogSize>,
    .error_log = call<nvPTXCompilerGetErrorLog>,
};

}  // namespace

const PtxCompilerFunctions* ptx_compiler_functions() { return &kLinked; }

}  // namespace clcuda::cuda
