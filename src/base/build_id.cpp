// SPDX-License-Identifier: Apache-2.0
#include "base/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace clcuda {
namespace {

constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

std::string_view find_in_notes(const char* notes, std::size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const std::size_t name = sizeof note, value = name + padded(note.n_namesz);
    const std::size_t end = value + padded(note.n_descsz);
    if (end > size) break;
    if (note.n_type == NT_GNU_BUILD_ID &&
        std::string_view(notes + name, note.n_namesz) == std::string_view("GNU\0", 4))
      return {notes + value, note.n_descsz};
    notes += end;
    size -= end;
  }
  return {};
}

bool holds_this_code(const dl_phdr_info& object) {
  const auto here = reinterpret_cast<std::uintptr_t>(&holds_this_code);
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    const std::uintptr_t begin = object.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && here >= begin && here < begin + segment.p_memsz) return true;
  }
  return false;
}

int visit(dl_phdr_info* object, std::size_t, void* found) {
  if (!holds_this_code(*object)) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    const std::string_view id = find_in_notes(notes, segment.p_memsz);
    if (!id.empty()) *static_cast<std::string_view*>(found) = id;
  }
  return 1;
}

}  // namespace

std::string_view build_id() {
  static const std::string_view id = [] {
    std::string_view found;
    dl_iterate_phdr(visit, &found);
    return found;
  }();
  return id;
}

}  // namespace clcuda
