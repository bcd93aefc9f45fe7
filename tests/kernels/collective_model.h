// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CL/cl_half.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "device_program.h"
#include "some_of.h"

// Models of collective functions on the host. Values are chosen so that floating-point results are exact in any order of evaluation.
namespace clcuda::test {

struct Half {
  cl_half bits = 0;
  Half() = default;
  Half(float value) : bits(cl_half_from_float(value, CL_HALF_RTE)) {}  // NOLINT: a number like the others
  operator float() const { return cl_half_to_float(bits); }            // NOLINT
};

template <class T>
struct TypeName;
#define CLCUDA_TYPE_NAME(T, text)             \
  template <>                                 \
  struct TypeName<T> {                        \
    static constexpr const char* name = text; \
  };
CLCUDA_TYPE_NAME(cl_char, "char")
CLCUDA_TYPE_NAME(cl_uchar, "uchar")
CLCUDA_TYPE_NAME(cl_short, "short")
CLCUDA_TYPE_NAME(cl_ushort, "ushort")
CLCUDA_TYPE_NAME(cl_int, "int")
CLCUDA_TYPE_NAME(cl_uint, "uint")
CLCUDA_TYPE_NAME(cl_long, "long")
CLCUDA_TYPE_NAME(cl_ulong, "ulong")
CLCUDA_TYPE_NAME(Half, "half")
CLCUDA_TYPE_NAME(cl_float, "float")
CLCUDA_TYPE_NAME(cl_double, "double")
#undef CLCUDA_TYPE_NAME

using Random = std::mt19937_64;

template <class T>
T random_value(Random& random, bool for_products) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random());
  } else {
    // ±1: a sum over a whole work-group and any product are exact in half precision.
    if (for_products) return T(random() % 2 ? 1.0F : -1.0F);
    return T(static_cast<float>(static_cast<int>(random() % 3) - 1));
  }
}

enum class Op { add, mul, min, max, and_, or_, xor_ };
inline const char* name_of(Op op) {
  static constexpr const char* kNames[] = {"add", "mul", "min", "max", "and", "or", "xor"};
  return kNames[static_cast<int>(op)];
}

template <class T>
T apply(Op op, T a, T b) {
  using U = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;  // wraps, while T would overflow
  switch (op) {
    case Op::add:
      return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
    case Op::mul:
      return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
    case Op::min:
      return b < a ? b : a;
    case Op::max:
      return a < b ? b : a;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (op == Op::and_) return static_cast<T>(a & b);
    if (op == Op::or_) return static_cast<T>(a | b);
    if (op == Op::xor_) return static_cast<T>(a ^ b);
  }
  return a;
}

template <class T>
T identity(Op op) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (op) {
    case Op::mul:
      return static_cast<T>(1);
    case Op::and_:
      return static_cast<T>(-1);
    case Op::min:
      if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::max();
      return T(kInfinity);
    case Op::max:
      if constexpr (std::is_integral_v<T>) return std::numeric_limits<T>::min();
      return T(-kInfinity);
    default:
      return T{};
  }
}

template <class T>
std::vector<Op> operations() {
  if constexpr (std::is_integral_v<T>)
    return {Op::add, Op::mul, Op::min, Op::max, Op::and_, Op::or_, Op::xor_};
  return {Op::add, Op::mul, Op::min, Op::max};
}

enum class Form { reduce, scan_inclusive, scan_exclusive };
inline const char* name_of(Form form) {
  static constexpr const char* kNames[] = {"reduce", "scan_inclusive", "scan_exclusive"};
  return kNames[static_cast<int>(form)];
}
inline constexpr Form kForms[] = {Form::reduce, Form::scan_inclusive, Form::scan_exclusive};

// The result for item `at`; `items` are the participants in order, one of which is `at`.
template <class T>
T collect(Form form, Op op, const std::vector<T>& values, const std::vector<std::size_t>& items,
          std::size_t at) {
  T result = identity<T>(op);
  for (const std::size_t item : items) {
    if (form == Form::scan_exclusive && item == at) break;
    result = apply(op, result, values[item]);
    if (form == Form::scan_inclusive && item == at) break;
  }
  return result;
}

// Positions of work-items in the tests' buffers: by work-group, then by local linear id. The kernels compute the same (kPositionSource).
struct Groups {
  explicit Groups(const Range& range);
  std::vector<std::vector<std::size_t>> work_groups, sub_groups;  // the positions in each, in order
};
extern const char kPositionSource[];  // size_t position(void)

Range random_range(Random& random, std::size_t largest_group, bool uniform);

}  // namespace clcuda::test
