// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace clcuda::trace {

// A file to which only this process writes. %p in its name is replaced by the process number. If another process is writing the file (and
// has locked it), the process number is inserted into the name: trace.json, trace.1234.json.
class TraceFile {
 public:
  // Both throw std::system_error.
  explicit TraceFile(const std::string& name);
  void write(std::string_view text);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  const std::string& path() const { return path_; }
  int descriptor() const { return file_; }

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace clcuda::trace
