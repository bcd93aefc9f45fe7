// SPDX-License-Identifier: Apache-2.0
#include "compiler/kernel_keyword.h"

#include <clang/Basic/IdentifierTable.h>

#include <algorithm>
#include <array>

namespace clcuda::compiler {
namespace {

namespace tok = clang::tok;

// Clang's other spellings of the kernel attribute. No OpenCL program needs them.
bool is_other_spelling(const clang::Token& token) {
  constexpr std::array kNames = {"device_kernel",    "__device_kernel__", "nvptx_kernel",
                                 "__nvptx_kernel__", "amdgpu_kernel",     "__amdgpu_kernel__"};
  const clang::IdentifierInfo* identifier = token.isAnnotation() ? nullptr : token.getIdentifierInfo();
  return identifier &&
         std::ranges::any_of(kNames, [&](const char* name) { return identifier->getName() == name; });
}

}  // namespace

bool KernelKeywordCheck::accepts(const clang::Token& token) {
  if (is_other_spelling(token)) return false;
  follow_braces(token);
  if (token.is(tok::l_paren)) ++parentheses_;
  if (token.is(tok::r_paren)) parentheses_ = std::max(0, parentheses_ - 1);
  switch (state_) {
    case State::outside:
      return token.isNot(tok::kw___kernel) || enter(token);
    case State::specifiers:
      return specifier(token);
    case State::behind:
      return behind(token);
    case State::attribute:
    case State::parameters:
      if (token.is(tok::kw___kernel)) return false;
      if (token.is(tok::r_paren) && parentheses_ == opened_at_) {
        state_ = state_ == State::attribute ? after_attribute_ : State::behind;
      }
      return true;
  }
  return true;
}

// C++ for OpenCL: inside the braces of `namespace` and `extern "C"`, declarations are parsed as at file scope.
void KernelKeywordCheck::follow_braces(const clang::Token& token) {
  const bool opens_scope = behind_namespace_ || linkage_ == Linkage::named;
  if (token.is(tok::l_brace)) ++(opens_scope && braces_ == 0 ? scopes_ : braces_);
  if (token.is(tok::r_brace)) {
    int& closed = braces_ > 0 ? braces_ : scopes_;
    closed = std::max(0, closed - 1);
  }
  if (token.is(tok::kw_namespace)) behind_namespace_ = true;
  if (token.isOneOf(tok::l_brace, tok::r_brace, tok::semi)) behind_namespace_ = false;
  const bool names_language = linkage_ == Linkage::external && token.is(tok::string_literal);
  linkage_ = token.is(tok::kw_extern) ? Linkage::external : names_language ? Linkage::named : Linkage::none;
}

bool KernelKeywordCheck::enter(const clang::Token&) {
  if (braces_ != 0 || parentheses_ != 0) return false;
  state_ = State::specifiers;
  after_identifier_ = false;
  return true;
}

// Parses specifiers up to the name of the function. The parenthesis of its parameters must follow at once: Clang's recovery from anything
// else declares a variable.
bool KernelKeywordCheck::specifier(const clang::Token& token) {
  if (after_identifier_) {
    if (token.isNot(tok::l_paren)) return false;
    state_ = State::parameters;
    opened_at_ = parentheses_ - 1;
    return true;
  }
  if (token.is(tok::kw___attribute)) {
    after_attribute_ = state_;
    state_ = State::attribute;
    opened_at_ = parentheses_;
    return true;
  }
  after_identifier_ = token.is(tok::identifier);
  return after_identifier_ ||
         token.isOneOf(tok::kw_void, tok::kw_static, tok::kw_extern, tok::kw_inline, tok::kw___kernel);
}

bool KernelKeywordCheck::behind(const clang::Token& token) {
  if (token.is(tok::kw___attribute)) {
    after_attribute_ = state_;
    state_ = State::attribute;
    opened_at_ = parentheses_;
    return true;
  }
  state_ = State::outside;
  return token.isOneOf(tok::l_brace, tok::semi, tok::eof);
}

KernelKeywordCheck::Completion KernelKeywordCheck::completion() const {
  if (state_ == State::specifiers && after_identifier_) return {tok::l_paren, tok::r_paren};
  if (state_ != State::parameters || parentheses_ <= opened_at_) return {};
  return Completion(static_cast<unsigned>(parentheses_ - opened_at_), tok::r_paren);
}

}  // namespace clcuda::compiler
