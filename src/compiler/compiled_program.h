// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/device_features.h"
#include "compiler/spirv/specialization.h"

namespace clcuda::compiler {

// The device that code is compiled for: compute capability × 10 (90 for sm_90) and the newest PTX version that can be assembled for it
// (78 for 7.8). The executor is a target like any other.
struct Target {
  int sm = 75;
  int ptx = 70;
  // Architecture-specific target (sm_90a): code may use features of this chip that later ones lack.
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

// One argument of a kernel, as clGetKernelArgInfo reports it and as a launch passes it.
struct ArgumentInfo {
  friend bool operator==(const ArgumentInfo&, const ArgumentInfo&) = default;
  ArgumentKind kind = ArgumentKind::value;
  AddressQualifier address = AddressQualifier::private_;
  AccessQualifier access = AccessQualifier::none;
  bool is_const = false, is_restrict = false, is_volatile = false, is_pipe = false;  // as the source has it
  bool is_written = false;  // global_pointer: the code may write through it
  std::string type_name, name;
  std::uint32_t size =
      0;  // bytes that clSetKernelArg must be given; 0 for local_pointer (there the caller chooses)
  // Where the argument lies in the parameter buffer. A pointer is 8 bytes (a device address), a local pointer
  // a 4-byte offset into dynamic shared memory, whose alignment follows.
  std::uint32_t offset = 0, parameter_size = 0;
  std::uint32_t pointee_alignment = 1;  // local_pointer: alignment that the offset needs
  std::string image_type;               // image: image2d_t …, also if the source has another name for it
};

// A kernel's signature and attributes, the same for all variants.
struct KernelInfo {
  friend bool operator==(const KernelInfo&, const KernelInfo&) = default;
  std::string name;
  std::string attributes;  // CL_KERNEL_ATTRIBUTES, the text as the specification spells it
  std::vector<ArgumentInfo> arguments;
  bool tells_arguments = false;  // built with -cl-kernel-arg-info: clGetKernelArgInfo answers
  std::array<std::uint32_t, 3> required_work_group_size{};  // 0 0 0: none
  std::array<std::uint32_t, 3> work_group_size_hint{};
  std::uint32_t required_sub_group_size = 0;
  std::uint32_t required_sub_group_count = 0;  // of a work-group; 0: any
  bool uniform_work_group_size =
      false;                         // OpenCL C 1.x or -cl-uniform-work-group-size: the ND-range must divide
  std::uint32_t parameter_size = 0;  // bytes of the buffer without the launch record
  std::uint32_t static_local_size =
      0;  // bytes at the front of dynamic shared memory that local arguments must not use: the kernel's own variables there, and
          // what rounding down the address may skip. Static shared memory is the driver's to report.
};
// Whether kernels of two devices take the same arguments, so that one kernel object can be both.
bool same_signature(const KernelInfo& a, const KernelInfo& b);

// A variant of a program's device code (builtins/launch_record.h).
enum class Variant : std::uint8_t { uniform, general };
// Bytes of an image's descriptor (builtins/image_descriptor.h) that a launch passes among the parameters.
struct ImagePart {
  std::uint32_t argument = 0;  // offset of the descriptor's address in the parameter buffer
  std::uint32_t place = 0;     // offset in the descriptor
};
inline constexpr std::uint32_t kImagePartSize = 16;
// What code assumes of an image argument, so that its accesses need no test at run time.
struct KnownImage {
  std::uint32_t argument = 0;  // where the descriptor's address lies in the parameter buffer
  bool asks_order = false, asks_format = false;
  std::uint32_t order = 0;   // clcuda_image_texture::order; 0: looked up at each read
  std::uint64_t format = 0;  // the bytes of clcuda_texel_format; 0: looked up
  friend bool operator==(const KnownImage&, const KnownImage&) = default;
};
// What a launch has that code of the uniform variant may be made for.
struct LaunchTraits {
  std::vector<KnownImage> images;  // by KernelCode::known_images
  bool arguments_overlap = false;  // the kernel writes bytes that belong to two of its arguments
  friend bool operator==(const LaunchTraits&, const LaunchTraits&) = default;
};
// A kernel's code in one variant: what the runtime needs to launch it.
struct KernelCode {
  std::string symbol;  // the entry's name in the PTX
  // Consecutive from this offset in the parameter buffer.
  std::uint32_t image_parts_offset = 0;
  std::vector<ImagePart> image_parts;
  std::vector<KnownImage> known_images;  // those whose properties it uses
  // Where the launch record begins in the parameter buffer, if this variant of the kernel takes one.
  std::optional<std::uint32_t> launch_record_offset;
  bool uses_printf = false;
  std::uint32_t printf_bytes = 0;   // of records, an upper bound per work-item; 0: unknown
  bool waits = false;               // for preceding kernels in its stream (griddepcontrol.wait)
  bool distinct_arguments = false;  // right only where no byte that it writes belongs to two of its arguments
  bool enqueues = false;            // may enqueue kernels: needs memory for tasks, and the scheduler after it
};
// The device code of a program in one variant.
struct VariantCode {
  std::string ptx;                  // one module or several (ptx_modules.h)
  std::vector<KernelCode> kernels;  // parallel to CompiledProgram::kernels
  // C++ for OpenCL: kernels without arguments, run by one work-item before any other kernel of the program and when the program is
  // released. They construct and destroy its program-scope objects. At most one of each.
  std::vector<KernelCode> initializers, finalizers;
  bool needs_device_runtime = false;  // to be linked with libcudadevrt
};
// The kernel that runs the tasks of a launch that enqueues (builtins/device_tasks.cl).
inline constexpr char kTaskSchedulerSymbol[] = "__clcuda_run_tasks";
inline constexpr char kInitializerSymbol[] = "__clcuda_initialize", kFinalizerSymbol[] = "__clcuda_finalize";

// A file that source includes.
struct Header {
  std::string name;  // as in #include; of a file on disk the full path
  std::string text;
};

// A program's input: source text, or a module of 32-bit words.
enum class Language : std::uint8_t { opencl_c, spirv };

// Everything that a module was translated from: enough to translate it again, whatever has become of the files.
struct Translation {
  Language language = Language::opencl_c;
  std::string source;                                  // the text, or the bytes of the module
  std::vector<Header> headers;                         // of a text
  std::vector<spirv::Specialization> specializations;  // of a module
  std::string options;
  std::string folder;  // of source: the base of relative folders in -I
  // Of the device that it was translated for, which need not be that of one that loads a binary.
  LanguageChoice language_choice;
};

// CL_PROGRAM_BINARY_TYPE.
enum class BinaryKind : std::uint8_t { compiled_object, library, executable };

// A program compiled for one target: the contents of CL_PROGRAM_BINARIES and of the program cache. Plain values, no LLVM.
//
// The unspecialised form, needed for linking and for the general variant, is kept as bitcode and as the source or SPIR-V modules that it
// was translated from. Binaries given to an application have the latter only: LLVM's bitcode reader does not validate its input, so it must
// never read an application's bytes. It reads bitcode written by this process or from the user's cache.
struct CompiledProgram {
  BinaryKind kind = BinaryKind::executable;
  Target target;
  std::string bitcode;                    // empty if read from a binary
  std::vector<Translation> translations;  // of the modules that were linked, in this order
  std::vector<KernelInfo> kernels;        // executables only
  VariantCode uniform;                    // executables only
  // Two modules would each have their own copy of a program-scope variable. If there are any, `uniform` holds
  // the general variant, which serves every launch (make_general_variant() returns the same code).
  bool uniform_is_general = false;
  std::uint64_t global_variable_size = 0;  // bytes of program-scope variables
  std::uint32_t literal_samplers =
      0;                // of the program's text: a bit for each state (builtins/image_descriptor.h)
  std::string options;  // as given; affect code generation of the general variant
  std::vector<std::string> printf_formats;
  bool verbose = false;                 // -cl-nv-verbose: the driver's log is added to the build log
  std::int32_t optimization_level = 3;  // -cl-nv-opt-level, 0 to 3
  std::int32_t max_registers = 0;       // -cl-nv-maxrregcount; 0: chosen by the compiler
};

// The container format (versioned, checksummed): everything except the bitcode. parse() returns nothing for bytes in another format or
// version, or if they are damaged.
std::string serialize(const CompiledProgram& program);
std::optional<CompiledProgram> parse(std::string_view bytes);
// Whether the bytes begin as a binary of some version does.
bool begins_as_binary(std::string_view bytes);

}  // namespace clcuda::compiler
