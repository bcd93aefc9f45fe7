; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=flatten_remainders -S %s | FileCheck %s

; Three turns at most, each with both loads; what a turn beyond the last brings is dropped.
; CHECK-LABEL: @gather(
; CHECK: loop:
; CHECK: %[[A:.*]] = load i32, ptr addrspace(1)
; CHECK: load i32, ptr addrspace(1)
; CHECK: icmp ule i32 1, %[[LAST:.*]]
; CHECK-COUNT-2: load i32, ptr addrspace(1)
; CHECK: select i1
; CHECK: icmp ule i32 2, %[[LAST]]
; CHECK-COUNT-2: load i32, ptr addrspace(1)
; CHECK: %[[SUM:.*]] = select i1
; CHECK-NOT: load
; CHECK: br label %end
; CHECK: ret i32 %[[SUM]]
define i32 @gather(ptr addrspace(1) %indices, ptr addrspace(1) %values, i32 %n) {
entry:
  %rest = and i32 %n, 3
  %some = icmp ne i32 %rest, 0
  br i1 %some, label %preheader, label %none
preheader:
  br label %loop
loop:
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %sum = phi i32 [ 0, %preheader ], [ %more, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %indices, i32 %i
  %index = load i32, ptr addrspace(1) %place
  %where = getelementptr i32, ptr addrspace(1) %values, i32 %index
  %value = load i32, ptr addrspace(1) %where
  %more = add i32 %sum, %value
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %rest
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
none:
  ret i32 0
}

; Sixteen turns at most.
; CHECK-LABEL: @of_many_turns(
; CHECK: br i1 %done, label %end, label %loop
define i32 @of_many_turns(ptr addrspace(1) %indices, ptr addrspace(1) %values, i32 %n) {
entry:
  %rest = and i32 %n, 15
  %some = icmp ne i32 %rest, 0
  br i1 %some, label %preheader, label %none
preheader:
  br label %loop
loop:
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %sum = phi i32 [ 0, %preheader ], [ %more, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %indices, i32 %i
  %index = load i32, ptr addrspace(1) %place
  %where = getelementptr i32, ptr addrspace(1) %values, i32 %index
  %value = load i32, ptr addrspace(1) %where
  %more = add i32 %sum, %value
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %rest
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
none:
  ret i32 0
}

; It does not read where to read.
; CHECK-LABEL: @in_a_row(
; CHECK: br i1 %done, label %end, label %loop
define i32 @in_a_row(ptr addrspace(1) %values, i32 %n) {
entry:
  %rest = and i32 %n, 3
  %some = icmp ne i32 %rest, 0
  br i1 %some, label %preheader, label %none
preheader:
  br label %loop
loop:
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %sum = phi i32 [ 0, %preheader ], [ %more, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %values, i32 %i
  %value = load i32, ptr addrspace(1) %place
  %more = add i32 %sum, %value
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %rest
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
none:
  ret i32 0
}

; CHECK-LABEL: @writes(
; CHECK: br i1 %done, label %end, label %loop
define void @writes(ptr addrspace(1) %indices, ptr addrspace(1) %values, i32 %n) {
entry:
  %rest = and i32 %n, 3
  %some = icmp ne i32 %rest, 0
  br i1 %some, label %preheader, label %end
preheader:
  br label %loop
loop:
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %indices, i32 %i
  %index = load i32, ptr addrspace(1) %place
  %where = getelementptr i32, ptr addrspace(1) %values, i32 %index
  %value = load i32, ptr addrspace(1) %where
  store i32 %value, ptr addrspace(1) %place
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %rest
  br i1 %done, label %end, label %loop
end:
  ret void
}

; CHECK-LABEL: @of_many_instructions(
; CHECK: br i1 %done, label %end, label %loop
define i32 @of_many_instructions(ptr addrspace(1) %indices, ptr addrspace(1) %values, i32 %n) {
entry:
  %rest = and i32 %n, 3
  %some = icmp ne i32 %rest, 0
  br i1 %some, label %preheader, label %none
preheader:
  br label %loop
loop:
  %i = phi i32 [ 0, %preheader ], [ %next, %loop ]
  %sum = phi i32 [ 0, %preheader ], [ %more, %loop ]
  %place = getelementptr i32, ptr addrspace(1) %indices, i32 %i
  %index = load i32, ptr addrspace(1) %place
  %where = getelementptr i32, ptr addrspace(1) %values, i32 %index
  %value = load i32, ptr addrspace(1) %where
  %v0 = xor i32 %value, %index
  %v1 = mul i32 %v0, %index
  %v2 = xor i32 %v1, %index
  %v3 = mul i32 %v2, %index
  %v4 = xor i32 %v3, %index
  %v5 = mul i32 %v4, %index
  %v6 = xor i32 %v5, %index
  %v7 = mul i32 %v6, %index
  %v8 = xor i32 %v7, %index
  %v9 = mul i32 %v8, %index
  %v10 = xor i32 %v9, %index
  %v11 = mul i32 %v10, %index
  %v12 = xor i32 %v11, %index
  %v13 = mul i32 %v12, %index
  %v14 = xor i32 %v13, %index
  %more = add i32 %sum, %v14
  %next = add nuw nsw i32 %i, 1
  %done = icmp eq i32 %next, %rest
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
none:
  ret i32 0
}
