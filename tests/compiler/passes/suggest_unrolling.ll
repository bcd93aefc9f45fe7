; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=suggest_unrolling -S %s | FileCheck %s

; CHECK-LABEL: @of_unknown_count(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[UNKNOWN:[0-9]+]]
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

; A short loop that runs often: by eight.
; CHECK-LABEL: @many_trips(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[MANY:[0-9]+]]
define void @many_trips(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 256
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Where a load needs another one: by eight.
; CHECK-LABEL: @chained(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[CHAINED:[0-9]+]]
define i32 @chained(ptr %p, ptr %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %sum, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  %index = load i32, ptr %place
  %other = getelementptr i32, ptr %q, i32 %index
  %value = load i32, ptr %other
  %sum = add i32 %total, %value
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum
}

; Too few turns.
; CHECK-LABEL: @few_trips(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @few_trips(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @around_barrier(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @around_barrier(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Only the loop within.
; CHECK-LABEL: @nested(
; CHECK: br i1 %more_j, label %inner, label %behind, !llvm.loop
; CHECK: br i1 %more, label %outer, label %end{{$}}
define void @nested(ptr %p, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %next, %behind ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %next_j, %inner ]
  %place = getelementptr i32, ptr %p, i32 %j
  store i32 %i, ptr %place
  %next_j = add nuw nsw i32 %j, 1
  %more_j = icmp ult i32 %next_j, %n
  br i1 %more_j, label %inner, label %behind
behind:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %outer, label %end
end:
  ret void
}

; The program has said what it wants.
; CHECK-LABEL: @with_a_wish(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[WISH:[0-9]+]]
define void @with_a_wish(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; More than 60 instructions.
; CHECK-LABEL: @too_long(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define void @too_long(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr i32, ptr %p, i32 %i
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  store volatile i32 %i, ptr %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A known number of iterations, each of which reads what the next one reads: copies of up to 400 instructions.
; CHECK-LABEL: @window(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[WINDOW:[0-9]+]]
define i32 @window(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %sum.1, %loop ]
  %index = mul nuw nsw i32 %i, 8
  %place = getelementptr inbounds nuw i32, ptr %p, i32 %index
  %place.1 = getelementptr inbounds nuw i8, ptr %place, i32 32
  %x = load i32, ptr %place
  %sum = add i32 %total, %x
  %y = load i32, ptr %place.1
  %sum.1 = add i32 %sum, %y
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 24
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum.1
}

; More than 400.
; CHECK-LABEL: @long_window(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define i32 @long_window(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %sum.1, %loop ]
  %index = mul nuw nsw i32 %i, 8
  %place = getelementptr inbounds nuw i32, ptr %p, i32 %index
  %place.1 = getelementptr inbounds nuw i8, ptr %place, i32 32
  %x = load i32, ptr %place
  %sum = add i32 %total, %x
  %y = load i32, ptr %place.1
  %sum.1 = add i32 %sum, %y
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 24
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum.1
}

; Reads what the fourth iteration from there reads, which is in no copy.
; CHECK-LABEL: @distant_window(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define i32 @distant_window(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %sum.1, %loop ]
  %index = mul nuw nsw i32 %i, 2
  %place = getelementptr inbounds nuw i32, ptr %p, i32 %index
  %place.1 = getelementptr inbounds nuw i8, ptr %place, i32 32
  %x = load i32, ptr %place
  %sum = add i32 %total, %x
  %y = load i32, ptr %place.1
  %sum.1 = add i32 %sum, %y
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 24
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum.1
}

; Reads each element once.
; CHECK-LABEL: @no_window(
; CHECK: br i1 %more, label %loop, label %end{{$}}
define i32 @no_window(ptr %p, ptr %q) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi i32 [ 0, %entry ], [ %sum.1, %loop ]
  %index = mul nuw nsw i32 %i, 16
  %place = getelementptr inbounds nuw i32, ptr %p, i32 %index
  %place.1 = getelementptr inbounds nuw i8, ptr %place, i32 32
  %x = load i32, ptr %place
  %sum = add i32 %total, %x
  %y = load i32, ptr %place.1
  %sum.1 = add i32 %sum, %y
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  store volatile i32 %i, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 24
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum.1
}

; CHECK: ![[UNKNOWN]] = distinct !{![[UNKNOWN]], ![[FOUR:[0-9]+]], ![[UNROLLED:[0-9]+]]}
; CHECK: ![[FOUR]] = !{!"llvm.loop.unroll.count", i32 4}
; CHECK: ![[UNROLLED]] = !{!"llvm.loop.unroll.followup_unrolled"}
; CHECK: ![[MANY]] = distinct !{![[MANY]], ![[EIGHT:[0-9]+]], ![[REST:[0-9]+]]}
; CHECK: ![[EIGHT]] = !{!"llvm.loop.unroll.count", i32 8}
; CHECK: ![[REST]] = !{!"llvm.loop.unroll.followup_remainder"}
; CHECK: ![[CHAINED]] = distinct !{![[CHAINED]], ![[EIGHT]], ![[REST]]}
; CHECK: ![[WISH]] = distinct !{![[WISH]], ![[DISABLE:[0-9]+]]}
; CHECK: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
; CHECK: ![[WINDOW]] = distinct !{![[WINDOW]], ![[FOUR]], ![[UNROLLED]]}
