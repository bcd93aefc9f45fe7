// SPDX-License-Identifier: Apache-2.0
#include "base/signal_guard.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <mutex>

namespace clcuda {
namespace {

constexpr std::size_t kSignalStackBytes = 64 << 10;
// The first whose handler is still ours also interrupts threads.
constexpr int kSignals[] = {SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV};

struct SignalStack {
  void* memory = nullptr;
  ~SignalStack() {
    if (!memory) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory, kSignalStackBytes);
  }
};

thread_local SignalGuard* armed_guard = nullptr;
thread_local SignalStack signal_stack;

struct sigaction previous_actions[std::size(kSignals)];

// Detects that this handler is called by one to which it has passed on the same signal: that one was installed before this one, but also
// regards this one as its predecessor. If a handler leaves by a jump, the members stay set; but the next signal's frame is then no deeper
// than `frame_`, so again() is false.
class PassingOn {
 public:
  PassingOn(const void* context, const void* frame)
      : again_(context == context_ && frame < frame_), outer_context_(context_), outer_frame_(frame_) {
    context_ = context;
    frame_ = frame;
  }
  ~PassingOn() {
    context_ = outer_context_;
    frame_ = outer_frame_;
  }
  PassingOn(const PassingOn&) = delete;
  PassingOn& operator=(const PassingOn&) = delete;
  bool again() const { return again_; }

 private:
  static thread_local const void *context_, *frame_;
  const bool again_;
  const void *const outer_context_, *const outer_frame_;
};
thread_local const void* PassingOn::context_ = nullptr;
thread_local const void* PassingOn::frame_ = nullptr;

// Restores the default action. A fault recurs when its instruction runs again, and ends the process there. A breakpoint, or a signal that
// was sent, does not recur, so it is sent again with the same information.
void take_default_action(int number, siginfo_t* info) {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, nullptr);
  const bool happens_again = info->si_code > 0 && number != SIGTRAP;
  if (!happens_again) syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, info);
}

// Calls a handler as the kernel would.
void call(const struct sigaction& action, int number, siginfo_t* info, void* context) {
  sigset_t mask = action.sa_mask, before;
  if (!(action.sa_flags & SA_NODEFER)) sigaddset(&mask, number);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(number, info, context);
  else
    action.sa_handler(number);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Does what would have happened without this handler.
void pass_on(int number, siginfo_t* info, void* context) {
  std::size_t index = 0;
  while (kSignals[index] != number) ++index;
  struct sigaction& previous = previous_actions[index];
  const bool has_handler =
      (previous.sa_flags & SA_SIGINFO) || (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN);
  const PassingOn passing(context, __builtin_frame_address(0));
  if (has_handler && !passing.again()) {
    const struct sigaction action = previous;
    if (action.sa_flags & SA_RESETHAND) previous = {};
    return call(action, number, info, context);
  }
  // SIG_IGN does not apply to faults (si_code > 0): they end the process all the same.
  if (!has_handler && previous.sa_handler == SIG_IGN && info->si_code <= 0) return;
  take_default_action(number, info);
}

thread_local constinit std::atomic<bool> interruption_wanted = false;
thread_local constinit std::atomic<int> uninterruptible = 0;

void on_signal(int number, siginfo_t* info, void* context) {
  SignalGuard* guard = armed_guard;
  const bool interrupted = info->si_code <= 0 && interruption_wanted;
  if (interrupted && (!guard || uninterruptible > 0)) return;
  // Other signals that another thread or process sent are not faults of the code that runs here.
  if (!guard || (info->si_code <= 0 && !interrupted)) return pass_on(number, info, context);
  guard->number = interrupted ? 0 : number;
  guard->code = info->si_code;
  guard->address = reinterpret_cast<std::uint64_t>(info->si_addr);
  armed_guard = nullptr;
  // The jump restores the mask only if sigsetjmp() saved it. This handler changes no mask, but something that called it, such as a
  // sanitizer's own handler, may have blocked signals.
  pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t*>(context)->uc_sigmask, nullptr);
  siglongjmp(guard->jump, 1);
}

// Calls of the system that the signal interrupts go on as before: an ignored signal interrupts none.
void install_handlers() {
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  sigemptyset(&action.sa_mask);
  for (std::size_t index = 0; index < std::size(kSignals); ++index) {
    struct sigaction& previous = previous_actions[index];
    sigaction(kSignals[index], nullptr, &previous);
    const bool restarts = (previous.sa_flags & SA_RESTART) || previous.sa_handler == SIG_IGN;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | (restarts ? SA_RESTART : 0);
    sigaction(kSignals[index], &action, &previous);
  }
}

bool has_our_handler(int number) {
  struct sigaction current{};
  return sigaction(number, nullptr, &current) == 0 && (current.sa_flags & SA_SIGINFO) &&
         current.sa_sigaction == on_signal;
}

}  // namespace

void SignalGuard::arm() { armed_guard = this; }
void SignalGuard::disarm() {
  if (armed_guard == this) armed_guard = nullptr;
}
SignalGuard* SignalGuard::armed() { return armed_guard; }

InterruptibleThread::InterruptibleThread() : thread_(pthread_self()), wanted_(&interruption_wanted) {}

void InterruptibleThread::interrupt() const noexcept {
  const auto* signal = std::ranges::find_if(kSignals, has_our_handler);
  if (signal == std::end(kSignals)) return;
  *wanted_ = true;
  pthread_kill(thread_, *signal);
}

Uninterruptible::Uninterruptible() { uninterruptible.fetch_add(1, std::memory_order_relaxed); }
Uninterruptible::~Uninterruptible() { uninterruptible.fetch_sub(1, std::memory_order_relaxed); }

void prepare_thread_for_signals() {
  static std::once_flag once;
  std::call_once(once, install_handlers);
  stack_t current{};
  if (sigaltstack(nullptr, &current) == 0 && !(current.ss_flags & SS_DISABLE))
    return;  // ours already, the program's own, or a sanitizer's
  void* memory = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  signal_stack.memory = memory;
  stack_t wanted{};
  wanted.ss_sp = memory;
  wanted.ss_size = kSignalStackBytes;
  sigaltstack(&wanted, nullptr);
}

}  // namespace clcuda
