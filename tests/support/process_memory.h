// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace test {

// What is in use of this process's malloc. (What it keeps of what was freed is as much as all threads
// together once had in use, and more with every thread that came and went.)
inline long allocated_kib() {
  const struct mallinfo2 all = mallinfo2();
  return static_cast<long>((all.uordblks + all.hblkhd) >> 10);
}

// Without what lies in files: how much of a library is in memory depends on what else the machine does.
inline long resident_kib(const std::string& process = "self") {
  long pages = 0, resident = 0, of_files = 0;
  if (FILE* file = std::fopen(("/proc/" + process + "/statm").c_str(), "r")) {
    if (std::fscanf(file, "%ld %ld %ld", &pages, &resident, &of_files) != 3) resident = of_files = 0;
    std::fclose(file);
  }
  return (resident - of_files) * (sysconf(_SC_PAGESIZE) / 1024);
}

}  // namespace test
