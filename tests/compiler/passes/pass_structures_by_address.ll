; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=pass_structures_by_address -S %s | FileCheck %s
%s = type { i64, i32 }

; CHECK: @table = global [2 x ptr] [ptr @f.by_address, ptr @plain]
@table = global [2 x ptr] [ptr @f, ptr @plain]

; CHECK: define i32 @f(i32 %x, ptr byval(%s) align 8 %p) {
define i32 @f(i32 %x, ptr byval(%s) align 8 %p) {
  ret i32 %x
}
; CHECK: define i32 @plain(i32 %x, ptr %p) {
define i32 @plain(i32 %x, ptr %p) {
  ret i32 %x
}
; CHECK: define void @direct(ptr byval(%s) %p) {
define void @direct(ptr byval(%s) %p) {
  ret void
}
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: call i32 %pointer(i32 1, ptr align 8 %p)
; CHECK: call i32 @f(i32 1, ptr byval(%s) align 8 %p)
; CHECK: call void @direct(ptr byval(%s) %p)
; CHECK: icmp eq ptr %pointer, @f.by_address
define ptx_kernel void @k(ptr %p) {
  %pointer = load ptr, ptr @table
  %x = call i32 %pointer(i32 1, ptr byval(%s) align 8 %p)
  %y = call i32 @f(i32 1, ptr byval(%s) align 8 %p)
  call void @direct(ptr byval(%s) %p)
  %same = icmp eq ptr %pointer, @f
  ret void
}

; CHECK: define internal i32 @f.by_address(i32 %0, ptr align 8 %1) {
; CHECK-NEXT: %3 = call i32 @f(i32 %0, ptr byval(%s) align 8 %1)
; CHECK-NEXT: ret i32 %3
