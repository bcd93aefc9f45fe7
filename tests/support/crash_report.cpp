// SPDX-License-Identifier: Apache-2.0
#include "support/crash_report.h"

#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "support/sanitized.h"

namespace test {
namespace {

// The default disposition has been restored (SA_RESETHAND), so the signal is raised again after this returns.
void report(int number, siginfo_t* information, void*) {
  char line[128];
  const int length = std::snprintf(line, sizeof line, "process %d: signal %d at %p\n", getpid(), number,
                                   information->si_addr);
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) _exit(128 + number);
  void* frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
}

}  // namespace

void report_crashes() {
  if (kSanitized) return;
  void* frames[1];
  backtrace(frames, 1);  // loads what it needs, which must not happen in a handler
  static char stack[64 << 10];
  const stack_t alternate{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
  sigaltstack(&alternate, nullptr);
  struct sigaction action{};
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (const int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigaction(number, &action, nullptr);
}

}  // namespace test
