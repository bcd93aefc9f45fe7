; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes='loop(suggest_full_unrolling)' -S %s | FileCheck %s

; CHECK-LABEL: @counted(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[FULL:[0-9]+]]
define void @counted(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @of_unknown_count(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @of_unknown_count(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; More than 700 instructions in all.
; CHECK-LABEL: @too_long(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @too_long(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 200
  br i1 %more, label %loop, label %end
end:
  ret void
}

; 2^32 + 2 of them.
; CHECK-LABEL: @far_too_long(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @far_too_long(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 715827883
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The program has said what it wants.
; CHECK-LABEL: @with_a_wish(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[WISH:[0-9]+]]
define void @with_a_wish(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 16
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; CHECK: ![[FULL]] = distinct !{![[FULL]], ![[UNROLL:[0-9]+]]}
; CHECK: ![[UNROLL]] = !{!"llvm.loop.unroll.full"{{.*}}}
; CHECK: ![[WISH]] = distinct !{![[WISH]], ![[DISABLE:[0-9]+]]}
; CHECK: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
