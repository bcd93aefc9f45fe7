// SPDX-License-Identifier: Apache-2.0
#include "ptx/driver/thread.h"

#include <pthread.h>
#include <signal.h>

#include <memory>
#include <new>

namespace clcuda::ptx::driver {
namespace {

constexpr std::size_t kStackBytes = std::size_t{8} << 20;

struct Start {
  void (*main)(void*) noexcept;
  void* argument;
};

void* run(void* start) {
  const Start local = *std::unique_ptr<Start>(static_cast<Start*>(start));
  pthread_setname_np(pthread_self(), "clcuda-cpu");
  local.main(local.argument);
  return nullptr;
}

}  // namespace

bool start_detached_thread(void (*main)(void*) noexcept, void* argument) noexcept {
  std::unique_ptr<Start> start(new (std::nothrow) Start{main, argument});
  if (!start) return false;
  sigset_t blocked, previous;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&blocked, fault);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &blocked, &previous);  // inherited by the new thread
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, run, start.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  pthread_attr_destroy(&attributes);
  if (started) start.release();  // NOLINT(bugprone-unused-return-value): the thread owns it now
  return started;
}

}  // namespace clcuda::ptx::driver
