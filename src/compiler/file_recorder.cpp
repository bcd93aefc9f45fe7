// SPDX-License-Identifier: Apache-2.0
#include "compiler/file_recorder.h"

#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

namespace clcuda::compiler {
namespace {

// A file whose bytes have already been read, so that the compiler sees exactly the bytes that were recorded.
class ReadFile final : public llvm::vfs::File {
 public:
  ReadFile(llvm::vfs::Status status, std::unique_ptr<llvm::MemoryBuffer> bytes)
      : status_(std::move(status)), bytes_(std::move(bytes)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t, bool,
                                                               bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(bytes_->getBuffer(), name);
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  std::unique_ptr<llvm::MemoryBuffer> bytes_;
};

// A device or a pipe has no end, and opening one may block forever.
std::error_code problem_with(const llvm::vfs::Status& status) {
  if (!status.isRegularFile()) return std::make_error_code(std::errc::operation_not_supported);
  if (status.getSize() > kLargestFile) return std::make_error_code(std::errc::file_too_large);
  return {};
}

}  // namespace

FileRecorder::FileRecorder() : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()) {
  std::error_code error;
  const auto folder = std::filesystem::current_path(error);
  note(folder.native(), FileDependency::Kind::working_folder);
}

llvm::ErrorOr<llvm::vfs::Status> FileRecorder::status(const llvm::Twine& path) {
  auto found = getUnderlyingFS().status(path);
  note(path.str(), !found                 ? FileDependency::Kind::absent
                   : found->isDirectory() ? FileDependency::Kind::folder
                                          : FileDependency::Kind::file);
  return found;
}

llvm::ErrorOr<std::string> FileRecorder::getCurrentWorkingDirectory() const {
  auto folder = getUnderlyingFS().getCurrentWorkingDirectory();
  return folder ? folder : std::string("/");
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> FileRecorder::openFileForRead(const llvm::Twine& path) {
  const auto found = this->status(path);
  if (!found) return found.getError();
  if (const std::error_code problem = problem_with(*found)) return problem;
  auto file = getUnderlyingFS().openFileForRead(path);
  if (!file) return file;
  auto status = (*file)->status();
  if (!status) return status.getError();
  if (const std::error_code problem = problem_with(*status)) return problem;
  auto bytes = (*file)->getBuffer(path);
  if (!bytes) return bytes.getError();
  const std::string_view text((*bytes)->getBufferStart(), (*bytes)->getBufferSize());
  note(path.str(), FileDependency::Kind::content, digest(text));
  keep(path.str(), text);
  return std::unique_ptr<llvm::vfs::File>(new ReadFile(std::move(*status), std::move(*bytes)));
}

// Clang may open a file more than once; it is kept once.
void FileRecorder::keep(const std::string& path, std::string_view text) {
  if (std::ranges::find(files_, path, &Header::name) == files_.end())
    files_.push_back({path, std::string(text)});
}

std::vector<Header> FileRecorder::take_files() {
  for (const auto& [path, dependency] : seen_)
    if (dependency.kind == FileDependency::Kind::file) files_.push_back({dependency.path, {}});
  return std::exchange(files_, {});
}

FileDependencies FileRecorder::dependencies() const {
  FileDependencies all;
  for (const auto& [path, dependency] : seen_) all.push_back(dependency);
  return all;
}

// Of several records for one path, only the strongest (the last kind in Kind) is kept.
void FileRecorder::note(const std::string& path, FileDependency::Kind kind, const Digest& content) {
  const std::string key = (kind == FileDependency::Kind::working_folder ? "." : std::string()) +
                          path;  // working folders have their own records
  FileDependency& known = seen_[key];
  if (known.path.empty() || known.kind < kind) known = {kind, path, content};
}

}  // namespace clcuda::compiler
