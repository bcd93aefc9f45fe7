// SPDX-License-Identifier: Apache-2.0
#include "base/thread.h"

#include <pthread.h>
#include <signal.h>

#include <cfenv>
#include <memory>
#include <new>
#include <utility>

namespace clcuda {
namespace {

struct Start {
  const char* name;
  std::function<void()> main;
};

void* run(void* handed_over) {
  const std::unique_ptr<Start> start(static_cast<Start*>(handed_over));
  pthread_setname_np(pthread_self(), start->name);
  std::fesetenv(FE_DFL_ENV);  // a new thread inherits its creator's
  start->main();
  return nullptr;
}

}  // namespace

bool start_thread(const char* name, std::function<void()> main, std::size_t stack_bytes) noexcept {
  std::unique_ptr<Start> start(new (std::nothrow) Start{name, std::move(main)});
  if (!start) return false;
  sigset_t blocked, previous;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&blocked, fault);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &blocked, &previous);  // inherited by the new thread
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, run, start.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  pthread_attr_destroy(&attributes);
  if (started) start.release();  // NOLINT(bugprone-unused-return-value): the thread owns it now
  return started;
}

}  // namespace clcuda
