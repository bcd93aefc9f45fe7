// SPDX-License-Identifier: Apache-2.0
#include "compiler/emit_spirv.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/compiler_thread.h"
#include "compiler/build_thread.h"
#include "compiler/diagnostics.h"
#include "compiler/frontend.h"
#include "compiler/options.h"
#include "compiler/program_error.h"
#include "compiler/spirv/binary.h"

extern "C" {
void LLVMInitializeSPIRVTargetInfo();
void LLVMInitializeSPIRVTarget();
void LLVMInitializeSPIRVTargetMC();
void LLVMInitializeSPIRVAsmPrinter();
}

namespace clcuda::compiler {
namespace {

// Extensions that both the reader (spirv/reader.h) and LLVM's SPIR-V back end support.
constexpr char kExtensions[] =
    "--spirv-ext=+SPV_KHR_bit_instructions,+SPV_KHR_subgroup_rotate,+SPV_KHR_shader_clock,"
    "+SPV_KHR_integer_dot_product,+SPV_KHR_expect_assume,+SPV_KHR_no_integer_wrap_decoration,"
    "+SPV_KHR_uniform_group_instructions,+SPV_EXT_shader_atomic_float_add,"
    "+SPV_EXT_shader_atomic_float16_add,+SPV_EXT_shader_atomic_float_min_max,"
    "+SPV_EXT_relaxed_printf_string_address_space";

void prepare_back_end() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    const char* words[] = {"", kExtensions};
    llvm::cl::ParseCommandLineOptions(2, words, "", &llvm::nulls());
  });
}

// Returns nothing and logs the reason if LLVM was built without the SPIR-V back end.
std::unique_ptr<llvm::TargetMachine> create_machine(const llvm::Triple& triple, std::string& log) {
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (!target) {
    log += "error: " + problem + "\n";
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, "", "", llvm::TargetOptions(), std::nullopt, std::nullopt, llvm::CodeGenOptLevel::None));
}

// The back end writes a zero as OpConstantNull, also where it selects a member of a structure, which only an OpConstant may do (SPIR-V
// specification, OpAccessChain). This writes all integer zeros as OpConstant.
std::string with_integer_zeros(const std::string& bytes) {
  std::string problem;
  const std::optional<spirv::Binary> binary = spirv::open_binary(bytes, problem);
  if (!binary) return bytes;
  std::size_t at = 5;  // the header
  std::vector<std::uint32_t> words(binary->words.begin(), binary->words.begin() + 5);
  std::unordered_map<std::uint32_t, std::uint32_t> width_of;  // of an integer type, in words
  spirv::for_each_instruction(*binary, [&](const spirv::Instruction& instruction) {
    const auto written = std::span(binary->words).subspan(at, binary->words[at] >> 16);
    at += written.size();
    if (instruction.op() == spirv::Op::TypeInt) width_of[instruction.result()] = instruction[0] > 32 ? 2 : 1;
    const auto width =
        instruction.op() == spirv::Op::ConstantNull ? width_of.find(instruction.type()) : width_of.end();
    if (width == width_of.end()) {
      words.insert(words.end(), written.begin(), written.end());
      return;
    }
    const std::uint32_t first = (3 + width->second) << 16 | static_cast<std::uint32_t>(spirv::Op::Constant);
    words.insert(words.end(), {first, instruction.type(), instruction.result()});
    words.insert(words.end(), width->second, 0);
  });
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint32_t)};
}

// The back end writes get_image_channel_data_type() as OpImageQueryFormat, which numbers the types from 0, and leaves the difference out.
void number_channel_types(llvm::Module& module) {
  constexpr int kFirst = 0x10D0;  // CLK_SNORM_INT8
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() || !function.getName().starts_with("_Z27get_image_channel_data_type"))
      continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      llvm::IRBuilder<> builder(call->getNextNode());
      llvm::Value* type = builder.CreateAdd(call, builder.getInt32(kFirst));
      call->replaceUsesWithIf(type, [&](const llvm::Use& use) { return use.getUser() != type; });
    }
  }
}

// The back end crashes at the functions that Clang makes of enqueue_kernel() and of queries about blocks.
void refuse_enqueuing(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.use_empty() &&
        (function.getName().starts_with("__enqueue_kernel_") ||
         function.getName().starts_with("__get_kernel_")))
      throw ProgramError{
          "error: LLVM's SPIR-V back end cannot translate enqueue_kernel and get_kernel_... of blocks"};
}

bool emit(llvm::Module& module, llvm::TargetMachine& machine, std::string& bytes) {
  refuse_enqueuing(module);
  number_channel_types(module);
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) return false;
  passes.run(module);
  bytes = with_integer_zeros({buffer.begin(), buffer.end()});
  return true;
}

// Leaked after a fault, as in compiler.cpp.
struct Workspace {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  bool failed = false;
};

void make(const Source& source, const Options& options, const DeviceFeatures& features,
          const std::string& triple, Workspace& work, SpirvModule& result) {
  const Target target;
  Outcome outcome;
  SourceUnit unit{source, options, target, features};
  unit.spirv_triple = triple.c_str();
  work.module = compile_opencl_c(unit, work.context, outcome);
  result.log += outcome.log;
  if (!work.module) return;
  prepare_back_end();
  const auto machine = create_machine(work.module->getTargetTriple(), result.log);
  if (!machine) return;
  collect_diagnostics(work.context, result.log, work.failed);
  work.module->setDataLayout(machine->createDataLayout());
  if (emit(*work.module, *machine, result.bytes) && !work.failed) result.status = Status::success;
}

}  // namespace

SpirvModule make_spirv(const Source& source, const std::string& options_text, const DeviceFeatures& features,
                       int minor_version) {
  SpirvModule result;
  const auto [options, problem] = parse_options(options_text, OptionsFor::compile);
  if (!problem.empty()) return {Status::invalid_options, "error: " + problem + "\n", {}};
  const std::string triple = "spirv64v1." + std::to_string(minor_version) + "-unknown-unknown";
  try {
    run_on_build_thread([&, &options = options] {
      auto work = std::make_unique<Workspace>();
      try {
        make(source, options, features, triple, *work, result);
      } catch (const ProgramError& error) {
        result.log += error.reason + "\n";
      } catch (...) {
        (void)work.release();
        throw;
      }
    });
  } catch (const CompilerFault& fault) {
    // A fault does not say what it is about.
    result = {fault.out_of_memory ? Status::out_of_memory : Status::failure,
              result.log + "error: Clang or LLVM's SPIR-V back end cannot translate the program: " +
                  fault.reason + "\n",
              {}};
  }
  if (result.status != Status::success) result.bytes.clear();
  return result;
}

}  // namespace clcuda::compiler
