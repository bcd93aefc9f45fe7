// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <string>

#include "driver_test.h"

namespace clcuda::test {

// Arrays, textures and surfaces, and kernels that use them.
class ImageTest : public DriverTest {
 public:
  using Words = std::array<std::uint32_t, 4>;
  struct Shape {
    std::size_t width = 1, height = 0, depth = 0;  // as in CUDA's descriptors
    unsigned flags = CUDA_ARRAY3D_SURFACE_LDST;
    std::size_t rows() const { return std::max<std::size_t>(height, 1) * std::max<std::size_t>(depth, 1); }
  };

 protected:
  CUarray array(Shape shape, CUarray_format format, unsigned channels);
  // Copies all elements of an array from or to host memory.
  void fill(CUarray array, const void* data);
  std::vector<std::uint8_t> contents(CUarray array);
  static std::size_t element_bytes(const CUDA_ARRAY3D_DESCRIPTOR& descriptor);

  static CUDA_RESOURCE_DESC resource(CUarray array);
  CUtexObject texture(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& descriptor);
  CUsurfObject surface(CUarray array);

  // Executes one instruction for each row of inputs: %i1…%i8 are its words, %h is the handle, and %o1…%o4 are the result. Outputs are
  // 32-bit registers; %w1…%w4 are 64-bit ones that initially contain the pairs of inputs.
  std::vector<Words> run(const std::string& instruction, std::uint64_t handle,
                         const std::vector<std::array<std::uint32_t, 8>>& inputs,
                         CUresult expected = CUDA_SUCCESS);
};

inline std::uint32_t word(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float real(std::uint32_t word) { return std::bit_cast<float>(word); }

}  // namespace clcuda::test
