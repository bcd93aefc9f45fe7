// SPDX-License-Identifier: Apache-2.0
// Inclusive scopes (OpenCL 3.1, section 3.3.4): operations that synchronize need scopes that include each other's work-items, not equal
// scopes. In each set of work-items, and in the whole range, the last one to arrive must see what all others have written before.
#include "support/device_info.h"
#include "support/opencl.h"

namespace {

// The smallest set of work-items for which a scope is wide enough: a sub-group, a work-group or the range.
struct Scope {
  const char* name;
  int reach;
};
constexpr Scope kScopes[] = {{"memory_scope_sub_group", 0},
                             {"memory_scope_work_group", 1},
                             {"memory_scope_device", 2},
                             {"memory_scope_all_svm_devices", 2}};

// Each work-item writes its own value and arrives; the last one of its set adds up the set's values.
constexpr char kArrive[] = R"(
  uint i = get_global_id(0), set = i / size;
  data[i] = in[i];
)";
constexpr char kSum[] = R"(
  uint sum = 0;
  for (uint k = set * size; k < (set + 1) * size; ++k) sum += data[k] ^ k;
  sums[set] = sum;
}
)";

std::string kernel(const std::string& name, const std::string& body) {
  return "kernel void " + name +
         "(global const uint* in, global uint* data, global atomic_uint* counts, global uint* sums, uint "
         "size) {" +
         kArrive + body + kSum;
}

// Operations with release and acquire, and fences around relaxed operations.
std::string by_operations(const std::string& name, const std::string& from, const std::string& to) {
  return kernel(name, "if (atomic_fetch_add_explicit(&counts[set], 1, memory_order_release, " + from +
                          ") + 1 != size) return;\n"
                          "while (atomic_load_explicit(&counts[set], memory_order_acquire, " +
                          to + ") != size) ;\n");
}
std::string by_fences(const std::string& name, const std::string& from, const std::string& to) {
  return kernel(name, "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, " + from +
                          ");\n"
                          "if (atomic_fetch_add_explicit(&counts[set], 1, memory_order_relaxed, " +
                          from +
                          ") + 1 != size) return;\n"
                          "while (atomic_load_explicit(&counts[set], memory_order_relaxed, " +
                          to +
                          ") != size) ;\n"
                          "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, " +
                          to + ");\n");
}

class InclusiveScopes : public test::OpenCL {
 protected:
  static constexpr std::size_t kItems = 4096, kGroup = 256, kSubGroup = 32;

  void check(const std::string& source) {
    const test::Program program = build(source, "-cl-std=CL3.1");
    for (std::size_t from = 0; from < std::size(kScopes); ++from)
      for (std::size_t to = 0; to < std::size(kScopes); ++to) {
        const int reach = std::min(kScopes[from].reach, kScopes[to].reach);
        SCOPED_TRACE(std::string(kScopes[from].name) + " to " + kScopes[to].name);
        run(make_kernel(program, name_of(from, to).c_str()), reach == 0   ? kSubGroup
                                                             : reach == 1 ? kGroup
                                                                          : kItems);
      }
  }
  void run(const test::Kernel& tested, std::size_t set) {
    const auto in = test::random_values<cl_uint>(kItems);
    std::vector<cl_uint> expected(kItems / set, 0);
    for (std::size_t i = 0; i < kItems; ++i) expected[i / set] += in[i] ^ static_cast<cl_uint>(i);
    const test::Buffer in_buffer = make_buffer(in), data = make_buffer(std::vector<cl_uint>(kItems, 0)),
                       counts = make_buffer(std::vector<cl_uint>(kItems, 0)),
                       sums = make_buffer(std::vector<cl_uint>(kItems, 0));
    set_arguments(tested, in_buffer, data, counts, sums, static_cast<cl_uint>(set));
    CL_OK(clEnqueueNDRangeKernel(queue, tested, 1, nullptr, &kItems, &kGroup, 0, nullptr, nullptr));
    EXPECT_EQ(expected, contents<cl_uint>(sums, expected.size()));
  }
  static std::string name_of(std::size_t from, std::size_t to) {
    return "k" + std::to_string(from) + std::to_string(to);
  }
  template <class Make>
  static std::string for_all_pairs(Make make) {
    std::string source;
    for (std::size_t from = 0; from < std::size(kScopes); ++from)
      for (std::size_t to = 0; to < std::size(kScopes); ++to)
        source += make(name_of(from, to), kScopes[from].name, kScopes[to].name);
    return source;
  }
};

TEST_F(InclusiveScopes, OfOperations) { check(for_all_pairs(by_operations)); }
TEST_F(InclusiveScopes, OfFences) { check(for_all_pairs(by_fences)); }

}  // namespace
