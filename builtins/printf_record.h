// SPDX-License-Identifier: Apache-2.0
#pragma once

// What printf leaves in device memory for the host to print. Laid out by the compiler (its pass lower_printf), read by
// the runtime.
//
// The buffer of a launch, at clcuda_launch_record::printf_buffer: this head, then records one behind the other, each 8-byte
// aligned. The runtime sets `capacity` (bytes behind the head) and zeroes `used`. A work-item reserves a record's bytes by adding to
// `used` atomically; a record that would end behind `capacity` is not written (where its own head would fit, that is written with
// size 0), printf returns -1, and `used` stays beyond the capacity: the runtime prints the records up to the first that does not fit
// and knows that output was lost.
//
// A record: clcuda_printf_record, then the arguments' values, each in slots of 8 bytes. Which arguments a record has, their sizes
// and kinds, is known from its format: CompiledProgram::printf_formats[format] is a text
//
//   <types> '\n' <format string>
//
// with one letter for each argument in <types> (vectors: the letter and the number of elements, as in f4):
//   c h i l   integer of 1, 2, 4, 8 bytes, sign-extended to 8 bytes; whether it has a sign is the conversion's matter
//   d         half, float or double: stored as a double
//   s         string literal: an index into CompiledProgram::printf_formats, whose entry is the string (-1: none)
//   p         pointer
// An element of a vector takes a slot like a scalar.
#include "fixed_size_types.h"

struct clcuda_printf_buffer {
  clcuda_u32 used;      // bytes reserved behind the head
  clcuda_u32 capacity;  // bytes behind the head, a multiple of 8
};

struct clcuda_printf_record {
  clcuda_u32 size;    // of the whole record in bytes, a multiple of 8
  clcuda_u32 format;  // index into CompiledProgram::printf_formats
};
