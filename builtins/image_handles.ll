; SPDX-License-Identifier: Apache-2.0
; OpenCL C's opaque types as what they are: an image is the address of its descriptor, a sampler its number (image_descriptor.h).
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-nvidiacl"

define ptr addrspace(1) @__clcuda_image(ptr addrspace(1) %image) alwaysinline {
  ret ptr addrspace(1) %image
}

define i64 @__clcuda_sampler(ptr addrspace(4) %sampler) alwaysinline {
  %number = ptrtoint ptr addrspace(4) %sampler to i64
  ret i64 %number
}
