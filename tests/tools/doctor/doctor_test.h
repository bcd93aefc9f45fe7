// SPDX-License-Identifier: Apache-2.0
#pragma once

// Set-ups that are broken on purpose, and what clcuda-doctor says of each.
//
//   machine.file("/proc/self/status", …);  environment["HOME"] = "";
//   EXPECT_EQ(problem("cache-no-home"), "no folder is known …");
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace test {

struct Line {
  std::string severity, id, text, remedy;
};

class Doctor : public testing::Test {
 protected:
  Doctor();
  ~Doctor() override;

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  // Makes a file, with the folders above it; its path.
  std::string file(const std::string& name, const std::string& text = "") const;
  // Of the machine that --root names, which begins as one with /proc, /dev/shm and nothing of NVIDIA's.
  void machine_file(const std::string& name, const std::string& text = "") const {
    file("root" + name, text);
  }
  // Gives it a driver of ours, or the one library named (its files are empty and do not load).
  void have_driver(const std::string& module = "570.1");
  // Copies a library of the fake driver's folder.
  std::string copy_fake(const std::string& library, const std::string& name) const;

  // Runs the doctor on some topics; its exit code.
  int run(const std::string& topics);
  std::string text(const std::string& id) const;  // of a line of the last run; empty if there is none
  std::string remedy(const std::string& id) const;
  std::string severity(const std::string& id) const;
  std::string all() const { return output_; }
  // Runs the doctor, and expects one line of that id: the severity, the text, the exit code that goes with it.
  void expect(const std::string& topics, const std::string& severity, const std::string& id,
              const std::string& text);

  std::map<std::string, std::string> environment;  // what the doctor gets besides PATH
  std::function<void()> before;                    // in the doctor's process, before it starts
  std::string program;
  std::vector<std::string> options;

 private:
  const Line* find(const std::string& id) const;
  std::string folder_;
  std::vector<Line> lines_;
  std::string output_;
};

}  // namespace test
