// SPDX-License-Identifier: Apache-2.0
#include "harness/kernel_sources.h"

#include <stdexcept>
#include <string>

#define SOURCES(each)                                                                                  \
  each(language) each(elementwise) each(matrix) each(half) each(particles) each(collective) each(grid) \
      each(fourier) each(bytes) each(images) each(groups) each(functions) each(sequences) each(fields) \
          each(points) each(graphs) each(accumulators)

#define DECLARE(name) extern "C" const char bench_source_##name[], bench_source_##name##_end[];
SOURCES(DECLARE)

namespace bench {

std::string_view kernel_source(std::string_view wanted) {
#define FIND(name) \
  if (wanted == #name) return {bench_source_##name, size_t(bench_source_##name##_end - bench_source_##name)};
  SOURCES(FIND)
  throw std::runtime_error("no kernels " + std::string(wanted));
}

}  // namespace bench
