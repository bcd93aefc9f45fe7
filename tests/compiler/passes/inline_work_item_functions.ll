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
