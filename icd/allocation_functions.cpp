// SPDX-License-Identifier: Apache-2.0
// The C library's allocation functions, as everything in libclcuda.so calls them, including LLVM and the C++ library (the linker's --wrap).
// On a thread that has a share of a budget they count the memory, and fail beyond the budget.
#include <dlfcn.h>
#include <malloc.h>

#include <cerrno>
#include <cstdlib>

#include "base/signal_guard.h"
#include "base/work_budget.h"

using clcuda::Uninterruptible;
using clcuda::WorkBudget;

extern "C" {

void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
int __real_posix_memalign(void** memory, std::size_t alignment, std::size_t size);
void __real_free(void* memory);
}

namespace {

// Programs may bring an allocator of their own without malloc_usable_size(): the C library requires the other functions only. Its own
// cannot be asked then, and the budget's memory has no bound.
bool sizes_are_known() {
  Dl_info of_malloc, of_size;
  return dladdr(reinterpret_cast<void*>(&__real_malloc), &of_malloc) != 0 &&
         dladdr(reinterpret_cast<void*>(&malloc_usable_size), &of_size) != 0 &&
         of_malloc.dli_fbase == of_size.dli_fbase;
}

// Found out while the library is loaded: dladdr() takes a lock that dlopen() holds while another library's constructors run.
const bool sizes_known = sizes_are_known();

[[maybe_unused]] const bool enforced = WorkBudget::enforce();

std::size_t size_of(void* memory) { return sizes_known ? malloc_usable_size(memory) : 0; }

// On a thread with a share, which may be interrupted: not while it holds the allocator's lock.
template <class Allocate>
void* counted(const Allocate& allocate) {
  if (!WorkBudget::applies()) return allocate();
  const Uninterruptible locking;
  void* memory = allocate();
  if (memory) WorkBudget::allocated(size_of(memory));
  return memory;
}

bool refused(std::size_t size) {
  if (WorkBudget::admits(size)) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

void* __wrap_malloc(std::size_t size) {
  return refused(size) ? nullptr : counted([&] { return __real_malloc(size); });
}

void* __wrap_calloc(std::size_t count, std::size_t size) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, size, &all)) all = ~std::size_t{0};
  return refused(all) ? nullptr : counted([&] { return __real_calloc(count, size); });
}

void* __wrap_realloc(void* memory, std::size_t size) {
  if (refused(size)) return nullptr;
  return counted([&] {
    const std::size_t before = WorkBudget::applies() ? size_of(memory) : 0;
    void* moved = __real_realloc(memory, size);
    if (moved || size == 0) WorkBudget::freed(before);
    return moved;
  });
}

void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return refused(size) ? nullptr : counted([&] { return __real_aligned_alloc(alignment, size); });
}

int __wrap_posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (refused(size)) return ENOMEM;
  int error = 0;
  counted([&]() -> void* {
    error = __real_posix_memalign(memory, alignment, size);
    return error == 0 ? *memory : nullptr;
  });
  return error;
}

void __wrap_free(void* memory) {
  if (!WorkBudget::applies()) return __real_free(memory);
  const Uninterruptible locking;
  WorkBudget::freed(size_of(memory));
  __real_free(memory);
}
}
