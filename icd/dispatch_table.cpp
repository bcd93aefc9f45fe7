// SPDX-License-Identifier: Apache-2.0
#include "icd2.h"
#include "runtime/object.h"

namespace clcuda {
namespace {

// By names, so that a missing entry stands out. The places of clGetPlatformIDs and clUnloadCompiler, which no
// loader calls through a handle, hold the mark by which a loader knows the second layout: handles whose
// second word is the loader's own.
const cl_icd_dispatch kTable = {
#define FUNCTION(name) .name = ::name,
#define TAGGED(name) .name = reinterpret_cast<decltype(&::name)>(CL_ICD2_TAG_KHR),
#define EXTENSION(name)
#include "functions.def"
#undef FUNCTION
#undef TAGGED
#undef EXTENSION
};

// Before any handle can be made.
[[gnu::constructor]] void announce_table() { set_handle_dispatch(&kTable); }

}  // namespace
}  // namespace clcuda
