// SPDX-License-Identifier: Apache-2.0
// The kernels and cases of ../kernels and ../cases, compiled by nvcc.

#include "cuda_device.h"
#include "harness/cases.h"
// The kernels themselves; every family sees the same words.
#include "kernels/language.h"
//
#include "kernels/bytes.cl"
#include "kernels/collective.cl"
#include "kernels/elementwise.cl"
#include "kernels/fourier.cl"
#include "kernels/grid.cl"
#include "kernels/groups.cl"
#include "kernels/half.cl"
#include "kernels/images.cl"
#include "kernels/matrix.cl"
#include "kernels/particles.cl"

namespace {

const std::pair<const char*, const void*> functions[] = {
#define FUNCTION(name) {#name, reinterpret_cast<const void*>(name)},
    FUNCTION(triad) FUNCTION(transcendental) FUNCTION(black_scholes) FUNCTION(mandelbrot)
        FUNCTION(monte_carlo) FUNCTION(transpose) FUNCTION(sgemm_tiled) FUNCTION(sgemm_blocked)
            FUNCTION(dgemm) FUNCTION(hgemm) FUNCTION(nbody) FUNCTION(reduction) FUNCTION(scan)
                FUNCTION(histogram) FUNCTION(radix_pass) FUNCTION(stencil_2d) FUNCTION(stencil_3d)
                    FUNCTION(convolution) FUNCTION(sparse_product) FUNCTION(fft) FUNCTION(sha256)
                        FUNCTION(string_search) FUNCTION(image_blur) FUNCTION(image_resize)
                            FUNCTION(volume_slice) FUNCTION(sub_group_sum) FUNCTION(sub_group_minimum)
                                FUNCTION(sub_group_scan) FUNCTION(work_group_sum) FUNCTION(work_group_scan)
#undef FUNCTION
};

}  // namespace

int main(int count, char** words) {
  return bench::run_main(count, words, [](const bench::Options&) {
    cuda_bench::CudaDevice device(functions);
    bench::run_cases(device);
  });
}
