; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes='function(loop-unroll<full-unroll-max=50>),inline_work_item_functions' -S %s | FileCheck %s

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
; CHECK-NEXT: call i32 @large(ptr %p)
define ptx_kernel void @calls_others(ptr %p) {
  %x = call i32 @not_inlined()
  %y = call i32 @without_ids(i32 %x)
  %z = call i32 @large(ptr %p)
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

; Each calls the previous one twice: the eighth would have more than 1024 instructions with all that is inlined into it.
; CHECK-LABEL: define ptx_kernel void @doubles(
; CHECK-NEXT: call i32 @twice10()
define ptx_kernel void @doubles(ptr %p) {
  %x = call i32 @twice10()
  store i32 %x, ptr %p
  ret void
}
; CHECK: define internal i32 @twice8()
; CHECK-NOT: call i32 @twice
; CHECK: define internal i32 @twice9()
; CHECK-NEXT: call i32 @twice8()
define internal i32 @twice1() {
  %x = call i32 @id()
  %y = call i32 @id()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice2() {
  %x = call i32 @twice1()
  %y = call i32 @twice1()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice3() {
  %x = call i32 @twice2()
  %y = call i32 @twice2()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice4() {
  %x = call i32 @twice3()
  %y = call i32 @twice3()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice5() {
  %x = call i32 @twice4()
  %y = call i32 @twice4()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice6() {
  %x = call i32 @twice5()
  %y = call i32 @twice5()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice7() {
  %x = call i32 @twice6()
  %y = call i32 @twice6()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice8() {
  %x = call i32 @twice7()
  %y = call i32 @twice7()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice9() {
  %x = call i32 @twice8()
  %y = call i32 @twice8()
  %sum = add i32 %x, %y
  ret i32 %sum
}
define internal i32 @twice10() {
  %x = call i32 @twice9()
  %y = call i32 @twice9()
  %sum = add i32 %x, %y
  ret i32 %sum
}

; Of more than 128 instructions when LLVM has unrolled the loop.
; CHECK-LABEL: define internal i32 @large(
; CHECK-COUNT-40: store volatile
; CHECK-NOT: br i1
; CHECK: ret i32
define internal i32 @large(ptr %p) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi i32 [ %id, %entry ], [ %mixed, %loop ]
  %turned = mul i32 %x, %id
  %added = add i32 %turned, %id
  %mixed = xor i32 %added, %id
  store volatile i32 %mixed, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 40
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret i32 %mixed
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
