// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/mutex.h"

namespace clcuda {

// The state of a store's folder. A store uses its folder in the first two states; if it is absent, store() makes it, but root makes none in
// another user's folder.
enum class StoreState {
  usable,
  absent,
  in_folder_of_another_user,  // absent, and this is root
  unreadable,
  no_folder,  // but a symbolic link or a file
  of_another_user,
  open_to_others,
  holds_something_else,  // not empty, and without the mark of a store
};

// Byte strings by key in a folder that any number of processes share. An entry is written under a temporary name and renamed, so that it
// appears whole or not at all; a damaged one counts as absent and is removed. No function fails: what cannot be read is absent, what cannot
// be written (no such folder, full disk) is not kept. Thread-safe.
//
//   FileStore store(cache_path(), most_bytes);
//   if (auto bytes = store.load(key)) … else store.store(key, compile());
//
// The store has a folder of its own, `clcuda-programs`, in `parent`, which may hold anything else. It is used only if it is not a symbolic
// link, belongs to the user, is closed to others, and contains the mark of a store; only files with the name and the first bytes of an
// entry are changed or removed in it.
//
// The folder's size is limited to about `most_bytes`: whenever a process has stored a fraction of that, a thread removes the least recently
// used entries.
class FileStore {
 public:
  FileStore(std::filesystem::path parent, std::uint64_t most_bytes);

  // The store's folder in `parent`, and its state; neither makes it.
  static std::filesystem::path folder_in(const std::filesystem::path& parent);
  static StoreState state_in(const std::filesystem::path& parent) noexcept;

  std::optional<std::string> load(const Digest& key) const noexcept;
  void store(const Digest& key, std::string_view bytes) noexcept;
  // Waits until no thread is removing entries, but at most 100 ms. Called at the end of the process.
  void settle() noexcept;

 private:
  void hold_size_soon(std::uint64_t added) noexcept;
  void hold_size() noexcept;

  const std::filesystem::path parent_;
  const std::uint64_t most_bytes_;
  std::atomic<std::uint64_t> unchecked_bytes_;  // stored since this process last checked the size
  Mutex mutex_ LOCK_RANK(file_store);
  std::condition_variable settled_;
  bool looking_ GUARDED_BY(mutex_) = false;
};

}  // namespace clcuda
