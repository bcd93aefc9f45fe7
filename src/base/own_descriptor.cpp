// SPDX-License-Identifier: Apache-2.0
#include "base/own_descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace clcuda {

int own_descriptor(int opened) noexcept {
  if (opened < 0 || opened > STDERR_FILENO) return opened;
  const int moved = ::fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(opened);
  errno = error;
  return moved;
}

int make_empty(int file) noexcept {
  return ::ftruncate(file, 0) == 0 && ::lseek(file, 0, SEEK_SET) == 0 ? 0 : -1;
}

}  // namespace clcuda
