// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clcuda::ptx {

// The executor as the driver side (ptx/driver/) sees it: PTX becomes an image (bytes: machine code of this
// host with a description, what cuLinkComplete returns), an image is loaded, a loaded kernel runs block by
// block on the driver's threads.

// How code is made: quickly, at a fifth of the time, so that most kernels are done with before better code of them were; or as good as it
// gets. Both compute the same.
enum class Tier : std::uint8_t { quick, full };

// PTX units linked together → image. Returns nothing and fills `log` (file, line, reason) if the PTX is
// refused. A quick image keeps the PTX: Image::improve.
std::optional<std::string> compile(std::span<const std::string_view> units, std::string& log,
                                   Tier tier = Tier::full);

// Whether bytes begin like an image (and not like PTX text).
bool is_image(std::string_view bytes);

// The size of the image that begins at `bytes`, as its header says, or 0 if none does (cuModuleLoadData is
// given no size). Reads the bytes in order and none beyond the first that differs from an image's beginning,
// so that a short C string may lie there.
std::size_t image_size(const void* bytes);

struct KernelParameter {
  std::uint32_t offset, size, alignment;
};

struct KernelDescription {
  std::string name;
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  // of one work-item
  std::uint32_t registers = 0;
  std::uint32_t max_threads = 1024;               // .maxntid, or 1024
  std::array<std::uint32_t, 3> required_block{};  // .reqntid; 0 0 0: any
};

struct GlobalVariable {
  std::string name;
  void* address;
  std::size_t size;
};

class Image;

class Kernel {
 public:
  const KernelDescription& description() const { return description_; }
  Tier tier() const noexcept;
  // Counts time spent in quick code. True, once, when it has become as much as better code costs: Image::improve.
  bool spend(std::uint64_t nanoseconds) const noexcept;

 private:
  friend class LoadedImage;
  friend struct BlockRunner;
  KernelDescription description_;
  // Generated code and what it needs. Each block keeps to what it began with.
  std::atomic<const struct LoadedKernel*> entry_ = nullptr;
  mutable std::atomic<std::uint64_t> quick_nanoseconds_ = 0;
};

// A loaded image: its code, and its global and constant variables, initialised, in memory from `allocate_globals`, which is zero: nothing
// touches what a program declares and never uses.
class Image {
 public:
  virtual ~Image() = default;
  static std::unique_ptr<Image> load(std::string_view bytes,
                                     void* (*allocate_globals)(void* user, std::size_t size,
                                                               std::size_t alignment),
                                     void* user, std::string& log);
  virtual const Kernel* find_kernel(std::string_view name) const = 0;
  // By its address in device code; null if it is none.
  virtual const Kernel* kernel_at(std::uint64_t address) const = 0;
  virtual const GlobalVariable* find_global(std::string_view name) const = 0;
  // Gives a kernel of quick code full code, which blocks that begin from then on run: beside launches, one kernel at a time. False if
  // that fails, and then all stays as it is.
  virtual bool improve(const Kernel& kernel) noexcept = 0;
};

// What a running grid can ask of whoever runs it: kernels of the same image, launched from device code. Called from the threads that run
// its blocks.
class DeviceLaunches {
 public:
  // Memory for the parameters of a launch, or null: no such kernel, no such grid, too many launches pending.
  virtual void* parameter_buffer(std::uint64_t function, const std::array<std::uint32_t, 3>& grid,
                                 const std::array<std::uint32_t, 3>& block,
                                 std::uint32_t shared) noexcept = 0;
  // Launches what a parameter buffer was asked for, at once or (`tail`) behind the grid and all that it launches; false if the buffer is
  // none of this grid's.
  virtual bool launch(void* parameters, bool tail) noexcept = 0;
  virtual const KernelDescription* description(std::uint64_t function) const noexcept = 0;

 protected:
  ~DeviceLaunches() = default;
};

struct Launch {
  const Kernel* kernel;
  std::array<std::uint32_t, 3> grid;
  std::array<std::uint32_t, 3> block;
  std::uint32_t dynamic_shared_bytes;
  // `kernel->description().parameter_bytes` of them, alive until the launch is complete.
  const std::byte* parameters;
  DeviceLaunches* launches;
  std::uint64_t number = 0;  // %gridid: no two launches of a process have the same
};

// Why a block was ended early. Sticky for the device, as in CUDA.
enum class FaultKind : std::uint8_t {
  illegal_address,
  misaligned_address,
  illegal_instruction,
  trap,
  stack_overflow
};
struct Fault {
  FaultKind kind;
  std::uint64_t address;
};

// The working memory of one thread that runs blocks: shared memory, live values, local memory. Reused from
// block to block.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  // Runs block number `index` (x fastest) of the launch on the calling thread, to its end or to a fault.
  std::optional<Fault> run_block(const Launch& launch, std::uint64_t index);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clcuda::ptx
