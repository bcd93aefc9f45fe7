; SPDX-License-Identifier: Apache-2.0
; Local memory of the work-group collective functions (work_group.h): a family of its own, so that all which a program uses
; share one. Without an initialiser, as PTX demands.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-nvidiacl"

@__clcuda_work_group_slots_memory = internal addrspace(3) global [64 x i64] undef, align 8

define ptr addrspace(3) @__clcuda_work_group_slots() alwaysinline nounwind memory(none) {
  ret ptr addrspace(3) @__clcuda_work_group_slots_memory
}
