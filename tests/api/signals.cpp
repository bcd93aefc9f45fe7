// SPDX-License-Identifier: Apache-2.0
// The library's signal handlers, which it installs while it compiles or runs a kernel, must not affect the application's signals before or
// after.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csetjmp>
#include <cstring>

#include "support/own_process.h"
#include "support/programs.h"

namespace {

volatile sig_atomic_t calls = 0, last_value = 0, was_blocked = 0, chained = 0;
struct sigaction before;
sigjmp_buf back;

void count(int, siginfo_t* info, void*) {
  calls = calls + 1;
  last_value = info->si_value.sival_int;
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  was_blocked = sigismember(&mask, SIGUSR1);
}
void leave(int, siginfo_t*, void*) {
  calls = calls + 1;
  siglongjmp(back, 1);
}
void chain(int number, siginfo_t* info, void* context) {
  chained = chained + 1;
  if (before.sa_flags & SA_SIGINFO) before.sa_sigaction(number, info, context);
}

void install(int number, void (*handler)(int, siginfo_t*, void*), struct sigaction* old = nullptr,
             int flags = 0) {
  struct sigaction action{};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaddset(&action.sa_mask, SIGUSR1);
  ASSERT_EQ(sigaction(number, &action, old), 0);
}
void send(int number, int value) {
  sigval sent{};
  sent.sival_int = value;
  ASSERT_EQ(sigqueue(getpid(), number, sent), 0);
}

class Signals : public test::Programs {
 protected:
  // After this call the library has installed its handlers.
  void use_library() {
    const test::Program program = build("kernel void k(global int* a) { a[0] = 42; }");
    const test::Kernel kernel = make_kernel(program, "k");
    const test::Buffer result = make_buffer(sizeof(cl_int));
    set_arguments(kernel, result);
    const size_t one = 1;
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
    EXPECT_EQ(contents<cl_int>(result, 1)[0], 42);
  }
};

// Each of these tests ends its process by the signal.
TEST_F(Signals, DISABLED_Breakpoint) {
  use_library();
  __builtin_debugtrap();
}
TEST_F(Signals, DISABLED_RaisedTrap) {
  use_library();
  raise(SIGTRAP);
}
TEST_F(Signals, DISABLED_SentFault) {
  use_library();
  kill(getpid(), SIGSEGV);
  pause();
}
TEST_F(Signals, DISABLED_SentFloatingPointError) {
  use_library();
  send(SIGFPE, 1);
  pause();
}
TEST_F(Signals, DISABLED_NullPointer) {
  use_library();
  *static_cast<volatile int*>(nullptr) = 1;
}
TEST_F(Signals, DISABLED_IllegalInstruction) {
  use_library();
  __builtin_trap();
}
TEST_F(Signals, DISABLED_IgnoredFault) {
  signal(SIGSEGV, SIG_IGN);
  use_library();
  *static_cast<volatile int*>(nullptr) = 1;
}
// A handler that passes unknown signals to the previous handler, which does the same.
TEST_F(Signals, DISABLED_InACircle) {
  install(SIGSEGV, chain, nullptr);
  use_library();
  install(SIGSEGV, chain, &before);
  raise(SIGSEGV);
}

struct End {
  const char* name;
  int signal;
};
class SignalsEnd : public testing::TestWithParam<End> {};

TEST_P(SignalsEnd, TheProcess) {
  // A sanitizer would print more and exit differently.
  for (const char* name : {"ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"})
    test::add_options(name, "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_sigtrap=0");
  test::add_options("ASAN_OPTIONS", "detect_leaks=0");
  const pid_t child =
      test::start_test(test::kThisProgram, std::string("Signals.DISABLED_") + GetParam().name);
  ASSERT_GT(child, 0);
  EXPECT_EQ(test::exit_code_of(child, std::chrono::seconds(30)), 128 + GetParam().signal);
}
INSTANTIATE_TEST_SUITE_P(By, SignalsEnd,
                         testing::Values(End{"Breakpoint", SIGTRAP}, End{"RaisedTrap", SIGTRAP},
                                         End{"SentFault", SIGSEGV}, End{"SentFloatingPointError", SIGFPE},
                                         End{"NullPointer", SIGSEGV}, End{"IllegalInstruction", SIGILL},
                                         End{"IgnoredFault", SIGSEGV}, End{"InACircle", SIGSEGV}),
                         [](const auto& info) { return std::string(info.param.name); });

// An ignored signal that is sent to the process stays ignored.
TEST_ALONE(Signals, IgnoredOnesAreIgnored) {
  signal(SIGTRAP, SIG_IGN);
  use_library();
  raise(SIGTRAP);
  send(SIGTRAP, 3);
}

// A call of the system that an ignored signal does not interrupt, or one whose handler has SA_RESTART, goes on.
TEST_ALONE(Signals, InterruptNothingThatTheyDidNot) {
  struct sigaction restarting{};
  restarting.sa_handler = [](int) {};
  restarting.sa_flags = SA_RESTART;
  signal(SIGTRAP, SIG_IGN);
  sigaction(SIGFPE, &restarting, nullptr);
  use_library();
  std::array<int, 2> ends{};
  ASSERT_EQ(0, pipe2(ends.data(), O_CLOEXEC));
  std::thread sender([&, reader = pthread_self()] {
    for (const int number : {SIGTRAP, SIGFPE, SIGTRAP}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      pthread_kill(reader, number);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(1, write(ends[1], "x", 1));
  });
  char byte = 0;
  EXPECT_EQ(1, read(ends[0], &byte, 1)) << std::strerror(errno);
  sender.join();
  for (const int end : ends) close(end);
}

TEST_ALONE(Signals, HandlersOfBeforeAreCalledAsBefore) {
  install(SIGTRAP, count);
  use_library();
  send(SIGTRAP, 77);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(last_value, 77);
  EXPECT_EQ(was_blocked, 1);
  __builtin_debugtrap();
  EXPECT_EQ(calls, 2);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGUSR1), 0);
}

// Like virtual machines and interpreters, which recover from faults with a longjmp.
TEST_ALONE(Signals, HandlersMayLeaveByAJump) {
  install(SIGSEGV, leave, nullptr, SA_ONSTACK);
  use_library();
  for (int i = 1; i <= 3; ++i) {
    if (sigsetjmp(back, 1) == 0) *static_cast<volatile int*>(nullptr) = 1;
    EXPECT_EQ(calls, i);
  }
}

TEST_ALONE(Signals, HandlersOfAfterwardsMayHandOn) {
  install(SIGTRAP, count);
  use_library();
  install(SIGTRAP, chain, &before);
  send(SIGTRAP, 5);
  EXPECT_EQ(chained, 1);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(last_value, 5);
  use_library();
  send(SIGTRAP, 6);
  EXPECT_EQ(chained, 2);
  EXPECT_EQ(calls, 2);
}

}  // namespace
