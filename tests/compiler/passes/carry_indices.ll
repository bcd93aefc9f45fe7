; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=carry_indices -S %s | FileCheck %s

; Planes of a volume: the cell's index grows by height * width.
; CHECK-LABEL: @planes(
; CHECK: entry:
; CHECK-DAG: [[STRIDE:%.+]] = mul i32 %{{height|width}}, %{{height|width}}
; CHECK: loop:
; CHECK: [[CARRIED:%.+]] = phi i32 [ [[START:%.+]], %entry ], [ [[NEXT:%.+]], %{{.+}} ]
; CHECK-NOT: mul
; CHECK: sext i32 [[CARRIED]] to i64
; CHECK: [[NEXT]] = add i32 [[CARRIED]], [[STRIDE]]
; CHECK: ret void
define void @planes(ptr addrspace(1) %a, i32 %width, i32 %height, i32 %i, i32 %j, i32 %depth, i1 %inside) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  br i1 %inside, label %access, label %latch
access:
  %row = mul nsw i32 %k, %height
  %line = add nsw i32 %row, %j
  %plane = mul nsw i32 %line, %width
  %cell = add nsw i32 %plane, %i
  %index = sext i32 %cell to i64
  %address = getelementptr float, ptr addrspace(1) %a, i64 %index
  store float 1.0, ptr addrspace(1) %address
  br label %latch
latch:
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %depth
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The same with indices of 64 bits, and a use of the index behind the loop.
; CHECK-LABEL: @wide(
; CHECK: [[CARRIED:%.+]] = phi i64 [ %i, %entry ]
; CHECK: getelementptr float, ptr addrspace(1) %a, i64 [[CARRIED]]
; CHECK: ret i64 [[CARRIED]]
define i64 @wide(ptr addrspace(1) %a, i64 %width, i64 %height, i64 %i, i64 %depth) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %row = mul i64 %k, %height
  %plane = mul i64 %row, %width
  %cell = add i64 %plane, %i
  %address = getelementptr float, ptr addrspace(1) %a, i64 %cell
  store float 1.0, ptr addrspace(1) %address
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %depth
  br i1 %more, label %loop, label %end
end:
  ret i64 %cell
}

; One multiplication, which the addition would replace.
; CHECK-LABEL: @column(
; CHECK: loop:
; CHECK: mul nsw i32 %k, %width
define void @column(ptr addrspace(1) %a, i32 %width, i32 %i, i32 %depth) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %row = mul nsw i32 %k, %width
  %cell = add nsw i32 %row, %i
  %index = sext i32 %cell to i64
  %address = getelementptr float, ptr addrspace(1) %a, i64 %index
  store float 1.0, ptr addrspace(1) %address
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %depth
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Not evenly.
; CHECK-LABEL: @squares(
; CHECK: loop:
; CHECK: mul i32
; CHECK: mul i32
define void @squares(ptr addrspace(1) %a, i32 %width, i32 %depth) {
entry:
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  %square = mul i32 %k, %k
  %cell = mul i32 %square, %width
  %index = sext i32 %cell to i64
  %address = getelementptr float, ptr addrspace(1) %a, i64 %index
  store float 1.0, ptr addrspace(1) %address
  %k.next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %depth
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Five indices of 64 bits take ten registers.
; CHECK-LABEL: @many(
; CHECK: loop:
; CHECK-COUNT-6: mul i64
define void @many(ptr addrspace(1) %a, i64 %w, i64 %h, i64 %i0, i64 %i1, i64 %i2, i64 %i3, i64 %i4, i64 %depth) {
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k.next, %loop ]
  %row = mul i64 %k, %h
  %l0 = add i64 %row, %i0
  %p0 = mul i64 %l0, %w
  %a0 = getelementptr float, ptr addrspace(1) %a, i64 %p0
  store float 1.0, ptr addrspace(1) %a0
  %l1 = add i64 %row, %i1
  %p1 = mul i64 %l1, %w
  %a1 = getelementptr float, ptr addrspace(1) %a, i64 %p1
  store float 1.0, ptr addrspace(1) %a1
  %l2 = add i64 %row, %i2
  %p2 = mul i64 %l2, %w
  %a2 = getelementptr float, ptr addrspace(1) %a, i64 %p2
  store float 1.0, ptr addrspace(1) %a2
  %l3 = add i64 %row, %i3
  %p3 = mul i64 %l3, %w
  %a3 = getelementptr float, ptr addrspace(1) %a, i64 %p3
  store float 1.0, ptr addrspace(1) %a3
  %l4 = add i64 %row, %i4
  %p4 = mul i64 %l4, %w
  %a4 = getelementptr float, ptr addrspace(1) %a, i64 %p4
  store float 1.0, ptr addrspace(1) %a4
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp slt i64 %k.next, %depth
  br i1 %more, label %loop, label %end
end:
  ret void
}
