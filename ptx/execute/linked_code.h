// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace clcuda::ptx {

// A relocatable object linked into this process's memory, until it is destroyed. Its undefined symbols are found in runtime_functions()
// and nowhere else.
//
//   const LinkedCode code(description.object);
//   auto entry = reinterpret_cast<RegionEntry>(code.addresses({"kernel.0"})[0]);
class LinkedCode {
 public:
  // The constructor and addresses() throw std::runtime_error, with the reason, if the object cannot be linked, std::bad_alloc,
  // and addresses() std::system_error if the system refuses memory for machine code.
  explicit LinkedCode(const std::string& object);
  ~LinkedCode();
  LinkedCode(const LinkedCode&) = delete;
  LinkedCode& operator=(const LinkedCode&) = delete;

  std::vector<void*> addresses(const std::vector<std::string>& symbols) const;

 private:
  struct Session;

  template <class Body>
  auto contained(Body body) const -> decltype(body());
  void load(const std::string& object);
  std::vector<void*> find(const std::vector<std::string>& symbols) const;
  void end() noexcept;

  mutable std::unique_ptr<Session> session_;  // empty once memory has run out
};

}  // namespace clcuda::ptx
