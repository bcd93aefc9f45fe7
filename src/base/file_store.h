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

// What a store finds where its folder should be. It uses the first two: one that is absent it makes.
enum class StoreState {
  usable,
  absent,
  unreadable,
  no_folder,  // a symbolic link, or a file
  of_another_user,
  open_to_others,
  holds_something_else,  // and not the mark of a store
};

// Byte strings by key in a folder that any number of processes share. An entry appears whole or not at all
// (it is written beside its place and renamed); one that is damaged counts as absent and goes. Nothing here
// fails: what cannot be read is absent, what cannot be written (no such folder, full disk) is not kept.
//
// The store has a folder of its own, `clcuda-programs`, within the one that is named, which may hold anything
// else. It is used only if it is no link, belongs to the user, lets nobody else in, and has the mark of a
// store in it; and nothing in it is touched but what has the name and the first bytes of an entry.
//
// The folder is held to a size: whoever has stored a part of it has a thread look through it, which removes
// the entries that were not used for longest.
class FileStore {
 public:
  FileStore(std::filesystem::path parent, std::uint64_t most_bytes);

  // The store's own folder, and what is there; makes nothing.
  static std::filesystem::path folder_in(const std::filesystem::path& parent);
  static StoreState look(const std::filesystem::path& parent) noexcept;

  std::optional<std::string> load(const Digest& key) const noexcept;
  void store(const Digest& key, std::string_view bytes) noexcept;
  // Returns when nothing is being looked through, or soon. For the end of the process.
  void settle() noexcept;

 private:
  void hold_size_soon(std::uint64_t added) noexcept;
  void hold_size() noexcept;

  const std::filesystem::path parent_;
  const std::uint64_t most_bytes_;
  std::atomic<std::uint64_t> unchecked_bytes_;  // stored by this process since it looked through the folder
  Mutex mutex_ LOCK_RANK(file_store);
  std::condition_variable settled_;
  bool looking_ GUARDED_BY(mutex_) = false;
};

}  // namespace clcuda
