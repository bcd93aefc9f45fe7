; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=reuse_counter_at_exit -S %s | FileCheck %s

; The counter is %n where it has reached its bound.
; CHECK-LABEL: @found(
; CHECK: %is_end = icmp uge i32 %next, %n
; CHECK: phi i32 [ %i, %loop ], [ %next, %latch ]
define i32 @found(ptr %p, i32 %n) {
entry:
  %is_empty = icmp eq i32 %n, 0
  br i1 %is_empty, label %none, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %place = getelementptr i32, ptr %p, i32 %i
  %value = load i32, ptr %place
  %is_found = icmp eq i32 %value, 7
  br i1 %is_found, label %end, label %latch
latch:
  %next = add nuw i32 %i, 1
  %is_end = icmp eq i32 %next, %n
  br i1 %is_end, label %end, label %loop
end:
  %result = phi i32 [ %i, %loop ], [ %n, %latch ]
  ret i32 %result
none:
  ret i32 0
}

; The other way round.
; CHECK-LABEL: @found_reversed(
; CHECK: %is_more = icmp ult i32 %next, %n
; CHECK: phi i32 [ %i, %loop ], [ %next, %latch ]
define i32 @found_reversed(ptr %p, i32 %n) {
entry:
  %is_empty = icmp eq i32 %n, 0
  br i1 %is_empty, label %none, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %place = getelementptr i32, ptr %p, i32 %i
  %value = load i32, ptr %place
  %is_found = icmp eq i32 %value, 7
  br i1 %is_found, label %end, label %latch
latch:
  %next = add nuw i32 %i, 1
  %is_more = icmp ne i32 %next, %n
  br i1 %is_more, label %loop, label %end
end:
  %result = phi i32 [ %i, %loop ], [ %n, %latch ]
  ret i32 %result
none:
  ret i32 0
}

; From %from, which may lie beyond %n.
; CHECK-LABEL: @beyond_its_bound(
; CHECK: %is_end = icmp eq i32 %next, %n
; CHECK: phi i32 [ %i, %loop ], [ %n, %latch ]
define i32 @beyond_its_bound(ptr %p, i32 %from, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %from, %entry ], [ %next, %latch ]
  %place = getelementptr i32, ptr %p, i32 %i
  %value = load i32, ptr %place
  %is_found = icmp eq i32 %value, 7
  br i1 %is_found, label %end, label %latch
latch:
  %next = add i32 %i, 1
  %is_end = icmp eq i32 %next, %n
  br i1 %is_end, label %end, label %loop
end:
  %result = phi i32 [ %i, %loop ], [ %n, %latch ]
  ret i32 %result
}

; The bound is not tested in turns that come by the other way.
; CHECK-LABEL: @not_in_every_turn(
; CHECK: %is_end = icmp eq i32 %next, %n
; CHECK: phi i32 [ %i, %loop ], [ %n, %test ]
define i32 @not_in_every_turn(ptr %p, i32 %n) {
entry:
  %is_empty = icmp eq i32 %n, 0
  br i1 %is_empty, label %none, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %place = getelementptr i32, ptr %p, i32 %i
  %value = load i32, ptr %place
  %next = add i32 %i, 1
  switch i32 %value, label %test [
    i32 7, label %end
    i32 8, label %latch
  ]
test:
  %is_end = icmp eq i32 %next, %n
  br i1 %is_end, label %end, label %latch
latch:
  br label %loop
end:
  %result = phi i32 [ %i, %loop ], [ %n, %test ]
  ret i32 %result
none:
  ret i32 0
}

; Nothing is left behind that the counter could take the place of.
; CHECK-LABEL: @without_counter(
; CHECK: %is_end = icmp eq i32 %next, %n
; CHECK: phi i32 [ 5, %loop ], [ %n, %latch ]
define i32 @without_counter(ptr %p, i32 %n) {
entry:
  %is_empty = icmp eq i32 %n, 0
  br i1 %is_empty, label %none, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %place = getelementptr i32, ptr %p, i32 %i
  %value = load i32, ptr %place
  %is_found = icmp eq i32 %value, 7
  br i1 %is_found, label %end, label %latch
latch:
  %next = add nuw i32 %i, 1
  %is_end = icmp eq i32 %next, %n
  br i1 %is_end, label %end, label %loop
end:
  %result = phi i32 [ 5, %loop ], [ %n, %latch ]
  ret i32 %result
none:
  ret i32 0
}
