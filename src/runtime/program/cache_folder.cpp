// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/cache_folder.h"

#include <algorithm>

#include "base/build_id.h"
#include "base/config.h"
#include "base/process_end.h"
#include "runtime/object.h"

namespace clcuda {
namespace {

// CLCUDA_CACHE_DIR, or the place that the XDG base directory rules name for caches (they want absolute
// paths).
std::filesystem::path folder() {
  if (!config().cache_dir.empty()) return config().cache_dir;
  const auto absolute = [](const char* variable) -> std::filesystem::path {
    const char* text = environment(variable);
    return text && *text == '/' ? text : "";
  };
  if (const auto base = absolute("XDG_CACHE_HOME"); !base.empty()) return base / "clcuda";
  if (const auto home = absolute("HOME"); !home.empty()) return home / ".cache" / "clcuda";
  return {};
}

}  // namespace

bool cache_is_on() { return config().cache && !is_privileged(); }

FileStore* cache_folder() {
  static FileStore* const store = []() -> FileStore* {
    const std::filesystem::path path = folder();
    // Without a build id entries of different compilers could not be told apart.
    if (!cache_is_on() || path.empty() || build_id().empty()) return nullptr;
    at_process_end([] {
      if (!lost_by_fork()) cache_folder()->settle();
    });
    return new FileStore(path, static_cast<std::uint64_t>(std::max(config().cache_size, 0)) << 20);
  }();
  return store;
}

}  // namespace clcuda
