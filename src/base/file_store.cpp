// SPDX-License-Identifier: Apache-2.0
#include "base/file_store.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/log.h"

namespace clcuda {
namespace {

namespace fs = std::filesystem;

constexpr char magic[8] = {'c', 'l', 'c', 'a', 'c', 'h', 'e', '1'};
constexpr std::string_view unfinished = ".part";

struct Header {
  char magic[8];
  std::uint64_t size;
  Digest content;
};

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category());
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void write(const void* bytes, std::size_t size) const {
    const auto* next = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, next, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw std::system_error(written ? errno : ENOSPC, std::generic_category());
      next += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  // Nothing of what is longer than `most`, or no file.
  std::string read(std::uint64_t most) const {
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return {};
    if (static_cast<std::uint64_t>(status.st_size) > most) return {};
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const ssize_t got = ::read(descriptor_, bytes.data() + filled, bytes.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
  }
  // Remembers the use, which decides what goes first. More often than hourly is not worth a write.
  void touch() const {
    struct stat status{};
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    if (::fstat(descriptor_, &status) == 0 && now - status.st_mtime > 3600) ::futimens(descriptor_, nullptr);
  }

 private:
  int descriptor_;
};

// An entry's content; nothing if it is not what was once stored.
std::optional<std::string> unwrap(std::string bytes) {
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.erase(0, sizeof header);
  const bool good = std::memcmp(header.magic, magic, sizeof magic) == 0 && header.size == bytes.size() &&
                    header.content == digest(bytes);
  return good ? std::optional(std::move(bytes)) : std::nullopt;
}

struct Entry {
  fs::path path;
  std::uint64_t size;
  fs::file_time_type used;
};

// Everything in the folder that is ours; what a process that died left unfinished is removed on the way.
std::vector<Entry> list(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (fs::recursive_directory_iterator next(folder, error), end; !error && next != end;
       next.increment(error)) {
    std::error_code gone;  // another process may be at the same
    if (!next->is_regular_file(gone) || gone) continue;
    Entry entry{next->path(), next->file_size(gone), next->last_write_time(gone)};
    if (gone) continue;
    if (entry.path.filename().native().find(unfinished) != std::string::npos) {
      if (entry.used < long_ago) fs::remove(entry.path, gone);
      continue;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace

FileStore::FileStore(fs::path folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes), unchecked_bytes_(most_bytes) {}

fs::path FileStore::path_of(const Digest& key) const {
  const std::string name = key.hex();
  return folder_ / name.substr(0, 2) / name.substr(2);
}

std::optional<std::string> FileStore::load(const Digest& key) const noexcept {
  try {
    const fs::path path = path_of(key);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return std::nullopt;
    const File file(descriptor);
    std::optional<std::string> bytes = unwrap(file.read(most_bytes_ + sizeof(Header)));
    if (bytes) {
      file.touch();
    } else {
      log::warning("the cache entry {} is damaged and is removed", path.native());
      ::unlink(path.c_str());
    }
    return bytes;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void FileStore::write(const fs::path& path, std::string_view bytes) const {
  if (fs::create_directories(path.parent_path()))
    fs::permissions(path.parent_path(), fs::perms::owner_all);  // programs are nobody else's business
  std::string part = path.native() + std::string(unfinished) + "XXXXXX";
  const File file(::mkostemp(part.data(), O_CLOEXEC));
  try {
    Header header{{}, bytes.size(), digest(bytes)};
    std::memcpy(header.magic, magic, sizeof magic);
    file.write(&header, sizeof header);
    file.write(bytes.data(), bytes.size());
    if (::rename(part.c_str(), path.c_str()) != 0) throw std::system_error(errno, std::generic_category());
  } catch (...) {
    ::unlink(part.c_str());
    throw;
  }
}

void FileStore::store(const Digest& key, std::string_view bytes) noexcept {
  try {
    if (bytes.size() > most_bytes_ / 4) return;  // would push out too much else
    write(path_of(key), bytes);
    hold_size(bytes.size() + sizeof(Header));
  } catch (const std::exception& error) {
    log::info("nothing is kept in the cache {}: {}", folder_.native(), error.what());
  }
}

// Looked through at a process's first entry and after each eighth of the size, so that a full folder stays within its bounds by so
// much per process.
void FileStore::hold_size(std::uint64_t added) noexcept {
  try {
    if (unchecked_bytes_.fetch_add(added) + added < most_bytes_ / 8) return;
    unchecked_bytes_ = 0;
    std::vector<Entry> entries = list(folder_);
    std::uint64_t total = 0;
    for (const Entry& entry : entries) total += entry.size;
    if (total <= most_bytes_) return;
    std::ranges::sort(entries, {}, &Entry::used);
    for (const Entry& entry : entries) {
      if (total <= most_bytes_ / 10 * 8) break;
      std::error_code ignored;
      fs::remove(entry.path, ignored);
      total -= entry.size;
    }
  } catch (const std::exception& error) {
    log::info("the cache {} cannot be looked through: {}", folder_.native(), error.what());
  }
}

}  // namespace clcuda
