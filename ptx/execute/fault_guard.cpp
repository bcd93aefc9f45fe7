// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/fault_guard.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstdlib>
#include <memory>
#include <mutex>

namespace clcuda::ptx {
namespace {

constexpr std::size_t signal_stack_bytes = 64 << 10;
constexpr std::uint64_t stack_guard_bytes =
    256 << 10;  // how far below the stack an access still counts as overflow

struct ThreadStack {
  void* memory = nullptr;
  std::uint64_t begin = 0, end = 0;
  ~ThreadStack() {
    if (!memory) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory, signal_stack_bytes);
  }
};

thread_local FaultGuard* armed = nullptr;
thread_local ThreadStack thread_stack;

struct sigaction previous_segv, previous_bus, previous_fpe;

void pass_on(int number, siginfo_t* info, void* context) {
  const struct sigaction& previous = number == SIGSEGV  ? previous_segv
                                     : number == SIGBUS ? previous_bus
                                                        : previous_fpe;
  if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(number, info, context);
  if (previous.sa_handler == SIG_IGN) return;
  if (previous.sa_handler != SIG_DFL) return previous.sa_handler(number);
  // The default action happens when the faulting instruction runs again.
  signal(number, SIG_DFL);
}

void on_signal(int number, siginfo_t* info, void* context) {
  FaultGuard* guard = armed;
  // Signals that another thread or process sent are not faults of the code that runs here.
  if (!guard || info->si_code <= 0) return pass_on(number, info, context);
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  const bool overflow =
      address >= thread_stack.begin - stack_guard_bytes && address < thread_stack.begin + 4096;
  FaultKind kind = FaultKind::illegal_address;
  if (number == SIGFPE)
    kind = FaultKind::illegal_instruction;
  else if (overflow)
    kind = FaultKind::stack_overflow;
  else if (number == SIGBUS && info->si_code == BUS_ADRALN)
    kind = FaultKind::misaligned_address;
  guard->fault = {kind, address};
  armed = nullptr;
  siglongjmp(guard->jump, 1);
}

void install_handlers() {
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
  sigaction(SIGFPE, &action, &previous_fpe);
}

}  // namespace

void prepare_thread_for_faults() {
  static std::once_flag once;
  std::call_once(once, install_handlers);
  if (thread_stack.end) return;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    void* base = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &base, &size);
    pthread_attr_destroy(&attributes);
    thread_stack.begin = reinterpret_cast<std::uint64_t>(base);
    thread_stack.end = thread_stack.begin + size;
  }
  stack_t current{};
  if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE))
    return;  // the program's own, or a sanitizer's
  void* memory =
      mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  thread_stack.memory = memory;
  stack_t wanted{};
  wanted.ss_sp = memory;
  wanted.ss_size = signal_stack_bytes;
  sigaltstack(&wanted, nullptr);
}

void FaultGuard::arm() {
  armed = this;
}
void FaultGuard::disarm() {
  armed = nullptr;
}

void raise_fault(Fault fault) {
  FaultGuard* guard = armed;
  if (!guard) std::abort();  // generated code runs under a guard only
  guard->fault = fault;
  armed = nullptr;
  siglongjmp(guard->jump, 1);
}

bool is_local_address(std::uint64_t address) {
  if (address >= thread_stack.begin && address < thread_stack.end) return true;
  return armed && address >= armed->local_begin && address < armed->local_end;
}

}  // namespace clcuda::ptx
