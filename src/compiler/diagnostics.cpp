// SPDX-License-Identifier: Apache-2.0
#include "compiler/diagnostics.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>

namespace clcuda::compiler {
namespace {

class LogHandler final : public llvm::DiagnosticHandler {
 public:
  LogHandler(std::string& log, bool& failed) : log_(log), failed_(failed) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Remark || info.getSeverity() == llvm::DS_Note) return true;
    const bool error = info.getSeverity() == llvm::DS_Error;
    llvm::raw_string_ostream stream(log_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (error ? "error: " : "warning: ");
    info.print(printer);
    stream << '\n';
    failed_ = failed_ || error;
    return true;
  }

 private:
  std::string& log_;
  bool& failed_;
};

}  // namespace

void collect_diagnostics(llvm::LLVMContext& context, std::string& log, bool& failed) {
  context.setDiagnosticHandler(std::make_unique<LogHandler>(log, failed));
}

}  // namespace clcuda::compiler
