// SPDX-License-Identifier: Apache-2.0
#include "compiler/frontend.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "builtins/embedded.h"
#include "compiler/build_thread.h"
#include "compiler/file_recorder.h"
#include "compiler/inline_kernels.h"
#include "compiler/lowering.h"
#include "compiler/passes/library_names.h"
#include "compiler/passes/registry.h"
#include "compiler/program_error.h"
#include "compiler/sampler_check.h"
#include "compiler/single_precision_constants.h"
#include "compiler/source_limits.h"
#include "compiler/target.h"
#include "compiler/time_macros.h"

namespace clcuda::compiler {
namespace {

// Directories that exist in memory only. Clang's working directory is one of them, so that `#include "name"` finds the headers of
// clCompileProgram before anything on disk.
constexpr char kWorkingDirectory[] = "/.clcuda/program";
// Included by these names, which are not searched for: files of such names in other folders are the program's own.
constexpr char kBaseHeader[] = "/.clcuda/include/opencl-c-base.h";
constexpr char kPrelude[] = "/.clcuda/include/clcuda-prelude.h";
constexpr char kIntelPrelude[] = "/.clcuda/include/clcuda-prelude-intel.h";
constexpr char kSourceName[] = "<kernel>";

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// -cl-ext= with exactly the extensions and features of the device.
std::string extension_switches(const DeviceFeatures& features) {
  std::string text = "-cl-ext=-all";
  for (const auto* list : {&features.extensions, &features.features}) {
    for (const std::string& name : *list) text += ",+" + name;
  }
  return text;
}

// Clang supports OpenCL C up to 3.0. It accepts what 3.1 adds in any version, so for 3.1 only the version macro differs.
void add_version_arguments(const SourceUnit& unit, std::vector<std::string>& arguments) {
  const std::string& standard = unit.options.standard;
  if (standard == "CL3.1")
    arguments.insert(arguments.end(),
                     {"-cl-std=CL3.0", "-U__OPENCL_C_VERSION__", "-D__OPENCL_C_VERSION__=310"});
  else
    arguments.push_back("-cl-std=" + standard);
  // Defined in every version of the language, as Clang defines CL_VERSION_3_0 and earlier.
  if (unit.features.choice.opencl_version >= 310) arguments.emplace_back("-DCL_VERSION_3_1=310");
  // The version of the device, independent of the version of the language.
  arguments.push_back("-D__OPENCL_VERSION__=" + std::to_string(unit.features.choice.opencl_version));
}

void add_language_arguments(const SourceUnit& unit, std::vector<std::string>& arguments) {
  const Options& o = unit.options;
  add_version_arguments(unit, arguments);
  arguments.insert(arguments.end(),
                   {"-include", kBaseHeader, "-fdeclare-opencl-builtins", extension_switches(unit.features)});
  if (o.kernel_argument_info) arguments.emplace_back("-cl-kernel-arg-info");
  // Makes Clang emit a destructor function for each global object (passes/frontend/lower_ctors_dtors.h).
  if (o.standard.starts_with("CLC++")) arguments.emplace_back("-fno-use-cxa-atexit");
  // Programs test this macro to find out whether they may use inline PTX.
  arguments.emplace_back("-D__NV_CL_C_VERSION=300");
  // Clang defines __CUDA_ARCH__ for every NVPTX target, but programs take it to mean that they are compiled as CUDA.
  arguments.emplace_back("-U__CUDA_ARCH__");
  if (contains(unit.features.features, "__opencl_c_images")) arguments.emplace_back("-D__IMAGE_SUPPORT__=1");
  for (const std::string& name : unit.features.extensions) {
    // Clang defines the macro only for extensions that it supports.
    arguments.push_back("-D" + name + "=1");
  }
}

// Constructs for which OpenCL compilers have always given only a warning and which are errors in recent versions of Clang. Programs rely on
// them.
void add_diagnostic_arguments(const Options& o, std::vector<std::string>& arguments) {
  if (o.no_warnings) arguments.emplace_back("-w");
  if (o.warnings_are_errors) {
    arguments.emplace_back("-Werror");
    return;
  }
  arguments.emplace_back("-Wno-error=parentheses");  // 0 < x < n
  if (!o.standard.starts_with("CLC++"))
    arguments.insert(
        arguments.end(),
        {"-Wno-error=incompatible-pointer-types", "-Wno-error=incompatible-function-pointer-types",
         "-Wno-error=int-conversion", "-Wno-error=implicit-int", "-Wno-error=return-mismatch"});
}

void add_math_arguments(const Options& o, std::vector<std::string>& arguments) {
  const auto add = [&](bool wanted, const char* argument) {
    if (wanted) arguments.emplace_back(argument);
  };
  add(o.single_precision_constant, "-cl-single-precision-constant");
  add(o.correctly_rounded_divide_sqrt, "-cl-fp32-correctly-rounded-divide-sqrt");
  add(o.uniform_work_group_size, "-cl-uniform-work-group-size");
  add(o.no_signed_zeros, "-cl-no-signed-zeros");
  add(o.unsafe_math, "-cl-unsafe-math-optimizations");
  add(o.finite_math_only, "-cl-finite-math-only");
  add(o.fast_relaxed_math, "-cl-fast-relaxed-math");
  add(o.denorms_are_zero, "-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
  // Contraction across statements goes beyond FP_CONTRACT's default; the pragma still takes effect.
  add(o.mad_enable, "-cl-mad-enable");
  add(o.mad_enable, "-ffp-contract=fast-honor-pragmas");
}

// The directory to which relative include directories refer. A program from a binary has its own.
std::string working_folder(const SourceUnit& unit) {
  if (unit.folder) return *unit.folder;
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

void add_include_arguments(const SourceUnit& unit, std::vector<std::string>& arguments) {
  const std::filesystem::path folder = working_folder(unit);
  arguments.insert(arguments.end(), {"-I", kWorkingDirectory});
  for (const std::string& directory : unit.options.include_directories)
    arguments.insert(arguments.end(), {"-I", (folder / directory).string()});
  arguments.insert(arguments.end(), {"-iquote", (folder / ".").string(), "-include", kPrelude});
}

bool looks_at_files(const SourceUnit& unit) {
  return may_look_at_files(unit.source.bytes) ||
         std::ranges::any_of(unit.source.headers,
                             [](const Header& header) { return may_look_at_files(header.text); });
}

// Whether Intel's functions must be declared: the device offers them, and the program names one or includes files that have not been read
// yet.
bool may_use_intel_functions(const SourceUnit& unit) {
  if (!contains(unit.features.extensions, "cl_intel_subgroups")) return false;
  const auto names_one = [](std::string_view text) { return text.find("intel_") != std::string_view::npos; };
  return looks_at_files(unit) || names_one(unit.source.bytes) ||
         std::ranges::any_of(unit.options.macros, names_one) ||
         std::ranges::any_of(unit.source.headers,
                             [&](const Header& header) { return names_one(header.text); });
}

std::vector<std::string> target_arguments(const SourceUnit& unit) {
  if (unit.spirv_triple)
    return {"-triple", unit.spirv_triple, unit.options.disable_optimization ? "-O0" : "-O3",
            "-disable-llvm-passes"};
  return {"-triple",
          kDeviceTriple,
          "-target-cpu",
          cpu_name(unit.target),
          "-target-feature",
          ptx_feature(unit.target, 0),
          "-O3",
          "-disable-llvm-passes"};
}

std::vector<std::string> cc1_arguments(const SourceUnit& unit) {
  const Options& o = unit.options;
  std::vector<std::string> arguments = target_arguments(unit);
  // Many kernels write an array of words as bytes or halves and read it as words. That is undefined in C, but other OpenCL C compilers
  // accept it, and strict aliasing makes conforming programs hardly faster (docs/performance.md).
  if (!o.strict_aliasing) arguments.emplace_back("-relaxed-aliasing");
  add_language_arguments(unit, arguments);
  add_math_arguments(o, arguments);
  add_include_arguments(unit, arguments);
  if (may_use_intel_functions(unit)) arguments.insert(arguments.end(), {"-include", kIntelPrelude});
  add_diagnostic_arguments(o, arguments);
  // Line numbers for NVIDIA's tools. With more complete debug information ptxas does not optimise.
  if (o.debug_info)
    arguments.insert(arguments.end(), {"-debug-info-kind=line-directives-only", "-dwarf-version=2"});
  for (const std::string& macro : o.macros) arguments.insert(arguments.end(), {"-D", macro});
  arguments.insert(arguments.end(), {"-x", "cl", kSourceName});
  return arguments;
}

// Whether a path is that of a folder or of one that it is in.
bool is_folder_of(llvm::StringRef path, llvm::StringRef folder) {
  return path == "/" || path == folder || folder.starts_with((path + "/").str());
}

// The program's own headers, searched before the machine's files. A program with a recorded folder (unit.folder) sees no files of the
// machine.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(
    const SourceUnit& unit, llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> machine) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& path, std::string_view text) {
    return memory->addFile(
        path, 0, llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(text.data(), text.size()), path));
  };
  const auto add_own = [&](const char* path, std::string_view text) {
    add(path, "#pragma clang system_header\n" + std::string(text));
  };
  add_own(kBaseHeader, builtins::opencl_c_base_header());
  add_own(kPrelude, builtins::prelude());
  add_own(kIntelPrelude, builtins::prelude_intel());
  add(std::string(kWorkingDirectory) + "/clcuda: this folder exists", "");
  for (const Header& header : unit.source.headers) {
    llvm::SmallString<128> path(header.name);
    if (!llvm::sys::path::is_absolute(path)) path = std::string(kWorkingDirectory) + "/" + header.name;
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    // Section 5.8.5: of two headers of one name the first is used. A file cannot be a folder as well; no program includes our folders.
    const bool added = add(std::string(path), header.text);
    const auto known = memory->status(path);
    if (!added && (!known || known->isDirectory()) && !is_folder_of(path, kWorkingDirectory))
      throw ProgramError{"error: '" + header.name + "' is both a header and a folder of headers"};
  }
  if (unit.folder) return memory;
  auto both = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(std::move(machine));
  both->pushOverlay(memory);
  return both;
}

// Parses and emits IR, with the limits of source_limits.h. (Clang's own actions for this also link in its optimiser.)
class EmitModule final : public clang::ASTFrontendAction {
 public:
  // `renames`: whether the module is to be linked with the library.
  EmitModule(llvm::LLVMContext& context, bool renames) : renames_(renames), context_(context) {}
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }
  bool uses_time() const { return uses_time_; }

 protected:
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    keep_recursion_on_this_stack();
    watch_source_limits(compiler);
    watch_time_macros(compiler, uses_time_);
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef name) override {
    auto generator = clang::CreateLLVMCodeGen(
        compiler.getDiagnostics(), name, compiler.getVirtualFileSystemPtr(), compiler.getHeaderSearchOpts(),
        compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), context_);
    generator_ = generator.get();
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(create_inline_kernels());
    consumers.push_back(create_sampler_check(compiler.getDiagnostics()));
    if (compiler.getLangOpts().SinglePrecisionConstants) consumers.push_back(create_constant_rounding());
    consumers.push_back(std::move(generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  // The generator is destroyed after this callback.
  void EndSourceFileAction() override {
    if (llvm::Module* module = generator_->GetModule(); module && renames_) rename_declarations(*module);
    module_ = generator_->ReleaseModule();
  }

 private:
  // A function that the program itself declares by the name of one of the library's may be another module's
  // (passes/frontend/free_library_names.h).
  void rename_declarations(llvm::Module& module) const {
    for (llvm::Function& function : module)
      if (function.isDeclaration() && is_library_name(function.getName()) &&
          is_of_program(function.getName()))
        function.setName(program_name(function.getName()));
  }
  bool is_of_program(llvm::StringRef name) const {
    const auto* known = llvm::dyn_cast_or_null<clang::FunctionDecl>(generator_->GetDeclForMangledName(name));
    if (!known) return false;
    const clang::SourceManager& sources = getCompilerInstance().getSourceManager();
    return std::ranges::any_of(known->redecls(), [&](const clang::FunctionDecl* one) {
      return !one->isImplicit() && !sources.isInSystemHeader(one->getLocation());
    });
  }

  const bool renames_;
  llvm::LLVMContext& context_;
  clang::CodeGenerator* generator_ = nullptr;  // owned by the compiler instance
  std::unique_ptr<llvm::Module> module_;
  bool uses_time_ = false;
};

// The objects that Clang may have left half-constructed after a fault (base/compiler_thread.h). Destroying them could fault again, so they
// are leaked then.
struct Compilation {
  std::unique_ptr<clang::CompilerInstance> compiler;
  std::unique_ptr<EmitModule> action;
};

bool create_invocation(const SourceUnit& unit, clang::CompilerInvocation& invocation,
                       llvm::raw_ostream& log) {
  const std::vector<std::string> arguments = cc1_arguments(unit);
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
  clang::DiagnosticOptions options;
  clang::TextDiagnosticPrinter printer(log, options);
  clang::DiagnosticsEngine diagnostics(clang::DiagnosticIDs::create(), options, &printer, false);
  if (!clang::CompilerInvocation::CreateFromArgs(invocation, pointers, diagnostics)) return false;
  auto& frontend = invocation.getFrontendOpts();
  const clang::InputKind kind = frontend.Inputs.front().getKind();
  frontend.Inputs.clear();
  frontend.Inputs.emplace_back(
      llvm::MemoryBufferRef(llvm::StringRef(unit.source.bytes.data(), unit.source.bytes.size()), kSourceName),
      kind);
  invocation.getFileSystemOpts().WorkingDir = kWorkingDirectory;
  return true;
}

Translation translation_of(const SourceUnit& unit, const std::string& options, FileRecorder& machine) {
  Translation translation{.language = Language::opencl_c,
                          .source = std::string(unit.source.bytes),
                          .headers = {unit.source.headers.begin(), unit.source.headers.end()},
                          .specializations = {},
                          .options = options,
                          .folder = looks_at_files(unit) ? working_folder(unit) : std::string()};
  std::ranges::move(machine.take_files(), std::back_inserter(translation.headers));
  return translation;
}

// LLVM fails at larger ones. What a kernel may take is checked later.
void refuse_huge_arguments(const llvm::Module& module) {
  constexpr std::uint64_t kMostBytes = 1 << 30;
  for (const llvm::Function& function : module)
    for (const llvm::Argument& argument : function.args())
      if (argument.hasByValAttr() &&
          module.getDataLayout().getTypeAllocSize(argument.getParamByValType()) > kMostBytes)
        throw ProgramError{"error: an argument of " + function.getName().str() + " takes more than 1 GB"};
}

// Section 5.8.6.5. OpenCL C 2.0 has no optional features. Of the features that it requires, a device may lack only device-side enqueue.
bool offers_standard(const SourceUnit& unit) {
  const std::string& standard = unit.options.standard;
  if (standard == "CL2.0") return contains(unit.features.features, "__opencl_c_device_enqueue");
  return standard != "CL3.1" || unit.features.choice.opencl_version >= 310;
}

}  // namespace

std::unique_ptr<llvm::Module> compile_opencl_c(const SourceUnit& unit, llvm::LLVMContext& context,
                                               Outcome& outcome) {
  // Clang needs a null character after the source; the view may not have one.
  const std::string text(unit.source.bytes);
  SourceUnit terminated = unit;
  terminated.source.bytes = text;
  llvm::raw_string_ostream stream(outcome.log);
  if (!offers_standard(unit)) {
    stream << "error: the device does not support -cl-std=" << unit.options.standard << "\n";
    return nullptr;
  }
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!create_invocation(terminated, *invocation, stream)) return nullptr;

  auto compilation = std::make_unique<Compilation>();
  compilation->compiler = std::make_unique<clang::CompilerInstance>(invocation);
  clang::CompilerInstance& compiler = *compilation->compiler;
  const auto machine = llvm::makeIntrusiveRefCnt<FileRecorder>();
  compiler.setVirtualFileSystem(file_system(terminated, machine));
  compiler.createDiagnostics(new clang::TextDiagnosticPrinter(stream, compiler.getDiagnosticOpts()), true);
  compiler.setVerboseOutputStream(stream);
  compiler.createFileManager();
  compilation->action = std::make_unique<EmitModule>(context, !unit.spirv_triple);
  try {
    if (!compiler.ExecuteAction(*compilation->action)) return nullptr;
    if (looks_at_files(terminated) && !unit.folder) outcome.files = machine->dependencies();
    outcome.program.translations.push_back(translation_of(terminated, outcome.program.options, *machine));
    outcome.program.translations.back().language_choice = unit.features.choice;
    outcome.repeatable = !compilation->action->uses_time();
    auto module = compilation->action->take_module();
    if (module) refuse_huge_arguments(*module);
    if (module && !unit.spirv_triple)
      run_stage(Stage::translation, *module, {unit.options, unit.target, Variant::general});
    return module;
  } catch (const ProgramError&) {
    throw;
  } catch (...) {
    (void)compilation.release();
    throw;
  }
}

}  // namespace clcuda::compiler
