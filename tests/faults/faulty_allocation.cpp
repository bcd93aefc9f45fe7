// SPDX-License-Identifier: Apache-2.0
#include "faulty_allocation.h"

#include <CL/cl_ext.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string_view>
#include <tuple>

#include "faulty_driver.h"
#include "runtime/extension_definitions.h"

namespace faults::allocation {
namespace {

std::atomic<bool> armed = false, failed = false;
std::atomic<std::uint64_t> allocations = 0, wanted = 0;
thread_local int calls = 0;  // calls of OpenCL functions in progress on this thread

// Allocations on the scenario's thread are the library's during an OpenCL call. Those on the library's threads are too, except those of the
// compiler and the executor.
enum class Owner : std::uint8_t { unknown, scenario, library, other };
thread_local Owner owner = Owner::unknown;

Owner find_owner() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  const std::string_view text = name.data();
  if (!text.starts_with("clcuda-")) return Owner::scenario;
  for (const std::string_view other : {"clcuda-compile", "clcuda-cpu", "clcuda-host", "clcuda-tier-up"})
    if (text == other) return Owner::other;
  return Owner::library;
}

bool fails() {
  if (!armed.load(std::memory_order_acquire)) return false;
  if (owner == Owner::unknown) owner = find_owner();
  const bool counts = owner == Owner::library || (owner == Owner::scenario && calls > 0);
  if (!counts || driver::calls_under_way() > 0) return false;
  if (allocations.fetch_add(1) + 1 != wanted) return false;
  failed = true;
  return true;
}

void* allocate(std::size_t size) { return fails() ? nullptr : std::malloc(size ? size : 1); }

void* allocate(std::size_t size, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  return fails() ? nullptr : std::aligned_alloc(align, (size + align - 1) / align * align);
}

template <class>
struct Signature;
template <class R, class... P>
struct Signature<R(P...)> {
  using Result = R;
  using Parameters = std::tuple<P...>;
};
template <std::size_t kIndex, class Function>
using Parameter = std::tuple_element_t<kIndex, typename Signature<Function>::Parameters>;

struct Call {
  Call() { ++calls; }
  ~Call() { --calls; }
};

}  // namespace

void arm(std::uint64_t n) {
  wanted = n;
  allocations = 0;
  failed = false;
  armed.store(true, std::memory_order_release);
}

Outcome disarm() {
  armed = false;
  return {allocations, failed};
}

// clang-format off
#define PARAMETERS_1(f) Parameter<0, f> a0
#define PARAMETERS_2(f) PARAMETERS_1(f), Parameter<1, f> a1
#define PARAMETERS_3(f) PARAMETERS_2(f), Parameter<2, f> a2
#define PARAMETERS_4(f) PARAMETERS_3(f), Parameter<3, f> a3
#define PARAMETERS_5(f) PARAMETERS_4(f), Parameter<4, f> a4
#define PARAMETERS_6(f) PARAMETERS_5(f), Parameter<5, f> a5
#define PARAMETERS_7(f) PARAMETERS_6(f), Parameter<6, f> a6
#define PARAMETERS_8(f) PARAMETERS_7(f), Parameter<7, f> a7
#define PARAMETERS_9(f) PARAMETERS_8(f), Parameter<8, f> a8
#define PARAMETERS_10(f) PARAMETERS_9(f), Parameter<9, f> a9
#define PARAMETERS_11(f) PARAMETERS_10(f), Parameter<10, f> a10
#define PARAMETERS_12(f) PARAMETERS_11(f), Parameter<11, f> a11
#define PARAMETERS_13(f) PARAMETERS_12(f), Parameter<12, f> a12
#define PARAMETERS_14(f) PARAMETERS_13(f), Parameter<13, f> a13
#define ARGUMENTS_1 a0
#define ARGUMENTS_2 ARGUMENTS_1, a1
#define ARGUMENTS_3 ARGUMENTS_2, a2
#define ARGUMENTS_4 ARGUMENTS_3, a3
#define ARGUMENTS_5 ARGUMENTS_4, a4
#define ARGUMENTS_6 ARGUMENTS_5, a5
#define ARGUMENTS_7 ARGUMENTS_6, a6
#define ARGUMENTS_8 ARGUMENTS_7, a7
#define ARGUMENTS_9 ARGUMENTS_8, a8
#define ARGUMENTS_10 ARGUMENTS_9, a9
#define ARGUMENTS_11 ARGUMENTS_10, a10
#define ARGUMENTS_12 ARGUMENTS_11, a11
#define ARGUMENTS_13 ARGUMENTS_12, a12
#define ARGUMENTS_14 ARGUMENTS_13, a13
// clang-format on

// The two names that the linker's --wrap gives each function.
#define FUNCTION(name, count)                                                                       \
  decltype(::name) sound_##name __asm__("__real_" #name);                                           \
  Signature<decltype(::name)>::Result counted_##name(PARAMETERS_##count(decltype(::name))) __asm__( \
      "__wrap_" #name);                                                                             \
  Signature<decltype(::name)>::Result counted_##name(PARAMETERS_##count(decltype(::name))) {        \
    const Call call;                                                                                \
    return sound_##name(ARGUMENTS_##count);                                                         \
  }
#include "functions.def"
#undef FUNCTION

}  // namespace faults::allocation

// All forms are replaced, because memory from one form may be freed by another.
void* operator new(std::size_t size) {
  void* memory = faults::allocation::allocate(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return faults::allocation::allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* memory = faults::allocation::allocate(size, alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return faults::allocation::allocate(size, alignment);
}
// The array forms of the standard library call these; a sanitizer's do not.
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
  return operator new(size, nothrow);
}
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
