// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/session.h"

namespace soak {

// Commands that are the same for SVM and USM pointers; `bytes` is the model of the memory.

// A kernel that adds a number to some bytes. `set_pointer(kernel)` sets the pointer argument.
template <class SetPointer>
void add_by_pointer(const Session& session, Chain& chain, Bytes& bytes, SetPointer set_pointer) {
  const test::Kernel kernel = session.kernel("add");
  const auto number = static_cast<cl_uint>(1 + below(bytes.size()));
  const auto value = static_cast<cl_uchar>(1 + below(255));
  CL_EXPECT(CL_SUCCESS, set_pointer(kernel));
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof number, &number));
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof value, &value));
  for (cl_uint i = 0; i < number; ++i) bytes[i] = static_cast<std::uint8_t>(bytes[i] + value);
  const std::size_t items = number;
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, events...);
  });
}

// A fill with a pattern of a random one of `pattern_sizes` sizes: enqueue(queue, pattern, size, events…).
template <class Enqueue>
void fill_by_pointer(Chain& chain, Bytes& bytes, std::size_t pattern_sizes, Enqueue enqueue) {
  const Bytes pattern = test::random_values(std::size_t{1} << below(pattern_sizes));
  const std::size_t size = bytes.size() / pattern.size() * pattern.size();
  if (size == 0) return;
  for (std::size_t i = 0; i < size; ++i) bytes[i] = pattern[i % pattern.size()];
  chain([&](cl_command_queue queue, auto... events) { return enqueue(queue, pattern, size, events...); });
}

}  // namespace soak
