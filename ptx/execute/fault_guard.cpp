// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/fault_guard.h"

#include <pthread.h>
#include <signal.h>

#include <cstdlib>

namespace clcuda::ptx {
namespace {

// Accesses up to this far below the stack count as stack overflow.
constexpr std::uint64_t kStackGuardBytes = 256 << 10;

struct ThreadStack {
  std::uint64_t begin = 0, end = 0;
};

thread_local ThreadStack thread_stack;

FaultGuard* running_block() {
  return static_cast<FaultGuard*>(SignalGuard::armed());  // this layer's threads arm nothing else
}

}  // namespace

Fault FaultGuard::fault() const {
  if (number == 0) return raised;
  const bool overflow =
      address >= thread_stack.begin - kStackGuardBytes && address < thread_stack.begin + 4096;
  FaultKind kind = FaultKind::illegal_address;
  if (number == SIGFPE || number == SIGILL || number == SIGTRAP)
    kind = FaultKind::illegal_instruction;
  else if (overflow)
    kind = FaultKind::stack_overflow;
  else if (number == SIGBUS && code == BUS_ADRALN)
    kind = FaultKind::misaligned_address;
  return {kind, address};
}

void prepare_thread_for_faults() {
  if (thread_stack.end) return;  // called before every block: no system call then
  prepare_thread_for_signals();
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* base = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  thread_stack.begin = reinterpret_cast<std::uint64_t>(base);
  thread_stack.end = thread_stack.begin + size;
}

void raise_fault(Fault fault) {
  FaultGuard* guard = running_block();
  if (!guard) std::abort();  // generated code runs under a guard only
  guard->raised = fault;
  guard->disarm();
  siglongjmp(guard->jump, 1);
}

bool is_local_address(std::uint64_t address) {
  if (address >= thread_stack.begin && address < thread_stack.end) return true;
  const FaultGuard* guard = running_block();
  return guard && address >= guard->local_begin && address < guard->local_end;
}

}  // namespace clcuda::ptx
