// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

namespace clcuda {

// During its lifetime, pthread_cancel() does not end the calling thread, but waits for the end. Functions of the C library at which threads
// end do so by unwinding the stack, which ends the process where it meets a function that is noexcept.
class NoCancellation {
 public:
  NoCancellation() noexcept { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  ~NoCancellation() { pthread_setcancelstate(before_, nullptr); }
  NoCancellation(const NoCancellation&) = delete;
  NoCancellation& operator=(const NoCancellation&) = delete;

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace clcuda
