// SPDX-License-Identifier: Apache-2.0
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/cache_path.h"
#include "base/config.h"
#include "base/file_store.h"
#include "checks.h"

namespace clcuda::doctor {
namespace {

namespace fs = std::filesystem;

// Whether programs can be stored there. Reports what prevents it.
bool check_space(const fs::path& nearest, Report& report) {
  constexpr std::uint64_t kMega = 1 << 20, kLeastFree = 64;
  const fs::path folder = nearest.has_filename() ? nearest : nearest.parent_path();
  struct statvfs disk{};
  if (::statvfs(nearest.c_str(), &disk) != 0) {
    report.add(Finding::cache_unreadable, folder.native(), std::strerror(errno));
    return false;
  }
  const std::uint64_t free = disk.f_bavail * disk.f_frsize / kMega;
  if (disk.f_flag & ST_RDONLY)
    report.add(Finding::cache_read_only, folder.native());
  else if (::access(nearest.c_str(), W_OK | X_OK) != 0)
    report.add(Finding::cache_not_writable, folder.native(), std::strerror(errno), ::geteuid());
  else if (free < kLeastFree)
    report.add(Finding::cache_full, folder.native(), free);
  else
    return true;
  return false;
}

void check_folder(const fs::path& parent, Report& report) {
  const std::string folder = FileStore::folder_in(parent).native();
  switch (FileStore::state_in(parent)) {
    case StoreState::usable:
      if (check_space(folder, report)) report.ok("cache", "{} is used", folder);
      return;
    case StoreState::absent:
      if (check_space(nearest_folder(parent), report))
        report.ok("cache", "{} will be made when it is needed", folder);
      return;
    case StoreState::in_folder_of_another_user:
      return report.add(Finding::cache_of_root, folder);
    case StoreState::unreadable:
      return report.add(Finding::cache_unreadable, folder, std::strerror(errno));
    case StoreState::no_folder:
      return report.add(Finding::cache_link, folder);
    case StoreState::of_another_user:
      return report.add(Finding::cache_foreign, folder);
    case StoreState::open_to_others:
      return report.add(Finding::cache_mode, folder);
    case StoreState::holds_something_else:
      return report.add(Finding::cache_contents, folder);
  }
}

}  // namespace

void check_cache(const Machine&, Report& report) {
  constexpr int kLeastSize = 16;  // megabytes; nothing that takes more than a quarter of it is kept
  if (is_privileged()) return;    // reported by the environment's check
  if (!config().cache) return report.add(Finding::cache_off);
  if (config().cache_size < kLeastSize) report.add(Finding::cache_size, config().cache_size);
  const fs::path parent = cache_path();
  if (parent.empty()) return report.add(Finding::cache_no_home);
  check_folder(parent, report);
}

}  // namespace clcuda::doctor
