; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=pass_active_masks -S %s | FileCheck %s

declare i32 @llvm.nvvm.activemask()

; CHECK-LABEL: define internal i32 @asks(i32 %x, i32 "clcuda-active-mask" %active_mask) #{{[0-9]+}} {
; CHECK-NEXT: %mask = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: ret i32 %mask
define internal i32 @asks(i32 %x) noinline {
  %mask = call i32 @llvm.nvvm.activemask()
  ret i32 %mask
}

; A caller is told in turn.
; CHECK-LABEL: define i32 @calls(i32 "clcuda-active-mask" %active_mask) {
; CHECK-NEXT: %[[HERE:.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: %result = tail call i32 @asks(i32 signext 1, i32 %[[HERE]]) #{{[0-9]+}}
; CHECK-NEXT: ret i32 %result
define i32 @calls() {
  %result = tail call i32 @asks(i32 signext 1) noinline
  ret i32 %result
}

; To a kernel come all.
; CHECK-LABEL: define ptx_kernel void @k(ptr addrspace(1) %p) {
; CHECK-NEXT: %[[HERE:.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: %a = call i32 @calls(i32 %[[HERE]])
; CHECK: %[[THERE:.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: %b = call i32 @asks(i32 2, i32 %[[THERE]])
; CHECK: %c = call i32 @does_not(i32 3)
; CHECK: %d = call i32 @pointed_to(i32 4)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = call i32 @calls()
  store i32 %a, ptr addrspace(1) %p
  %b = call i32 @asks(i32 2)
  store i32 %b, ptr addrspace(1) %p
  %c = call i32 @does_not(i32 3)
  store i32 %c, ptr addrspace(1) %p
  %d = call i32 @pointed_to(i32 4)
  store i32 %d, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define i32 @does_not(i32 %x) {
define i32 @does_not(i32 %x) {
  ret i32 %x
}

; Who calls it by its address says nothing.
@pointer = internal global ptr @pointed_to
; CHECK-LABEL: define i32 @pointed_to(i32 %x) {
; CHECK-NEXT: %mask = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: ret i32 %mask
define i32 @pointed_to(i32 %x) {
  %mask = call i32 @llvm.nvvm.activemask()
  ret i32 %mask
}
