// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"

namespace clcuda::compiler::spirv {
namespace {

const char* scope_name(FunctionReader& reader, std::uint32_t id) {
  const auto scope = reader.integer(id);
  require(scope.has_value(), "its scope is not a constant");
  switch (static_cast<Scope>(*scope)) {
    case Scope::Device:
      return "device";
    case Scope::Workgroup:
      return "work_group";
    case Scope::Subgroup:
      return "sub_group";
    default:
      refuse("there is no clock of its scope");
  }
}

}  // namespace

bool read_kernel_clock(FunctionReader& reader, const Instruction& in) {
  if (in.op() != Op::ReadClockKHR) return false;
  llvm::IRBuilderBase& builder = reader.builder();
  llvm::Type* pair = with_elements(builder.getInt32Ty(), 2);
  const bool is_pair = reader.type(in.type()).value == pair;
  reader.define(
      in, call_builtin(builder,
                       std::string(is_pair ? "clock_read_hilo_" : "clock_read_") + scope_name(reader, in[0]),
                       is_pair ? pair : builder.getInt64Ty(), {}));
  return true;
}

}  // namespace clcuda::compiler::spirv
