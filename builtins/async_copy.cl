// SPDX-License-Identifier: Apache-2.0
// Copies by a whole work-group (OpenCL C 6.15.11): every work-item copies its share; waiting is a barrier.
#include "chip.h"
#include "library.h"

#define OWN get_local_linear_id()
#define ALL (__nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z())

// From sm_80 on, the chip copies from global to local memory asynchronously (cp.async), best in lines of 16 bytes, if both addresses are
// multiples of 16.
#define LINE 16

static inline size_t copy_lines(__local void* to, const __global void* from, size_t bytes) {
  if (!chip_is_at_least(80) || ((size_t)to | (size_t)from) % LINE != 0) return 0;
  const size_t lines = bytes / LINE;
  for (size_t i = OWN; i < lines; i += ALL)
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                     :
                     : "l"((__local uchar*)to + LINE * i), "l"((const __global uchar*)from + LINE * i)
                     : "memory");
  return lines * LINE;
}
static inline void wait_for_lines(void) {
  if (chip_is_at_least(80)) __asm__ volatile("cp.async.wait_all;" : : : "memory");
}

// Vectors of three are copied as those of four (a footnote to 6.15.11): an assignment leaves the fourth element undefined.
#define COPIED(T) T
#define COPIED2(T) T##2
#define COPIED3(T) T##4
#define COPIED4(T) T##4
#define COPIED8(T) T##8
#define COPIED16(T) T##16

#define COPY_IN(T, Copied)                                                                           \
  event_t OVERLOAD __attribute__((convergent)) async_work_group_copy(                                \
      __local T* destination, const __global T* source, size_t count, event_t event) {               \
    for (size_t i = copy_lines(destination, source, count * sizeof(T)) / sizeof(T) + OWN; i < count; \
         i += ALL)                                                                                   \
      ((__local Copied*)destination)[i] = ((const __global Copied*)source)[i];                       \
    return event;                                                                                    \
  }

// `to` and `from` are the indices of element i in destination and source.
#define COPY(T, Copied, to_space, from_space, name, to, from, ...)                                       \
  event_t OVERLOAD __attribute__((convergent)) name(to_space T* destination, const from_space T* source, \
                                                    size_t count, ##__VA_ARGS__, event_t event) {        \
    for (size_t i = OWN; i < count; i += ALL)                                                            \
      ((to_space Copied*)destination)[to] = ((const from_space Copied*)source)[from];                    \
    return event;                                                                                        \
  }
#define COPIES(n, T)                                                                                      \
  COPY_IN(T##n, COPIED##n(T))                                                                             \
  COPY(T##n, COPIED##n(T), __global, __local, async_work_group_copy, i, i)                                \
  COPY(T##n, COPIED##n(T), __local, __global, async_work_group_strided_copy, i, i* stride, size_t stride) \
  COPY(T##n, COPIED##n(T), __global, __local, async_work_group_strided_copy, i* stride, i, size_t stride) \
  void OVERLOAD prefetch(const __global T##n* p, size_t count) { (void)p, (void)count; }
#define ALL_WIDTHS(T, ...) FOR_WIDTHS(COPIES, T)
FOR_INTEGER_TYPES(ALL_WIDTHS)
FOR_FLOAT_TYPES(ALL_WIDTHS)

#define WAIT(space)                                                                               \
  void OVERLOAD __attribute__((convergent)) wait_group_events(int count, space event_t* events) { \
    (void)count, (void)events;                                                                    \
    wait_for_lines();                                                                             \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                          \
  }
WAIT(__generic)
WAIT(__local)

// Planes and volumes (cl_khr_extended_async_copies): the work-items share the bytes of a plane; planes are copied one after another. All
// offsets and lengths are in elements of `size` bytes.
#define LINES(to_space, from_space)                                                                        \
  static inline void OVERLOAD copy_plane(to_space uchar* to, const from_space uchar* from, size_t line,    \
                                         size_t lines, size_t to_step, size_t from_step) {                 \
    for (size_t i = OWN; i < line * lines; i += ALL)                                                       \
      to[i / line * to_step + i % line] = from[i / line * from_step + i % line];                           \
  }                                                                                                        \
  event_t OVERLOAD __attribute__((convergent)) async_work_group_copy_2D2D(                                 \
      to_space void* to, size_t to_offset, const from_space void* from, size_t from_offset, size_t size,   \
      size_t line, size_t lines, size_t from_line, size_t to_line, event_t event) {                        \
    copy_plane((to_space uchar*)to + to_offset * size, (const from_space uchar*)from + from_offset * size, \
               line * size, lines, to_line * size, from_line * size);                                      \
    return event;                                                                                          \
  }                                                                                                        \
  event_t OVERLOAD __attribute__((convergent)) async_work_group_copy_3D3D(                                 \
      to_space void* to, size_t to_offset, const from_space void* from, size_t from_offset, size_t size,   \
      size_t line, size_t lines, size_t planes, size_t from_line, size_t from_plane, size_t to_line,       \
      size_t to_plane, event_t event) {                                                                    \
    for (size_t plane = 0; plane < planes; ++plane)                                                        \
      copy_plane((to_space uchar*)to + (to_offset + plane * to_plane) * size,                              \
                 (const from_space uchar*)from + (from_offset + plane * from_plane) * size, line * size,   \
                 lines, to_line * size, from_line * size);                                                 \
    return event;                                                                                          \
  }
LINES(__local, __global)
LINES(__global, __local)

// The copies before the fence are complete before any work-item begins those after it.
void OVERLOAD __attribute__((convergent)) async_work_group_copy_fence(cl_mem_fence_flags flags) {
  wait_for_lines();
  barrier(flags);
}
