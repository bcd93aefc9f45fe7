; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=arrange_branches -S %s | FileCheck %s

; CHECK-LABEL: @says_when_to_leave(
; CHECK: %[[MORE:.*]] = icmp ult i32 %next, %n
; CHECK-NEXT: br i1 %[[MORE]], label %loop, label %end
define void @says_when_to_leave(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %done = icmp uge i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The comparison has other uses.
; CHECK-LABEL: @used_again(
; CHECK: %done = icmp uge i32 %next, %n
; CHECK: %[[MORE:.*]] = xor i1 %done, true
; CHECK-NEXT: br i1 %[[MORE]], label %loop, label %end
define i1 @used_again(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %done = icmp uge i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i1 %done
}

; The end of a loop does not stand ahead of its beginning.
; CHECK-LABEL: @end_first(
; CHECK: {{^}}entry:
; CHECK: {{^}}loop:
; CHECK: {{^}}latch:
; CHECK: {{^}}end:
define void @end_first(i32 %n) {
entry:
  br label %loop
latch:
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %next = add i32 %i, 1
  br label %latch
end:
  ret void
}

; CHECK-LABEL: @rare(
; CHECK: br i1 %c, label %one, label %other{{$}}
define i32 @rare(i1 %c) {
  br i1 %c, label %one, label %other, !prof !0
one:
  ret i32 1
other:
  ret i32 2
}

; CHECK-LABEL: @ends_without_condition(
; CHECK: br i1 %done, label %end, label %latch
; CHECK: br label %loop
define void @ends_without_condition(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %next = add i32 %i, 1
  %done = icmp uge i32 %next, %n
  br i1 %done, label %end, label %latch
latch:
  br label %loop
end:
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 2000}
