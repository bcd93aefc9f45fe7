// SPDX-License-Identifier: Apache-2.0
// The video instructions. Of bytes, halves or words of registers: vadd vsub vabsdiff vmin vmax vshl vshr vset vmad. In two or four
// lanes: vadd2 vsub2 vavrg2 vabsdiff2 vmin2 vmax2 vset2, and the same with 4.
#include <algorithm>
#include <functional>

#include "ptx/translate/function_translator.h"

namespace clcuda::ptx {
namespace {

constexpr unsigned word = 32, exact = 128;  // bits that hold every intermediate result
constexpr Type signed_word{TypeKind::signed_integer, word, 1};

// Which bits of a register `b2` or `h1` names; all of them if there is no name.
struct Part {
  unsigned first = 0, width = word;
};

std::optional<Part> parse_part(std::string_view name) {
  if (name.empty()) return Part{};
  if (name.size() != 2 || (name[0] != 'b' && name[0] != 'h')) return std::nullopt;
  const unsigned width = name[0] == 'b' ? 8 : 16, index = static_cast<unsigned>(name[1] - '0');
  return index < word / width ? std::optional(Part{index * width, width}) : std::nullopt;
}

// `b3210`: numbers below `limit`, at most one for each lane, the lowest lane's last.
std::optional<std::vector<unsigned>> parse_lanes(std::string_view name, unsigned lanes, unsigned limit) {
  if (name.size() > lanes + 1 || name.size() < 2 || name[0] != (lanes == 4 ? 'b' : 'h')) return std::nullopt;
  std::vector<unsigned> numbers;
  for (std::size_t i = name.size() - 1; i > 0; --i) {
    const auto number = static_cast<unsigned>(name[i] - '0');
    if (number >= limit) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

std::string_view operation_of(const Instruction& in) {
  std::string_view name = in.form->opcode.substr(1);
  if (name.back() == '2' || name.back() == '4') name.remove_suffix(1);
  return name;
}

}  // namespace

llvm::Value* FunctionTranslator::video_part(llvm::Value* bits, unsigned first, unsigned width, Type type) {
  llvm::Value* part = builder_.CreateTrunc(builder_.CreateLShr(bits, first), builder_.getIntNTy(width));
  return resize(part, exact, type.is_signed());
}

llvm::Value* FunctionTranslator::video_source(const Instruction& in, std::size_t operand, Type type) {
  const auto part = parse_part(in.operands[operand].part);
  if (!part) refuse(in, "no such part of a register");
  return video_part(read(in, operand, bits_type(word)), part->first, part->width, type);
}

llvm::Value* FunctionTranslator::video_clamp(llvm::Value* value, unsigned width, bool is_signed) {
  using llvm::APInt;
  const APInt least = is_signed ? APInt::getSignedMinValue(width).sext(exact) : APInt(exact, 0);
  const APInt most =
      is_signed ? APInt::getSignedMaxValue(width).sext(exact) : APInt::getMaxValue(width).zext(exact);
  value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, builder_.getInt(least));
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, builder_.getInt(most));
}

llvm::Value* FunctionTranslator::video_shift(const Instruction& in, llvm::Value* a, llvm::Value* amount) {
  llvm::Value* width = integer(exact, word);
  amount = in.has(Modifier::wrap) ? builder_.CreateAnd(amount, integer(exact, word - 1))
                                  : builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, width);
  return operation_of(in) == "shl" ? builder_.CreateShl(a, amount) : builder_.CreateAShr(a, amount);
}

llvm::Value* FunctionTranslator::video_operation(const Instruction& in, llvm::Value* a, llvm::Value* b) {
  const std::string_view name = operation_of(in);
  if (name == "add") return builder_.CreateAdd(a, b);
  if (name == "sub") return builder_.CreateSub(a, b);
  if (name == "min") return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b);
  if (name == "max") return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b);
  if (name == "absdiff")
    return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, builder_.CreateSub(a, b),
                                          builder_.getInt1(false));
  if (name == "set") return resize(compare(in, signed_word, a, b), exact);
  if (name == "avrg") {  // halves away from negative infinity unless the sum is negative
    llvm::Value* sum = builder_.CreateAdd(a, b);
    llvm::Value* up = resize(builder_.CreateICmpSGE(sum, integer(exact, 0)), exact);
    return builder_.CreateAShr(builder_.CreateAdd(sum, up), 1);
  }
  return video_shift(in, a, b);
}

// What is done with a third operand: a second operation, or it gets the result into one of its parts.
void FunctionTranslator::video_scalar(const Instruction& in) {
  const bool set = operation_of(in) == "set";
  const Type result_type = set ? unsigned_type(word) : in.type(0), a_type = in.type(set ? 0 : 1),
             b_type = in.type(set ? 1 : 2);
  const auto to = parse_part(in.operands[0].part);
  const bool second = in.has(Modifier::add) || in.has(Modifier::min) || in.has(Modifier::max);
  const bool merges = !in.operands[0].part.empty();
  if (!to || (second && merges)) refuse(in, "no such part of the destination");
  if ((second || merges) != (in.operands.size() == 4))
    refuse(in, "the third source goes with .op2 or a part");
  llvm::Value* result = video_operation(in, video_source(in, 1, a_type), video_source(in, 2, b_type));
  if (in.has(Modifier::sat)) result = video_clamp(result, to->width, result_type.is_signed());
  if (second) {
    llvm::Value* c = resize(read(in, 3, result_type), exact, result_type.is_signed());
    result = in.has(Modifier::add)
                 ? builder_.CreateAdd(result, c)
                 : builder_.CreateBinaryIntrinsic(
                       in.has(Modifier::min) ? llvm::Intrinsic::smin : llvm::Intrinsic::smax, result, c);
  }
  result = resize(result, word);
  if (merges) {
    llvm::Value* place = builder_.getInt(llvm::APInt::getBitsSet(word, to->first, to->first + to->width));
    llvm::Value* moved = builder_.CreateAnd(builder_.CreateShl(result, to->first), place);
    result =
        builder_.CreateOr(moved, builder_.CreateAnd(read(in, 3, bits_type(word)), builder_.CreateNot(place)));
  }
  write(in, 0, result);
}

void FunctionTranslator::video_multiply_add(const Instruction& in) {
  const bool product_negative = in.operands[1].subtracted != in.operands[2].subtracted;
  const bool sum_negative = in.operands[3].subtracted;
  if (!in.operands[3].part.empty()) refuse(in, "the addend is a whole register");
  if (in.has(Modifier::plus_one) && (product_negative || sum_negative))
    refuse(in, ".po does not go with negation");
  const bool is_signed = in.type(1).is_signed() || in.type(2).is_signed() || product_negative || sum_negative;
  llvm::Value* product = builder_.CreateMul(video_source(in, 1, in.type(1)), video_source(in, 2, in.type(2)));
  llvm::Value* addend = video_source(in, 3, is_signed ? signed_word : unsigned_type(word));
  if (product_negative) product = builder_.CreateNeg(product);
  if (sum_negative) addend = builder_.CreateNeg(addend);
  llvm::Value* result = builder_.CreateAdd(product, addend);
  if (in.has(Modifier::plus_one)) result = builder_.CreateAdd(result, integer(exact, 1));
  if (in.has(Modifier::shr7)) result = builder_.CreateAShr(result, 7);
  if (in.has(Modifier::shr15)) result = builder_.CreateAShr(result, 15);
  if (in.has(Modifier::sat)) result = video_clamp(result, word, is_signed);
  write(in, 0, resize(result, word));
}

// The lanes of a source, each from any lane of the first two sources; by default those of the register itself.
std::vector<llvm::Value*> FunctionTranslator::video_lanes_of(const Instruction& in, std::size_t operand,
                                                             unsigned lanes, Type type) {
  const std::string& part = in.operands[operand].part;
  std::vector<unsigned> numbers;
  for (unsigned i = 0; i < lanes; ++i) numbers.push_back(i + (operand == 2 ? lanes : 0));
  if (!part.empty()) {
    const auto named = parse_lanes(part, lanes, 2 * lanes);
    if (!named || named->size() != lanes) refuse(in, "no such lanes of the sources");
    numbers = *named;
  }
  const unsigned width = word / lanes;
  std::vector<llvm::Value*> values;
  for (const unsigned number : numbers) {
    llvm::Value* bits = read(in, number < lanes ? 1 : 2, bits_type(word));
    values.push_back(video_part(bits, number % lanes * width, width, type));
  }
  return values;
}

void FunctionTranslator::video_lanes(const Instruction& in) {
  const unsigned lanes = in.form->opcode.back() == '2' ? 2 : 4, width = word / lanes;
  const bool set = operation_of(in) == "set";
  const auto a = video_lanes_of(in, 1, lanes, in.type(set ? 0 : 1)),
             b = video_lanes_of(in, 2, lanes, in.type(set ? 1 : 2));
  const std::string& mask_name = in.operands[0].part;
  const auto mask = mask_name.empty() ? parse_lanes(lanes == 2 ? "h10" : "b3210", lanes, lanes)
                                      : parse_lanes(mask_name, lanes, lanes);
  if (!mask || std::ranges::adjacent_find(*mask, std::greater_equal<>()) != mask->end())
    refuse(in, "no such lanes of the destination");
  llvm::Value* result = read(in, 3, bits_type(word));
  for (const unsigned lane : *mask) {
    llvm::Value* value = video_operation(in, a[lane], b[lane]);
    if (in.has(Modifier::sat)) value = video_clamp(value, width, in.type(0).is_signed());
    value = resize(value, word);
    if (in.has(Modifier::add)) {
      result = builder_.CreateAdd(result, value);
      continue;
    }
    llvm::Value* place = builder_.getInt(llvm::APInt::getBitsSet(word, lane * width, (lane + 1) * width));
    value = builder_.CreateAnd(builder_.CreateShl(value, lane * width), place);
    result = builder_.CreateOr(builder_.CreateAnd(result, builder_.CreateNot(place)), value);
  }
  write(in, 0, result);
}

}  // namespace clcuda::ptx
