// SPDX-License-Identifier: Apache-2.0
#pragma once

// Broken set-ups, and what clcuda-doctor reports for each.
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
  // Creates a file with its parent folders; returns its path.
  std::string file(const std::string& name, const std::string& text = "") const;
  // A file of the machine that --root names, which initially has /proc and /dev/shm and nothing of NVIDIA's.
  void machine_file(const std::string& name, const std::string& text = "") const {
    file("root" + name, text);
  }
  // Adds an NVIDIA driver, with the fake library or the named one (its files are empty and cannot be loaded).
  void have_driver(const std::string& module = "570.1");
  // Copies a library from the fake driver's folder.
  std::string copy_fake(const std::string& library, const std::string& name) const;

  // Runs the doctor on some topics; returns its exit code.
  int run(const std::string& topics);
  std::string text(const std::string& id) const;  // of a line of the last run; empty if there is no such line
  std::string remedy(const std::string& id) const;
  std::string severity(const std::string& id) const;
  std::string all() const { return output_; }
  // Runs the doctor, and expects one line with that id, with this severity and text, and the exit code that belongs to it.
  void expect(const std::string& topics, const std::string& severity, const std::string& id,
              const std::string& text);

  std::map<std::string, std::string> environment;  // of the doctor, besides PATH
  std::function<void()> before;                    // called in the doctor's process before it starts
  std::string program;
  std::vector<std::string> options;

 private:
  const Line* find(const std::string& id) const;
  std::string folder_;
  std::vector<Line> lines_;
  std::string output_;
};

}  // namespace test
