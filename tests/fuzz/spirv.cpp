// SPDX-License-Identifier: Apache-2.0
// SPIR-V modules, with values for their specialization constants.
#include "support/spirv.h"

#include <filesystem>

#include "fuzz.h"
#include "programs.h"

namespace fuzz {
namespace {

// Sets the constants with the lowest numbers to values from the input's bytes.
void specialize(cl_program program, std::string_view input) {
  for (cl_uint id = 0; id < 16; ++id)
    for (const std::size_t size : {1, 2, 4, 8})
      if (input.size() >= size && clSetProgramSpecializationConstant(
                                      program, id, size, input.data() + input.size() - size) == CL_SUCCESS)
        break;
}

}  // namespace

void run(std::string_view input) {
  const cl_device_id one = device();
  const auto load = [&]() -> test::Program {
    return clCreateProgramWithIL(context(), input.data(), input.size(), nullptr);
  };
  use(load(), "");
  const test::Program object = load();
  if (!object) return;
  specialize(object, input);
  if (clCompileProgram(object, 1, &one, "", 0, nullptr, nullptr, nullptr, nullptr) != CL_SUCCESS) return;
  const test::Program linked =
      clLinkProgram(context(), 1, &one, "", 1, object.list(), nullptr, nullptr, nullptr);
}

std::vector<std::string> made_seeds() {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(test::module_folder()))
    if (entry.path().extension() == ".spv") seeds.push_back(test::module(entry.path().stem().string()));
  return seeds;
}

const Form kForm = Form::module;

}  // namespace fuzz
