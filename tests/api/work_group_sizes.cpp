// SPDX-License-Identifier: Apache-2.0
// Kernels run in work-groups of each size that queries report, and in larger ones, however many registers their code would use.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "support/opencl.h"

namespace {

using Size3 = std::array<std::size_t, 3>;

std::size_t random_below(std::size_t end) { return test::random_values<std::uint32_t>(1).front() % end; }

class WorkGroupSizes : public test::OpenCL {
 protected:
  std::size_t promised_size(cl_kernel kernel) const {
    std::size_t size = 0;
    CL_EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size,
                                                   &size, nullptr));
    return size;
  }
  std::size_t most_items() const {
    std::size_t size = 0;
    CL_EXPECT(CL_SUCCESS,
              clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof size, &size, nullptr));
    return size;
  }
};

// A kernel that needs many registers; `attribute` goes before its name.
constexpr std::size_t kValues = 160;
std::string mixing_source(const std::string& attribute = "") {
  return "kernel " + attribute +
         " void mix(global const uint* in, global uint* out) {\n"
         "  uint v[160];\n"
         "  for (int i = 0; i < 160; ++i) v[i] = in[(get_global_id(0) + i * 7) % get_global_size(0)];\n"
         "  for (int turn = 0; turn < 3; ++turn)\n"
         "    for (int i = 0; i < 160; ++i) v[i] = v[i] * v[(i + 1) % 160] + v[(i * 5 + 3) % 160];\n"
         "  uint sum = 0;\n"
         "  for (int i = 0; i < 160; ++i) sum = (sum ^ v[i]) * 31;\n"
         "  out[get_global_id(0)] = sum;\n"
         "}\n";
}

std::vector<cl_uint> mixed(const std::vector<cl_uint>& in) {
  std::vector<cl_uint> out(in.size());
  for (std::size_t item = 0; item < in.size(); ++item) {
    std::array<cl_uint, kValues> v;
    for (std::size_t i = 0; i < kValues; ++i) v[i] = in[(item + i * 7) % in.size()];
    for (int turn = 0; turn < 3; ++turn)
      for (std::size_t i = 0; i < kValues; ++i) v[i] = v[i] * v[(i + 1) % kValues] + v[(i * 5 + 3) % kValues];
    for (const cl_uint x : v) out[item] = (out[item] ^ x) * 31;
  }
  return out;
}

class ManyRegisters : public WorkGroupSizes {
 protected:
  void check(cl_kernel kernel, const std::vector<std::size_t>& sizes) const {
    for (const std::size_t count : {4096, 4000}) {
      const std::vector<cl_uint> in = test::random_values<cl_uint>(count), expected = mixed(in);
      const test::Buffer from = make_buffer(in), to = make_buffer(count * sizeof(cl_uint));
      set_arguments(kernel, from, to);
      for (const std::size_t size : sizes) {
        SCOPED_TRACE("groups of " + std::to_string(size) + ", " + std::to_string(count) + " in all");
        CL_OK(clEnqueueFillBuffer(queue, to, "", 1, 0, count * sizeof(cl_uint), 0, nullptr, nullptr));
        CL_OK(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, &size, 0, nullptr, nullptr));
        EXPECT_EQ(contents<cl_uint>(to, count), expected);
      }
    }
  }
};

// Programs expect work-group sizes that other drivers allow, although these allocate registers differently. Also with a smaller last
// work-group, and with build options that limit registers less than large work-groups require.
TEST_F(ManyRegisters, InGroupsOfAnySize) {
  for (const char* bound : {"", " -cl-nv-maxrregcount=255", " -cl-nv-maxrregcount=100"}) {
    SCOPED_TRACE(bound);
    const test::Program program = build(mixing_source(), std::string("-cl-std=CL3.0") + bound);
    const test::Kernel kernel = make_kernel(program, "mix");
    const std::size_t promised = promised_size(kernel), most = most_items();
    std::cout << "promised" << bound << ": " << promised << std::endl;
    check(kernel, {promised, most / 4, most / 2, most / 4 * 3, most});
  }
}

// A required work-group size works with any limit of registers in the program.
TEST_F(ManyRegisters, InGroupsOfARequiredSize) {
  for (const std::size_t size : {most_items() / 2, most_items()}) {
    const std::string items = std::to_string(size);
    const test::Program program =
        build(mixing_source("__attribute__((reqd_work_group_size(" + items + ", 1, 1)))"),
              "-cl-std=CL3.0 -cl-nv-maxrregcount=200");
    const test::Kernel kernel = make_kernel(program, "mix");
    EXPECT_GE(promised_size(kernel), size);
    check(kernel, {size});
  }
}

constexpr const char* kCensus = R"(
  uint place(uint d) { return get_group_id(d) * get_enqueued_local_size(d) + get_local_id(d); }
  uint linear_place() { return (place(2) * get_global_size(1) + place(1)) * get_global_size(0) + place(0); }
  kernel void plain(global uint* out) { out[linear_place()] = get_local_linear_id() + 1; }
  kernel void collective(global uint* out) { out[linear_place()] = work_group_scan_inclusive_add(1u); }
  kernel void in_local(global uint* out) {
    local uint seen[3000];
    seen[get_local_linear_id()] = get_local_linear_id();
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = get_local_size(0) * get_local_size(1) * get_local_size(2), next = (get_local_linear_id() + 1) % all;
    out[linear_place()] = seen[next] == next ? get_local_linear_id() + 1 : 0;
  }
)";

// The results of `census` kernels: the number of each work-item in its group, from 1.
std::vector<cl_uint> places_in_groups(const Size3& global, const Size3& local) {
  std::vector<cl_uint> places;
  Size3 id;
  for (id[2] = 0; id[2] < global[2]; ++id[2])
    for (id[1] = 0; id[1] < global[1]; ++id[1])
      for (id[0] = 0; id[0] < global[0]; ++id[0]) {
        const auto size = [&](std::size_t d) {
          return std::min(local[d], global[d] - id[d] / local[d] * local[d]);
        };
        const std::size_t plane = id[2] % local[2] * size(1) + id[1] % local[1];
        places.push_back(static_cast<cl_uint>(plane * size(0) + id[0] % local[0] + 1));
      }
  return places;
}

// A box of at most `most` work-items with random sides.
Size3 random_box(std::size_t most) {
  Size3 box{1, 1, 1};
  std::array<std::size_t, 3> order{0, 1, 2};
  std::ranges::shuffle(order, test::random_engine());
  box[order[0]] = 1 + random_below(most);
  box[order[1]] = 1 + random_below(most / box[order[0]]);
  box[order[2]] = most / (box[order[0]] * box[order[1]]);
  return box;
}

TEST_F(WorkGroupSizes, EveryOneThatIsPromised) {
  const test::Program program = build(kCensus);
  for (const char* name : {"plain", "collective", "in_local"}) {
    const test::Kernel kernel = make_kernel(program, name);
    const std::size_t promised = promised_size(kernel);
    std::vector<Size3> boxes{{promised, 1, 1}, {1, promised, 1}, {1, 1, promised}, {promised - 1, 1, 1}};
    for (int i = 0; i < 8; ++i) boxes.push_back(random_box(promised));
    for (const Size3& local : boxes) {
      const bool ragged = random_below(2) == 1;
      Size3 global, offset;
      for (std::size_t d = 0; d < 3; ++d) {
        global[d] = local[d] * (1 + random_below(2)) + (ragged ? random_below(local[d]) : 0);
        offset[d] = ragged ? random_below(1000) : 0;
      }
      SCOPED_TRACE(testing::Message() << name << ", groups " << testing::PrintToString(local) << " of "
                                      << testing::PrintToString(global));
      const std::vector<cl_uint> expected = places_in_groups(global, local);
      const test::Buffer out = make_buffer(std::vector<cl_uint>(expected.size(), 0));
      set_arguments(kernel, out);
      CL_OK(clEnqueueNDRangeKernel(queue, kernel, 3, offset.data(), global.data(), local.data(), 0, nullptr,
                                   nullptr));
      ASSERT_EQ(contents<cl_uint>(out, expected.size()), expected);
    }
  }
}

}  // namespace
