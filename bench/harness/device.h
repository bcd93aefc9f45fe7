// SPDX-License-Identifier: Apache-2.0
// The interface that kernel benchmarks use, so that each case is written once for OpenCL and CUDA.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace bench {

// Device memory, freed with the last copy of this object.
struct Memory {
  std::shared_ptr<void> handle;
  size_t bytes = 0;
};

// A 2D image with four bytes per texel (red, green, blue, alpha between 0 and 1), or with a depth a 3D image of floats.
struct ImageShape {
  size_t width;
  size_t height;
  size_t depth = 1;

  bool is_volume() const { return depth > 1; }
  size_t bytes() const { return 4 * width * height * depth; }
};
// How kernels use an image: write it, or sample it by texel indices, or interpolated with normalized coordinates; coordinates are clamped
// to the edge.
enum class ImageUse { written, texels, smooth };

// The number of groups, or the size of one.
struct Extent {
  unsigned x = 1;
  unsigned y = 1;
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  // Keeps the memory while it is an argument.
  void set(unsigned index, const Memory& memory) {
    kept_[index] = memory;
    set_memory(index, memory);
  }
  virtual void set(unsigned index, const void* value, size_t size) = 0;
  // Starts the kernel without waiting for it.
  virtual void launch(Extent groups, Extent group) = 0;

 protected:
  virtual void set_memory(unsigned index, const Memory& memory) = 0;

 private:
  std::map<unsigned, Memory> kept_;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  virtual bool is_gpu() const = 0;
  virtual Memory allocate(size_t bytes) = 0;
  virtual void write(const Memory& memory, const void* from) = 0;
  virtual void read(const Memory& memory, void* to) = 0;
  // An image; without contents they are undefined.
  virtual Memory image(const ImageShape& shape, ImageUse use, const void* contents) = 0;
  virtual void read_image(const Memory& image, const ImageShape& shape, void* to) = 0;
  // A kernel from kernels/FAMILY.cl; throws if the implementation cannot compile it.
  virtual std::unique_ptr<Kernel> kernel(const char* family, const char* name) = 0;
  virtual void finish() = 0;

  template <typename Value>
  Memory upload(const std::vector<Value>& values) {
    Memory memory = allocate(values.size() * sizeof(Value));
    write(memory, values.data());
    return memory;
  }
  template <typename Value>
  std::vector<Value> download(const Memory& memory) {
    std::vector<Value> values(memory.bytes / sizeof(Value));
    read(memory, values.data());
    return values;
  }
};

template <typename... Arguments>
void set_arguments(Kernel& kernel, const Arguments&... arguments) {
  unsigned index = 0;
  const auto set = [&](const auto& argument) {
    if constexpr (std::is_same_v<decltype(argument), const Memory&>) {
      kernel.set(index++, argument);
    } else {
      kernel.set(index++, &argument, sizeof argument);
    }
  };
  (set(arguments), ...);
}

}  // namespace bench
