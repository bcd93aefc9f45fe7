; SPDX-License-Identifier: Apache-2.0
; Local memory of the work-group collective functions (work_group.h). Linked into each family of them; weak, so that all which a
; program uses share one; without an initialiser, as PTX demands.
target triple = "nvptx64-nvidia-nvidiacl"

@__clcuda_work_group_slots_memory = weak addrspace(3) global [32 x i64] undef, align 8

define linkonce_odr hidden ptr addrspace(3) @__clcuda_work_group_slots() alwaysinline nounwind memory(none) {
  ret ptr addrspace(3) @__clcuda_work_group_slots_memory
}
