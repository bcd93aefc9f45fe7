// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace clcuda::doctor {

// The files of the system that tell how it is set up, which may be below another root (--root): a container's
// file system, or one that a test makes. Libraries, the cache and what variables name are this process's.
class Machine {
 public:
  explicit Machine(std::filesystem::path root) : root_(std::move(root)) {}
  std::filesystem::path at(const std::string& path) const { return root_ / path.substr(1); }
  bool exists(const std::string& path) const;
  // What a file holds, up to 64 KiB; nothing if it cannot be read. Never waits for a pipe.
  std::optional<std::string> read(const std::string& path) const;
  std::vector<std::string> names_in(const std::string& path) const;  // sorted

  bool is_container() const;
  // "580.159.04", of the NVIDIA kernel module that is loaded; empty if there is none.
  std::string kernel_module() const;
  // NVIDIA's, or of the Windows subsystem for Linux.
  bool has_driver_nodes() const;

 private:
  std::filesystem::path root_;
};

std::optional<std::string> read_file(const std::filesystem::path& path);
// The path, or the nearest folder above it that is there; with a slash at the end, so that a file is no folder.
std::filesystem::path nearest_folder(const std::filesystem::path& path);
// A variable that is set and not empty; else "".
std::string variable(const char* name);

}  // namespace clcuda::doctor
