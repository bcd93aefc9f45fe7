// SPDX-License-Identifier: Apache-2.0
#include "compiler/build_thread.h"

#include <alloca.h>
#include <clang/Basic/Stack.h>
#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/TargetSelect.h>
#include <pthread.h>

#include <exception>
#include <mutex>
#include <new>

#include "base/fault_scope.h"
#include "base/signal_guard.h"
#include "base/work_budget.h"

namespace clcuda::compiler {
namespace {

// Tried in this order: address space is cheap, but a process may have little of it.
constexpr std::size_t stack_sizes[] = {std::size_t{1} << 30, std::size_t{256} << 20, std::size_t{64} << 20};

struct Job {
  const std::function<void()>* body;
  std::size_t stack_size;
  std::exception_ptr failure;
};

// Frame addresses, because a sanitizer may keep variables elsewhere.
thread_local const char* stack_bottom = nullptr;
thread_local std::size_t stack_size = 0;

[[noreturn]] void throw_fault(const char* reason, bool out_of_memory) {
  throw CompilerFault{reason ? reason : "unknown", out_of_memory};
}

void on_fatal_error(void*, const char* reason, bool) { FaultScope::raise(reason, false); }
void on_bad_alloc(void*, const char* reason, bool) { FaultScope::raise(reason, true); }

void prepare_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::remove_fatal_error_handler();
    llvm::install_fatal_error_handler(on_fatal_error);
    llvm::remove_bad_alloc_error_handler();
    llvm::install_bad_alloc_error_handler(on_bad_alloc);
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

void run(Job& job) {
  try {
    FaultScope faults(throw_fault);
    (*job.body)();
  } catch (...) {
    job.failure = std::current_exception();
  }
}

// Clang has sources that make it read through a null pointer. Such a build fails like one that met a fatal
// error; what it owned is leaked.
void run_guarded(Job& job) {
  prepare_thread_for_signals();
  SignalGuard guard;
  if (sigsetjmp(guard.jump, 1) == 0) {
    guard.arm();
    run(job);
    guard.disarm();
  } else {
    WorkBudget::forget();
    job.failure =
        std::make_exception_ptr(CompilerFault{fmt::format("the compiler failed (signal {})", guard.number)});
  }
}

void* thread_main(void* argument) noexcept {
  Job& job = *static_cast<Job*>(argument);
  stack_bottom = static_cast<const char*>(__builtin_frame_address(0));
  stack_size = job.stack_size;
  run_guarded(job);
  return nullptr;
}

bool start(pthread_t& thread, Job& job) {
  for (const std::size_t size : stack_sizes) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    job.stack_size = size;
    const bool started = pthread_attr_setstacksize(&attributes, size) == 0 &&
                         pthread_create(&thread, &attributes, thread_main, &job) == 0;
    pthread_attr_destroy(&attributes);
    if (started) return true;
  }
  return false;
}

}  // namespace

void run_on_build_thread(const std::function<void()>& body) {
  prepare_llvm();
  Job job{&body, 0, nullptr};
  pthread_t thread;
  if (!start(thread, job)) throw std::bad_alloc();
  pthread_join(thread, nullptr);
  if (job.failure) std::rethrow_exception(job.failure);
}

__attribute__((noinline)) void keep_recursion_on_this_stack() {
  auto* distance = static_cast<volatile char*>(alloca(build_stack_size() / 4 * 3 - build_stack_used()));
  clang::noteBottomOfStack(true);
  distance[0] = 0;  // behind the call, which else would be made when the distance has been given back
}

std::size_t build_stack_used() {
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  return stack_bottom ? static_cast<std::size_t>(stack_bottom - here) : 0;
}

std::size_t build_stack_size() { return stack_size; }

}  // namespace clcuda::compiler
