// SPDX-License-Identifier: Apache-2.0
// Barriers and fences (OpenCL C 6.15.8, 6.15.9 and 6.15.12.3).
#define OVERLOAD __attribute__((overloadable))
#define BARRIER OVERLOAD __attribute__((convergent))

static inline void fence(memory_order order, memory_scope scope) {
  if (order == memory_order_relaxed || scope == memory_scope_work_item) return;
  bool sequential = order == memory_order_seq_cst;
  switch (scope) {
    case memory_scope_sub_group:
    case memory_scope_work_group:
      if (sequential)
        __asm__ volatile("fence.sc.cta;" ::: "memory");
      else
        __asm__ volatile("fence.acq_rel.cta;" ::: "memory");
      break;
    case memory_scope_device:
      if (sequential)
        __asm__ volatile("fence.sc.gpu;" ::: "memory");
      else
        __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
      break;
    default:
      if (sequential)
        __asm__ volatile("fence.sc.sys;" ::: "memory");
      else
        __asm__ volatile("fence.acq_rel.sys;" ::: "memory");
  }
}

// bar.sync orders all memory within the work-group; only a wider scope needs fences, before and after it.
void BARRIER work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  (void)flags;
  bool wide = scope == memory_scope_device || scope == memory_scope_all_svm_devices;
  if (wide) fence(memory_order_acq_rel, scope);
  __syncthreads();
  if (wide) fence(memory_order_acq_rel, scope);
}
void BARRIER work_group_barrier(cl_mem_fence_flags flags) {
  (void)flags;
  __syncthreads();
}
void BARRIER barrier(cl_mem_fence_flags flags) {
  (void)flags;
  __syncthreads();
}

// Programs for OpenCL 1 use fences on global memory to publish results to other work-groups, although the specification guarantees their
// effect within the work-group only. On this hardware that just requires device scope.
static inline void fence_for(cl_mem_fence_flags flags) {
  fence(memory_order_acq_rel, flags & CLK_GLOBAL_MEM_FENCE ? memory_scope_device : memory_scope_work_group);
}
void OVERLOAD mem_fence(cl_mem_fence_flags flags) { fence_for(flags); }
void OVERLOAD read_mem_fence(cl_mem_fence_flags flags) { fence_for(flags); }
void OVERLOAD write_mem_fence(cl_mem_fence_flags flags) { fence_for(flags); }

void OVERLOAD atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  (void)flags;
  fence(order, scope);
}

// Address space qualifier functions. Clang declares the first three itself and calls them by these names.
__global void* __to_global(__generic void* p) { return __nvvm_isspacep_global(p) ? (__global void*)p : 0; }
__local void* __to_local(__generic void* p) { return __nvvm_isspacep_shared(p) ? (__local void*)p : 0; }
__private void* __to_private(__generic void* p) { return __nvvm_isspacep_local(p) ? (__private void*)p : 0; }
cl_mem_fence_flags OVERLOAD get_fence(const __generic void* p) {
  return __nvvm_isspacep_shared(p) ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
cl_mem_fence_flags OVERLOAD get_fence(__generic void* p) { return get_fence((const __generic void*)p); }
