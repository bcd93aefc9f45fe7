; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: not clcuda-opt -passes=check_indirect_calls -S %t/refused.ll 2>&1 | FileCheck %s --implicit-check-not=error:
; RUN: clcuda-opt -passes=check_indirect_calls -S %t/accepted.ll | FileCheck %s --check-prefix=ACCEPTED
; RUN: clcuda-opt -passes=check_indirect_calls -S %t/without_calls.ll | FileCheck %s --check-prefix=WITHOUT

;--- refused.ll
; CHECK: error: function 'waits' cannot be called through a pointer: it has a barrier, or functions of sub-groups
; CHECK-NEXT: error: function 'outer' cannot be called through a pointer: it has a barrier, or functions of sub-groups
; CHECK-NEXT: error: function 'votes' cannot be called through a pointer: it has a barrier, or functions of sub-groups
; CHECK-NEXT: error: function 'shares' cannot be called through a pointer: it uses local memory
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.activemask()
@variable = internal addrspace(3) global [4 x i32] poison
@table = global [4 x ptr] [ptr @waits, ptr @outer, ptr @votes, ptr @shares]
define internal void @waits() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define internal void @outer() {
  call void @inner()
  ret void
}
define internal void @inner() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define internal i32 @votes() {
  %x = call i32 @llvm.nvvm.activemask()
  ret i32 %x
}
define internal i32 @shares() {
  %x = load i32, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @variable, i64 4)
  ret i32 %x
}
define ptx_kernel void @k() {
  %f = load ptr, ptr @table
  call void %f()
  ret void
}

;--- accepted.ll
; ACCEPTED: define ptx_kernel void @k(
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@variable = internal addrspace(3) global [4 x i32] poison
@table = global ptr @plain
define internal i32 @plain(i32 %x, ptr addrspace(3) %p) {
  store i32 %x, ptr addrspace(3) %p
  ret i32 %x
}
define internal void @waits() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define ptx_kernel void @k() {
  %f = load ptr, ptr @table
  %x = call i32 %f(i32 1, ptr addrspace(3) @variable)
  call void @waits()
  ret void
}

;--- without_calls.ll
; WITHOUT: define internal void @waits()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
@block = global { i32, i32, ptr } { i32 16, i32 8, ptr @waits }
define internal void @waits() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
define ptx_kernel void @k() {
  call void @waits()
  ret void
}
