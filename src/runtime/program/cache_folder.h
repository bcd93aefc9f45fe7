// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_store.h"

namespace clcuda {

// CLCUDA_CACHE: whether builds are kept, in memory and on disk.
bool cache_is_on();

// The program cache on disk; null if it is switched off, has no size, or its folder is unknown (base/cache_path.h).
FileStore* cache_folder();

}  // namespace clcuda
