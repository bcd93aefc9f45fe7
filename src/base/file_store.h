// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace clcuda {

// Byte strings by key in a folder that any number of processes share. An entry appears whole or not at all (it is written beside
// its place and renamed); one that is damaged counts as absent and goes. Nothing here fails: what cannot be read is absent, what
// cannot be written (no such folder, full disk) is not kept.
//
// The folder is held to a size: whoever has stored a part of it looks through it and removes the entries that were not used for
// longest.
class FileStore {
 public:
  FileStore(std::filesystem::path folder, std::uint64_t most_bytes);

  std::optional<std::string> load(const Digest& key) const noexcept;
  void store(const Digest& key, std::string_view bytes) noexcept;

 private:
  std::filesystem::path path_of(const Digest& key) const;
  void write(const std::filesystem::path& path, std::string_view bytes) const;
  void hold_size(std::uint64_t added) noexcept;

  const std::filesystem::path folder_;
  const std::uint64_t most_bytes_;
  std::atomic<std::uint64_t> unchecked_bytes_;  // stored by this process since it looked through the folder
};

}  // namespace clcuda
