// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/options.h"
#include "compiler/program_image.h"

namespace clcuda::compiler {

// What a pass needs to know beside the module.
struct Lowering {
  const Options& options;
  const Target& target;
  Variant variant;
  // Of the uniform variant, by the number of the argument: what is known of the images that it is made for. Null: that the texels of
  // all of them are RGBA, as texture units give it.
  const std::vector<KnownImage>* images = nullptr;
};

// On the module that Clang emitted, before it is kept as a compiled object or described.

// An `inline` function of C99 without an external definition is kept all the same.
void keep_inline_definitions(llvm::Module& module);
// The kernels that Clang makes of enqueued blocks take the block's literal by value: a launch copies its parameters, so that no literal
// has to outlive the function that made it. `detailed_errors`: enqueue_kernel says why it fails.
void prepare_blocks(llvm::Module& module, bool detailed_errors);
// C++ for OpenCL: what Clang leaves for the destruction of static objects names the object.
void name_destroyed_objects(llvm::Module& module);
// Of one of several modules to be linked: all of its functions flush subnormals, or those that were not compiled to do so keep them.
void settle_subnormal_mode(llvm::Module& module, bool flush);
// What the language forbids or the device lacks and Clang lets through; the text for the build log, empty if
// there is nothing.
std::string find_unsupported(llvm::Module& module);
// Local variables beyond what static shared memory holds go to the front of dynamic shared memory; the
// kernel's attribute `static_local_attribute` then says how much.
void place_local_variables(llvm::Module& module);
// C++ for OpenCL: kernels that construct the program-scope objects, and destroy them and the static ones of functions (`life_attribute`).
void make_life_kernels(llvm::Module& module);
// Calls of printf become records in the launch's buffer (builtins/printf_record.h); `texts` gets the formats and
// strings that records name. False if one cannot be: the log says why.
bool lower_printf(llvm::Module& module, std::vector<std::string>& texts, std::string& log);
// Kernels from which enqueue_kernel or its like can be reached get `enqueue_attribute`; false if nothing in the program enqueues.
bool mark_enqueuing_kernels(llvm::Module& module);

// The numbers (builtins/image_descriptor.h) of the samplers that the program spells out, as a set of bits.
std::uint32_t literal_samplers(const llvm::Module& module);

// The passes of the kernel ABI, one per file, in the order of pipeline.cpp. Each leaves a module that
// verifies.

// sqrt in the accuracy that the language asks for. (Before the library is linked.)
void relax_square_root(llvm::Module& module, const Lowering& lowering);
// A program that enqueues gets the kernel that runs its tasks. (Before the library is linked.)
void want_task_scheduler(llvm::Module& module);
// Intrinsics that NVPTX cannot select become calls of libdevice. (Before libdevice is linked.)
void legalize_math(llvm::Module& module, const Lowering& lowering);
// Clang puts a kernel's body into a noinline __clang_ocl_kern_imp_ function; lets it be inlined into the
// entry.
void expose_kernel_bodies(llvm::Module& module, const Lowering& lowering);
// The library's functions treat subnormals as the program does.
void adopt_subnormal_mode(llvm::Module& module, const Lowering& lowering);
// Loops that can be left make progress.
void assume_progress(llvm::Module& module, const Lowering& lowering);
// __clcuda_uniform_launch() becomes a constant; loads from the launch record become invariant.
void resolve_launch_variant(llvm::Module& module, const Lowering& lowering);
// What builtins/device_tasks.h asks the compiler for.
void resolve_device_enqueue(llvm::Module& module, const Lowering& lowering);
// libdevice asks __nvvm_reflect how to compute.
void resolve_nvvm_reflect(llvm::Module& module, const Lowering& lowering);
// Samplers become numbers (builtins/image_descriptor.h), also as arguments. (Before the next, to which they are pointers.)
void lower_samplers(llvm::Module& module, const Lowering& lowering);
// The null pointer of `local` is the number 0, as in variables without a value. Clang writes it as the generic one converted, which is no
// constant; and the hardware converts 0 to the address at which shared memory begins. The first pass makes it a constant, which
// the optimiser understands; the second keeps null pointers null in the conversions that are left, and does those between named spaces.
void settle_local_nulls(llvm::Module& module, const Lowering& lowering);
void keep_local_nulls(llvm::Module& module, const Lowering& lowering);
// `constant` pointers are buffers: address space 4 becomes 1 in programs that pass one to a kernel, find one in memory of others
// (constant_pointer_exchange.h), or have more than 64 KB of constants.
void lower_constant_pointers(llvm::Module& module, const Lowering& lowering);
// `local` pointer arguments become offsets into dynamic shared memory.
void lower_local_arguments(llvm::Module& module, const Lowering& lowering);
// Parameters of kernels lie where KernelInfo says: none is aligned to more than `most_parameter_alignment`.
void bound_parameter_alignment(llvm::Module& module, const Lowering& lowering);
// Private variables of 16 bytes and more are aligned to 16, so that what lies side by side in them is loaded and stored together.
void align_private_variables(llvm::Module& module, const Lowering& lowering);
// Functions that ask for the mask of those that are active are inlined, always: prove_masks.h looks at kernels.
void inline_mask_functions(llvm::Module& module, const Lowering& lowering);
// Brings the reads of ids into the kernels, where the next pass knows more about them.
void inline_work_item_functions(llvm::Module& module, const Lowering& lowering);
// Functions that take pointers to private variables are inlined, unless they are very long: what a pointer goes to has to lie in memory.
void favor_inlining(llvm::Module& module, const Lowering& lowering);
// Calls that would make a function, or the program, larger than what can be optimised in an acceptable time stay calls.
void limit_inlining(llvm::Module& module, const Lowering& lowering);
// Work-group sizes as PTX directives, and the ranges of ids that follow.
void bound_work_item_ids(llvm::Module& module, const Lowering& lowering);
// (x + w)·y with x = w·y becomes x·y + x again.
void restore_multiply_adds(llvm::Module& module, const Lowering& lowering);
// (a + 1) − b becomes (a − b) + 1 where a − b is there, as between the turns of a loop that stand one after the other.
void share_differences(llvm::Module& module, const Lowering& lowering);
// Single-precision division in the accuracy that the language asks for. (After optimisation, which knows
// fdiv.)
void relax_division(llvm::Module& module, const Lowering& lowering);
// Read-modify-write operations with their order and scope, which NVPTX drops.
void order_atomics(llvm::Module& module, const Lowering& lowering);
// A switch without a default that can be reached takes a case for it: NVPTX would end the work-item there, by a branch and an
// `exit`, and the executor has to inline functions that can end a work-item.
void settle_defaults(llvm::Module& module, const Lowering& lowering);
// A switch of many cases becomes a search: LLVM takes quadratic time over a large jump table.
void limit_jump_tables(llvm::Module& module, const Lowering& lowering);
// What of images is not known (know_images.h) is what was loaded.
void settle_image_questions(llvm::Module& module, const Lowering& lowering);
// What know_images.h has left at a kernel's argument.
KnownImage read_known_image(const llvm::Argument& argument);
// Loads from image descriptors become loads from a hidden parameter. (Before the next, which adds the last one.)
void pass_image_parts(llvm::Module& module, const Lowering& lowering);
// The launch record as a hidden last parameter, where it is used.
void lower_launch_record(llvm::Module& module, const Lowering& lowering);
// Variables take the room, and have the value, that loads and stores find there.
void wrap_variables(llvm::Module& module, const Lowering& lowering);
// A private variable is volatile to the optimiser, and to nobody behind it. What a loop reads by ld.volatile others may change: ptxas lets
// those work-items that have left it go on alone, which then exchange values without the others. (Ahead of what looks at loads and stores.)
void settle_private_volatiles(llvm::Module& module, const Lowering& lowering);
// Differences without sign, of unsigned numbers of which one is known to be the greater. LLVM 22, where it finds that only in the end, as
// in some lanes of a vector, takes them for the absolute value of a number with a sign.
void settle_differences(llvm::Module& module, const Lowering& lowering);
// x + (c ? y : 0) becomes c ? x + y : x where x is needed for nothing else: ptxas makes one instruction of that, which adds in place where
// the condition holds, and of the sum two; the same of differences, `or` and `xor`. (After optimisation, which knows the sum alone.)
void select_sums(llvm::Module& module, const Lowering& lowering);
// Conversions of 64-bit numbers to 32 bits that may have the lower half in common are told apart by it. ptxas (13.0, for every chip since
// Turing) takes two of them for one and the same where registers are used again and only the upper half was written in between.
void keep_conversions_apart(llvm::Module& module, const Lowering& lowering);
// |x| does not stand right before its negation, a conversion to floating point, a remainder, a minimum or a comparison with 0. There
// ptxas (13.0, for every chip since Turing) takes it for a number below the sign's bit, which the least one's is not, and -|x| for less
// than any constant.
void keep_magnitudes(llvm::Module& module, const Lowering& lowering);
// The greatest and the least of numbers with a sign: -x comes first. In the greatest of three, which is one instruction of Hopper and of
// data-centre Blackwell, ptxas (13.0) forgets the sign of the second. (After the last, which makes some.)
void keep_opposites(llvm::Module& module, const Lowering& lowering);
// Copies and fills of known size are loads and stores of words as long as the addresses allow, which LLVM then merges. It would copy
// more than 128 bytes by a loop over the bytes.
void copy_by_words(llvm::Module& module, const Lowering& lowering);
// What is stored of a floating-point value's bits is no conversion of the number. (After all that could undo it.)
void keep_stored_bits(llvm::Module& module, const Lowering& lowering);

// Helpers that several passes use (kernel_functions.cpp).

bool is_kernel(const llvm::Function& function);
std::vector<llvm::Function*> kernels_of(llvm::Module& module);
bool is_block_kernel(const llvm::Function& function);

// A function like `old` with parameters of other types: the body moves, `adapt` gives for each parameter of
// the old signature the value that takes its place (it may insert instructions at the start of the body). The
// new function takes the old one's place wherever that is named; calls are left to the caller to adapt.
llvm::Function* change_parameters(llvm::Function& old, llvm::ArrayRef<llvm::Type*> types,
                                  llvm::AttributeList attributes,
                                  llvm::function_ref<llvm::Value*(llvm::Function&, unsigned)> adapt);
// The same with one more parameter, a pointer, behind the others.
llvm::Function* append_pointer(llvm::Function& old, llvm::AttributeSet attributes, llvm::StringRef name);

// The extern array that stands for a launch's dynamic shared memory.
llvm::GlobalVariable& dynamic_local_memory(llvm::Module& module);

// Whether single-precision subnormals are flushed: in a function; in all of the program's kernels.
bool flushes_subnormals(const llvm::Function& function);
bool flushes_subnormals(llvm::Module& module);

// ptxas aligns a parameter's address in the constant bank, not its offset in the parameter buffer, and the
// buffer begins at a multiple of 16 that differs between chips (0x210 on sm_90). Up to this alignment the two
// are the same everywhere.
constexpr llvm::Align most_parameter_alignment = llvm::Align::Constant<16>();

// Functions and attributes that Clang and this compiler leave for later passes.
inline constexpr char literal_sampler_function[] = "__translate_sampler_initializer";
inline constexpr char launch_record_function[] = "__clcuda_launch_record";
inline constexpr char uniform_launch_function[] = "__clcuda_uniform_launch";
inline constexpr char static_local_attribute[] = "clcuda-static-local-size";
inline constexpr char launch_record_attribute[] = "clcuda-launch-record";  // of the hidden parameter
inline constexpr char image_parts_attribute[] =
    "clcuda-image-parts";  // of a hidden parameter: for each part, which argument and where in its descriptor
inline constexpr char known_image_attribute[] = "clcuda-known-image";  // of an argument
inline constexpr char printf_attribute[] = "clcuda-printf";
inline constexpr char carried_addresses_attribute[] = "clcuda-carried-addresses";
inline constexpr char block_kernel_attribute[] = "clcuda-block";
inline constexpr char life_attribute[] = "clcuda-life";  // of the initializer and the finalizer
inline constexpr char enqueue_attribute[] = "clcuda-enqueue";
inline constexpr char detailed_errors_metadata[] = "clcuda.detailed-enqueue-errors";
// What the library asks of images (know_images.h), and of reading them.
inline constexpr char image_question_prefix[] = "__clcuda_ask_image_";
inline constexpr char device_runtime_prefix[] = "__cudaCDP2";  // functions of CUDA's device runtime
inline constexpr char task_scheduler_function[] = "__clcuda_task_scheduler";
inline constexpr char task_size_function[] = "__clcuda_task_size";
inline constexpr char must_divide_function[] = "__clcuda_must_divide";
inline constexpr char detailed_errors_function[] = "__clcuda_detailed_errors";

// A block's literal as a parameter: where it lies, and what it may hold (4 KB of parameters in all).
constexpr llvm::Align block_literal_alignment = llvm::Align::Constant<16>();
constexpr std::uint64_t most_block_literal_size = 3584;

}  // namespace clcuda::compiler
