// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue/command_details.h"

#include <algorithm>
#include <iterator>

#include "runtime/extension_definitions.h"

namespace clcuda {
namespace {

struct TypeName {
  cl_command_type type;
  std::string_view name;
};
constexpr TypeName kNames[] = {
    {CL_COMMAND_NDRANGE_KERNEL, "kernel"},
    {CL_COMMAND_TASK, "task"},
    {CL_COMMAND_NATIVE_KERNEL, "native kernel"},
    {CL_COMMAND_READ_BUFFER, "read buffer"},
    {CL_COMMAND_WRITE_BUFFER, "write buffer"},
    {CL_COMMAND_COPY_BUFFER, "copy buffer"},
    {CL_COMMAND_FILL_BUFFER, "fill buffer"},
    {CL_COMMAND_READ_BUFFER_RECT, "read buffer rectangle"},
    {CL_COMMAND_WRITE_BUFFER_RECT, "write buffer rectangle"},
    {CL_COMMAND_COPY_BUFFER_RECT, "copy buffer rectangle"},
    {CL_COMMAND_READ_IMAGE, "read image"},
    {CL_COMMAND_WRITE_IMAGE, "write image"},
    {CL_COMMAND_COPY_IMAGE, "copy image"},
    {CL_COMMAND_FILL_IMAGE, "fill image"},
    {CL_COMMAND_COPY_IMAGE_TO_BUFFER, "copy image to buffer"},
    {CL_COMMAND_COPY_BUFFER_TO_IMAGE, "copy buffer to image"},
    {CL_COMMAND_MAP_BUFFER, "map buffer"},
    {CL_COMMAND_MAP_IMAGE, "map image"},
    {CL_COMMAND_UNMAP_MEM_OBJECT, "unmap"},
    {CL_COMMAND_MIGRATE_MEM_OBJECTS, "migrate"},
    {CL_COMMAND_MARKER, "marker"},
    {CL_COMMAND_BARRIER, "barrier"},
    {CL_COMMAND_SVM_FREE, "SVM free"},
    {CL_COMMAND_SVM_MEMCPY, "SVM copy"},
    {CL_COMMAND_SVM_MEMFILL, "SVM fill"},
    {CL_COMMAND_SVM_MAP, "SVM map"},
    {CL_COMMAND_SVM_UNMAP, "SVM unmap"},
    {CL_COMMAND_SVM_MIGRATE_MEM, "SVM migrate"},
    {CL_COMMAND_MEMCPY_INTEL, "USM copy"},
    {CL_COMMAND_MEMFILL_INTEL, "USM fill"},
    {CL_COMMAND_MIGRATEMEM_INTEL, "USM migrate"},
    {CL_COMMAND_MEMADVISE_INTEL, "USM advise"},
};

}  // namespace

std::string_view name_of(cl_command_type type) noexcept {
  const auto* found = std::ranges::find(kNames, type, &TypeName::type);
  return found != std::end(kNames) ? found->name : "command";
}

}  // namespace clcuda
