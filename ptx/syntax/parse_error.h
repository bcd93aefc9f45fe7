// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace clcuda::ptx {

// PTX that is malformed or not supported, with the number of the line, from 1; 0: no line in particular.
class ParseError : public std::runtime_error {
 public:
  ParseError(unsigned line, const std::string& reason) : std::runtime_error(reason), line_(line) {}
  unsigned line() const noexcept { return line_; }

 private:
  unsigned line_;
};

}  // namespace clcuda::ptx
