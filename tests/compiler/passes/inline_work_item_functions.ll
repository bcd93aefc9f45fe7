; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=inline_work_item_functions -S %s | FileCheck %s

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Through any chain of calls.
; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NEXT: %[[ID:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NEXT: %[[NEXT:.*]] = add i32 %[[ID]], 1
; CHECK-NEXT: store i32 %[[NEXT]], ptr %p
define ptx_kernel void @k(ptr %p) {
  %x = call i32 @next_id()
  store i32 %x, ptr %p
  ret void
}
define internal i32 @next_id() {
  %id = call i32 @id()
  %next = add i32 %id, 1
  ret i32 %next
}
define internal i32 @id() {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %id
}

; CHECK-LABEL: define ptx_kernel void @calls_others(
; CHECK-NEXT: call i32 @not_inlined()
; CHECK-NEXT: call i32 @without_ids(i32 %x)
define ptx_kernel void @calls_others(ptr %p) {
  %x = call i32 @not_inlined()
  %y = call i32 @without_ids(i32 %x)
  store i32 %y, ptr %p
  ret void
}
define internal i32 @not_inlined() noinline {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %id
}
define internal i32 @without_ids(i32 %x) {
  ret i32 %x
}
