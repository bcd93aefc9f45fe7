// SPDX-License-Identifier: Apache-2.0
// Launches of all shapes, and kernels that use pipes, device queues and printf.
#include <array>
#include <numeric>

#include "soak/printed.h"
#include "soak/session.h"
#include "support/device_info.h"

namespace soak {
namespace {

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  const auto* begin = reinterpret_cast<const std::uint8_t*>(values.data());
  return {begin, begin + values.size() * sizeof(T)};
}

template <class... Arguments>
void set_arguments(cl_kernel kernel, const Arguments&... arguments) {
  cl_uint index = 0;
  const auto set = [&](std::size_t size, const void* value) {
    CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, index++, size, value));
  };
  (set(sizeof arguments, &arguments), ...);
}

template <class T>
void read(Chain& chain, cl_mem buffer, Pending& pending, const std::vector<T>& expected) {
  Bytes bytes = bytes_of(expected);
  const std::size_t size = bytes.size();
  std::uint8_t* const seen = pending.seen(std::move(bytes));
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, size, seen, events...);
  });
}

void run(Chain& chain, cl_kernel kernel, std::size_t items, const std::size_t* group = nullptr) {
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, group, events...);
  });
}

}  // namespace

// Random sizes, offsets and work-groups: each work-item checks its ids.
std::unique_ptr<Pending> launch(Session& session) {
  auto pending = std::make_unique<Pending>("launch");
  const auto dimensions = static_cast<cl_uint>(1 + below(3));
  std::array<std::size_t, 3> global{1, 1, 1}, offset{}, local{1, 1, 1};
  for (cl_uint d = 0; d < dimensions; ++d) {
    global[d] = any_size(dimensions == 1 ? 5000 : dimensions == 2 ? 70 : 20);
    offset[d] = chance(20) ? below(1000) : 0;
    local[d] = 1 + below(8);
  }
  const auto seed = static_cast<cl_uint>(test::random_engine()());
  std::vector<cl_uint> expected;
  for (std::size_t z = 0; z < global[2]; ++z)
    for (std::size_t y = 0; y < global[1]; ++y)
      for (std::size_t x = 0; x < global[0]; ++x) {
        cl_uint value = seed;
        for (const std::size_t id : {x + offset[0], y + offset[1], z + offset[2]})
          value = (value ^ static_cast<cl_uint>(id)) * 16777619u;
        expected.push_back(value);
      }
  Chain chain(session);
  const test::Buffer out = session.buffer(expected.size() * sizeof(cl_uint));
  const test::Kernel kernel = session.kernel("spread");
  set_arguments(kernel, out.get(), seed);
  const bool chosen = chance(60), moved = chance(60) || offset != std::array<std::size_t, 3>{};
  chain([&](cl_command_queue queue, auto... events) {
    return clEnqueueNDRangeKernel(queue, kernel, dimensions, moved ? offset.data() : nullptr, global.data(),
                                  chosen ? local.data() : nullptr, events...);
  });
  read(chain, out, *pending, expected);
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

// Work-groups that add up their numbers in local memory.
std::unique_ptr<Pending> reduce(Session& session) {
  auto pending = std::make_unique<Pending>("reduce");
  const std::size_t group = std::size_t{1} << below(8), groups = 1 + below(40);
  std::vector<cl_uint> numbers = test::random_values<cl_uint>(group * groups), sums(groups);
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[i / group] += numbers[i];
  Chain chain(session);
  const test::Buffer in = session.buffer(numbers.size() * sizeof(cl_uint),
                                         CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, numbers.data()),
                     out = session.buffer(groups * sizeof(cl_uint), CL_MEM_WRITE_ONLY);
  const test::Kernel kernel = session.kernel("reduce");
  set_arguments(kernel, in.get(), out.get());
  CL_EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, group * sizeof(cl_uint), nullptr));
  run(chain, kernel, numbers.size(), &group);
  read(chain, out, *pending, sums);
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

// Packets arrive in any order: the sum is compared.
std::unique_ptr<Pending> pass_through_pipe(Session& session) {
  if (!test::device_info<cl_bool>(session.devices().front(), CL_DEVICE_PIPE_SUPPORT)) return nullptr;
  auto pending = std::make_unique<Pending>("pipe");
  std::vector<cl_uint> packets = test::random_values<cl_uint>(1 + below(300)), sum{0};
  Chain chain(session);
  cl_int error = CL_SUCCESS;
  const test::Buffer pipe = clCreatePipe(session.context(), 0, sizeof(cl_uint),
                                         static_cast<cl_uint>(packets.size()), nullptr, &error);
  CL_EXPECT(CL_SUCCESS, error);
  const test::Buffer in = session.buffer(packets.size() * sizeof(cl_uint), CL_MEM_COPY_HOST_PTR,
                                         packets.data()),
                     out = session.buffer(sizeof(cl_uint), CL_MEM_COPY_HOST_PTR, sum.data());
  const test::Kernel put = session.kernel("put"), take = session.kernel("take");
  set_arguments(put, pipe.get(), in.get());
  set_arguments(take, pipe.get(), out.get());
  run(chain, put, packets.size());
  run(chain, take, packets.size());
  sum[0] = std::accumulate(packets.begin(), packets.end(), 0u);
  read(chain, out, *pending, sum);
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

// Each work-item enqueues a kernel with two work-items.
std::unique_ptr<Pending> enqueue_on_device(Session& session) {
  if (!session.has_device_queue()) return nullptr;
  auto pending = std::make_unique<Pending>("enqueue on the device");
  const auto seed = static_cast<cl_uint>(test::random_engine()()), way = static_cast<cl_uint>(below(3));
  std::vector<cl_uint> expected(2 * (1 + below(60)));
  Chain chain(session);
  chain.stay();
  const test::Buffer out = session.buffer(expected.size() * sizeof(cl_uint));
  const test::Kernel kernel = session.kernel("spawn");
  set_arguments(kernel, out.get(), seed, way);
  run(chain, kernel, expected.size() / 2);
  for (cl_uint i = 0; i < expected.size(); ++i) expected[i] = seed * (i / 2 + 1) + i % 2;
  read(chain, out, *pending, expected);
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

// Prints numbers to standard output, which is a pipe back to this process.
std::unique_ptr<Pending> print(Session& session) {
  auto pending = std::make_unique<Pending>("print");
  const auto first = static_cast<cl_uint>(below(1'000'000));
  const std::size_t items = 1 + below(40);
  Chain chain(session);
  const test::Kernel kernel = session.kernel("print");
  set_arguments(kernel, first);
  if (!chain.fails()) expect_printed(first, items);
  run(chain, kernel, items);
  pending->ends_with(chain.take_last(), chain.fails());
  return pending;
}

}  // namespace soak
