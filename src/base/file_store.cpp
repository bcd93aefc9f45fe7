// SPDX-License-Identifier: Apache-2.0
#include "base/file_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_size_signal.h"
#include "base/log.h"
#include "base/own_descriptor.h"
#include "base/thread.h"

namespace clcuda {
namespace {

namespace fs = std::filesystem;

constexpr char kMagic[8] = {'c', 'l', 'c', 'a', 'c', 'h', 'e', '1'};
constexpr char kFolder[] = "clcuda-programs";
// The file by which backup programs recognise a cache (bford.info/cachedir), and the store its own folder.
constexpr char kMark[] = "CACHEDIR.TAG";
constexpr std::string_view kMarkText =
    "Signature: 8a477f597d28d172789f06886806bc55\n# The program cache of clcuda: it can be removed at any "
    "time.\n";
constexpr std::string_view kUnfinished = ".part";
constexpr std::size_t kFolderDigits = 2, kNameDigits = 30, kPartDigits = 16;

struct Header {
  char magic[8];
  std::uint64_t size;
  Digest content;
};

[[noreturn]] void fail() { throw std::system_error(errno, std::generic_category()); }

class File {
 public:
  explicit File(int opened) : descriptor_(own_descriptor(opened)) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  explicit operator bool() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }

  void write(const void* bytes, std::size_t size) const {
    const FileSizeSignalBlocked blocked;
    const auto* next = static_cast<const char*>(bytes);
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, next, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw std::system_error(written ? errno : ENOSPC, std::generic_category());
      next += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  // Nothing if it is not a regular file.
  std::optional<std::uint64_t> size() const {
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
  }
  // The content; nothing if it is longer than `most`, or not a regular file.
  std::optional<std::string> read(std::uint64_t most) const {
    const std::optional<std::uint64_t> known = size();
    if (!known || *known > most) return std::nullopt;
    std::string bytes(*known, '\0');
    bytes.resize(read_into(bytes));
    return bytes;
  }
  std::size_t read_into(std::string& bytes) const {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const ssize_t got = ::read(descriptor_, bytes.data() + filled, bytes.size() - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return filled;
  }
  // Updates the time of last use, which decides what is removed first; at most hourly, to save writes.
  void touch() const {
    struct stat status{};
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    if (::fstat(descriptor_, &status) == 0 && now - status.st_mtime > 3600) ::futimens(descriptor_, nullptr);
  }

 private:
  int descriptor_;
};

// Symbolic links within the store are not followed, and opening does not block (as it could on a pipe).
constexpr int kEntry = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, kDirectory = kEntry | O_RDONLY | O_DIRECTORY;

// An entry's content; nothing if the entry is damaged.
std::optional<std::string> unwrap(std::string bytes) {
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.erase(0, sizeof header);
  const bool good = std::memcmp(header.magic, kMagic, sizeof kMagic) == 0 && header.size == bytes.size() &&
                    header.content == digest(bytes);
  return good ? std::optional(std::move(bytes)) : std::nullopt;
}

// The place of an entry: in one of 256 folders, which keeps them short.
struct Place {
  explicit Place(const Digest& key)
      : folder(key.hex().substr(0, kFolderDigits)), name(key.hex().substr(kFolderDigits)) {}
  std::string folder, name;
};

bool are_digits(std::string_view text, std::size_t count) {
  return text.size() == count && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}
bool is_entry_name(std::string_view name) { return are_digits(name, kNameDigits); }
// CACHEDIR.TAG.part0123456789abcdef → CACHEDIR.TAG; empty for the name of a finished file.
std::string_view finished_name(std::string_view name) {
  constexpr std::size_t kEnd = kUnfinished.size() + kPartDigits;
  if (name.size() < kEnd) return {};
  const std::string_view end = name.substr(name.size() - kEnd);
  const bool unfinished =
      end.starts_with(kUnfinished) && are_digits(end.substr(kUnfinished.size()), kPartDigits);
  return unfinished ? name.substr(0, name.size() - kEnd) : std::string_view();
}

// The names in a folder, without . and ..
std::vector<std::string> names_in(const File& folder) {
  const int copy = own_descriptor(::openat(folder.get(), ".", kDirectory));
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
  std::vector<std::string> names;
  while (const dirent* entry = stream ? ::readdir(stream.get()) : nullptr)
    if (entry->d_name != std::string_view(".") && entry->d_name != std::string_view(".."))
      names.emplace_back(entry->d_name);
  return names;
}

// Whether a folder is safe to store the user's program code: it belongs to the user and is closed to others.
StoreState state_of(const File& folder) {
  struct stat status{};
  if (::fstat(folder.get(), &status) != 0) return StoreState::unreadable;
  if (status.st_uid != ::geteuid()) return StoreState::of_another_user;
  if (status.st_mode & (S_IRWXG | S_IRWXO)) return StoreState::open_to_others;
  return StoreState::usable;
}
bool is_trusted(const File& folder) { return state_of(folder) == StoreState::usable; }

const char* text_of(StoreState state) {
  switch (state) {
    case StoreState::of_another_user:
      return "it belongs to another user";
    case StoreState::open_to_others:
      return "it lets other users in (its mode is not 0700)";
    case StoreState::holds_something_else:
      return "it holds something else";
    default:
      return "it cannot be looked at";
  }
}

bool has_mark(const File& folder) {
  const File mark(::openat(folder.get(), kMark, kEntry | O_RDONLY));
  return mark && mark.read(4096).value_or("").starts_with(kMarkText.substr(0, kMarkText.find('\n')));
}

// Whether a folder has nothing but unfinished marks, as after the end of a process that was about to set it, or after a failure of the
// machine.
bool is_empty(const File& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) { return finished_name(name) == kMark; });
  if (names.empty()) return true;
  if (names != std::vector<std::string>{kMark}) return false;
  const File mark(::openat(folder.get(), kMark, kEntry | O_RDONLY));
  const std::optional<std::string> text = mark ? mark.read(kMarkText.size() - 1) : std::nullopt;
  return text && kMarkText.starts_with(*text);
}

// Writes a file under a temporary name and renames it. Its size is checked in case that a thread of the application was about to print into
// it (own_descriptor.h).
void write_whole(const File& folder, const std::string& name, std::initializer_list<std::string_view> texts) {
  static std::atomic<std::uint32_t> count = 0;
  char digits[kPartDigits + 1];
  std::snprintf(digits, sizeof digits, "%08x%08x", static_cast<unsigned>(::getpid()), count++);
  const std::string part = name + std::string(kUnfinished) + digits;
  const File file(::openat(folder.get(), part.c_str(), kEntry | O_WRONLY | O_CREAT | O_EXCL, 0600));
  if (!file) fail();
  try {
    if (make_empty(file.get()) != 0) fail();
    std::uint64_t size = 0;
    for (const std::string_view text : texts) {
      file.write(text.data(), text.size());
      size += text.size();
    }
    if (file.size() != size) throw std::system_error(std::make_error_code(std::errc::io_error));
    if (::renameat(folder.get(), part.c_str(), folder.get(), name.c_str()) != 0) fail();
  } catch (...) {
    ::unlinkat(folder.get(), part.c_str(), 0);
    throw;
  }
}

void write_entry(const File& folder, const std::string& name, std::string_view bytes) {
  Header header{{}, bytes.size(), digest(bytes)};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  write_whole(folder, name, {{reinterpret_cast<const char*>(&header), sizeof header}, bytes});
}

// Marks an empty folder as a store's; false if the folder holds something else.
bool set_mark(const File& folder) {
  if (!is_empty(folder)) return has_mark(folder);  // set by another process just now
  write_whole(folder, kMark, {kMarkText});
  return true;
}

// Said once in a process: a build asks for several entries.
void warn_once(const std::string& text) {
  static std::atomic<bool> said = false;
  if (!said.exchange(true)) log::warning("{}", text);
}

// The store's folder; false if there is none, or it is not a store's.
File open_store(const fs::path& parent) {
  const fs::path path = parent / kFolder;
  File folder(::open(path.c_str(), kDirectory));
  if (!folder && errno != ENOENT)
    warn_once(
        fmt::format("no program cache in {}: {}", path.native(), std::generic_category().message(errno)));
  if (!folder) return folder;
  StoreState state = state_of(folder);
  if (state == StoreState::usable && !has_mark(folder) && !set_mark(folder))
    state = StoreState::holds_something_else;
  if (state == StoreState::usable) return folder;
  warn_once(fmt::format("{} is not used for the program cache: {}", path.native(), text_of(state)));
  return File(-1);
}

// Whether a store made by this process, which is root's, would lie in a folder of another user, as with that user's HOME. That user's own
// processes could not use it.
bool would_shut_out_user(const fs::path& parent) {
  if (::geteuid() != 0) return false;
  struct stat status{};
  fs::path nearest = fs::absolute(parent);
  while (::stat(nearest.c_str(), &status) != 0 && nearest.has_relative_path())
    nearest = nearest.parent_path();
  return status.st_uid != 0;
}

StoreState absent_state(const fs::path& parent) {
  return would_shut_out_user(parent) ? StoreState::in_folder_of_another_user : StoreState::absent;
}

File make_store(const fs::path& parent) {
  if (!fs::exists(parent / kFolder) && would_shut_out_user(parent)) {
    warn_once(
        fmt::format("root makes no program cache in {}, which belongs to another user", parent.native()));
    return File(-1);
  }
  fs::create_directories(parent);
  if (::mkdir((parent / kFolder).c_str(), S_IRWXU) != 0 && errno != EEXIST) fail();
  return open_store(parent);
}

// Whether a file begins like an entry; an unfinished one may be shorter.
bool begins_as_entry(const File& folder, const std::string& name, bool unfinished) {
  const File file(::openat(folder.get(), name.c_str(), kEntry | O_RDONLY));
  std::string bytes(sizeof kMagic, '\0');
  if (!file) return false;
  const std::size_t got = file.read_into(bytes);
  return (got == sizeof kMagic || unfinished) && std::memcmp(bytes.data(), kMagic, got) == 0;
}

void remove(const File& folder, const std::string& name, bool unfinished) {
  if (begins_as_entry(folder, name, unfinished)) ::unlinkat(folder.get(), name.c_str(), 0);
}

struct Entry {
  std::string folder, name;
  std::uint64_t size;
  timespec used;
};

File open_part(const File& store, const std::string& folder) {
  return File(::openat(store.get(), folder.c_str(), kDirectory));
}

// Adds the entries of one of the store's folders, and removes unfinished files of processes that have died.
void list(const File& store, const std::string& name, std::vector<Entry>& entries) {
  constexpr time_t kLongAgo = 3600;
  const File folder = open_part(store, name);
  if (!folder || !is_trusted(folder)) return;
  for (const std::string& file : names_in(folder)) {
    const bool unfinished = is_entry_name(finished_name(file));
    struct stat status{};
    if ((!unfinished && !is_entry_name(file)) ||
        ::fstatat(folder.get(), file.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
      continue;
    if (!unfinished)
      entries.push_back({name, file, static_cast<std::uint64_t>(status.st_size), status.st_mtim});
    else if (status.st_mtime < ::time(nullptr) - kLongAgo)
      remove(folder, file, true);
  }
}

}  // namespace

fs::path FileStore::folder_in(const fs::path& parent) { return parent / kFolder; }

StoreState FileStore::state_in(const fs::path& parent) noexcept {
  try {
    const File folder(::open(folder_in(parent).c_str(), kDirectory));
    if (!folder)
      return errno == ENOENT                      ? absent_state(parent)
             : errno == ENOTDIR || errno == ELOOP ? StoreState::no_folder
                                                  : StoreState::unreadable;
    const StoreState state = state_of(folder);
    const bool other = state == StoreState::usable && !has_mark(folder) && !is_empty(folder);
    return other ? StoreState::holds_something_else : state;
  } catch (const std::exception&) {
    return StoreState::unreadable;
  }
}

FileStore::FileStore(fs::path parent, std::uint64_t most_bytes)
    : parent_(std::move(parent)), most_bytes_(most_bytes), unchecked_bytes_(most_bytes) {}

std::optional<std::string> FileStore::load(const Digest& key) const noexcept {
  try {
    const Place place(key);
    const File store = open_store(parent_);
    if (!store) return std::nullopt;
    const File folder = open_part(store, place.folder);
    if (!folder || !is_trusted(folder)) return std::nullopt;
    const File file(::openat(folder.get(), place.name.c_str(), kEntry | O_RDONLY));
    if (!file) return std::nullopt;
    std::optional<std::string> whole = file.read(most_bytes_ + sizeof(Header));
    if (!whole) return std::nullopt;  // kept by a process with a larger limit
    std::optional<std::string> bytes = unwrap(*std::move(whole));
    if (bytes) {
      file.touch();
    } else {
      log::warning("the cache entry {}/{} is damaged", place.folder, place.name);
      remove(folder, place.name, false);
    }
    return bytes;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void FileStore::store(const Digest& key, std::string_view bytes) noexcept {
  try {
    if (bytes.size() > most_bytes_ / 4) return;  // would displace too many other entries
    const Place place(key);
    const File store = make_store(parent_);
    if (!store) return;
    if (::mkdirat(store.get(), place.folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) fail();
    const File folder = open_part(store, place.folder);
    if (!folder) fail();
    if (!is_trusted(folder)) return;
    write_entry(folder, place.name, bytes);
    hold_size_soon(bytes.size() + sizeof(Header));
  } catch (const std::exception& error) {
    log::info("nothing is kept in the cache {}: {}", parent_.native(), error.what());
  }
}

// Checks the folder's size when the process stores its first entry, and whenever it has stored an eighth of the limit since. The folder
// may thus exceed the limit by an eighth for each process. On a separate thread, because a folder on a network can take seconds.
void FileStore::hold_size_soon(std::uint64_t added) noexcept {
  try {
    if (unchecked_bytes_.fetch_add(added) + added < most_bytes_ / 8) return;
    MutexLock lock(mutex_);
    if (looking_) return;
    unchecked_bytes_ = 0;
    looking_ = start_thread("clcuda-cache", [this] {
      hold_size();
      MutexLock lock(mutex_);
      looking_ = false;
      settled_.notify_all();
    });
  } catch (const std::exception& error) {
    log::info("the cache {} is not looked through: {}", parent_.native(), error.what());
  }
}

void FileStore::hold_size() noexcept {
  try {
    const File store = open_store(parent_);
    if (!store) return;
    std::vector<Entry> entries;
    for (const std::string& name : names_in(store))
      if (are_digits(name, kFolderDigits)) list(store, name, entries);
    std::uint64_t total = 0;
    for (const Entry& entry : entries) total += entry.size;
    if (total <= most_bytes_) return;
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
      return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
    });
    for (const Entry& entry : entries) {
      if (total <= most_bytes_ / 10 * 8) break;
      if (const File folder = open_part(store, entry.folder)) remove(folder, entry.name, false);
      total -= entry.size;
    }
  } catch (const std::exception& error) {
    log::info("the cache {} cannot be looked through: {}", parent_.native(), error.what());
  }
}

void FileStore::settle() noexcept {
  constexpr std::chrono::milliseconds kSoon{100};
  MutexLock lock(mutex_);
  settled_.wait_for(lock.native(), kSoon, [this]() NO_THREAD_SAFETY_ANALYSIS { return !looking_; });
}

}  // namespace clcuda
