// SPDX-License-Identifier: Apache-2.0
// cl_khr_kernel_clock: the device's timer in nanoseconds, which all multiprocessors share, and the multiprocessor's cycle counter.
#define OVERLOAD __attribute__((overloadable))

static inline ulong nanoseconds(void) {
  ulong time;
  __asm__ volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

static inline ulong cycles(void) {
  ulong time;
  __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(time));
  return time;
}

#define CLOCK(scope, reading)                                 \
  ulong OVERLOAD clock_read_##scope(void) { return reading; } \
  uint2 OVERLOAD clock_read_hilo_##scope(void) { return __builtin_astype(reading, uint2); }
CLOCK(device, nanoseconds())
CLOCK(work_group, cycles())
CLOCK(sub_group, cycles())
