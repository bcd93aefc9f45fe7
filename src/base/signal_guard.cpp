// SPDX-License-Identifier: Apache-2.0
#include "base/signal_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <mutex>

namespace clcuda {
namespace {

constexpr std::size_t signal_stack_bytes = 64 << 10;
constexpr int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};

struct SignalStack {
  void* memory = nullptr;
  ~SignalStack() {
    if (!memory) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory, signal_stack_bytes);
  }
};

thread_local SignalGuard* armed_guard = nullptr;
thread_local SignalStack signal_stack;

struct sigaction previous_actions[std::size(signals)];

void pass_on(int number, siginfo_t* info, void* context) {
  std::size_t index = 0;
  while (signals[index] != number) ++index;
  const struct sigaction& previous = previous_actions[index];
  if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(number, info, context);
  if (previous.sa_handler == SIG_IGN) return;
  if (previous.sa_handler != SIG_DFL) return previous.sa_handler(number);
  // The default action happens when the faulting instruction runs again.
  signal(number, SIG_DFL);
}

void on_signal(int number, siginfo_t* info, void* context) {
  SignalGuard* guard = armed_guard;
  // Signals that another thread or process sent are not faults of the code that runs here.
  if (!guard || info->si_code <= 0) return pass_on(number, info, context);
  guard->number = number;
  guard->code = info->si_code;
  guard->address = reinterpret_cast<std::uint64_t>(info->si_addr);
  armed_guard = nullptr;
  // The jump restores no mask. Here there is none to restore, unless something in front of this handler, as a sanitizer's own,
  // blocked signals for its time.
  pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t*>(context)->uc_sigmask, nullptr);
  siglongjmp(guard->jump, 1);
}

void install_handlers() {
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (std::size_t index = 0; index < std::size(signals); ++index)
    sigaction(signals[index], &action, &previous_actions[index]);
}

}  // namespace

void SignalGuard::arm() { armed_guard = this; }
void SignalGuard::disarm() {
  if (armed_guard == this) armed_guard = nullptr;
}
SignalGuard* SignalGuard::armed() { return armed_guard; }

void prepare_thread_for_signals() {
  static std::once_flag once;
  std::call_once(once, install_handlers);
  stack_t current{};
  if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE))
    return;  // ours already, the program's own, or a sanitizer's
  void* memory =
      mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  signal_stack.memory = memory;
  stack_t wanted{};
  wanted.ss_sp = memory;
  wanted.ss_size = signal_stack_bytes;
  sigaltstack(&wanted, nullptr);
}

}  // namespace clcuda
