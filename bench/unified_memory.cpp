// SPDX-License-Identifier: Apache-2.0
// cl_intel_unified_shared_memory: host, device and shared allocations. All memory is filled by the device before it is measured, so shared
// memory is on the device then.
//
//   copy_…, fill_…          commands back to back; blocking_copy_… one at a time
//   allocate_and_free_…     memory that nothing accesses
//   triad_…                 a kernel on three arrays of that memory
//   migrate_…, read_…       shared memory that the other side has just written
//   launch_…                a launch whose three arguments are set each time: USM pointers, or buffers
//
// Without the extension only launch_buffers is measured.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "harness/benchmark.h"
#include "support/client.h"

namespace {

constexpr size_t kSmall = 64 << 10, kMedium = 1 << 20, kLarge = 64 << 20;
constexpr size_t kWorkGroup = 256, kFloat4 = sizeof(cl_float4);

constexpr const char* kSource = R"(
kernel void triad(global float4* a, global const float4* b, global const float4* c) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + 0.5f * c[i];
}
kernel void examine(global const float4* values, global float* found) {
  const float4 v = values[get_global_id(0)];
  if (v.x + v.y + v.z + v.w == 1.0f) *found = v.x;
}
kernel void three(global float* a, global float* b, global float* c) { if (a == b) *a = *c; }
)";

enum class Kind { host, device, shared };
constexpr Kind kKinds[] = {Kind::host, Kind::device, Kind::shared};

std::string name_of(Kind kind) {
  return kind == Kind::host ? "host" : kind == Kind::device ? "device" : "shared";
}

// The extension's functions, for one device.
class Usm {
 public:
  static bool supported(cl_device_id device) {
    size_t size = 0;
    client::check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, nullptr, &size), "clGetDeviceInfo");
    std::string names(size, '\0');
    client::check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, names.data(), nullptr),
                  "clGetDeviceInfo");
    return names.find("cl_intel_unified_shared_memory") != std::string::npos;
  }
  explicit Usm(const client::Session& session) : session_(session) {
    cl_platform_id platform = nullptr;
    client::check(clGetDeviceInfo(session.device(), CL_DEVICE_PLATFORM, sizeof(cl_platform_id),
                                  static_cast<void*>(&platform), nullptr),
                  "clGetDeviceInfo");
    find(platform, "clHostMemAllocINTEL", allocate_host_);
    find(platform, "clDeviceMemAllocINTEL", allocate_device_);
    find(platform, "clSharedMemAllocINTEL", allocate_shared_);
    find(platform, "clMemBlockingFreeINTEL", free_);
    find(platform, "clEnqueueMemcpyINTEL", copy_);
    find(platform, "clEnqueueMemFillINTEL", fill_);
    find(platform, "clEnqueueMigrateMemINTEL", migrate_);
    find(platform, "clSetKernelArgMemPointerINTEL", set_argument_);
  }

  void* allocate(Kind kind, size_t bytes) const {
    cl_context context = session_.context();
    cl_device_id device = session_.device();
    cl_int error = CL_SUCCESS;
    void* memory = kind == Kind::host     ? allocate_host_(context, nullptr, bytes, 0, &error)
                   : kind == Kind::device ? allocate_device_(context, device, nullptr, bytes, 0, &error)
                                          : allocate_shared_(context, device, nullptr, bytes, 0, &error);
    client::check(error, "an allocation");
    return memory;
  }
  // Waits for commands that may use the memory, as cudaFree() does.
  cl_int free(void* memory) const { return free_(session_.context(), memory); }
  void copy(void* to, const void* from, size_t bytes, cl_bool blocking) const {
    client::check(copy_(session_.queue(), blocking, to, from, bytes, 0, nullptr, nullptr),
                  "clEnqueueMemcpyINTEL");
  }
  // With a pattern of one byte, as cudaMemsetAsync() has it.
  void fill(void* memory, size_t bytes) const {
    const cl_uchar value = 0;
    client::check(fill_(session_.queue(), memory, &value, sizeof value, bytes, 0, nullptr, nullptr),
                  "clEnqueueMemFillINTEL");
  }
  // The extension has no migration to the device that promises to keep the contents: flags must not be 0.
  void migrate(const void* memory, size_t bytes, bool to_host) const {
    const cl_mem_migration_flags flags =
        to_host ? CL_MIGRATE_MEM_OBJECT_HOST : CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
    client::check(migrate_(session_.queue(), memory, bytes, flags, 0, nullptr, nullptr),
                  "clEnqueueMigrateMemINTEL");
  }
  void set_argument(const client::Kernel& kernel, cl_uint index, const void* pointer) const {
    client::check(set_argument_(kernel.get(), index, pointer), "clSetKernelArgMemPointerINTEL");
  }

 private:
  template <class Function>
  static void find(cl_platform_id platform, const char* name, Function& function) {
    function = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
    if (!function) throw std::runtime_error(std::string(name) + " is missing");
  }

  const client::Session& session_;
  clHostMemAllocINTEL_fn allocate_host_ = nullptr;
  clDeviceMemAllocINTEL_fn allocate_device_ = nullptr;
  clSharedMemAllocINTEL_fn allocate_shared_ = nullptr;
  clMemBlockingFreeINTEL_fn free_ = nullptr;
  clEnqueueMemcpyINTEL_fn copy_ = nullptr;
  clEnqueueMemFillINTEL_fn fill_ = nullptr;
  clEnqueueMigrateMemINTEL_fn migrate_ = nullptr;
  clSetKernelArgMemPointerINTEL_fn set_argument_ = nullptr;
};

// An allocation, filled by the device.
class Memory {
 public:
  Memory(const Usm& usm, Kind kind, size_t bytes) : usm_(usm), data_(usm.allocate(kind, bytes)) {
    usm.fill(data_, bytes);
  }
  ~Memory() { usm_.free(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* get() const { return data_; }

 private:
  const Usm& usm_;
  void* data_;
};

class UnifiedMemory {
 public:
  explicit UnifiedMemory(const bench::Options& options)
      : session_(options.device), program_(session_.build(kSource)) {
    benchmark::AddCustomContext("device", session_.device_name());
    if (Usm::supported(session_.device()))
      usm_ = std::make_unique<Usm>(session_);
    else
      std::fprintf(stderr, "the device lacks cl_intel_unified_shared_memory\n");
  }

  void add() {
    if (usm_) {
      for (const size_t bytes : {kSmall, kMedium, kLarge}) add_copies(bytes);
      add_blocking_copy(Kind::host, Kind::device);
      add_blocking_copy(Kind::device, Kind::host);
      for (const Kind kind : kKinds)
        for (const size_t bytes : {kSmall, kLarge}) add_fill_and_allocation(kind, bytes);
      for (const Kind kind : kKinds)
        bench::add("triad_" + name_of(kind), [=, this](benchmark::State& state) { triad(state, kind); });
      add_migrations();
      bench::add("launch_usm_pointers", [this](benchmark::State& state) { launch_usm_pointers(state); });
    }
    bench::add("launch_buffers", [this](benchmark::State& state) { launch_buffers(state); });
  }

 private:
  void finish() { client::check(clFinish(session_.queue()), "clFinish"); }
  void launch(const client::Kernel& kernel, size_t items, size_t group) {
    client::check(clEnqueueNDRangeKernel(session_.queue(), kernel.get(), 1, nullptr, &items, &group, 0,
                                         nullptr, nullptr),
                  "clEnqueueNDRangeKernel");
  }
  template <class Enqueue>
  void time(benchmark::State& state, size_t bytes, const Enqueue& enqueue) {
    const auto batch = [&](size_t n) {
      while (n--) enqueue();
      finish();
    };
    bench::time_batch(state, batch, double(bytes) * 1e-9, "GB/s");
  }

  void add_copies(size_t bytes) {
    for (const auto& [from, to] : {std::array{Kind::host, Kind::device}, {Kind::device, Kind::host}})
      add_copy(from, to, bytes, bytes);
    // These read and write the same memory, so each byte counts twice.
    for (const auto& [from, to] : {std::array{Kind::device, Kind::device},
                                   {Kind::host, Kind::host},
                                   {Kind::shared, Kind::device},
                                   {Kind::device, Kind::shared}})
      add_copy(from, to, bytes, 2 * bytes);
  }
  void add_copy(Kind from, Kind to, size_t bytes, size_t counted) {
    bench::add("copy_" + name_of(from) + "_to_" + name_of(to) + "_" + bench::size_name(bytes),
               [=, this](benchmark::State& state) {
                 const Memory source(*usm_, from, bytes), target(*usm_, to, bytes);
                 time(state, counted, [&] { usm_->copy(target.get(), source.get(), bytes, CL_FALSE); });
               });
  }
  void add_blocking_copy(Kind from, Kind to) {
    constexpr size_t kBytes = 4 << 10;
    bench::add("blocking_copy_" + name_of(from) + "_to_" + name_of(to) + "_" + bench::size_name(kBytes),
               [=, this](benchmark::State& state) {
                 const Memory source(*usm_, from, kBytes), target(*usm_, to, kBytes);
                 bench::time_batch(state, [&](size_t n) {
                   while (n--) usm_->copy(target.get(), source.get(), kBytes, CL_TRUE);
                 });
               });
  }

  void add_fill_and_allocation(Kind kind, size_t bytes) {
    const std::string name = name_of(kind) + "_" + bench::size_name(bytes);
    bench::add("fill_" + name, [=, this](benchmark::State& state) {
      const Memory memory(*usm_, kind, bytes);
      time(state, bytes, [&] { usm_->fill(memory.get(), bytes); });
    });
    bench::add_batch("allocate_and_free_" + name, [=, this](size_t n) {
      while (n--) client::check(usm_->free(usm_->allocate(kind, bytes)), "clMemBlockingFreeINTEL");
    });
  }

  void triad(benchmark::State& state, Kind kind) {
    const Memory a(*usm_, kind, kLarge), b(*usm_, kind, kLarge), c(*usm_, kind, kLarge);
    const client::Kernel kernel = session_.kernel(program_, "triad");
    set_pointers(kernel, a, b, c);
    time(state, 3 * kLarge, [&] { launch(kernel, kLarge / kFloat4, kWorkGroup); });
  }

  // A fixed number of iterations: what precedes each takes longer than what is timed.
  void add_migrations() {
    const auto add = [this](const std::string& name, bool to_host, bool migrates, bool reads) {
      bench::add_with_own_time(name + "_" + bench::size_name(kLarge), [=, this](benchmark::State& state) {
        migrate(state, to_host, migrates, reads);
      })->Iterations(16);
    };
    add("migrate_to_device", false, true, false);
    add("migrate_and_read", false, true, true);
    add("read_without_migration", false, false, true);
    add("migrate_to_host", true, true, false);
  }
  // The time of what is done after the other side has written the memory.
  void migrate(benchmark::State& state, bool to_host, bool migrates, bool reads) {
    const Memory memory(*usm_, Kind::shared, kLarge), found(*usm_, Kind::device, sizeof(cl_float));
    const client::Kernel kernel = session_.kernel(program_, "examine");
    set_pointers(kernel, memory, found);
    const auto seconds = [&] {
      write(memory, !to_host);
      const auto begin = std::chrono::steady_clock::now();
      if (migrates) usm_->migrate(memory.get(), kLarge, to_host);
      if (reads) launch(kernel, kLarge / kFloat4, kWorkGroup);
      finish();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    seconds();
    for (auto _ : state) state.SetIterationTime(seconds());
    bench::report_value(state, {kLarge * 1e-9, benchmark::Counter::kIsIterationInvariantRate}, "GB/s");
  }
  // Moves the memory first: without page faults it takes less time.
  void write(const Memory& memory, bool on_host) {
    usm_->migrate(memory.get(), kLarge, on_host);
    if (!on_host) usm_->fill(memory.get(), kLarge);
    finish();
    if (on_host) std::memset(memory.get(), 0, kLarge);
  }

  void launch_usm_pointers(benchmark::State& state) {
    const Memory a(*usm_, Kind::device, kSmall), b(*usm_, Kind::device, kSmall),
        c(*usm_, Kind::device, kSmall);
    time_launches(state, [&](const client::Kernel& kernel) { set_pointers(kernel, a, b, c); });
  }
  void launch_buffers(benchmark::State& state) {
    const client::Buffer a = session_.buffer(kSmall), b = session_.buffer(kSmall),
                         c = session_.buffer(kSmall);
    time_launches(state, [&](const client::Kernel& kernel) { client::set_arguments(kernel, a, b, c); });
  }
  template <class Set>
  void time_launches(benchmark::State& state, const Set& set) {
    const client::Kernel kernel = session_.kernel(program_, "three");
    bench::time_batch(state, [&](size_t n) {
      while (n--) {
        set(kernel);
        launch(kernel, 1, 1);
      }
      finish();
    });
  }
  template <class... Memories>
  void set_pointers(const client::Kernel& kernel, const Memories&... memories) {
    cl_uint index = 0;
    (usm_->set_argument(kernel, index++, memories.get()), ...);
  }

  client::Session session_;
  client::Program program_;
  std::unique_ptr<Usm> usm_;  // empty: the device lacks the extension
};

}  // namespace

int main(int count, char** words) { return bench::run_main<UnifiedMemory>(count, words); }
