// SPDX-License-Identifier: Apache-2.0
#include "compiler/link.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <algorithm>
#include <new>
#include <vector>

#include "builtins/embedded.h"
#include "compiler/build_thread.h"
#include "compiler/passes/address_spaces.h"
#include "compiler/passes/names.h"
#include "compiler/passes/registry.h"
#include "compiler/program_error.h"
#include "compiler/readable_name.h"

namespace clcuda::compiler {
namespace {

llvm::MemoryBufferRef buffer_of(std::string_view bytes, const char* name) {
  return {{bytes.data(), bytes.size()}, name};
}

std::unique_ptr<llvm::Module> read_lazily(std::string_view bitcode, const char* name,
                                          llvm::LLVMContext& context) {
  auto library = llvm::getLazyBitcodeModule(buffer_of(bitcode, name), context);
  if (library) return std::move(*library);
  throw CompilerFault{std::string("cannot read ") + name + ": " + llvm::toString(library.takeError())};
}

// A module of the OpenCL C library. Function bodies are read lazily from its bytes.
std::unique_ptr<llvm::Module> read_library_module(std::string_view packed, const char* name,
                                                  llvm::LLVMContext& context) {
  auto bitcode = llvm::WritableMemoryBuffer::getNewUninitMemBuffer(builtins::unpacked_size(packed), name);
  if (!bitcode) throw std::bad_alloc();
  builtins::unpack(packed, {bitcode->getBufferStart(), bitcode->getBufferSize()});
  auto library = llvm::getOwningLazyBitcodeModule(std::move(bitcode), context);
  if (library) return std::move(*library);
  throw CompilerFault{std::string("cannot read ") + name + ": " + llvm::toString(library.takeError())};
}

bool is_undefined(const llvm::Function& function) {
  return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty();
}

// Links into a module the definitions that it lacks, and those that they need in turn; only these are read from bitcode. At the end
// everything that is not kept becomes internal.
class Completion {
 public:
  explicit Completion(llvm::Module& module) : module_(module), linker_(module) {}
  void keep(llvm::StringRef name) { kept_.insert(name); }
  void link(std::unique_ptr<llvm::Module> library, const char* name) {
    if (linker_.linkInModule(std::move(library), llvm::Linker::LinkOnlyNeeded))
      throw CompilerFault{std::string("cannot link ") + name};
  }
  void end() {
    llvm::internalizeModule(
        module_, [this](const llvm::GlobalValue& value) { return kept_.contains(value.getName()); });
  }

 private:
  llvm::Module& module_;
  llvm::Linker linker_;
  llvm::StringSet<> kept_;
};

// The modules of the library that define a function that the module lacks.
std::vector<std::string_view> modules_needed(const llvm::Module& module) {
  std::vector<std::string_view> needed;
  for (const llvm::Function& function : module) {
    if (!is_undefined(function)) continue;
    const auto packed =
        builtins::library_module_defining({function.getName().data(), function.getName().size()});
    if (!packed.empty() && std::ranges::find(needed, packed.data(), &std::string_view::data) == needed.end())
      needed.push_back(packed);
  }
  return needed;
}

// Structurally identical structures may have different names in the two modules.
bool is_same(const llvm::Type* a, const llvm::Type* b) {
  const auto *first = llvm::dyn_cast<llvm::StructType>(a), *second = llvm::dyn_cast<llvm::StructType>(b);
  if (!first || !second) return a == b;
  return std::ranges::equal(first->elements(), second->elements(), is_same);
}

bool have_same_type(const llvm::Function& a, const llvm::Function& b) {
  const llvm::FunctionType &first = *a.getFunctionType(), &second = *b.getFunctionType();
  return is_same(first.getReturnType(), second.getReturnType()) &&
         std::ranges::equal(first.params(), second.params(), is_same);
}

// An array may be declared without its length. The type that Clang gives a union, or what has one, follows the initialiser: then only the
// sizes are compared.
bool have_same_type(const llvm::GlobalVariable& a, const llvm::GlobalVariable& b) {
  llvm::Type *const first = a.getValueType(), *const second = b.getValueType();
  if (a.getAddressSpace() != b.getAddressSpace()) return false;
  if (first->isSingleValueType() || second->isSingleValueType()) return first == second;
  const auto size = [](const llvm::GlobalVariable& variable) {
    return variable.getDataLayout().getTypeAllocSize(variable.getValueType());
  };
  return size(a) == size(b) || (a.isDeclaration() && size(a) < size(b)) ||
         (b.isDeclaration() && size(b) < size(a));
}

// What an alias is one of.
const llvm::GlobalValue& named_by(const llvm::GlobalValue& value) {
  const llvm::GlobalObject* object = value.getAliaseeObject();
  return object ? *object : value;
}

bool are_alike(const llvm::GlobalValue& a, const llvm::GlobalValue& b) {
  const auto *function = llvm::dyn_cast<llvm::Function>(&a), *other = llvm::dyn_cast<llvm::Function>(&b);
  if (function && other) return have_same_type(*function, *other);
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&a),
             *second = llvm::dyn_cast<llvm::GlobalVariable>(&b);
  if (variable && second) return have_same_type(*variable, *second);
  return !function == !other && !variable == !second;
}

// What two modules have under one name must be one function or variable. LLVM's linker does not look: the callers of a function of another
// type would get wrong values, and those of a variable jump into it.
bool declare_alike(const llvm::Module& first, const llvm::Module& next, std::string& log) {
  bool alike = true;
  for (const llvm::GlobalValue& value : next.global_values()) {
    const llvm::GlobalValue* known =
        value.hasLocalLinkage() || !value.hasName() ? nullptr : first.getNamedValue(value.getName());
    if (!known || known->hasLocalLinkage() || are_alike(named_by(*known), named_by(value))) continue;
    log +=
        "error: '" + readable_name(value.getName()) + "' is declared with different types in the programs\n";
    alike = false;
  }
  return alike;
}

// Calling a function with another type than its definition's is undefined behaviour, which LLVM's linker does not detect.
void check_types(const llvm::Module& module, const llvm::Module& library) {
  for (const llvm::Function& function : library) {
    const llvm::Function* wanted = module.getFunction(function.getName());
    if (!wanted || !wanted->isDeclaration() || function.isDeclaration() || function.hasLocalLinkage())
      continue;
    if (!have_same_type(*wanted, function))
      throw ProgramError{"error: '" + readable_name(function.getName()) +
                         "' is declared with another type than the OpenCL C library's"};
  }
}

void link_needed_modules(llvm::Module& module, Completion& completion) {
  constexpr char kName[] = "the OpenCL C library";
  for (auto needed = modules_needed(module); !needed.empty(); needed = modules_needed(module)) {
    for (const std::string_view packed : needed) {
      auto library = read_library_module(packed, kName, module.getContext());
      // libdevice's triple and data layout differ in spelling only.
      library->setTargetTriple(module.getTargetTriple());
      library->setDataLayout(module.getDataLayout());
      check_types(module, *library);
      completion.link(std::move(library), kName);
    }
  }
}

// Renames a declaration or definition. If the module has something of that name, it is the same thing, and one of both a declaration.
void give_name(llvm::GlobalValue& value, const std::string& name) {
  llvm::GlobalValue* same = value.getParent()->getNamedValue(name);
  if (!same) return value.setName(name);
  if (same->getType() != value.getType()) return;
  if (value.isDeclaration()) {
    value.replaceAllUsesWith(same);
    value.eraseFromParent();
  } else if (same->isDeclaration()) {
    same->replaceAllUsesWith(&value);
    same->eraseFromParent();
    value.setName(name);
  }
}

// In SPIR-V, entry points and what modules export have names of their own, so a module may import or export something by the name of
// another one's kernel. That is called or used under the name of the kernel's body, as within one module (spirv/make_kernels.cpp).
void leave_kernel_names(llvm::Module& module, const llvm::Module& other) {
  for (const llvm::Function& kernel : other) {
    if (kernel.getCallingConv() != llvm::CallingConv::PTX_Kernel) continue;
    llvm::GlobalValue* known = module.getNamedValue(kernel.getName());
    if (!known || known->hasLocalLinkage()) continue;
    const auto* function = llvm::dyn_cast<llvm::Function>(known);
    if (function && function->getCallingConv() == llvm::CallingConv::PTX_Kernel) continue;
    const std::string name = kKernelBodyPrefix + kernel.getName().str();
    const llvm::GlobalValue* wanted = other.getNamedValue(name);
    // In OpenCL C, a function and a kernel of one name are an error, which the linker finds.
    if (!known->isDeclaration() && !(wanted && wanted->isDeclaration())) continue;
    give_name(*known, name);
  }
}

// Functions and prefixes that later passes resolve.
bool is_resolved_later(llvm::StringRef name) {
  return name == kLaunchRecordFunction || name == kUniformLaunchFunction || name == kTaskSizeFunction ||
         name == kTaskSchedulerFunction || name == kMustDivideFunction || name == kDetailedErrorsFunction ||
         name == kLiteralSamplerFunction || name == "__nvvm_reflect" ||
         name.starts_with(kImageQuestionPrefix) || name.starts_with(kDeviceRuntimePrefix);
}

std::string undefined_symbols(const llvm::Module& module) {
  std::string names;
  const auto add = [&](llvm::StringRef name) {
    names += "error: undefined reference to '" + readable_name(name) + "'\n";
  };
  for (const llvm::Function& function : module) {
    if (is_undefined(function) && !is_resolved_later(function.getName())) add(function.getName());
  }
  for (const llvm::GlobalVariable& variable : module.globals()) {
    const bool found_elsewhere =
        variable.getAddressSpace() == kLocalSpace;  // dynamic shared memory, allocated at launch
    if (variable.isDeclaration() && !variable.use_empty() && !found_elsewhere) add(variable.getName());
  }
  return names;
}

// In a linked program a second name serves nothing. (PTX has functions' alone, since its version 6.3.)
void resolve_aliases(llvm::Module& module) {
  for (llvm::GlobalAlias& alias : llvm::make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
}

}  // namespace

std::unique_ptr<llvm::Module> read_bitcode(std::string_view bitcode, llvm::LLVMContext& context,
                                           std::string& log) {
  auto module = llvm::parseBitcodeFile(buffer_of(bitcode, "program"), context);
  if (module) return std::move(*module);
  log += "error: " + llvm::toString(module.takeError()) + "\n";
  return nullptr;
}

std::unique_ptr<llvm::Module> read_kernels(std::string_view bitcode, std::span<const KernelInfo> kernels,
                                           llvm::LLVMContext& context) {
  constexpr char kName[] = "program";
  auto program = read_lazily(bitcode, kName, context);
  auto part = std::make_unique<llvm::Module>(kName, context);
  part->setTargetTriple(program->getTargetTriple());
  part->setDataLayout(program->getDataLayout());
  for (const KernelInfo& kernel : kernels) {
    const llvm::Function& wanted = *program->getFunction(kernel.name);
    llvm::Function::Create(wanted.getFunctionType(), llvm::Function::ExternalLinkage, kernel.name, *part);
  }
  Completion completion(*part);
  for (const KernelInfo& kernel : kernels) completion.keep(kernel.name);
  completion.link(std::move(program), kName);
  completion.end();
  return part;
}

std::string write_bitcode(const llvm::Module& module) {
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return bitcode;
}

bool link_libraries(llvm::Module& module, const Lowering& lowering, std::string& log) {
  resolve_aliases(module);
  run_stage(Stage::library, module, lowering);
  Completion completion(module);
  for (const llvm::GlobalValue& value : module.global_values())
    if (!value.isDeclaration()) completion.keep(value.getName());
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr(kProgramAttribute);
  link_needed_modules(module, completion);
  run_stage(Stage::libdevice, module, lowering);
  link_needed_modules(module, completion);
  completion.end();
  const std::string undefined = undefined_symbols(module);
  log += undefined;
  return undefined.empty();
}

bool link_objects(llvm::Module& first, std::unique_ptr<llvm::Module> next, std::string& log) {
  leave_kernel_names(first, *next);
  leave_kernel_names(*next, first);
  return declare_alike(first, *next, log) && !llvm::Linker::linkModules(first, std::move(next));
}

}  // namespace clcuda::compiler
