// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/file_store.h"

namespace clcuda {

bool cache_is_on();

// The program cache on disk; null where there is none: it is switched off, or no folder is known for it.
FileStore* cache_folder();

}  // namespace clcuda
