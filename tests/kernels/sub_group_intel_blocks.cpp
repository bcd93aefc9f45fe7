// SPDX-License-Identifier: Apache-2.0
// Block reads and writes of cl_intel_subgroups and its variants for other types, local memory and images, compared with the layouts in the
// extensions.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/device_info.h"
#include "support/images.h"

namespace {

// The device reports Intel's extensions only if this is set before its first query.
const int kTold = setenv("CLCUDA_INTEL_SUBGROUPS", "1", 1);

constexpr int kLanes = 32;

struct Unit {
  const char* suffix;
  const char* type;
  const char* extension;
  int size;
  bool has_sixteen;
};
constexpr Unit kUnits[] = {{"", "uint", "cl_intel_subgroups", 4, false},
                           {"_ui", "uint", "cl_intel_subgroups_char", 4, false},
                           {"_uc", "uchar", "cl_intel_subgroups_char", 1, true},
                           {"_us", "ushort", "cl_intel_subgroups_short", 2, true},
                           {"_ul", "ulong", "cl_intel_subgroups_long", 8, false}};

class IntelBlocks : public test::ImageTest {
 protected:
  void SetUp() override {
    ImageTest::SetUp();
    if (!test::offers(device, "cl_intel_subgroups"))
      GTEST_SKIP() << "the device does not have cl_intel_subgroups";
  }
  static int any(int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(test::random_engine());
  }
  // Calls f(unit, the suffix n, n) for some of the functions.
  template <class F>
  void for_some(F f) const {
    for (const Unit& unit : kUnits) {
      if (!test::offers(device, unit.extension)) continue;
      const std::vector<int> widths =
          unit.has_sixteen ? std::vector<int>{1, 2, 4, 8, 16} : std::vector<int>{1, 2, 4, 8};
      for (int width : {widths.back(), widths[any(0, static_cast<int>(widths.size()) - 2)]})
        f(unit, width == 1 ? std::string() : std::to_string(width), width);
    }
  }
  void launch(cl_kernel kernel, size_t items) const {
    CL_EXPECT(CL_SUCCESS,
              clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &items, 0, nullptr, nullptr));
  }
};

// Element i of a lane's vector is 32 · i units from element 0; each sub-group uses a separate block.
TEST_F(IntelBlocks, InGlobalAndLocalMemory) {
  for_some([&](const Unit& unit, const std::string& n, int width) {
    const std::string type = unit.type, name = unit.suffix;
    for (const bool local : {false, true}) {
      if (local && !test::offers(device, "cl_intel_subgroup_local_block_io")) continue;
      std::string body = "  size_t at = get_sub_group_id() * 32 * N;\n";
      if (local) {
        body +=
            "  local T near[96 * N], there[96 * N];\n"
            "  for (int i = 0; i < N; ++i) near[get_local_id(0) + 96 * i] = from[get_local_id(0) + 96 * i];\n"
            "  barrier(CLK_LOCAL_MEM_FENCE);\n";
        body += "  V value = intel_sub_group_block_read" + name + n + "(near + at);\n";
        body += "  intel_sub_group_block_write" + name + n +
                "(there + at, value + (T)get_sub_group_local_id());\n";
        body +=
            "  barrier(CLK_LOCAL_MEM_FENCE);\n"
            "  for (int i = 0; i < N; ++i) to[get_local_id(0) + 96 * i] = there[get_local_id(0) + 96 * i];\n";
      } else {
        body += "  V value = intel_sub_group_block_read" + name + n + "(from + at);\n";
        body +=
            "  intel_sub_group_block_write" + name + n + "(to + at, value + (T)get_sub_group_local_id());\n";
      }
      const test::Program program =
          build("#define N " + std::to_string(width) + "\ntypedef " + type + " T;\ntypedef " + type + n +
                " V;\nkernel void copy(global const T* from, global T* to) {\n" + body + "}");
      const test::Kernel kernel = make_kernel(program, "copy");
      const auto bytes = test::random_values<std::uint8_t>(static_cast<size_t>(96) * width * unit.size);
      const test::Buffer from = make_buffer(bytes), to = make_buffer(std::vector<std::uint8_t>(bytes.size()));
      const cl_mem memory[] = {from, to};
      CL_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &memory[0]));
      CL_OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &memory[1]));
      launch(kernel, 96);
      const auto seen = contents<std::uint8_t>(to, bytes.size());
      for (int i = 0; i < 96 * width; ++i) {
        std::uint64_t was = 0, is = 0;
        std::memcpy(&was, &bytes[static_cast<size_t>(i) * unit.size], static_cast<size_t>(unit.size));
        std::memcpy(&is, &seen[static_cast<size_t>(i) * unit.size], static_cast<size_t>(unit.size));
        std::uint64_t expected = 0;
        was += static_cast<std::uint64_t>(i % kLanes);
        std::memcpy(&expected, &was, static_cast<size_t>(unit.size));
        ASSERT_EQ(expected, is) << type << name << n << (local ? " in local memory" : "") << ", unit " << i;
      }
    }
  });
}

struct Format {
  cl_image_format format;
  int size;
};
constexpr Format kFormats[] = {{{CL_R, CL_UNSIGNED_INT8}, 1},
                               {{CL_RG, CL_UNSIGNED_INT8}, 2},
                               {{CL_R, CL_UNSIGNED_INT16}, 2},
                               {{CL_RGBA, CL_UNORM_INT8}, 4},
                               {{CL_R, CL_FLOAT}, 4}};

class IntelImageBlocks : public IntelBlocks {
 protected:
  struct Picture {
    int row = 0, height = 0, texel = 1;
    std::vector<std::uint8_t> bytes;
    std::uint8_t at(int x, int y) const {
      const int within = x & (texel - 1);
      x = std::clamp(x - within, 0, row - texel) + within;
      return bytes[static_cast<size_t>(std::clamp(y, 0, height - 1)) * static_cast<size_t>(row) +
                   static_cast<size_t>(x)];
    }
    void set(int x, int y, std::uint8_t byte) {
      if (x >= 0 && x < row && y >= 0 && y < height)
        bytes[static_cast<size_t>(y) * static_cast<size_t>(row) + static_cast<size_t>(x)] = byte;
    }
  };

  test::Program program_for(const Unit& unit, const std::string& n, int width, bool read_write) const {
    const std::string access = read_write ? "read_write" : "read_only", name = unit.suffix + n;
    return build(
        "kernel void copy(" + access + " image2d_t from, " + (read_write ? "read_write" : "write_only") +
            " image2d_t to, int2 at, int2 goal, global " + unit.type + "* seen) {\n  " + unit.type + n +
            " value = intel_sub_group_block_read" + name + "(from, at);\n  intel_sub_group_block_write" +
            name + "(to, goal, value);\n  " +
            (width == 1 ? "seen[get_local_id(0)] = value" : "vstore" + n + "(value, get_local_id(0), seen)") +
            ";\n}",
        "-cl-std=CL3.0");
  }

  void check(const Unit& unit, const std::string& n, int width, cl_kernel kernel, const Format& format,
             cl_mem from, cl_mem to, const Picture& source, Picture result) {
    // Blocks may extend beyond the edge only for images with texels of four bytes.
    const bool inside = format.size < 4;
    const int across = kLanes * unit.size;
    ASSERT_GE(source.row, across);
    const auto corner = [&](int unit_bytes) {
      return inside ? cl_int2{{any(0, (source.row - across) / unit_bytes) * unit_bytes,
                               any(0, source.height - width)}}
                    : cl_int2{{any(-across / unit_bytes, source.row / unit_bytes) * unit_bytes,
                               any(-width, source.height)}};
    };
    const cl_int2 at = corner(1), goal = corner(4);
    const auto count = static_cast<size_t>(kLanes * width * unit.size);
    const test::Buffer seen = make_buffer(std::vector<std::uint8_t>(count));
    const cl_mem memory = seen;
    CL_OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &from));
    CL_OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &to));
    CL_OK(clSetKernelArg(kernel, 2, sizeof at, &at));
    CL_OK(clSetKernelArg(kernel, 3, sizeof goal, &goal));
    CL_OK(clSetKernelArg(kernel, 4, sizeof memory, &memory));
    launch(kernel, kLanes);
    const auto units = contents<std::uint8_t>(seen, count);
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int i = 0; i < width; ++i) {
        for (int k = 0; k < unit.size; ++k) {
          const int x = lane * unit.size + k;
          const std::uint8_t expected = source.at(at.s[0] + x, at.s[1] + i);
          ASSERT_EQ(expected, units[static_cast<size_t>((lane * width + i) * unit.size + k)])
              << unit.suffix << n << " from " << at.s[0] << ", " << at.s[1] << " of " << source.row << " x "
              << source.height << " bytes, texels of " << format.size << ", lane " << lane << ", row " << i
              << ", byte " << k;
          result.set(goal.s[0] + x, goal.s[1] + i, expected);
        }
      }
    }
    const test::Size3 region = {static_cast<size_t>(source.row / format.size),
                                static_cast<size_t>(source.height), 1};
    std::vector<std::uint8_t> written(result.bytes.size());
    CL_OK(clEnqueueReadImage(queue, to, CL_TRUE, kNowhere, region.data(), 0, 0, written.data(), 0, nullptr,
                             nullptr));
    EXPECT_TRUE(result.bytes == written)
        << unit.suffix << n << " to " << goal.s[0] << ", " << goal.s[1] << " of " << source.row << " x "
        << source.height << " bytes, texels of " << format.size;
  }

  Picture picture(const Unit& unit, int texel, int least_rows) const {
    Picture made;
    made.texel = texel;
    made.row = kLanes * unit.size + any(0, 40) * 8;
    made.height = least_rows + any(0, 5);
    made.bytes =
        test::random_values<std::uint8_t>(static_cast<size_t>(made.row) * static_cast<size_t>(made.height));
    // Only reads with conversion may change a signalling NaN; block reads do not convert.
    return made;
  }
};

TEST_F(IntelImageBlocks, RowsOfBytes) {
  for_some([&](const Unit& unit, const std::string& n, int width) {
    for (const bool read_write : {false, true}) {
      const test::Program program = program_for(unit, n, width, read_write);
      const test::Kernel kernel = make_kernel(program, "copy");
      for (const Format& format : kFormats) {
        const Picture source = picture(unit, format.size, width);
        Picture result = source;
        result.bytes = test::random_values<std::uint8_t>(source.bytes.size());
        const auto columns = static_cast<size_t>(source.row / format.size),
                   rows = static_cast<size_t>(source.height);
        const cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, columns, rows);
        const test::Image from = make_image(format.format, desc), to = make_image(format.format, desc);
        write(from, {columns, rows, 1}, source.bytes);
        for (int round = 0; round < 3; ++round) {
          write(to, {columns, rows, 1}, result.bytes);
          check(unit, n, width, kernel, format, from, to, source, result);
        }
      }
    }
  });
}

// The row pitch of an image in a buffer must be a multiple of 64 bytes (restrictions of cl_intel_subgroups).
TEST_F(IntelImageBlocks, OfImagesInBuffers) {
  const Unit& unit = kUnits[0];
  const test::Program program = program_for(unit, "4", 4, false);
  const test::Kernel kernel = make_kernel(program, "copy");
  for (const Format& format : kFormats) {
    const Picture source = picture(unit, format.size, 4);
    Picture result = source;
    result.bytes = test::random_values<std::uint8_t>(source.bytes.size());
    const auto columns = static_cast<size_t>(source.row / format.size),
               rows = static_cast<size_t>(source.height);
    cl_image_desc desc = test::image_desc(CL_MEM_OBJECT_IMAGE2D, columns, rows);
    desc.image_row_pitch = static_cast<size_t>(source.row + 511) / 512 * 512;
    const test::Buffer below[] = {make_buffer(std::vector<std::uint8_t>(desc.image_row_pitch * rows)),
                                  make_buffer(std::vector<std::uint8_t>(desc.image_row_pitch * rows))};
    desc.buffer = below[0];
    const test::Image from = make_image(format.format, desc);
    desc.buffer = below[1];
    const test::Image to = make_image(format.format, desc);
    write(from, {columns, rows, 1}, source.bytes);
    write(to, {columns, rows, 1}, result.bytes);
    check(unit, "4", 4, kernel, format, from, to, source, result);
  }
}

}  // namespace
