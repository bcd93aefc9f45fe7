// SPDX-License-Identifier: Apache-2.0
#include "doctor_test.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "support/own_process.h"

namespace test {

namespace fs = std::filesystem;

Doctor::Doctor() : program(CLCUDA_DOCTOR), folder_(testing::TempDir() + "doctor_XXXXXX") {
  EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  EXPECT_EQ(chmod(folder_.c_str(), 0755), 0);
  machine_file("/proc/self/status", "Name:\tx\nSeccomp:\t0\n");
  fs::create_directories(path("root/dev/shm"));
  fs::create_directories(path("root/etc/OpenCL/vendors"));
  fs::create_directories(path("home"));
  environment["HOME"] = path("home");
}

Doctor::~Doctor() {
  std::error_code error;
  fs::remove_all(folder_, error);
}

std::string Doctor::file(const std::string& name, const std::string& text) const {
  const fs::path file = path(name);
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

std::string Doctor::copy_fake(const std::string& library, const std::string& name) const {
  fs::create_directories(path("lib"));
  fs::copy_file(std::string(CLCUDA_FAKE_DRIVER "/") + library, path("lib/" + name),
                fs::copy_options::overwrite_existing);
  return path("lib/" + name);
}

void Doctor::have_driver(const std::string& module) {
  machine_file("/proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  " + module +
                                                  "  Thu Jan  1 00:00:00 UTC 2026\n");
  for (const char* node : {"nvidiactl", "nvidia-uvm", "nvidia0"}) machine_file(std::string("/dev/") + node);
  copy_fake("libcuda.so.1", "libcuda.so.1");
  copy_fake("libnvidia-ml.so.1", "libnvidia-ml.so.1");
  environment["LD_LIBRARY_PATH"] = path("lib");
}

int Doctor::run(const std::string& topics) {
  std::vector<std::string> words = {program, "--root", path("root"), "--only", topics};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  const std::vector<char*> argument_pointers = pointers(words), variable_pointers = pointers(variables);
  const std::string output = file("output");
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen(output.c_str(), "w", stdout)) _exit(126);
    if (before) before();
    execve(program.c_str(), argument_pointers.data(), variable_pointers.data());
    _exit(127);
  }
  const int code = exit_code_of(child, std::chrono::seconds(60));
  std::ifstream stream(output);
  output_.assign(std::istreambuf_iterator<char>(stream), {});
  lines_.clear();
  std::istringstream text(output_);
  static const std::regex form("(ok|note|problem) +([a-z-]+): (.*)");
  for (std::string line; std::getline(text, line);) {
    std::smatch match;
    if (std::regex_match(line, match, form))
      lines_.push_back({match[1], match[2], match[3], ""});
    else if (!lines_.empty())
      lines_.back().remedy = line.substr(std::min(line.find("→ "), line.size() - 4) + 4);
  }
  return code;
}

const Line* Doctor::find(const std::string& id) const {
  const auto line = std::ranges::find(lines_, id, &Line::id);
  return line == lines_.end() ? nullptr : &*line;
}
std::string Doctor::text(const std::string& id) const { return find(id) ? find(id)->text : ""; }
std::string Doctor::remedy(const std::string& id) const { return find(id) ? find(id)->remedy : ""; }
std::string Doctor::severity(const std::string& id) const { return find(id) ? find(id)->severity : ""; }

void Doctor::expect(const std::string& topics, const std::string& severity, const std::string& id,
                    const std::string& text) {
  const int code = run(topics);
  EXPECT_EQ(this->severity(id), severity) << all();
  EXPECT_EQ(this->text(id), text) << all();
  EXPECT_NE(remedy(id), "") << all();
  EXPECT_EQ(code, severity == "problem" ? 1 : 0) << all();
}

}  // namespace test
