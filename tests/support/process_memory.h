// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace test {

// The memory of this process's malloc that is in use. (Freed memory that malloc keeps depends on the peak use of all threads and on how
// many threads there were.)
inline long allocated_kib() {
  const struct mallinfo2 all = mallinfo2();
  return static_cast<long>((all.uordblks + all.hblkhd) >> 10);
}

// Resident memory without file mappings: how much of a library is resident depends on other processes.
inline long resident_kib(const std::string& process = "self") {
  long pages = 0, resident = 0, of_files = 0;
  if (FILE* file = std::fopen(("/proc/" + process + "/statm").c_str(), "r")) {
    if (std::fscanf(file, "%ld %ld %ld", &pages, &resident, &of_files) != 3) resident = of_files = 0;
    std::fclose(file);
  }
  return (resident - of_files) * (sysconf(_SC_PAGESIZE) / 1024);
}

}  // namespace test
