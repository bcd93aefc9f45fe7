// SPDX-License-Identifier: Apache-2.0
#include "base/cache_path.h"

#include "base/config.h"

namespace clcuda {

std::filesystem::path cache_path() {
  if (!config().cache_dir.empty()) return config().cache_dir;
  // The XDG base directory specification requires absolute paths.
  const auto absolute = [](const char* variable) -> std::filesystem::path {
    const char* text = environment(variable);
    return text && *text == '/' ? text : "";
  };
  if (const auto base = absolute("XDG_CACHE_HOME"); !base.empty()) return base / "clcuda";
  if (const auto home = absolute("HOME"); !home.empty()) return home / ".cache" / "clcuda";
  return {};
}

}  // namespace clcuda
