// SPDX-License-Identifier: Apache-2.0
#include "programs.h"

namespace test {

Program Programs::create(const std::string& source) const {
  const char* text = source.c_str();
  cl_int error = CL_SUCCESS;
  Program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  return program;
}

Program Programs::compiled(const std::string& source, const char* options) const {
  Program program = create(source);
  CL_EXPECT(CL_SUCCESS,
            clCompileProgram(program, 1, &device, options, 0, nullptr, nullptr, nullptr, nullptr));
  return program;
}

cl_build_status Programs::status(cl_program program) const {
  cl_build_status found = 1;
  CL_EXPECT(CL_SUCCESS,
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof found, &found, nullptr));
  return found;
}

cl_program_binary_type Programs::binary_type(cl_program program) const {
  cl_program_binary_type found = 99;
  CL_EXPECT(CL_SUCCESS,
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof found, &found, nullptr));
  return found;
}

std::string Programs::info(cl_program program, cl_program_build_info name) const {
  std::size_t size = 0;
  CL_EXPECT(CL_SUCCESS, clGetProgramBuildInfo(program, device, name, 0, nullptr, &size));
  std::string text(size, '\0');
  CL_EXPECT(CL_SUCCESS, clGetProgramBuildInfo(program, device, name, size, text.data(), nullptr));
  text.resize(size ? size - 1 : 0);
  return text;
}

std::string Programs::program_text(cl_program program, cl_program_info name) {
  std::size_t size = 0;
  CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, name, 0, nullptr, &size));
  std::string text(size, '\0');
  CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, name, size, text.data(), nullptr));
  text.resize(size ? size - 1 : 0);
  return text;
}

std::vector<unsigned char> Programs::binary(cl_program program) {
  cl_uint count = 0;
  CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr));
  std::vector<std::size_t> sizes(count);
  CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof(std::size_t),
                                         sizes.data(), nullptr));
  if (sizes.empty()) return {};
  std::vector<unsigned char> bytes(sizes[0]);
  std::vector<unsigned char*> places(count, nullptr);
  places[0] = bytes.data();
  CL_EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof(unsigned char*),
                                         places.data(), nullptr));
  return bytes;
}

}  // namespace test
