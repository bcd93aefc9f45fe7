// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "compiler/spirv/declarations.h"
#include "compiler/spirv/grammar.h"
#include "compiler/spirv/module_reader.h"
#include "compiler/spirv/refuse.h"
#include "compiler/spirv/support.h"

namespace clcuda::compiler::spirv {
namespace {

void read_capability(ModuleReader& reader, const Instruction& instruction) {
  const auto capability = static_cast<Capability>(instruction[0]);
  if (!is_supported(capability, reader.unit().features))
    refuse("the capability " + name_of(capability) + " is not supported");
  reader.add_capability(capability);
}

void read_set(ModuleReader& reader, const Instruction& instruction) {
  const std::string name = instruction.text_at(0);
  const bool is_debug = name == "OpenCL.DebugInfo.100" || name == "DebugInfo" || name == "SPIRV.debug";
  if (name == "OpenCL.std") {
    reader.add_extended_set(instruction.result(), ExtendedSet::opencl);
  } else if (is_debug || name.starts_with("NonSemantic.")) {
    reader.add_extended_set(instruction.result(), ExtendedSet::ignored);
  } else {
    refuse("the set of extended instructions '" + name + "' is not supported");
  }
}

void read_memory_model(const Instruction& instruction) {
  require(static_cast<AddressingModel>(instruction[0]) == AddressingModel::Physical64,
          "the addressing model of the device is Physical64");
  require(static_cast<MemoryModel>(instruction[1]) == MemoryModel::OpenCL,
          "the memory model of kernels is OpenCL");
}

void read_entry_point(ModuleReader& reader, const Instruction& instruction) {
  require(static_cast<ExecutionModel>(instruction[0]) == ExecutionModel::Kernel,
          "the execution model of kernels is Kernel");
  EntryPoint entry{instruction[1], instruction.text_at(2)};
  require(!entry.name.empty(), "a kernel has a name");
  const auto& known = reader.entry_points();
  require(std::ranges::find(known, entry.name, &EntryPoint::name) == known.end(),
          "there is another kernel of that name");
  reader.add_entry_point(std::move(entry));
}

}  // namespace

bool read_mode(ModuleReader& reader, const Instruction& instruction) {
  switch (instruction.op()) {
    case Op::Capability:
      read_capability(reader, instruction);
      return true;
    // Unsupported features of an extension are refused where they are used.
    case Op::Extension:
      return true;
    case Op::ExtInstImport:
      read_set(reader, instruction);
      return true;
    case Op::MemoryModel:
      read_memory_model(instruction);
      return true;
    case Op::EntryPoint:
      read_entry_point(reader, instruction);
      return true;
    case Op::ExecutionMode:
    case Op::ExecutionModeId:
      reader.execution_modes(instruction[0]).push_back(instruction);
      return true;
    default:
      return false;
  }
}

}  // namespace clcuda::compiler::spirv
