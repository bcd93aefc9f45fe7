// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <signal.h>

namespace clcuda {

// During its lifetime, a write of the calling thread beyond the process's limit on file sizes (RLIMIT_FSIZE) fails with EFBIG, without the
// signal that would end the process.
class FileSizeSignalBlocked {
 public:
  FileSizeSignalBlocked() noexcept;
  ~FileSizeSignalBlocked();
  FileSizeSignalBlocked(const FileSizeSignalBlocked&) = delete;
  FileSizeSignalBlocked& operator=(const FileSizeSignalBlocked&) = delete;

 private:
  sigset_t mask_before_;
  bool pending_before_;
};

}  // namespace clcuda
