; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=lower_blocks -S %t/blocks.ll | FileCheck %s --implicit-check-not=clcuda.detailed
; RUN: clcuda-opt -passes=lower_blocks --build-options=-g -S %t/blocks.ll | FileCheck %s --check-prefix=DETAILED
; RUN: clcuda-opt -passes=lower_blocks --build-options=-g -S %t/through_literal.ll | FileCheck %s --check-prefix=CALLED
; RUN: not clcuda-opt -passes=lower_blocks -S %t/too_large.ll 2>&1 | FileCheck %s --check-prefix=REFUSED

;--- blocks.ll
; CHECK: @literal = internal addrspace(1) constant { i32, i32, ptr } { i32 16, i32 8, ptr null }
@literal = internal addrspace(1) constant { i32, i32, ptr } { i32 16, i32 8, ptr @__global_block_invoke }
define internal void @__global_block_invoke(ptr %literal) {
  ret void
}
; DETAILED: !clcuda.detailed-enqueue-errors = !{}
; The size is rounded up to a multiple of 16; the body is called by name and leaves the literal.
; CHECK: define ptx_kernel void @parent(
; CHECK: store ptr null, ptr %invoke
; CHECK: define internal void @__parent_block_invoke(ptr %literal) {
; CHECK: define internal ptx_kernel void @__parent_block_invoke_kernel(ptr readonly byval([32 x i8]) align 16 "nvvm.grid_constant" %literal) #[[BLOCK:[0-9]+]]
; CHECK: attributes #[[BLOCK]] = { "clcuda-block" }
define ptx_kernel void @parent(ptr addrspace(1) %p) !kernel_arg_addr_space !0 {
  %block = alloca { i32, i32, ptr, i64 }
  %invoke = getelementptr { i32, i32, ptr, i64 }, ptr %block, i32 0, i32 2
  store ptr @__parent_block_invoke, ptr %invoke
  call void @__parent_block_invoke(ptr %block)
  ret void
}
define internal void @__parent_block_invoke(ptr %literal) {
  ret void
}
define ptx_kernel void @__parent_block_invoke_kernel(ptr %literal) {
  call void @__parent_block_invoke(ptr %literal)
  ret void
}
!0 = !{i32 1}

;--- through_literal.ll
; Nothing is enqueued; a call through the literal needs the body in it.
; CALLED: store ptr @__f_block_invoke, ptr %invoke
; CALLED-NOT: clcuda.detailed-enqueue-errors
define void @f() {
  %block = alloca { i32, i32, ptr }
  %invoke = getelementptr { i32, i32, ptr }, ptr %block, i32 0, i32 2
  store ptr @__f_block_invoke, ptr %invoke
  call void @g(ptr %block)
  ret void
}
define void @g(ptr %block) {
  %invoke = getelementptr { i32, i32, ptr }, ptr %block, i32 0, i32 2
  %body = load ptr, ptr %invoke
  call void %body(ptr %block)
  ret void
}
define internal void @__f_block_invoke(ptr %literal) {
  ret void
}

;--- too_large.ll
; REFUSED: error: a block captures more than 3584 bytes
define void @parent() {
  %block = alloca { i32, i32, ptr, [3600 x i8] }
  %invoke = getelementptr { i32, i32, ptr, [3600 x i8] }, ptr %block, i32 0, i32 2
  store ptr @__parent_block_invoke, ptr %invoke
  ret void
}
define internal void @__parent_block_invoke(ptr %literal) {
  ret void
}
define ptx_kernel void @__parent_block_invoke_kernel(ptr %literal) {
  call void @__parent_block_invoke(ptr %literal)
  ret void
}
