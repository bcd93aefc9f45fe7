// SPDX-License-Identifier: Apache-2.0
// Atomic loads, stores and initialisation of OpenCL C 2.0 and later (6.15.12.2, 6.15.12.7).
#include "memory_order.h"

#define LD(order, scope, space, bits, r) \
  __asm__ volatile("ld." order "." scope space ".b" bits " %0, [%1];" : "=" r(x) : "l"((ulong)p) : "memory")
#define ST(order, scope, space, bits, r) \
  __asm__ volatile("st." order "." scope space ".b" bits " [%0], %1;" : : "l"((ulong)p), r(x) : "memory")

#define LOAD_STORE(space, T, B, bits, r)                                                                  \
  static inline T OVERLOAD load_##T(volatile space void* p, memory_order order, memory_scope scope) {     \
    IN_KNOWN_SPACE_##space(load_##T, order, scope) B x;                                                   \
    if (order == memory_order_seq_cst) sequential_fence(SCOPE_IN_##space(scope));                         \
    if (order == memory_order_relaxed)                                                                    \
      BY_SCOPE(SCOPE_IN_##space(scope), LD, "relaxed", PTX_##space, bits, r)                              \
    else                                                                                                  \
      BY_SCOPE(SCOPE_IN_##space(scope), LD, "acquire", PTX_##space, bits, r)                              \
    return __builtin_astype(x, T);                                                                        \
  }                                                                                                       \
  static inline void OVERLOAD store(volatile space void* p, T value, memory_order order,                  \
                                    memory_scope scope) {                                                 \
    IN_KNOWN_SPACE_##space(store, value, order, scope) B x = __builtin_astype(value, B);                  \
    if (order == memory_order_seq_cst) sequential_fence(SCOPE_IN_##space(scope));                         \
    if (order == memory_order_release)                                                                    \
      BY_SCOPE(SCOPE_IN_##space(scope), ST, "release", PTX_##space, bits, r)                              \
    else                                                                                                  \
      BY_SCOPE(SCOPE_IN_##space(scope), ST, "relaxed", PTX_##space, bits, r)                              \
  }                                                                                                       \
  T OVERLOAD atomic_load_explicit(volatile space atomic_##T* p, memory_order order, memory_scope scope) { \
    return load_##T(p, order, scope);                                                                     \
  }                                                                                                       \
  T OVERLOAD atomic_load_explicit(volatile space atomic_##T* p, memory_order order) {                     \
    return load_##T(p, order, memory_scope_device);                                                       \
  }                                                                                                       \
  T OVERLOAD atomic_load(volatile space atomic_##T* p) {                                                  \
    return load_##T(p, memory_order_seq_cst, memory_scope_device);                                        \
  }                                                                                                       \
  void OVERLOAD atomic_store_explicit(volatile space atomic_##T* p, T x, memory_order order,              \
                                      memory_scope scope) {                                               \
    store(p, x, order, scope);                                                                            \
  }                                                                                                       \
  void OVERLOAD atomic_store_explicit(volatile space atomic_##T* p, T x, memory_order order) {            \
    store(p, x, order, memory_scope_device);                                                              \
  }                                                                                                       \
  void OVERLOAD atomic_store(volatile space atomic_##T* p, T x) {                                         \
    store(p, x, memory_order_seq_cst, memory_scope_device);                                               \
  }                                                                                                       \
  void OVERLOAD atomic_init(volatile space atomic_##T* p, T x) { *(volatile space T*)p = x; }
FOR_SPACES(LOAD_STORE, int, uint, "32", "r")
FOR_SPACES(LOAD_STORE, uint, uint, "32", "r")
FOR_SPACES(LOAD_STORE, float, uint, "32", "r")
FOR_SPACES(LOAD_STORE, long, ulong, "64", "l")
FOR_SPACES(LOAD_STORE, ulong, ulong, "64", "l")
FOR_SPACES(LOAD_STORE, double, ulong, "64", "l")
FOR_SPACES(LOAD_STORE, half, ushort, "16", "h")

// In Clang's table of builtin functions, the type of the half that is stored is itself atomic.
#define STORE_HALF(space, ...)                                                                            \
  void OVERLOAD atomic_store_explicit(volatile space atomic_half* p, atomic_half x, memory_order order,   \
                                      memory_scope scope) {                                               \
    store(p, *(half*)&x, order, scope);                                                                   \
  }                                                                                                       \
  void OVERLOAD atomic_store_explicit(volatile space atomic_half* p, atomic_half x, memory_order order) { \
    store(p, *(half*)&x, order, memory_scope_device);                                                     \
  }                                                                                                       \
  void OVERLOAD atomic_store(volatile space atomic_half* p, atomic_half x) {                              \
    store(p, *(half*)&x, memory_order_seq_cst, memory_scope_device);                                      \
  }
FOR_SPACES(STORE_HALF)

#define FLAG_CLEAR(space, ...)                                                                  \
  void OVERLOAD atomic_flag_clear_explicit(volatile space atomic_flag* p, memory_order order,   \
                                           memory_scope scope) {                                \
    store(p, 0, order, scope);                                                                  \
  }                                                                                             \
  void OVERLOAD atomic_flag_clear_explicit(volatile space atomic_flag* p, memory_order order) { \
    store(p, 0, order, memory_scope_device);                                                    \
  }                                                                                             \
  void OVERLOAD atomic_flag_clear(volatile space atomic_flag* p) {                              \
    store(p, 0, memory_order_seq_cst, memory_scope_device);                                     \
  }
FOR_SPACES(FLAG_CLEAR)
