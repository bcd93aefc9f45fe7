// SPDX-License-Identifier: Apache-2.0
// ../unified_memory.cpp for CUDA: page-locked, device and managed memory.
#include <array>
#include <chrono>
#include <cstring>
#include <string>

#include "check.h"
#include "harness/benchmark.h"

namespace {

using cuda_bench::check;

constexpr size_t kSmall = 64 << 10, kMedium = 1 << 20, kLarge = 64 << 20;
constexpr unsigned kBlock = 256, kBlocks = kLarge / sizeof(float4) / kBlock;

__global__ void triad_kernel(float4* a, const float4* b, const float4* c) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 x = b[i], y = c[i];
  a[i] = make_float4(x.x + 0.5f * y.x, x.y + 0.5f * y.y, x.z + 0.5f * y.z, x.w + 0.5f * y.w);
}
__global__ void examine(const float4* values, float* found) {
  const float4 v = values[blockIdx.x * blockDim.x + threadIdx.x];
  if (v.x + v.y + v.z + v.w == 1.0f) *found = v.x;
}
__global__ void three(float* a, float* b, float* c) {
  if (a == b) *a = *c;
}

enum class Kind { host, device, shared };
constexpr Kind kKinds[] = {Kind::host, Kind::device, Kind::shared};

std::string name_of(Kind kind) {
  return kind == Kind::host ? "host" : kind == Kind::device ? "device" : "shared";
}

void* allocate(Kind kind, size_t bytes) {
  void* memory = nullptr;
  check(kind == Kind::host     ? cudaMallocHost(&memory, bytes)
        : kind == Kind::device ? cudaMalloc(&memory, bytes)
                               : cudaMallocManaged(&memory, bytes));
  return memory;
}
cudaError_t release(Kind kind, void* memory) {
  return kind == Kind::host ? cudaFreeHost(memory) : cudaFree(memory);
}

// An allocation, filled by the device.
class Memory {
 public:
  Memory(Kind kind, size_t bytes, cudaStream_t stream) : kind_(kind), data_(allocate(kind, bytes)) {
    check(cudaMemsetAsync(data_, 0, bytes, stream));
    check(cudaStreamSynchronize(stream));
  }
  ~Memory() { release(kind_, data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  template <class Value = void>
  Value* get() const {
    return static_cast<Value*>(data_);
  }

 private:
  Kind kind_;
  void* data_;
};

class UnifiedMemory {
 public:
  UnifiedMemory() {
    check(cudaGetFuncBySymbol(&three_, reinterpret_cast<const void*>(three)));
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  ~UnifiedMemory() { cudaStreamDestroy(stream_); }
  UnifiedMemory(const UnifiedMemory&) = delete;
  UnifiedMemory& operator=(const UnifiedMemory&) = delete;

  void add() {
    for (const size_t bytes : {kSmall, kMedium, kLarge}) add_copies(bytes);
    add_blocking_copy(Kind::host, Kind::device);
    add_blocking_copy(Kind::device, Kind::host);
    for (const Kind kind : kKinds)
      for (const size_t bytes : {kSmall, kLarge}) add_fill_and_allocation(kind, bytes);
    for (const Kind kind : kKinds)
      bench::add("triad_" + name_of(kind), [=, this](benchmark::State& state) { triad(state, kind); });
    add_migrations();
    // CUDA has one kind of pointer.
    for (const char* name : {"launch_usm_pointers", "launch_buffers"})
      bench::add(name, [this](benchmark::State& state) { launch_with_pointers(state); });
  }

 private:
  void finish() { check(cudaStreamSynchronize(stream_)); }
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
    for (const auto& [from, to] : {std::array{Kind::device, Kind::device},
                                   {Kind::host, Kind::host},
                                   {Kind::shared, Kind::device},
                                   {Kind::device, Kind::shared}})
      add_copy(from, to, bytes, 2 * bytes);
  }
  // The direction is found out from the pointers, as clEnqueueMemcpyINTEL() does it.
  void add_copy(Kind from, Kind to, size_t bytes, size_t counted) {
    bench::add("copy_" + name_of(from) + "_to_" + name_of(to) + "_" + bench::size_name(bytes),
               [=, this](benchmark::State& state) {
                 const Memory source(from, bytes, stream_), target(to, bytes, stream_);
                 time(state, counted, [&] {
                   check(cudaMemcpyAsync(target.get(), source.get(), bytes, cudaMemcpyDefault, stream_));
                 });
               });
  }
  void add_blocking_copy(Kind from, Kind to) {
    constexpr size_t kBytes = 4 << 10;
    bench::add("blocking_copy_" + name_of(from) + "_to_" + name_of(to) + "_" + bench::size_name(kBytes),
               [=, this](benchmark::State& state) {
                 const Memory source(from, kBytes, stream_), target(to, kBytes, stream_);
                 bench::time_batch(state, [&](size_t n) {
                   while (n--) check(cudaMemcpy(target.get(), source.get(), kBytes, cudaMemcpyDefault));
                 });
               });
  }

  void add_fill_and_allocation(Kind kind, size_t bytes) {
    const std::string name = name_of(kind) + "_" + bench::size_name(bytes);
    bench::add("fill_" + name, [=, this](benchmark::State& state) {
      const Memory memory(kind, bytes, stream_);
      time(state, bytes, [&] { check(cudaMemsetAsync(memory.get(), 0, bytes, stream_)); });
    });
    bench::add_batch("allocate_and_free_" + name, [=](size_t n) {
      while (n--) check(release(kind, allocate(kind, bytes)));
    });
  }

  void triad(benchmark::State& state, Kind kind) {
    const Memory a(kind, kLarge, stream_), b(kind, kLarge, stream_), c(kind, kLarge, stream_);
    time(state, 3 * kLarge, [&] {
      triad_kernel<<<kBlocks, kBlock, 0, stream_>>>(a.get<float4>(), b.get<float4>(), c.get<float4>());
    });
    check(cudaGetLastError());
  }

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
  void migrate(benchmark::State& state, bool to_host, bool migrates, bool reads) {
    const Memory memory(Kind::shared, kLarge, stream_), found(Kind::device, sizeof(float), stream_);
    const auto seconds = [&] {
      write(memory, !to_host);
      const auto begin = std::chrono::steady_clock::now();
      if (migrates) prefetch(memory, to_host);
      if (reads) examine<<<kBlocks, kBlock, 0, stream_>>>(memory.get<float4>(), found.get<float>());
      finish();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    seconds();
    for (auto _ : state) state.SetIterationTime(seconds());
    check(cudaGetLastError());
    bench::report_value(state, {kLarge * 1e-9, benchmark::Counter::kIsIterationInvariantRate}, "GB/s");
  }
  void write(const Memory& memory, bool on_host) {
    prefetch(memory, on_host);
    if (!on_host) check(cudaMemsetAsync(memory.get(), 0, kLarge, stream_));
    finish();
    if (on_host) std::memset(memory.get(), 0, kLarge);
  }
  void prefetch(const Memory& memory, bool to_host) {
    cudaMemLocation location{};
    location.type = to_host ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    check(cudaMemPrefetchAsync(memory.get(), kLarge, location, 0, stream_));
  }

  void launch_with_pointers(benchmark::State& state) {
    const Memory a(Kind::device, kSmall, stream_), b(Kind::device, kSmall, stream_),
        c(Kind::device, kSmall, stream_);
    bench::time_batch(state, [&](size_t n) {
      while (n--) {
        float *first = a.get<float>(), *second = b.get<float>(), *third = c.get<float>();
        void* arguments[] = {&first, &second, &third};
        check(cuLaunchKernel(three_, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr));
      }
      finish();
    });
  }

  cudaFunction_t three_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace

int main(int count, char** words) { return cuda_bench::run_main<UnifiedMemory>(count, words); }
