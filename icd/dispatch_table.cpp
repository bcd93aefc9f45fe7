// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "icd2.h"
#include "runtime/extension_definitions.h"
#include "runtime/object.h"

namespace clcuda {
namespace {

// A cl_icd_dispatch of today; that of the headers may be older and shorter. The places of clGetPlatformIDs and clUnloadCompiler, which
// no loader calls through a handle, hold the mark by which a loader knows the second layout: handles whose second word is the
// loader's own.
using Entry = void (*)();
const Entry kTable[] = {
#define FUNCTION(name) reinterpret_cast<Entry>(&::name),
#define TAGGED(name) reinterpret_cast<Entry>(CL_ICD2_TAG_KHR),
#define RECENT(name) FUNCTION(name)
#define ABSENT(name) nullptr,
#define EXTENSION(name)
#include "functions.def"
#undef FUNCTION
#undef TAGGED
#undef RECENT
#undef ABSENT
};

// Every entry is where the headers have it.
enum Place : std::size_t {
#define FUNCTION(name) place_of_##name,
#define TAGGED(name) FUNCTION(name)
#define RECENT(name) FUNCTION(name)
#define ABSENT(name) FUNCTION(name)
#include "functions.def"
#undef FUNCTION
#undef TAGGED
#undef RECENT
};
#define FUNCTION(name) static_assert(offsetof(cl_icd_dispatch, name) == place_of_##name * sizeof(Entry));
#define TAGGED(name) FUNCTION(name)
#define RECENT(name)
#include "functions.def"
#undef FUNCTION
#undef TAGGED
#undef RECENT
#undef ABSENT
#undef EXTENSION
static_assert(sizeof kTable >= sizeof(cl_icd_dispatch));

// Before any handle can be made.
[[gnu::constructor]] void announce_table() {
  set_handle_dispatch(reinterpret_cast<const cl_icd_dispatch*>(kTable));
}

}  // namespace
}  // namespace clcuda
