; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=let_arguments_escape -S %s | FileCheck %s

declare void @_Z7barrierj(i32)
declare void @_Z18work_group_barrierj12memory_scope(i32, i32)
declare void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32, i32, i32)
declare i32 @_Z10atomic_incPU3AS1Vj(ptr addrspace(1))
declare i32 @_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order(ptr addrspace(1), i32, i32)
declare float @_Z3sinf(float) memory(none)

; Within a work-group, only what the kernel writes itself changes. Numbers and local memory stay as they are.
; CHECK-LABEL: define ptx_kernel void @within
; CHECK-NEXT: [[A:%.*]] = ptrtoint ptr addrspace(1) %a to i64
; CHECK-NEXT: call void asm sideeffect "", "l"(i64 [[A]]) [[NOTHING:#[0-9]+]]
; CHECK-NEXT: %v = load
define ptx_kernel void @within(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i64 %n, ptr addrspace(3) noalias %l) {
  %v = load i32, ptr addrspace(1) %b
  call void @_Z7barrierj(i32 2)
  store i32 %v, ptr addrspace(1) %a
  ret void
}

; CHECK-LABEL: define ptx_kernel void @with_a_scope
; CHECK-NOT: asm
; CHECK-LABEL: define ptx_kernel void @beyond
define ptx_kernel void @with_a_scope(ptr addrspace(1) noalias %b) {
  %v = load i32, ptr addrspace(1) %b
  call void @_Z18work_group_barrierj12memory_scope(i32 2, i32 1)
  ret void
}

; Beyond it, others change what the kernel reads: by a barrier,
; CHECK-COUNT-1: asm sideeffect ""
define ptx_kernel void @beyond(ptr addrspace(1) noalias %b) {
  %v = load i32, ptr addrspace(1) %b
  call void @_Z18work_group_barrierj12memory_scope(i32 2, i32 2)
  ret void
}

; a fence in a function, whose own promise LLVM would believe as well,
; CHECK-LABEL: define ptx_kernel void @fences
; CHECK-COUNT-1: asm sideeffect ""
; CHECK-LABEL: define void @fence(ptr addrspace(1) %p)
define ptx_kernel void @fences(ptr addrspace(1) noalias %b) {
  call void @fence(ptr addrspace(1) %b)
  ret void
}
define void @fence(ptr addrspace(1) noalias %p) {
  call void @_Z22atomic_work_item_fencej12memory_order12memory_scope(i32 2, i32 4, i32 3)
  ret void
}

; an atomic function with an order, whether it is known or not; that the kernel only reads is no promise of others then,
; CHECK-LABEL: define ptx_kernel void @ordered
; CHECK-SAME: (ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, i32 %order)
; CHECK-COUNT-2: asm sideeffect ""
define ptx_kernel void @ordered(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias readonly captures(none) %b, i32 %order) {
  %v = call i32 @_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order(ptr addrspace(1) %a, i32 1, i32 %order)
  ret void
}

; or PTX.
; CHECK-LABEL: define ptx_kernel void @assembly
; CHECK-COUNT-1: asm sideeffect ""
define ptx_kernel void @assembly(ptr addrspace(1) noalias %b) {
  call void asm sideeffect "membar.gl;", "~{memory}"()
  ret void
}

; Relaxed functions order nothing; other work-items of the group may change the memory that the kernel writes.
; CHECK-LABEL: define ptx_kernel void @relaxed
; CHECK-NEXT: ptrtoint ptr addrspace(1) %a
; CHECK-NEXT: asm sideeffect ""
; CHECK-NEXT: call i32
define ptx_kernel void @relaxed(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %v = call i32 @_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order(ptr addrspace(1) %a, i32 1, i32 0)
  %w = call i32 @_Z10atomic_incPU3AS1Vj(ptr addrspace(1) %a)
  ret void
}

; Nothing to be held back.
; CHECK-LABEL: define ptx_kernel void @alone
; CHECK-NOT: asm
; CHECK-LABEL: define void @keeps(ptr addrspace(1) noalias %p)
define ptx_kernel void @alone(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b) {
  %v = load float, ptr addrspace(1) %b
  %w = call float @_Z3sinf(float %v)
  store float %w, ptr addrspace(1) %a
  ret void
}
define void @keeps(ptr addrspace(1) noalias %p) {
  ret void
}

; CHECK: attributes [[NOTHING]] = { nounwind memory(none) }
