// SPDX-License-Identifier: Apache-2.0
// The kernels and cases of the workloads, compiled by nvcc.

#include "cuda_device.h"
#include "harness/cases.h"
#include "kernels/language.h"
//
#include "kernels/accumulators.cl"
#include "kernels/fields.cl"
#include "kernels/graphs.cl"
#include "kernels/points.cl"
#include "kernels/sequences.cl"

namespace {

const std::pair<const char*, const void*> functions[] = {
#define FUNCTION(name) {#name, reinterpret_cast<const void*>(name)},
    FUNCTION(md5) FUNCTION(aes) FUNCTION(alignment) FUNCTION(bitonic_sort) FUNCTION(scatter_add)
        FUNCTION(hotspot) FUNCTION(lattice_boltzmann) FUNCTION(shortest_ways) FUNCTION(cell_forces)
            FUNCTION(nearest_centre) FUNCTION(spheres) FUNCTION(bfs_level) FUNCTION(page_rank)
                FUNCTION(ell_product) FUNCTION(product_in_memory) FUNCTION(symmetric_product)
                    FUNCTION(row_sums) FUNCTION(column_sums) FUNCTION(sweep_down) FUNCTION(deviations)
#undef FUNCTION
};

}  // namespace

int main(int count, char** words) {
  return bench::run_main(count, words, [](const bench::Options&) {
    cuda_bench::CudaDevice device(functions);
    bench::run_cases(device);
  });
}
