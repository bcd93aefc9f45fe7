// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/spirv/specialization.h"

namespace clcuda::compiler {

// The device code is made for: compute capability × 10 (90 for sm_90) and the newest PTX version of which its machine code is made
// (78 for 7.8). The executor is a target like any other.
struct Target {
  int sm = 75;
  int ptx = 63;
  // Code may use what this chip alone has (sm_90a), and runs on no later one.
  bool whole_chip = false;
  friend bool operator==(const Target&, const Target&) = default;
};

enum class ArgumentKind : std::uint8_t {
  value,
  global_pointer,
  constant_pointer,
  local_pointer,
  image,
  sampler,
  pipe,
  queue
};
enum class AddressQualifier : std::uint8_t { global, local, constant, private_ };
enum class AccessQualifier : std::uint8_t { read_only, write_only, read_write, none };

// One argument of a kernel, as clGetKernelArgInfo tells it and as the launch passes it.
struct ArgumentInfo {
  friend bool operator==(const ArgumentInfo&, const ArgumentInfo&) = default;
  ArgumentKind kind = ArgumentKind::value;
  AddressQualifier address = AddressQualifier::private_;
  AccessQualifier access = AccessQualifier::none;
  bool is_const = false, is_restrict = false, is_volatile = false, is_pipe = false;
  std::string type_name, name;
  std::uint32_t size =
      0;  // bytes that clSetKernelArg must be given; 0 for local_pointer (there the caller chooses)
  // Where the argument lies in the parameter buffer. A pointer is 8 bytes (a device address), a local pointer
  // a 4-byte offset into dynamic shared memory, whose alignment follows.
  std::uint32_t offset = 0, parameter_size = 0;
  std::uint32_t pointee_alignment = 1;  // local_pointer: alignment that the offset needs
  std::string image_type;               // image: image2d_t …, whatever the source calls it
};

struct KernelInfo {
  friend bool operator==(const KernelInfo&, const KernelInfo&) = default;
  std::string name;
  std::string attributes;  // CL_KERNEL_ATTRIBUTES, the text as the specification spells it
  std::vector<ArgumentInfo> arguments;
  bool tells_arguments = false;  // built with -cl-kernel-arg-info: clGetKernelArgInfo answers
  std::array<std::uint32_t, 3> required_work_group_size{};  // 0 0 0: none
  std::array<std::uint32_t, 3> work_group_size_hint{};
  std::uint32_t required_sub_group_size = 0;
  bool uniform_work_group_size =
      false;                         // OpenCL C 1.x or -cl-uniform-work-group-size: the ND-range must divide
  std::uint32_t parameter_size = 0;  // bytes of the buffer without the launch record
  std::uint32_t static_local_size =
      0;  // bytes of local variables declared in the kernel that live in dynamic shared memory
          // (placed first; local arguments follow). Those in static shared memory are the driver's to report.
};

// A variant of a program's device code (builtins/launch_record.h).
enum class Variant : std::uint8_t { uniform, general };
// Bytes of an image's descriptor (builtins/image_descriptor.h) that a launch hands over among the parameters.
struct ImagePart {
  std::uint32_t argument = 0;  // where the descriptor's address lies in the parameter buffer
  std::uint32_t place = 0;     // in the descriptor
};
inline constexpr std::uint32_t kImagePartSize = 16;
// What code takes for granted of an image among the arguments, so that no read or write of it has to ask.
struct KnownImage {
  std::uint32_t argument = 0;  // where the descriptor's address lies in the parameter buffer
  bool asks_order = false, asks_format = false;
  std::uint32_t order = 0;   // clcuda_image_texture::order; 0: looked up at each read
  std::uint64_t format = 0;  // the bytes of clcuda_texel_format; 0: looked up
  friend bool operator==(const KnownImage&, const KnownImage&) = default;
};
struct KernelCode {
  std::string symbol;  // the entry's name in the PTX
  // One behind the other from this place in the parameter buffer.
  std::uint32_t image_parts_offset = 0;
  std::vector<ImagePart> image_parts;
  std::vector<KnownImage> known_images;  // of which it asks anything
  // Where the launch record begins in the parameter buffer, if this variant of the kernel takes one.
  std::optional<std::uint32_t> launch_record_offset;
  bool uses_printf = false;
  std::uint32_t printf_bytes = 0;  // of records, the most that one work-item prints; 0: nobody knows
  bool waits = false;              // itself for the kernels before it in its stream
  bool enqueues = false;  // may enqueue kernels itself: needs memory for tasks and the scheduler behind it
};
struct VariantCode {
  std::string ptx;
  std::vector<KernelCode> kernels;  // parallel to CompiledProgram::kernels
  // C++ for OpenCL: kernels without arguments that one work-item runs before any other kernel of the program, and when the program
  // goes. They construct and destroy its program-scope objects. At most one of each.
  std::vector<KernelCode> initializers, finalizers;
  bool needs_device_runtime = false;  // to be linked with libcudadevrt
};
// The kernel that runs the tasks of a launch that enqueues (builtins/device_tasks.cl).
inline constexpr char kTaskSchedulerSymbol[] = "__clcuda_run_tasks";
inline constexpr char kInitializerSymbol[] = "__clcuda_initialize", kFinalizerSymbol[] = "__clcuda_finalize";

struct Header {
  std::string name;  // as #include names it, or of a file of the machine the whole path
  std::string text;
};

// What a program is written in: a text, or a module of 32-bit words.
enum class Language : std::uint8_t { opencl_c, spirv };

// All that a module was made from: enough to make it once more, whatever files are there by then.
struct Translation {
  Language language = Language::opencl_c;
  std::string source;                                  // the text, or the bytes of the module
  std::vector<Header> headers;                         // of a text
  std::vector<spirv::Specialization> specializations;  // of a module
  std::string options;
  std::string folder;  // of a text: from which relative folders of -I count
};

enum class BinaryKind : std::uint8_t { compiled_object, library, executable };

// A program for one target as the compiler leaves it: what CL_PROGRAM_BINARIES returns and what the cache
// keeps. Plain values, no LLVM.
//
// What is not yet specialised, for linking and for the general variant, is there as bitcode, and as the texts or SPIR-V modules that this
// came from. A binary that an application is given has the latter only: LLVM's reader takes bitcode at its word, so that no bytes of an application may ever
// come to it. It reads bitcode that this process wrote, or the cache of its user.
struct CompiledProgram {
  BinaryKind kind = BinaryKind::executable;
  Target target;
  std::string bitcode;                    // empty where the image was read from a binary
  std::vector<Translation> translations;  // whose modules were linked, in this order
  std::vector<KernelInfo> kernels;        // executables only
  VariantCode uniform;                    // executables only
  // Two modules would each have their own copy of a program-scope variable. Where there are any, `uniform`
  // holds the general variant, it serves every launch, and make_general_variant() is not needed (it gives the
  // same code).
  bool uniform_is_general = false;
  std::uint64_t global_variable_size = 0;  // bytes of program-scope variables
  std::uint32_t literal_samplers =
      0;                // of the program's text: a bit for each state (builtins/image_descriptor.h)
  std::string options;  // as given; decide over codegen when the general variant is made
  std::vector<std::string> printf_formats;
  bool verbose = false;                 // -cl-nv-verbose: the log is to have what the driver says
  std::int32_t optimization_level = 3;  // -cl-nv-opt-level, 0 to 3
  std::int32_t max_registers = 0;       // -cl-nv-maxrregcount; 0: as many as the code is best with
};

// The container (versioned, checksummed): all but the bitcode. parse() returns nothing for bytes that are not one, are damaged or
// of another version.
std::string serialize(const CompiledProgram& image);
std::optional<CompiledProgram> parse(std::string_view bytes);

}  // namespace clcuda::compiler
