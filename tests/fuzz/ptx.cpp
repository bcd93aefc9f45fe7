// SPDX-License-Identifier: Apache-2.0
// PTX that is linked and loaded by the executor's driver, and queries of its kernels. Nothing is launched, because code may do anything.
#include "fuzz.h"
#include "ptx/driver/driver.h"

namespace fuzz {
namespace {

using clcuda::cuda::DriverTable;

const DriverTable& driver() {
  static const DriverTable& table = []() -> const DriverTable& {
    const DriverTable& made = clcuda::ptx::driver_table(1);
    CUcontext context = nullptr;
    made.cuInit(0);
    made.cuDevicePrimaryCtxRetain(&context, 0);
    made.cuCtxSetCurrent(context);
    return made;
  }();
  return table;
}

// The words that follow a directive.
std::vector<std::string> names_behind(std::string_view text, std::string_view directive) {
  std::vector<std::string> names;
  for (std::size_t at = text.find(directive); at != text.npos; at = text.find(directive, at + 1)) {
    const std::size_t begin = std::min(at + directive.size(), text.size());
    names.emplace_back(text.substr(begin, text.find_first_of(" (\n", begin) - begin));
  }
  return names;
}

void load(const void* image, std::string_view text) {
  const DriverTable& cu = driver();
  CUmodule module = nullptr;
  if (cu.cuModuleLoadData(&module, image) != CUDA_SUCCESS) return;
  for (const std::string& name : names_behind(text, ".entry ")) {
    CUfunction kernel = nullptr;
    if (cu.cuModuleGetFunction(&kernel, module, name.c_str()) != CUDA_SUCCESS) continue;
    int bytes = 0;
    cu.cuFuncGetAttribute(&bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, kernel);
    int blocks = 0;
    cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 0);
  }
  cu.cuModuleUnload(module);
}

}  // namespace

void run(std::string_view input) {
  const DriverTable& cu = driver();
  std::string text(input);
  char log[1024];
  CUjit_option options[] = {CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  // Below the highest optimization level, quick code is generated, from the same syntax tree.
  void* values[] = {reinterpret_cast<void*>(std::uintptr_t{0}), log,
                    reinterpret_cast<void*>(std::uintptr_t{sizeof log})};
  CUlinkState link = nullptr;
  if (cu.cuLinkCreate(3, options, values, &link) != CUDA_SUCCESS) return;
  void* image = nullptr;
  std::size_t size = 0;
  if (cu.cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size(), "input", 0, nullptr, nullptr) ==
          CUDA_SUCCESS &&
      cu.cuLinkComplete(link, &image, &size) == CUDA_SUCCESS)
    load(image, text);
  cu.cuLinkDestroy(link);
}

std::vector<std::string> made_seeds() { return {}; }

const Form kForm = Form::text;

}  // namespace fuzz
