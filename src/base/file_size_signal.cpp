// SPDX-License-Identifier: Apache-2.0
#include "base/file_size_signal.h"

#include <ctime>

namespace clcuda {
namespace {

sigset_t file_size_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

bool is_pending() {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

}  // namespace

FileSizeSignalBlocked::FileSizeSignalBlocked() noexcept {
  const sigset_t set = file_size_signal();
  pthread_sigmask(SIG_BLOCK, &set, &mask_before_);
  pending_before_ = is_pending();
}

FileSizeSignalBlocked::~FileSizeSignalBlocked() {
  const sigset_t set = file_size_signal();
  const timespec no_time{};
  if (!pending_before_ && is_pending()) sigtimedwait(&set, nullptr, &no_time);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

}  // namespace clcuda
