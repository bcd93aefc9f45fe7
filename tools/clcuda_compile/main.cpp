// SPDX-License-Identifier: Apache-2.0
// clcuda-compile: the compiler of the OpenCL library as a program (arguments.cpp has its options).
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "compiler/compiler.h"
#include "compiler/emit_spirv.h"
#include "compiler/parts.h"
#include "compiler/passes/pass_observer.h"
#include "compiler/spirv/reader.h"

namespace compile_tool {
namespace {

using namespace clcuda::compiler;

struct Failed {};

[[noreturn]] void give_up(const std::string& file, const char* why) {
  std::cerr << "clcuda-compile: " << file << " " << why << "\n";
  throw Failed();
}

// Also of a pipe, which a shell makes of <(command); a device may have no end.
std::string read(const std::string& file) {
  constexpr std::size_t kMost = std::size_t{256} << 20;
  std::ifstream opened;
  if (file != "-") opened.open(file, std::ios::binary);
  std::istream& stream = file == "-" ? std::cin : opened;
  std::string bytes;
  std::array<char, 1 << 16> piece;
  do {
    stream.read(piece.data(), piece.size());
    bytes.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream && bytes.size() <= kMost);
  if (bytes.size() > kMost) give_up(file, "is larger than 256 MiB");
  if (!stream.eof() || stream.bad()) give_up(file, "cannot be read");  // (a folder can be opened)
  return bytes;
}

void write(const std::string& file, const std::string& bytes) {
  std::ofstream opened;
  if (file != "-") opened.open(file, std::ios::binary | std::ios::trunc);
  std::ostream& stream = file == "-" ? std::cout : opened;
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
  if (!stream) give_up(file == "-" ? "the output" : file, "cannot be written");
}

// Whether the bytes are SPIR-V, in either byte order.
bool is_spirv(const std::string& bytes) {
  return bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03");
}

// Gives up where the bytes cannot be source text, whose errors would be many: a binary whose first bytes are damaged, or any other file.
void require_text(const std::string& file, const std::string& bytes) {
  const std::size_t zero = bytes.find('\0'), last = bytes.find_last_not_of('\0');
  if (zero != bytes.npos && last != bytes.npos && zero < last)
    give_up(file, "is neither text nor SPIR-V, and no undamaged binary");
}

// Prints the log, and gives up unless the call succeeded.
template <class Result>
Result take(Result result, const std::string& what) {
  std::cerr << result.log;
  if (result.status == Status::success) return result;
  if (result.log.empty()) std::cerr << "clcuda-compile: " << what << " does not compile\n";
  throw Failed();
}

class Compilation {
 public:
  explicit Compilation(const Arguments& arguments)
      : arguments_(arguments), features_(features_for(arguments.language)) {}

  // The bytes to be written.
  std::string run() {
    if (arguments_.product == Product::spirv) return spirv_module();
    const CompiledProgram program = compiled();
    require_constants();
    if (arguments_.verbose) print_kernels(program);
    if (arguments_.product == Product::binary) return serialize(program);
    return arguments_.variant == Variant::general ? general_ptx(program) : program.uniform.ptx;
  }

 private:
  std::string spirv_module() const {
    require_constants();
    const std::string bytes = read(arguments_.files.front());
    if (is_spirv(bytes)) {
      std::cerr << "clcuda-compile: the input is a SPIR-V module already\n";
      throw Failed();
    }
    require_text(arguments_.files.front(), bytes);
    return take(make_spirv(bytes, arguments_.options, features_, arguments_.spirv_minor_version),
                arguments_.files.front())
        .bytes;
  }

  // A binary among the inputs.
  static std::optional<CompiledProgram> parsed(const std::string& file, const std::string& bytes) {
    std::optional<CompiledProgram> binary = parse(bytes);
    if (!binary && begins_as_binary(bytes)) {
      std::cerr << "clcuda-compile: " << file << " is a damaged binary, or another version's\n";
      throw Failed();
    }
    return binary;
  }

  // As clSetProgramSpecializationConstant does (CL_INVALID_SPEC_ID).
  void require_constants() const {
    for (const spirv::Specialization& wanted : arguments_.specializations)
      if (std::ranges::find(constants_, wanted.id, &spirv::SpecializableConstant::id) == constants_.end()) {
        std::cerr << "clcuda-compile: no module has a specialization constant " << wanted.id << "\n";
        throw Failed();
      }
  }

  CompiledProgram compiled() {
    const bool links = arguments_.files.size() > 1 || !arguments_.link_options.empty();
    if (!links) {
      const std::string bytes = read(arguments_.files.front());
      if (std::optional<CompiledProgram> binary = parsed(arguments_.files.front(), bytes)) {
        if (binary->kind == BinaryKind::executable || arguments_.compile_only) return *std::move(binary);
        return linked({*std::move(binary)});
      }
      return translated(arguments_.files.front(), bytes, arguments_.compile_only);
    }
    std::vector<CompiledProgram> objects;
    for (const std::string& file : arguments_.files) {
      const std::string bytes = read(file);
      std::optional<CompiledProgram> binary = parsed(file, bytes);
      objects.push_back(binary ? *std::move(binary) : translated(file, bytes, true));
    }
    return linked(objects);
  }

  CompiledProgram translated(const std::string& file, const std::string& bytes, bool to_object) {
    if (!is_spirv(bytes)) require_text(file, bytes);
    std::string problem;
    if (const auto module = spirv::summarize(bytes, problem))
      constants_.insert(constants_.end(), module->constants.begin(), module->constants.end());
    const Source source = is_spirv(bytes) ? Source::module(bytes, arguments_.specializations) : Source(bytes);
    const auto call = to_object ? compile : build;
    return take(call(source, arguments_.options, arguments_.target, features_), file).program;
  }

  CompiledProgram linked(const std::vector<CompiledProgram>& objects) const {
    std::vector<const CompiledProgram*> inputs;
    for (const CompiledProgram& object : objects) inputs.push_back(&object);
    return take(link(inputs, arguments_.link_options, arguments_.target), "the program").program;
  }

  std::string general_ptx(const CompiledProgram& program) const {
    return take(make_general_variant(program), "the general variant").code.ptx;
  }

  static void print_kernels(const CompiledProgram& program) {
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
      const KernelInfo& kernel = program.kernels[k];
      const KernelCode& code = program.uniform.kernels[k];
      std::cerr << "kernel " << kernel.name << ": " << kernel.parameter_size << " bytes of arguments, "
                << kernel.static_local_size << " of local memory" << (code.uses_printf ? ", printf" : "")
                << (kernel.attributes.empty() ? "" : "; " + kernel.attributes) << "\n";
      for (const ArgumentInfo& argument : kernel.arguments)
        std::cerr << "  " << argument.type_name << " " << argument.name << ": " << argument.size
                  << " bytes, at " << argument.offset << "\n";
    }
  }

  const Arguments& arguments_;
  const DeviceFeatures features_;
  std::vector<spirv::SpecializableConstant> constants_;  // of all modules
};

void print_changes() {
  set_pass_observer([last = std::string()](std::string_view pass, const llvm::Module& module) mutable {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream, nullptr);
    if (text == last) return;
    std::cerr << "; after " << pass << "\n" << text << "\n";
    last = std::move(text);
  });
}

int run(const std::vector<std::string>& words) {
  const Arguments arguments = parse_arguments(words);
  if (arguments.dump_passes) print_changes();
  // PTX has to be one module, because ptxas takes only one; changes by passes are also shown for one module.
  if (arguments.product == Product::ptx || arguments.dump_passes) keep_programs_whole();
  std::string product;
  for (int i = 0; i < arguments.repeat; ++i) {
    const auto start = std::chrono::steady_clock::now();
    product = Compilation(arguments).run();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (arguments.repeat > 1) std::cerr << time.count() << " ms\n";
  }
  write(arguments.output, product);
  return 0;
}

}  // namespace
}  // namespace compile_tool

int main(int count, char** words) {
  try {
    return compile_tool::run({words + 1, words + count});
  } catch (const compile_tool::Answer& answer) {
    (answer.status == 0 ? std::cout : std::cerr) << answer.text << std::flush;
    return answer.status == 0 && !std::cout ? 1 : answer.status;
  } catch (const compile_tool::Failed&) {
    return 1;
  }
}
