// SPDX-License-Identifier: Apache-2.0
// Room for what a printf leaves (printf_record.h); its calls are put there by the compiler's pass lower_printf.
#include "launch_record.h"
#include "printf_record.h"

// A record's room, with its head written; null where there is none.
global struct clcuda_printf_record* __clcuda_printf_reserve(uint size, uint format) {
  global struct clcuda_printf_buffer* buffer =
      (global struct clcuda_printf_buffer*)__clcuda_launch_record()->printf_buffer;
  if (!buffer) return 0;
  // Once the buffer is full nothing more is added, so that the sum of what all ask for cannot come round to 0.
  if (*(volatile global uint*)&buffer->used > buffer->capacity) return 0;
  const uint start = atomic_add((volatile global uint*)&buffer->used, size);
  if (start > buffer->capacity || buffer->capacity - start < sizeof(struct clcuda_printf_record)) return 0;
  global struct clcuda_printf_record* record =
      (global struct clcuda_printf_record*)((global char*)(buffer + 1) + start);
  const bool fits = size <= buffer->capacity - start;
  record->size = fits ? size : 0;
  record->format = format;
  return fits ? record : 0;
}
