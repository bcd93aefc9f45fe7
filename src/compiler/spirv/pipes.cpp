// SPDX-License-Identifier: Apache-2.0
// Pipes, through the functions that Clang calls for OpenCL C's pipe functions.
#include <initializer_list>
#include <string>
#include <vector>

#include "compiler/passes/address_spaces.h"
#include "compiler/spirv/builtin_call.h"
#include "compiler/spirv/families.h"
#include "compiler/spirv/function_reader.h"
#include "compiler/spirv/group_values.h"
#include "compiler/spirv/memory_model.h"

namespace clcuda::compiler::spirv {
namespace {

class PipeCall {
 public:
  PipeCall(FunctionReader& reader, const Instruction& in) : reader_(reader), in_(in) {}

  PipeCall& pipe(std::size_t index) {
    require(reader_.type_of(in_[index]).is(TypeKind::pipe), "an operand is not a pipe");
    return add({pointer_to(kVoidType, kGlobalSpace), reader_.value(in_[index])});
  }
  PipeCall& reservation(std::size_t index) {
    require(reader_.type_of(in_[index]).is(TypeKind::reserve_id), "an operand is not a reservation");
    return add({kReservationType, reader_.value(in_[index])});
  }
  PipeCall& number(std::size_t index) {
    return add(spirv::index(reader_.builder(), reader_.value(in_[index])));
  }
  PipeCall& packet(std::size_t index) {
    return add(
        {pointer_to(kVoidType, kGenericSpace), to_generic(reader_.builder(), reader_.value(in_[index]))});
  }
  // The packet's size and alignment, at operands `index` and `index + 1`.
  PipeCall& layout(std::size_t index) { return number(index).number(index + 1); }

  llvm::CallInst* call(llvm::StringRef function, llvm::Type* result) {
    return call_plain_builtin(reader_.builder(), function, result, arguments_);
  }
  bool define(llvm::StringRef function) {
    reader_.define(in_, call(function, result_type()));
    return true;
  }
  bool run(llvm::StringRef function) {
    call(function, reader_.builder().getVoidTy());
    return true;
  }

 private:
  PipeCall& add(const BuiltinArgument& argument) {
    arguments_.push_back(argument);
    return *this;
  }
  // The result is either a reservation id or an int.
  llvm::Type* result_type() {
    if (reader_.type(in_.type()).is(TypeKind::reserve_id)) return reader_.builder().getPtrTy();
    return reader_.builder().getInt32Ty();
  }

  FunctionReader& reader_;
  const Instruction& in_;
  std::vector<BuiltinArgument> arguments_;
};

const char* group_prefix(FunctionReader& reader, std::uint32_t scope) {
  return group_scope(reader, scope) == Scope::Workgroup ? "__work_group_" : "__sub_group_";
}

std::string query(FunctionReader& reader, const Instruction& in, const char* what) {
  const bool writes = reader.type_of(in[0]).access == AccessQualifier::WriteOnly;
  return std::string("__get_pipe_") + what + (writes ? "_wo" : "_ro");
}

bool read_reservation(FunctionReader& reader, const Instruction& in) {
  PipeCall call(reader, in);
  switch (in.op()) {
    case Op::ReserveReadPipePackets:
      return call.pipe(0).number(1).layout(2).define("__reserve_read_pipe");
    case Op::ReserveWritePipePackets:
      return call.pipe(0).number(1).layout(2).define("__reserve_write_pipe");
    case Op::CommitReadPipe:
      return call.pipe(0).reservation(1).layout(2).run("__commit_read_pipe");
    case Op::CommitWritePipe:
      return call.pipe(0).reservation(1).layout(2).run("__commit_write_pipe");
    case Op::GroupReserveReadPipePackets:
      return call.pipe(1).number(2).layout(3).define(std::string(group_prefix(reader, in[0])) +
                                                     "reserve_read_pipe");
    case Op::GroupReserveWritePipePackets:
      return call.pipe(1).number(2).layout(3).define(std::string(group_prefix(reader, in[0])) +
                                                     "reserve_write_pipe");
    case Op::GroupCommitReadPipe:
      return call.pipe(1).reservation(2).layout(3).run(std::string(group_prefix(reader, in[0])) +
                                                       "commit_read_pipe");
    case Op::GroupCommitWritePipe:
      return call.pipe(1).reservation(2).layout(3).run(std::string(group_prefix(reader, in[0])) +
                                                       "commit_write_pipe");
    case Op::IsValidReserveId:
      require(reader.type_of(in[0]).is(TypeKind::reserve_id), "its operand is not a reservation");
      reader.define(in, call_builtin(reader.builder(), "is_valid_reserve_id", reader.builder().getInt1Ty(),
                                     {{kReservationType, reader.value(in[0])}}));
      return true;
    default:
      return false;
  }
}

}  // namespace

bool read_pipe(FunctionReader& reader, const Instruction& in) {
  PipeCall call(reader, in);
  switch (in.op()) {
    case Op::ReadPipe:
      return call.pipe(0).packet(1).layout(2).define("__read_pipe_2");
    case Op::WritePipe:
      return call.pipe(0).packet(1).layout(2).define("__write_pipe_2");
    case Op::ReservedReadPipe:
      return call.pipe(0).reservation(1).number(2).packet(3).layout(4).define("__read_pipe_4");
    case Op::ReservedWritePipe:
      return call.pipe(0).reservation(1).number(2).packet(3).layout(4).define("__write_pipe_4");
    case Op::GetNumPipePackets:
      return call.pipe(0).layout(1).define(query(reader, in, "num_packets"));
    case Op::GetMaxPipePackets:
      return call.pipe(0).layout(1).define(query(reader, in, "max_packets"));
    default:
      return read_reservation(reader, in);
  }
}

}  // namespace clcuda::compiler::spirv
