// SPDX-License-Identifier: Apache-2.0
// Reserves space for the record of a printf (printf_record.h). The compiler's pass lower_printf inserts the calls.
#include "launch_record.h"
#include "printf_record.h"

// A new record with its head filled in; null if there is no space.
global struct clcuda_printf_record* __clcuda_printf_reserve(uint size, uint format) {
  global struct clcuda_printf_buffer* buffer =
      (global struct clcuda_printf_buffer*)__clcuda_launch_record()->printf_buffer;
  if (!buffer) return 0;
  // Once the buffer is full nothing more is added, so that `used` cannot wrap around.
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
