// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace clcuda {

// The parent of the program cache's folder (file_store.h): CLCUDA_CACHE_DIR, otherwise the folder for caches according to the XDG base
// directory specification. Empty if neither is known.
std::filesystem::path cache_path();

}  // namespace clcuda
