// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "icd2.h"
#include "runtime/extension_definitions.h"
#include "runtime/object.h"
#include "traced_call.h"

namespace clcuda {
namespace {

// A current cl_icd_dispatch; that of the headers may be older and shorter. The entries of clGetPlatformIDs and clUnloadCompiler, which no
// loader calls through a handle, hold the tag by which a loader recognises the second layout: handles whose second word belongs to the
// loader.
using Entry = void (*)();
#define TAGGED(name) reinterpret_cast<Entry>(CL_ICD2_TAG_KHR),
#define RECENT(name) FUNCTION(name)
#define ABSENT(name) nullptr,
#define EXTENSION(name)
const Entry kTable[] = {
#define FUNCTION(name) reinterpret_cast<Entry>(&::name),
#include "functions.def"
#undef FUNCTION
};
const Entry kTracedTable[] = {
#define FUNCTION(name) reinterpret_cast<Entry>(&TracedCall<#name, &::name>::call),
#include "functions.def"
#undef FUNCTION
};
#undef TAGGED
#undef RECENT
#undef ABSENT

// Checks that every entry has the position that it has in the headers.
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

// Runs before any handle can be created.
[[gnu::constructor]] void announce_table() {
  set_handle_dispatch(reinterpret_cast<const cl_icd_dispatch*>(kTable),
                      reinterpret_cast<const cl_icd_dispatch*>(kTracedTable));
}

}  // namespace
}  // namespace clcuda
