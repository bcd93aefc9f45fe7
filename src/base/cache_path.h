// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace clcuda {

// The folder in which the program cache has its own (file_store.h): CLCUDA_CACHE_DIR, or the place that the XDG
// base directory rules name for caches. Empty where none of them is known.
std::filesystem::path cache_path();

}  // namespace clcuda
