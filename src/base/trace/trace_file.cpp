// SPDX-License-Identifier: Apache-2.0
#include "base/trace/trace_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/file_size_signal.h"
#include "base/own_descriptor.h"

namespace clcuda::trace {
namespace {

std::string process_number() { return std::to_string(getpid()); }

std::string with_process_number(std::string name) {
  for (std::size_t at = name.find("%p"); at != std::string::npos; at = name.find("%p", at))
    name.replace(at, 2, process_number());
  return name;
}

// trace.json → trace.1234.json
std::string with_number_before_extension(const std::string& path) {
  const std::size_t dot = path.rfind('.'), slash = path.rfind('/');
  const bool has_extension = dot != std::string::npos && (slash == std::string::npos || dot > slash + 1);
  const std::size_t at = has_extension ? dot : path.size();
  return path.substr(0, at) + "." + process_number() + path.substr(at);
}

// O_NONBLOCK: opening a pipe without a reader must not block, nor must writing to one whose reader is stuck.
int open_file(const std::string& path) {
  const int file =
      own_descriptor(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666));
  if (file < 0) throw std::system_error(errno, std::generic_category(), "open");
  return file;
}

// Waits until the reader of a pipe has taken something; false if it takes nothing for long.
bool can_go_on(int file) {
  constexpr int kPatience = 10'000;  // milliseconds
  pollfd wanted{file, POLLOUT, 0};
  int ready;
  do ready = poll(&wanted, 1, kPatience);
  while (ready < 0 && errno == EINTR);
  if (ready == 0) errno = EAGAIN;
  return ready > 0;
}

bool is_being_written(int file) { return flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; }

}  // namespace

TraceFile::TraceFile(const std::string& name) : path_(with_process_number(name)), file_(open_file(path_)) {
  if (is_being_written(file_)) {
    close(file_);
    path_ = with_number_before_extension(path_);
    file_ = open_file(path_);
    (void)is_being_written(file_);  // no other process has that number
  }
  struct stat status{};
  if (fstat(file_, &status) == 0 && S_ISREG(status.st_mode) && make_empty(file_) != 0) {
    const int error = errno;
    close(file_);
    throw std::system_error(error, std::generic_category(), "truncate");
  }
}

TraceFile::~TraceFile() { close(file_); }

void TraceFile::write(std::string_view text) {
  const FileSizeSignalBlocked blocked;
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && (errno == EINTR || (errno == EAGAIN && can_go_on(file_)))) continue;
    if (written < 0) throw std::system_error(errno, std::generic_category(), "write");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace clcuda::trace
