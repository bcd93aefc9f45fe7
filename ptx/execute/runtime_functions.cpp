// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/runtime_functions.h"

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "ptx/abi/block.h"
#include "ptx/abi/state_space.h"
#include "ptx/execute/device_runtime.h"
#include "ptx/execute/directed_rounding.h"
#include "ptx/execute/fault_guard.h"
#include "ptx/execute/function_lookup.h"
#include "ptx/execute/narrow_float.h"
#include "ptx/execute/surface_functions.h"
#include "ptx/execute/texture_functions.h"

namespace clcuda::ptx {
namespace {

std::uint64_t global_timer() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

// About as precise as processor cycles. (The counter that Arm provides to programs may be thirty times coarser.)
std::uint64_t clock_count() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return global_timer();
#endif
}

void trap() { raise_fault({FaultKind::trap, 0}); }

std::uint32_t is_space(const Block* block, std::uint64_t address, std::uint32_t space) {
  const auto from = reinterpret_cast<std::uint64_t>(block->shared);
  const std::uint64_t shared_bytes =
      std::uint64_t{block->dynamic_shared_offset} + block->dynamic_shared_bytes;
  const bool shared = address - from < shared_bytes;
  const bool local = is_local_address(address);
  const bool parameter = address - reinterpret_cast<std::uint64_t>(block->parameters) < 32764;
  switch (static_cast<Space>(space)) {
    case Space::shared:
      return shared;
    case Space::local:
      return local && !shared;
    case Space::param:
      return parameter;
    case Space::constant:
      return 0;  // constants are among the global variables
    default:
      return !shared && !local;
  }
}

// The position of the n-th set bit of the mask from `base` upwards (n > 0) or downwards (n < 0); for n = 0, `base` if its bit is set. ~0 if
// there is none.
std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t n) {
  if (base > 31) return ~0u;
  if (n == 0) return mask >> base & 1 ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  std::int64_t left = n > 0 ? n : -static_cast<std::int64_t>(n);
  for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step)
    if (mask >> position & 1 && --left == 0) return static_cast<std::uint32_t>(position);
  return ~0u;
}

std::uint16_t half_of_signed(std::int64_t value) {
  // As f16, every integer beyond 2^17 is infinite; smaller ones are exact as double.
  const std::int64_t clamped = value > 200000 ? 200000 : value < -200000 ? -200000 : value;
  return narrow<5, 10>(static_cast<double>(clamped), Rounding::nearest);
}
std::uint16_t half_of_unsigned(std::uint64_t value) {
  return half_of_signed(static_cast<std::int64_t>(value > 200000 ? 200000 : value));
}

// Rounds the exact integer to nearest even, to 8 significant bits.
std::uint16_t bfloat_of_unsigned(std::uint64_t value) {
  if (value == 0) return 0;
  const int top = 63 - __builtin_clzll(value);
  const int drop = top - 7;
  std::uint64_t kept = drop > 0 ? value >> drop : value << -drop;
  int exponent = top;
  if (drop > 0) {
    const std::uint64_t rest = value & ((std::uint64_t{1} << drop) - 1),
                        half = std::uint64_t{1} << (drop - 1);
    if (rest > half || (rest == half && (kept & 1))) ++kept;
    if (kept == 256) kept = 128, ++exponent;
  }
  return static_cast<std::uint16_t>((exponent + 127) << 7 | (kept & 127));
}
std::uint16_t bfloat_of_signed(std::int64_t value) {
  if (value >= 0) return bfloat_of_unsigned(static_cast<std::uint64_t>(value));
  return bfloat_of_unsigned(0 - static_cast<std::uint64_t>(value)) | 0x8000;
}

// Functions that LLVM calls on hosts without instructions for 16-bit floats. The values are passed in vector registers, as _Float16 is.
using Carrier = _Float16;
Carrier half_of_single(float value) {
  return std::bit_cast<Carrier>(narrow<5, 10>(value, Rounding::nearest));
}
Carrier half_of_double(double value) {
  return std::bit_cast<Carrier>(narrow<5, 10>(value, Rounding::nearest));
}
Carrier bfloat_of_single(float value) {
  return std::bit_cast<Carrier>(narrow<8, 7>(value, Rounding::nearest));
}
Carrier bfloat_of_double(double value) {
  return std::bit_cast<Carrier>(narrow<8, 7>(value, Rounding::nearest));
}
float single_of_half(Carrier carrier) {
  const auto bits = std::bit_cast<std::uint16_t>(carrier);
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float magnitude = exponent ? std::ldexp(1024.0f + static_cast<float>(mantissa), exponent - 25)
                             : std::ldexp(static_cast<float>(mantissa), -24);
  if (exponent == 31)
    magnitude = mantissa ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <typename T>
using Unary = T(T);
template <typename T>
using Binary = T(T, T);
template <typename T>
using Ternary = T(T, T, T);

std::vector<RuntimeFunction> make_functions() {
  std::vector<RuntimeFunction> functions{
      {"clcuda_clock", address_of(clock_count)},
      {"clcuda_globaltimer", address_of(global_timer)},
      {"clcuda_trap", address_of(trap)},
      {"clcuda_is_space", address_of(is_space)},
      {kFindFunction, address_of(find_function)},
      {"clcuda_fns", address_of(find_nth_set)},
      {"clcuda_cvt_f16_s64", address_of(half_of_signed)},
      {"clcuda_cvt_f16_u64", address_of(half_of_unsigned)},
      {"clcuda_cvt_bf16_s64", address_of(bfloat_of_signed)},
      {"clcuda_cvt_bf16_u64", address_of(bfloat_of_unsigned)},
      {"__truncsfhf2", address_of(half_of_single)},
      {"__truncdfhf2", address_of(half_of_double)},
      {"__truncsfbf2", address_of(bfloat_of_single)},
      {"__truncdfbf2", address_of(bfloat_of_double)},
      {"__extendhfsf2", address_of(single_of_half)},
      {"memcpy", address_of<void*(void*, const void*, std::size_t)>(std::memcpy)},
      {"memmove", address_of<void*(void*, const void*, std::size_t)>(std::memmove)},
      {"memset", address_of<void*(void*, int, std::size_t)>(std::memset)},
      {"sinf", address_of<Unary<float>>(std::sin)},
      {"cosf", address_of<Unary<float>>(std::cos)},
      {"exp2f", address_of<Unary<float>>(std::exp2)},
      {"log2f", address_of<Unary<float>>(std::log2)},
      {"tanhf", address_of<Unary<float>>(std::tanh)},
      {"sincosf", address_of<void(float, float*, float*)>(sincosf)},
      {"fmaf", address_of<Ternary<float>>(std::fma)},
      {"fma", address_of<Ternary<double>>(std::fma)},
      {"floorf", address_of<Unary<float>>(std::floor)},
      {"floor", address_of<Unary<double>>(std::floor)},
      {"ceilf", address_of<Unary<float>>(std::ceil)},
      {"ceil", address_of<Unary<double>>(std::ceil)},
      {"truncf", address_of<Unary<float>>(std::trunc)},
      {"trunc", address_of<Unary<double>>(std::trunc)},
      {"roundevenf", address_of<Unary<float>>(std::nearbyint)},
      {"roundeven", address_of<Unary<double>>(std::nearbyint)},
      {"ldexpf", address_of<float(float, int)>(std::ldexp)},
      {"ldexp", address_of<double(double, int)>(std::ldexp)},
  };
  for (const auto part :
       {directed_rounding_functions(), texture_functions(), surface_functions(), device_runtime_functions()})
    functions.insert(functions.end(), part.begin(), part.end());
  return functions;
}

}  // namespace

std::span<const RuntimeFunction> runtime_functions() {
  static const std::vector<RuntimeFunction> functions = make_functions();
  return functions;
}

}  // namespace clcuda::ptx
