// SPDX-License-Identifier: Apache-2.0
// Functions of glibc that are newer than 2.34, the version of RHEL 9. Statically linked code that was built with a newer glibc calls these
// instead, so that the library runs with 2.34 (scripts/check-glibc).
#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#include <cstdint>

namespace {

// What dl_iterate_phdr reports about the object that contains an address.
struct Search {
  std::uintptr_t address;
  void* unwind_header;
};

int look_into(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  bool holds = false;
  void* unwind_header = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) & part = object->dlpi_phdr[i];
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_LOAD) holds |= search.address >= begin && search.address - begin < part.p_memsz;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the dynamic linker reports addresses as numbers
    if (part.p_type == PT_GNU_EH_FRAME) unwind_header = reinterpret_cast<void*>(begin);
  }
  if (holds) search.unwind_header = unwind_header;
  return holds ? 1 : 0;
}

}  // namespace

extern "C" {

// 2.36; called by libstdc++'s random_device and for LLVM's names of temporary files.
std::uint32_t arc4random() noexcept {
  std::uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) continue;
  return number;
}

#if __GLIBC_PREREQ(2, 35)
// 2.35; called by libgcc's unwinder, which reads only dlfo_eh_frame.
int _dl_find_object(void* address, dl_find_object* result) noexcept {
  Search search{reinterpret_cast<std::uintptr_t>(address), nullptr};
  dl_iterate_phdr(look_into, &search);
  if (!search.unwind_header) return -1;
  result->dlfo_eh_frame = search.unwind_header;
  return 0;
}
#endif
}
