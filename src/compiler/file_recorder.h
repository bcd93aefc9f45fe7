// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <string>
#include <vector>

#include "compiler/compiled_program.h"
#include "compiler/file_dependency.h"

namespace clcuda::compiler {

// The file system, recording every access.
class FileRecorder final : public llvm::vfs::ProxyFileSystem {
 public:
  FileRecorder();

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }
  // The root if the working folder has been deleted: LLVM does not expect that there is none.
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;

  // All accesses so far, one for each path.
  FileDependencies dependencies() const;
  // Files that were read, by path; then, without contents, those whose existence was tested only.
  std::vector<Header> take_files();

 private:
  void keep(const std::string& path, std::string_view text);
  void note(const std::string& path, FileDependency::Kind kind, const Digest& content = {});

  std::map<std::string, FileDependency> seen_;
  std::vector<Header> files_;
};

}  // namespace clcuda::compiler
