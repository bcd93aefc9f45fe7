// SPDX-License-Identifier: Apache-2.0
#include "statement_generator.h"

#include <algorithm>
#include <utility>

namespace random_kernels {
namespace {

constexpr unsigned kArrayLength = 8, kRecordCount = 4, kConstantRows = 2;

// Converts a word of the input to a value of the type.
std::string from_word(const Type& type, const std::string& word) {
  if (!type.is_float) return "(" + std::string(type.name) + ")" + word;
  return type.bits == 64 ? "as_double(" + word + ")" : "as_float((uint)" + word + ")";
}

std::string bits_of(const Variable& variable, const std::string& text) {
  if (variable.type.is_float) return "bits_of_" + std::string(variable.type.name) + "(" + text + ")";
  return "(ulong)(" + std::string(integer_of(variable.type.bits, false).name) + ")" + text;
}

std::string folded(const Variable& variable, const std::string& index) {
  std::string text;
  for (unsigned lane = 0; lane < variable.width; ++lane) {
    const std::string of = variable.before + index + variable.after;
    text += " r = (r ^ " + bits_of(variable, variable.width > 1 ? of + ".s" + std::to_string(lane) : of) +
            ") * 0x100000001b3ul + (r >> 47);";
  }
  return text;
}

// Arrays are read in a loop, so that this code stays small compared with the rest.
std::string folded_whole(const Variable& variable) {
  if (variable.length == 1) return folded(variable, "");
  return "\n#pragma nounroll\n  for (uint i = 0; i < " + std::to_string(variable.length) + "; ++i) {" +
         folded(variable, "i") + " }";
}

Raw fold(Machine& machine, const Variable& variable, unsigned item) {
  Raw r = 0;
  for (unsigned index = 0; index < variable.length; ++index)
    for (unsigned lane = 0; lane < variable.width; ++lane)
      r = (r ^ read(machine, variable, index, item)[lane]) * 0x100000001b3 + (r >> 47);
  return r;
}

}  // namespace

// Declares a variable with an initial value from a row of the input, in the text and in the variable's cells.
Variable StatementGenerator::declared(Variable variable, const std::string& text) {
  variable.place = machine_.add_cells(variable.is_part ? 1 : variable.length);
  declarations_ += "  " + text;
  for (unsigned index = 0; index < variable.length; ++index) {
    const bool is_element = variable.length > 1;
    std::string lanes;
    for (unsigned lane = 0; lane < variable.width; ++lane) {
      lanes += (lane ? ", " : "") +
               from_word(variable.type, "given[" + std::to_string(input_.size()) + " + " +
                                            (variable.is_uniform ? "get_group_id(0)" : "id") + "]");
      for (unsigned item = 0; item < kItems; ++item) {
        const Raw random = random_();
        const Raw values[] = {
            0, ~Raw{0}, Raw{1} << (variable.type.bits - 1), random & 15, random & 15, random & 255, random};
        Raw raw = any_of(values) & mask_of(variable.type);
        if (variable.type.is_float)
          raw = raw_of_real(variable.type, static_cast<double>(below(65536)) / 16 - 2048);
        input_.push_back(raw);
      }
      const std::size_t row = input_.size() - kItems;
      for (unsigned item = 0; item < kItems; ++item) {
        Lanes now = read(machine_, variable, index, item);
        now[lane] = input_[row + (variable.is_uniform ? item / kGroup : item)];
        write(machine_, variable, index, item, now);
      }
    }
    declarations_ +=
        variable.before + (is_element ? std::to_string(index) : "") + variable.after + " = " +
        (variable.width > 1 ? "(" + name_of(variable.type, variable.width) + ")(" + lanes + ")" : lanes) +
        "; ";
  }
  declarations_ += "\n";
  variables_.push_back(variable);
  return variable;
}

void StatementGenerator::declare_inputs() {
  input_.resize(std::size_t{kConstantRows} * kItems);
  for (Raw& word : input_) word = chance(50) ? below(64) : random_();
  Variable words{.type = kIntegers[7],
                 .length = 64,
                 .before = "given[",
                 .after = "]",
                 .is_uniform = true,
                 .is_constant = true};
  words.place = machine_.add_cells(words.length);
  for (unsigned i = 0; i < words.length; ++i)
    for (unsigned item = 0; item < kItems; ++item) machine_.cell(words.place + i, item) = {input_[i]};
  variables_.push_back(words);
  const std::pair<const char*, unsigned> ids[] = {{"lid", kGroup}, {"id", kItems}, {"sub", kSubGroup}};
  for (const auto& [name, size] : ids) {
    Variable id = scalar(kIntegers[name == std::string("id") ? 7 : 5], name);
    id.is_constant = true;
    for (unsigned item = 0; item < kItems; ++item) machine_.cell(id.place, item) = {item % size};
    variables_.push_back(id);
  }
  for (int i = 0; i < 3; ++i) {
    const Variable made{.type = any_integer(), .before = fresh("u"), .is_uniform = true};
    declared(made, std::string(made.type.name) + " " + made.before + "; ");
  }
  for (int i = 0; i < 9; ++i) {
    const Variable made{.type = any_integer(), .before = fresh("v")};
    declared(made, std::string(chance(8) ? "volatile " : "") + made.type.name + " " + made.before + "; ");
  }
  for (const Type& type : kFloats) {
    const Variable made{.type = type, .before = fresh("f")};
    declared(made, std::string(made.type.name) + " " + made.before + "; ");
  }
  for (int i = 0; i < 4; ++i) {
    const Variable made{.type = any_integer(), .width = 2 + below(3), .before = fresh("w")};
    declared(made, name_of(made.type, made.width) + " " + made.before + "; ");
  }
}

void StatementGenerator::declare_arrays() {
  table_ = Variable{.type = kIntegers[5],
                    .length = kGroup,
                    .before = "table[",
                    .after = "]",
                    .is_uniform = true,
                    .is_constant = true};
  table_->place = machine_.add_cells(kGroup);
  for (unsigned i = 0; i < kGroup; ++i)
    for (unsigned item = 0; item < kItems; ++item)
      machine_.cell(table_->place + i, item) = {input_[kItems + i] & 0xffffffff};
  declarations_ += "  local uint table[" + std::to_string(kGroup) + "]; table[lid] = (uint)given[" +
                   std::to_string(kItems) + " + lid];\n  local uint counter; local ulong copied[" +
                   std::to_string(kGroup) + "]; local ulong4 room[" + std::to_string(kGroup) +
                   "]; barrier(CLK_LOCAL_MEM_FENCE);\n";
  variables_.push_back(*table_);
  posted_ = Variable{.type = kIntegers[5],
                     .length = 4,
                     .before = "posted[",
                     .after = "]",
                     .is_uniform = true,
                     .is_constant = true};
  posted_->place = machine_.add_cells(posted_->length);
  declarations_ +=
      "  global uint* posted = board + get_group_id(0) * " + std::to_string(posted_->length) + ";\n";
  variables_.push_back(*posted_);
  Type type = any_integer();
  for (int i = 0; i < 6; ++i) {
    const std::string name = fresh("a"), size = "[" + std::to_string(kArrayLength) + "]; ";
    const std::string of = std::string(chance(12) && i > 2 ? "volatile " : "") + type.name;
    const bool is_volatile = of.starts_with("volatile");
    Variable made{.type = type,
                  .length = kArrayLength,
                  .before = name + "[",
                  .after = "]",
                  .address = is_volatile ? "" : name};
    std::string text = of + " " + name + size;
    if (i % 3 == 1) {
      text = "local " + of + " " + name + "[" + std::to_string(kGroup) + "]" + size;
      made.before = name + "[lid][";
      made.address = is_volatile ? "" : name + "[lid]";
    } else if (i % 3 == 2) {
      text = "global " + of + "* " + name + " = (global " + of + "*)(own + id * OWN + " +
             std::to_string(own_words_) + "); ";
      own_words_ += kArrayLength;
    }
    declared(made, text);
    if (chance(40)) type = any_integer();
  }
}

void StatementGenerator::declare_records() {
  std::string fields;
  const std::string packed = chance(30) ? " __attribute__((packed))" : "";
  std::vector<Variable> all;
  for (unsigned i = 2 + below(3); i > 0; --i) {
    const std::string name = fresh("m");
    const unsigned width = chance(20) ? 2 + below(3) : 1;
    all.push_back({.type = any_integer(),
                   .width = width,
                   .length = kRecordCount,
                   .before = "records[",
                   .after = "]." + name});
    fields += name_of(all.back().type, width) + " " + name + "; ";
  }
  declarations_ +=
      "  struct" + packed + " { " + fields + "} records[" + std::to_string(kRecordCount) + "];\n";
  for (const Variable& field : all) records_.push_back(declared(field, ""));
  declarations_ += "  union { ulong l; uint i[2]; short s[4]; uchar c[8]; } parts;\n";
  const Variable whole = declared({.type = kIntegers[7], .before = "parts.l"}, "");
  for (const auto& [name, type] :
       {std::pair{"parts.i[", kIntegers[5]}, {"parts.s[", kIntegers[2]}, {"parts.c[", kIntegers[1]}}) {
    Variable part{.type = type, .length = 64 / type.bits, .before = name, .after = "]", .is_part = true};
    part.place = whole.place;
    variables_.push_back(part);
  }
}

StatementGenerator::Helper StatementGenerator::helper() {
  Helper made{.name = fresh("h"), .body = sequence({})};
  const std::vector<Variable> outer = std::exchange(variables_, {});
  for (unsigned i = 1 + below(3); i > 0; --i) {
    made.parameters.push_back(scalar(any_integer(), fresh("q")));
    variables_.push_back(made.parameters.back());
  }
  const auto array =
      std::ranges::find_if(outer, [&](const Variable& each) { return !each.address.empty() && chance(40); });
  if (array != outer.end() && chance(60)) {
    made.pointer =
        Variable{.type = array->type, .length = kArrayLength, .before = "p[", .after = "]", .address = "p"};
    made.pointer->place = machine_.add_cells(kArrayLength);
    variables_.push_back(*made.pointer);
  }
  std::vector<Statement> statements;
  for (unsigned i = 1 + below(2); i > 0; --i) {
    const Variable local = scalar(any_integer(), fresh("x"));
    Variable named = local;
    named.before = std::string(local.type.name) + " " + local.before;
    statements.push_back(assignment(named, nullptr, integer(local.type, false, 1)));
    variables_.push_back(local);
  }
  result_ = made.result = scalar(any_integer(), "return");
  statements.push_back(block({false, Leave::no, true, 2}, 5));
  Variable returned = made.result;
  const Term value = integer(returned.type, false, 2);
  const Statement last = assignment(returned, nullptr, value);
  statements.push_back({[=] { return "return " + value->text() + ";\n"; },
                        [=](Machine& machine, const Mask& mask) { return last.run(machine, mask); }});
  made.body = sequence(statements);
  variables_ = outer;
  return made;
}

std::string StatementGenerator::definition(const Helper& helper) const {
  std::string parameters = helper.pointer ? helper.pointer->type.name + std::string("* p") : "";
  for (const Variable& each : helper.parameters)
    parameters += (parameters.empty() ? "" : ", ") + std::string(each.type.name) + " " + each.before;
  return std::string(helper.result.type.name) + " " + helper.name + "(" + parameters + ") {\n" +
         helper.body.text() + "}\n";
}

void StatementGenerator::declare_helpers() {
  for (unsigned i = below(4); i > 0; --i) helpers_.push_back(helper());
}

StatementGenerator::Program StatementGenerator::finished(const Statement& body) {
  body.run(machine_, ~Mask());
  std::vector<Variable> results;
  for (const Variable& each : variables_)
    if (!each.is_constant && !each.is_part) results.push_back(each);
  results.push_back(*table_);
  results.push_back(*posted_);
  Program program{.input = input_, .own_words = own_words_, .board_words = kItems / kGroup * posted_->length};
  const std::string count = std::to_string(results.size());
  std::string ends;
  for (std::size_t i = 0; i < results.size(); ++i) {
    program.variables.push_back(results[i].before);
    ends +=
        "  r = 0;" + folded_whole(results[i]) + " out[id * " + count + " + " + std::to_string(i) + "] = r;\n";
  }
  for (unsigned item = 0; item < kItems; ++item)
    for (const Variable& each : results) program.expected.push_back(fold(machine_, each, item));
  std::string functions;
  for (const Helper& each : helpers_)
    functions += (chance(50)   ? "__attribute__((noinline)) "
                  : chance(50) ? "static inline "
                               : "") +
                 definition(each);
  program.source =
      "#pragma OPENCL FP_CONTRACT OFF\n#define OWN " + std::to_string(own_words_) + R"(
ulong bits_of_float(float x) { return isnan(x) ? 0x7fc00000u : as_uint(x); }
ulong bits_of_double(double x) { return isnan(x) ? 0x7ff8000000000000ul : as_ulong(x); }
)" + functions +
      (chance(30) ? "__attribute__((reqd_work_group_size(" + std::to_string(kGroup) + ", 1, 1)))\n" : "") +
      R"(kernel void k(global ulong* out, global const ulong* given, global ulong* own, global uint* board) {
  const ulong id = get_global_id(0); const uint lid = get_local_id(0), sub = get_sub_group_local_id(); ulong r;
)" + declarations_ +
      body.text() + "  barrier(CLK_LOCAL_MEM_FENCE);\n" + ends + "}\n";
  return program;
}

StatementGenerator::Program StatementGenerator::make() {
  declare_inputs();
  declare_arrays();
  declare_records();
  declare_helpers();
  return finished(block({}, 16));
}

}  // namespace random_kernels
