// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ranges of the calling thread in NVTX's domain "clcuda", for Nsight Systems and other tools of NVIDIA's. NVTX loads the tool's library
// (NVTX_INJECTION64_PATH) at the first range; without a tool, the calls do nothing.
namespace clcuda::trace::nvtx {

// False if the library was built without NVTX; push() and pop() then do nothing.
bool available() noexcept;
void push(const char* name) noexcept;
void pop() noexcept;

}  // namespace clcuda::trace::nvtx
