// SPDX-License-Identifier: Apache-2.0
#include "ptx/execute/linked_code.h"

#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h>
#include <llvm/Support/MemoryBuffer.h>

#include <stdexcept>
#include <system_error>

#include "ptx/execute/runtime_functions.h"

namespace clcuda::ptx {
namespace {

template <typename T>
T checked(llvm::Expected<T> value) {
  if (!value) throw std::runtime_error("linking failed: " + llvm::toString(value.takeError()));
  return std::move(*value);
}

void check(llvm::Error error) {
  if (error) throw std::runtime_error("linking failed: " + llvm::toString(std::move(error)));
}

}  // namespace

struct LinkedCode::Session {
  llvm::orc::ExecutionSession execution;
  llvm::orc::ObjectLinkingLayer layer;
  llvm::orc::JITDylib& library;
  std::string errors;
  std::error_code refusal;  // of the system

  Session()
      : execution(checked(llvm::orc::SelfExecutorProcessControl::Create())),
        layer(execution),
        library(execution.createBareJITDylib("ptx")) {
    execution.setErrorReporter([this](llvm::Error error) {
      llvm::handleAllErrors(std::move(error), [this](const llvm::ErrorInfoBase& one) {
        if (one.isA<llvm::ECError>()) refusal = one.convertToErrorCode();
        errors += one.message() + "; ";
      });
    });
  }
};

// LLVM is built without exceptions: one that passes through it leaves its objects as they were, locked and half-constructed. They are
// leaked.
template <class Body>
auto LinkedCode::contained(Body body) const -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    (void)session_.release();
    throw;
  }
}

LinkedCode::LinkedCode(const std::string& object) : session_(std::make_unique<Session>()) {
  try {
    load(object);
  } catch (...) {
    end();
    throw;
  }
}

void LinkedCode::load(const std::string& object) {
  contained([&] {
    llvm::orc::SymbolMap symbols;
    for (const RuntimeFunction& function : runtime_functions())
      symbols[session_->execution.intern(function.name)] = {
          llvm::orc::ExecutorAddr::fromPtr(function.address),
          llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    check(session_->library.define(llvm::orc::absoluteSymbols(std::move(symbols))));
    check(session_->layer.add(session_->library, llvm::MemoryBuffer::getMemBufferCopy(object, "ptx.o")));
  });
}

LinkedCode::~LinkedCode() { end(); }

void LinkedCode::end() noexcept {
  if (!session_) return;
  try {
    contained([&] { llvm::consumeError(session_->execution.endSession()); });
  } catch (const std::bad_alloc&) {
    // contained() has given the session up.
  }
}

std::vector<void*> LinkedCode::addresses(const std::vector<std::string>& symbols) const {
  std::vector<void*> found = contained([&] { return find(symbols); });
  if (session_->refusal == std::errc::not_enough_memory) throw std::bad_alloc();
  if (session_->refusal) throw std::system_error(session_->refusal, "no memory for machine code");
  return found;
}

std::vector<void*> LinkedCode::find(const std::vector<std::string>& symbols) const {
  llvm::orc::SymbolLookupSet wanted;
  std::vector<llvm::orc::SymbolStringPtr> names;
  for (const std::string& symbol : symbols) {
    names.push_back(session_->execution.intern(symbol));
    wanted.add(names.back());
  }
  auto found = session_->execution.lookup(
      {{&session_->library, llvm::orc::JITDylibLookupFlags::MatchAllSymbols}}, std::move(wanted));
  if (!found) {
    const std::string reason = llvm::toString(found.takeError());
    if (session_->refusal) return {};
    throw std::runtime_error("linking failed: " + session_->errors + reason);
  }
  std::vector<void*> addresses;
  for (const auto& name : names) addresses.push_back((*found)[name].getAddress().toPtr<void*>());
  return addresses;
}

}  // namespace clcuda::ptx
