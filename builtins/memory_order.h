// SPDX-License-Identifier: Apache-2.0
#pragma once

// OpenCL's memory orders and scopes as PTX spells them. Order and scope are constants in nearly every
// program, so that of the switches one instruction is left.
#include "library.h"

// What looks at an order or a scope is a part of its caller, so that it goes together with what is not chosen
// (the compiler's pass inline_atomic_functions).
#define DECIDED __attribute__((always_inline))

static inline DECIDED void sequential_fence(memory_scope scope) {
  if (scope == memory_scope_device)
    __asm__ volatile("fence.sc.gpu;" ::: "memory");
  else if (scope == memory_scope_all_svm_devices)
    __asm__ volatile("fence.sc.sys;" ::: "memory");
  else
    __asm__ volatile("fence.sc.cta;" ::: "memory");
}

// ACCESS(order, scope, …) is a statement that does the access; order and scope are PTX's names.
#define BY_SCOPE(scope, ACCESS, order, ...) \
  switch (scope) {                          \
    case memory_scope_device:               \
      ACCESS(order, "gpu", __VA_ARGS__);    \
      break;                                \
    case memory_scope_all_svm_devices:      \
      ACCESS(order, "sys", __VA_ARGS__);    \
      break;                                \
    default:                                \
      ACCESS(order, "cta", __VA_ARGS__);    \
      break;                                \
  }

// A sequentially consistent access is a fence and an acquiring one.
#define BY_ORDER_AND_SCOPE(order, scope, ACCESS, ...)        \
  switch (order) {                                           \
    case memory_order_relaxed:                               \
      BY_SCOPE(scope, ACCESS, "relaxed", __VA_ARGS__) break; \
    case memory_order_release:                               \
      BY_SCOPE(scope, ACCESS, "release", __VA_ARGS__) break; \
    case memory_order_acq_rel:                               \
      BY_SCOPE(scope, ACCESS, "acq_rel", __VA_ARGS__) break; \
    case memory_order_seq_cst:                               \
      sequential_fence(scope);                               \
      __attribute__((fallthrough));                          \
    default:                                                 \
      BY_SCOPE(scope, ACCESS, "acquire", __VA_ARGS__) break; \
  }

// Only the own work-group sees local memory.
#define SCOPE_IN___generic(scope) (scope)
#define SCOPE_IN___global(scope) (scope)
#define SCOPE_IN___local(scope) ((void)(scope), memory_scope_work_group)
#define PTX___generic ""
#define PTX___global ".global"
#define PTX___local ".shared"

// Where the program shows what a generic pointer points to, the instruction for that memory is taken:
// programs for OpenCL 2 have generic overloads only. The build renames the function to llvm.is.constant.i32,
// which would be answered too early.
bool __clcuda_is_constant_later(uint);
static inline DECIDED bool known(bool answer) { return __clcuda_is_constant_later(answer) && answer; }
#define IN_KNOWN_SPACE___generic(name, ...)                    \
  if (known(__nvvm_isspacep_global((const __generic void*)p))) \
    return name((volatile __global void*)p, __VA_ARGS__);      \
  if (known(__nvvm_isspacep_shared((const __generic void*)p))) \
    return name((volatile __local void*)p, __VA_ARGS__);
#define IN_KNOWN_SPACE___global(...)
#define IN_KNOWN_SPACE___local(...)

#define FOR_SPACES(M, ...) M(__global, __VA_ARGS__) M(__local, __VA_ARGS__) M(__generic, __VA_ARGS__)
