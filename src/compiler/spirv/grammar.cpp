// SPDX-License-Identifier: Apache-2.0
#include "compiler/spirv/grammar.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>

#include "compiler/spirv/refuse.h"

namespace clcuda::compiler::spirv {
namespace {

enum class OperandKind : std::uint8_t;
enum class Quantifier : std::uint8_t { once, optional, repeated };

struct Operand {
  OperandKind kind;
  Quantifier quantifier;
};

// An instruction, and the range of its operands in `operands`.
struct Row {
  std::uint16_t opcode;
  const char* name;
  std::uint16_t first;
  std::uint8_t count;
};

// An enumerant, and the range in `parameters` of the operands that follow it.
struct EnumerantRow {
  OperandKind kind;
  std::uint32_t value;
  const char* name;
  std::uint16_t first;
  std::uint8_t count;
};

struct ExtendedRow {
  std::uint32_t opcode;
  const char* name;
};

#include "compiler/spirv/grammar_tables.inc"

const Row* find(Op op) {
  const auto row = std::ranges::lower_bound(rows, static_cast<std::uint16_t>(op), {}, &Row::opcode);
  return row != std::end(rows) && row->opcode == static_cast<std::uint16_t>(op) ? row : nullptr;
}

const EnumerantRow* find(OperandKind kind, std::uint32_t value) {
  const auto key = [](const EnumerantRow& row) { return std::tuple(row.kind, row.value); };
  const auto row = std::ranges::lower_bound(enumerants, std::tuple(kind, value), {}, key);
  return row != std::end(enumerants) && key(*row) == std::tuple(kind, value) ? row : nullptr;
}

std::string name_of_enumerant(OperandKind kind, std::uint32_t value) {
  const EnumerantRow* row = find(kind, value);
  return row ? row->name : "number " + std::to_string(value);
}

std::span<const Operand> operands_of(const Row& row) {
  return std::span(operands).subspan(row.first, row.count);
}

// Checks an instruction's operands against the grammar.
class OperandCheck {
 public:
  explicit OperandCheck(std::span<const std::uint32_t> words) : words_(words) {}

  void run(const Row& row) {
    for (const Operand& operand : operands_of(row)) {
      if (operand.kind == OperandKind::IdResultType || operand.kind == OperandKind::IdResult) continue;
      if (operand.quantifier == Quantifier::once) require(!at_end(), "an operand is missing");
      if (!at_end()) take(operand.kind);
      while (operand.quantifier == Quantifier::repeated && !at_end()) take(operand.kind);
    }
    require(at_end(), "there are more operands than it takes");
  }

 private:
  bool at_end() const { return at_ >= words_.size(); }
  void take_rest() { at_ = words_.size(); }
  std::uint32_t next() {
    require(!at_end(), "an operand is missing");
    return words_[at_++];
  }
  static bool ends_text(std::uint32_t word) {
    return (word & 0xff) == 0 || (word & 0xff00) == 0 || (word & 0xff0000) == 0 || (word & 0xff000000) == 0;
  }

  void take(OperandKind kind) {
    switch (kind) {
      case OperandKind::LiteralString:
        while (!ends_text(next())) {
        }
        return;
      // Their length depends on a type or on another instruction; the code that reads them checks it.
      case OperandKind::LiteralContextDependentNumber:
      case OperandKind::LiteralSpecConstantOpInteger:
      case OperandKind::PairLiteralIntegerIdRef:
        (void)next();
        return take_rest();
      case OperandKind::PairIdRefIdRef:
      case OperandKind::PairIdRefLiteralInteger:
        (void)next();
        (void)next();
        return;
      default:
        take_word(kind);
    }
  }

  void take_word(OperandKind kind) {
    const std::uint32_t word = next();
    if (is_mask(kind)) {
      for (std::uint32_t bit = 1; bit; bit <<= 1)
        if (word & bit) take_enumerant(kind, bit);
    } else if (is_enumeration(kind)) {
      take_enumerant(kind, word);
    }
  }

  void take_enumerant(OperandKind kind, std::uint32_t value) {
    const EnumerantRow* row = find(kind, value);
    // Most decorations are hints, so unknown ones are ignored. The source's language has no meaning (OpSource).
    if (!row && kind == OperandKind::Decoration) return take_rest();
    if (!row && kind == OperandKind::SourceLanguage) return;
    if (!row) refuse("its operand " + std::to_string(value) + " is unknown");
    for (const OperandKind parameter : std::span(parameters).subspan(row->first, row->count)) take(parameter);
  }

  std::span<const std::uint32_t> words_;
  std::size_t at_ = 0;
};

}  // namespace

Shape shape_of(Op op) {
  const Row* row = find(op);
  if (!row) return {};
  const auto has = [&](OperandKind kind) {
    return std::ranges::find(operands_of(*row), kind, &Operand::kind) != operands_of(*row).end();
  };
  return {row->name, has(OperandKind::IdResultType), has(OperandKind::IdResult)};
}

std::string name_of(Op op) {
  const Row* row = find(op);
  return row ? row->name : "opcode " + std::to_string(static_cast<std::uint16_t>(op));
}

std::string name_of(Capability capability) {
  return name_of_enumerant(OperandKind::Capability, static_cast<std::uint32_t>(capability));
}
std::string name_of(Decoration decoration) {
  return name_of_enumerant(OperandKind::Decoration, static_cast<std::uint32_t>(decoration));
}
std::string name_of(ExecutionMode mode) {
  return name_of_enumerant(OperandKind::ExecutionMode, static_cast<std::uint32_t>(mode));
}
std::string name_of(StorageClass storage) {
  return name_of_enumerant(OperandKind::StorageClass, static_cast<std::uint32_t>(storage));
}
std::string name_of(BuiltIn variable) {
  return name_of_enumerant(OperandKind::BuiltIn, static_cast<std::uint32_t>(variable));
}

std::string name_of(OpenClStd instruction) {
  const auto row = std::ranges::lower_bound(extended_rows, static_cast<std::uint32_t>(instruction), {},
                                            &ExtendedRow::opcode);
  const bool found = row != std::end(extended_rows) && row->opcode == static_cast<std::uint32_t>(instruction);
  return found ? row->name : "number " + std::to_string(static_cast<std::uint32_t>(instruction));
}

void check_operands(Op op, std::span<const std::uint32_t> operands) {
  const Row* row = find(op);
  if (!row) refuse("there is no such instruction");
  OperandCheck(operands).run(*row);
}

}  // namespace clcuda::compiler::spirv
