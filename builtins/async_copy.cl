// SPDX-License-Identifier: Apache-2.0
// Copies by a whole work-group (OpenCL C 6.15.11): every work-item copies its share; waiting is a barrier.
#include "library.h"

// `to` and `from` are the indices in destination and source of element number i.
#define COPY(T, to_space, from_space, name, to, from, ...)                                                   \
  event_t OVERLOAD __attribute__((convergent)) name(to_space T* destination, const from_space T* source,     \
                                                    size_t count, ##__VA_ARGS__, event_t event) {            \
    for (size_t i = get_local_linear_id(), step = get_local_size(0) * get_local_size(1) * get_local_size(2); \
         i < count; i += step)                                                                               \
      destination[to] = source[from];                                                                        \
    return event;                                                                                            \
  }
#define COPIES(n, T)                                                                        \
  COPY(T##n, __local, __global, async_work_group_copy, i, i)                                \
  COPY(T##n, __global, __local, async_work_group_copy, i, i)                                \
  COPY(T##n, __local, __global, async_work_group_strided_copy, i, i* stride, size_t stride) \
  COPY(T##n, __global, __local, async_work_group_strided_copy, i* stride, i, size_t stride) \
  void OVERLOAD prefetch(const __global T##n* p, size_t count) { (void)p, (void)count; }
#define ALL_WIDTHS(T, ...) FOR_WIDTHS(COPIES, T)
FOR_INTEGER_TYPES(ALL_WIDTHS)
FOR_FLOAT_TYPES(ALL_WIDTHS)

#define WAIT(space)                                                                               \
  void OVERLOAD __attribute__((convergent)) wait_group_events(int count, space event_t* events) { \
    (void)count, (void)events;                                                                    \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                          \
  }
WAIT(__generic)
WAIT(__local)
