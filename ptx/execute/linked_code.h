// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace clcuda::ptx {

// An object file linked into this process's memory. What it calls comes from runtime_functions() and from
// nowhere else.
class LinkedCode {
 public:
  // Throws std::runtime_error with the reason if the object cannot be linked.
  explicit LinkedCode(const std::string& object);
  ~LinkedCode();
  LinkedCode(const LinkedCode&) = delete;
  LinkedCode& operator=(const LinkedCode&) = delete;

  std::vector<void*> addresses(const std::vector<std::string>& symbols) const;

 private:
  struct Session;
  std::unique_ptr<Session> session_;
};

}  // namespace clcuda::ptx
