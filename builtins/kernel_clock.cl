// SPDX-License-Identifier: Apache-2.0
// cl_khr_kernel_clock: the device's timer in nanoseconds, which all multiprocessors share, and the multiprocessor's cycle counter.
#define OVERLOAD __attribute__((overloadable))

#define CLOCK(scope, reading)                                                             \
  ulong OVERLOAD clock_read_##scope(void) { return reading; }                             \
  uint2 OVERLOAD clock_read_hilo_##scope(void) { return __builtin_astype((ulong)reading, uint2); }
CLOCK(device, __nvvm_read_ptx_sreg_globaltimer())
CLOCK(work_group, __nvvm_read_ptx_sreg_clock64())
CLOCK(sub_group, __nvvm_read_ptx_sreg_clock64())
