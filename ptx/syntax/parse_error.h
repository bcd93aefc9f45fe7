// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace clcuda::ptx {

// A refusal of PTX text (or of what it asks for), with the line at fault.
class ParseError : public std::runtime_error {
 public:
  ParseError(unsigned line, const std::string& reason) : std::runtime_error(reason), line_(line) {}
  unsigned line() const noexcept { return line_; }

 private:
  unsigned line_;
};

}  // namespace clcuda::ptx
