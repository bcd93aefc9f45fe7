// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace test {

// The memory of this process's malloc that is in use. (Freed memory that malloc keeps depends on the peak use of all threads and on how
// many threads there were.)
inline long allocated_kib() {
  const struct mallinfo2 all = mallinfo2();
  return static_cast<long>((all.uordblks + all.hblkhd) >> 10);
}

// Resident memory without file mappings: how much of a library is resident depends on other processes.
//
// Memory that malloc keeps free counts unless malloc_trim() gives it back, which does so at the end of the main arena only; see
// make_malloc_give_back().
inline long resident_kib(const std::string& process = "self") {
  long pages = 0, resident = 0, of_files = 0;
  if (FILE* file = std::fopen(("/proc/" + process + "/statm").c_str(), "r")) {
    if (std::fscanf(file, "%ld %ld %ld", &pages, &resident, &of_files) != 3) resident = of_files = 0;
    std::fclose(file);
  }
  return (resident - of_files) * (sysconf(_SC_PAGESIZE) / 1024);
}

// From now on, malloc keeps at most 128 KiB at the end of each arena. By default this limit grows with the largest block that was freed,
// up to 64 MiB, so that resident memory grows with the number of threads that have built a program.
inline void make_malloc_give_back() {
  constexpr int kMostKept = 128 << 10;
  mallopt(M_TRIM_THRESHOLD, kMostKept);
  mallopt(M_MMAP_THRESHOLD, kMostKept);
}

// Resident memory by kind of mapping, in KiB: of malloc ("heap" and "arenas", which begin at multiples of 64 MiB), of device files, and
// "other" memory without a name, such as stacks and what libraries map themselves.
inline std::map<std::string, long> resident_by_kind(const std::string& process) {
  std::map<std::string, long> kinds;
  std::ifstream file("/proc/" + process + "/smaps");
  std::string kind;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, permissions, offset, device, inode, name;
    words >> first;
    if (first == "Rss:") {
      long kib = 0;
      words >> kib;
      if (!kind.empty()) kinds[kind] += kib;
    } else if (!first.ends_with(':')) {
      words >> permissions >> offset >> device >> inode >> name;
      constexpr std::uint64_t kArena = std::uint64_t{64} << 20;
      const bool aligned = std::stoull(first, nullptr, 16) % kArena == 0;
      if (name.starts_with("/dev/"))
        kind = "device files";
      else if (name.starts_with('/'))
        kind.clear();
      else
        kind = name == "[heap]" ? "heap" : name.empty() && aligned ? "arenas" : "other";
    }
  }
  return kinds;
}

}  // namespace test
