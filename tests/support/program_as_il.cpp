// SPDX-License-Identifier: Apache-2.0
#include "program_as_il.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "program_sources.h"

namespace test {
namespace {

// Compiles sources to modules, each source once.
class ModuleCompiler final : public testing::Environment {
 public:
  ~ModuleCompiler() override { std::filesystem::remove_all(folder_); }

  // Returns nothing if the command rejects the source.
  std::optional<std::string> module_of(const std::string& source, const std::string& options,
                                       cl_device_id device) {
    const std::lock_guard lock(mutex_);
    auto& module = modules_[{source, options}];
    if (module) return *module;
    module = make(source, options, device);
    ++(*module ? by_module_ : by_source_);
    return *module;
  }

  void TearDown() override {
    std::cout << by_module_ << " programs were handed over as SPIR-V, " << by_source_ << " as source"
              << std::endl;
    testing::Test::RecordProperty("programs_as_il", by_module_);
    EXPECT_GT(by_module_, 0) << "no program went the way of SPIR-V";
  }

 private:
  std::optional<std::string> make(const std::string& source, const std::string& options,
                                  cl_device_id device) {
    if (folder_.empty()) {
      std::string path = testing::TempDir() + "modules_XXXXXX";
      if (!mkdtemp(path.data())) return std::nullopt;
      folder_ = path;
    }
    const std::filesystem::path input = folder_ / "program.cl", output = folder_ / "program.spv",
                                arguments = folder_ / "arguments", log = folder_ / "log",
                                prelude = folder_ / "prelude.h";
    std::ofstream(prelude) << "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    std::ofstream(input) << source;
    std::ofstream(arguments) << arguments_of(options, device);
    std::filesystem::remove(output);
    const std::string command = std::string(std::getenv("CLCUDA_TEST_IL")) + " @" + arguments.native() +
                                " -include " + prelude.native() + " -c -x cl " + input.native() + " -o " +
                                output.native() + " >" + log.native() + " 2>&1";
    // NOLINTNEXTLINE(cert-env33-c): the command is the user's own
    if (std::system(command.c_str()) != 0) {
      if (std::getenv("CLCUDA_TEST_IL_LOG")) std::cout << contents(log);
      return std::nullopt;
    }
    return contents(output);
  }

  static std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // The contents of a response file for Clang, with words separated as in OpenCL build options. Extensions and features of the device are
  // passed as macros.
  static std::string arguments_of(const std::string& options, cl_device_id device) {
    std::size_t size = 0;
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size);
    std::string extensions(size, '\0');
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, extensions.data(), nullptr);
    extensions.resize(size ? size - 1 : 0);
    std::string text =
        "-D__OPENCL_VERSION__=310 -DCL_VERSION_3_1=310 -D__IMAGE_SUPPORT__=1 -fno-strict-aliasing "
        "-Xclang -cl-ext=+all -w";
    std::istringstream names(extensions), words(options);
    for (std::string name; names >> name;) text += " -D" + name + "=1";
    for (std::string word; words >> word;)
      if (word == "-cl-std=CL3.1")  // Clang knows 3.0
        text += " -cl-std=CL3.0 -U__OPENCL_C_VERSION__ -D__OPENCL_C_VERSION__=310";
      else if (!word.starts_with("-cl-nv-"))
        text += " " + word;
    return text;
  }

  std::mutex mutex_;
  std::filesystem::path folder_;
  std::map<std::pair<std::string, std::string>, std::optional<std::optional<std::string>>> modules_;
  int by_module_ = 0, by_source_ = 0;
};

// GoogleTest owns it.
ModuleCompiler* const kModuleCompiler =
    std::getenv("CLCUDA_TEST_IL")
        ? static_cast<ModuleCompiler*>(testing::AddGlobalTestEnvironment(new ModuleCompiler))
        : nullptr;

}  // namespace

cl_program create_program(cl_context context, cl_device_id device, const std::string& source,
                          const std::string& options, cl_int* error) {
  keep_source(source, options);
  if (kModuleCompiler)
    if (const auto module = kModuleCompiler->module_of(source, options, device))
      return clCreateProgramWithIL(context, module->data(), module->size(), error);
  const char* text = source.c_str();
  return clCreateProgramWithSource(context, 1, &text, nullptr, error);
}

}  // namespace test
