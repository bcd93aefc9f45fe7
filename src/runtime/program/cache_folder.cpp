// SPDX-License-Identifier: Apache-2.0
#include "runtime/program/cache_folder.h"

#include "base/build_id.h"
#include "base/cache_path.h"
#include "base/config.h"
#include "base/process_end.h"
#include "runtime/object.h"

namespace clcuda {
bool cache_is_on() { return config().cache && !is_privileged(); }

FileStore* cache_folder() {
  static FileStore* const store = []() -> FileStore* {
    const std::filesystem::path path = cache_path();
    // Without a build id entries of different compilers could not be told apart.
    if (!cache_is_on() || path.empty() || build_id().empty() || config().cache_size == 0) return nullptr;
    at_process_end([] {
      if (!lost_by_fork()) cache_folder()->settle();
    });
    return new FileStore(path, static_cast<std::uint64_t>(config().cache_size) << 20);
  }();
  return store;
}

}  // namespace clcuda
