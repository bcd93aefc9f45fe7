// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/programs.h"

// SPIR-V modules, and programs that are created from them.
namespace test {

// The folder of the modules that CMake built for this test program (cmake/SpirVModules.cmake).
inline std::filesystem::path module_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").native() + "_modules";
}

// The contents of a module: "scale" was built from scale.spvasm or scale.cl.
inline std::string module(const std::string& name) {
  const std::filesystem::path file = module_folder() / (name + ".spv");
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::string with_swapped_words(std::string module) {
  for (std::size_t at = 0; at + 4 <= module.size(); at += 4)
    std::reverse(module.begin() + static_cast<std::ptrdiff_t>(at),
                 module.begin() + static_cast<std::ptrdiff_t>(at + 4));
  return module;
}

class ModulePrograms : public Programs {
 protected:
  Program create_with_il(const std::string& module) const {
    cl_int error = 1;
    Program program = clCreateProgramWithIL(context, module.data(), module.size(), &error);
    CL_EXPECT(CL_SUCCESS, error);
    return program;
  }
  cl_int create_error(const std::string& module) const {
    cl_int error = 1;
    const Program program = clCreateProgramWithIL(context, module.data(), module.size(), &error);
    EXPECT_EQ(error == CL_SUCCESS, program.get() != nullptr);
    return error;
  }
  cl_int build_error(cl_program program, const char* options = "") const {
    return clBuildProgram(program, 1, &device, options, nullptr, nullptr);
  }
  Program build_il(const std::string& module, const char* options = "") const {
    Program program = create_with_il(module);
    EXPECT_EQ("CL_SUCCESS", error_name(build_error(program, options))) << info(program, CL_PROGRAM_BUILD_LOG);
    return program;
  }
  Program compile_il(const std::string& module) const {
    Program program = create_with_il(module);
    EXPECT_EQ("CL_SUCCESS",
              error_name(clCompileProgram(program, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr)))
        << info(program, CL_PROGRAM_BUILD_LOG);
    return program;
  }
  Program linked(const std::vector<cl_program>& programs, const char* options = "") const {
    cl_int error = 1;
    Program program = clLinkProgram(context, 1, &device, options, static_cast<cl_uint>(programs.size()),
                                    programs.data(), nullptr, nullptr, &error);
    EXPECT_EQ("CL_SUCCESS", error_name(error)) << info(program, CL_PROGRAM_BUILD_LOG);
    return program;
  }
  Program create_with_binary(const std::vector<unsigned char>& bytes) const {
    const unsigned char* place = bytes.data();
    const std::size_t size = bytes.size();
    cl_int error = 1;
    Program program = clCreateProgramWithBinary(context, 1, &device, &size, &place, nullptr, &error);
    CL_EXPECT(CL_SUCCESS, error);
    return program;
  }
  template <class T>
  static cl_int specialize(cl_program program, cl_uint id, const T& value) {
    return clSetProgramSpecializationConstant(program, id, sizeof value, &value);
  }

  // Runs a kernel with one argument, a buffer that contains `values`, with a work-item for each, and returns the buffer's contents.
  template <class T>
  std::vector<T> run(cl_program program, const char* name, const std::vector<T>& values,
                     std::size_t offset = 0) const {
    const Kernel kernel = make_kernel(program, name);
    const Buffer buffer = make_buffer(values);
    set_arguments(kernel, buffer);
    const std::size_t items = values.size() - offset;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &items, nullptr, 0, nullptr, nullptr));
    return contents<T>(buffer, values.size());
  }
};

}  // namespace test
