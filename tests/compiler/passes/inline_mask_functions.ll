; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=inline_mask_functions -S %s | FileCheck %s

declare i32 @llvm.nvvm.activemask()

; CHECK: define i32 @asks() #[[INLINED:[0-9]+]] {
define i32 @asks() noinline optnone {
  %mask = call i32 @llvm.nvvm.activemask()
  ret i32 %mask
}

; CHECK: define i32 @does_not() #[[KEPT:[0-9]+]] {
define i32 @does_not() noinline optnone {
  ret i32 1
}

; CHECK: define ptx_kernel void @k(ptr addrspace(1) %p) #[[KEPT]] {
define ptx_kernel void @k(ptr addrspace(1) %p) noinline optnone {
  %mask = call i32 @llvm.nvvm.activemask()
  store i32 %mask, ptr addrspace(1) %p
  ret void
}

; CHECK-DAG: attributes #[[INLINED]] = { alwaysinline }
; CHECK-DAG: attributes #[[KEPT]] = { noinline optnone }
