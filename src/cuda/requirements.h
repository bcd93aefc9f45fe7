// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda::cuda {

// What clcuda needs of NVIDIA's driver, as cuDriverGetVersion counts, and of a GPU: compute capability × 10. The
// same as README says.
constexpr int kLeastDriverVersion = 12000;
constexpr int kLeastComputeCapability = 75;

}  // namespace clcuda::cuda
