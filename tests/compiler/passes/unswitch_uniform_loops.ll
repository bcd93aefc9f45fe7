; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=unswitch_uniform_loops -S %s | FileCheck %s

; One loop for each side of %c.
; CHECK-LABEL: @uniform(
; CHECK: %[[C:.*]] = freeze i1 %c
; CHECK-NEXT: br i1 %[[C]], label %[[ONE:.*]], label %[[OTHER:.*]]
; CHECK-DAG: br i1 true, label %double, label %latch
; CHECK-DAG: br i1 false, label %double.other, label %latch.other
; CHECK: ret void
define ptx_kernel void @uniform(ptr %p, i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %double, label %latch
double:
  %twice = mul i32 %i, 2
  br label %latch
latch:
  %value = phi i32 [ %i, %loop ], [ %twice, %double ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %value, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What the loop leaves behind comes from either.
; CHECK-LABEL: @with_result(
; CHECK: end:
; CHECK-NEXT: phi i32 [ %value, %latch ], [ %value.other, %latch.other ]
define ptx_kernel i32 @with_result(i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %total = phi i32 [ 0, %entry ], [ %value, %latch ]
  br i1 %c, label %double, label %latch
double:
  %twice = mul i32 %total, %i
  br label %latch
latch:
  %value = phi i32 [ %i, %loop ], [ %twice, %double ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %result = phi i32 [ %value, %latch ]
  ret i32 %result
}

; Work-items go different ways.
; CHECK-LABEL: @divergent(
; CHECK-NOT: .other
; CHECK: br i1 %c, label %double, label %latch
; CHECK-NOT: .other
; CHECK: ret void
define ptx_kernel void @divergent(ptr %p, i32 %n) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %double, label %latch
double:
  %twice = mul i32 %i, 2
  br label %latch
latch:
  %value = phi i32 [ %i, %loop ], [ %twice, %double ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %value, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The condition is another in each turn.
; CHECK-LABEL: @of_the_turn(
; CHECK-NOT: .other
; CHECK: br i1 %c, label %double, label %latch
; CHECK-NOT: .other
; CHECK: ret void
define ptx_kernel void @of_the_turn(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = icmp ult i32 %i, 7
  br i1 %c, label %double, label %latch
double:
  %twice = mul i32 %i, 2
  br label %latch
latch:
  %value = phi i32 [ %i, %loop ], [ %twice, %double ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %value, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Not in LCSSA form: %value is used outside as it is.
; CHECK-LABEL: @not_simplified(
; CHECK-NOT: .other
; CHECK: ret i32 %value
define ptx_kernel i32 @not_simplified(i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %total = phi i32 [ 0, %entry ], [ %value, %latch ]
  br i1 %c, label %double, label %latch
double:
  %twice = mul i32 %total, %i
  br label %latch
latch:
  %value = phi i32 [ %i, %loop ], [ %twice, %double ]
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %value
}

; More than 48 instructions.
; CHECK-LABEL: @too_long(
; CHECK-NOT: .other
; CHECK: br i1 %c, label %double, label %latch
; CHECK-NOT: .other
; CHECK: ret void
define ptx_kernel void @too_long(ptr %p, i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %double, label %latch
double:
  %twice = mul i32 %i, 2
  br label %latch
latch:
  %value = phi i32 [ %i, %loop ], [ %twice, %double ]
  %place = getelementptr i32, ptr %p, i32 %i
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  store volatile i32 %value, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
