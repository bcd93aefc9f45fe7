; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=reduce_strides -S %s | FileCheck %s

; A column of a matrix, unrolled by two: one pointer, and no multiplication.
; CHECK-LABEL: @column(
; CHECK: [[P:%.+]] = phi ptr addrspace(1) [ {{%.+}}, %entry ], [ [[END:%.+]], %loop ]
; CHECK-NOT: mul
; CHECK: load float, ptr addrspace(1) [[P]]
; CHECK: [[P1:%.+]] = getelementptr i8, ptr addrspace(1) [[P]], i64 [[STRIDE:%.+]]
; CHECK: load float, ptr addrspace(1) [[P1]]
; CHECK: [[END]] = getelementptr i8, ptr addrspace(1) [[P1]], i64 [[STRIDE]]
define float @column(ptr addrspace(1) %a, i32 %n, i32 %k, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum.1, %loop ]
  %row = mul nsw i32 %i, %n
  %place = add nsw i32 %row, %k
  %index = sext i32 %place to i64
  %address = getelementptr float, ptr addrspace(1) %a, i64 %index
  %x = load float, ptr addrspace(1) %address
  %sum = fadd float %total, %x
  %i.1 = or disjoint i32 %i, 1
  %row.1 = mul nsw i32 %i.1, %n
  %place.1 = add nsw i32 %row.1, %k
  %index.1 = sext i32 %place.1 to i64
  %address.1 = getelementptr float, ptr addrspace(1) %a, i64 %index.1
  %y = load float, ptr addrspace(1) %address.1
  %sum.1 = fadd float %sum, %y
  %next = add nuw nsw i32 %i, 2
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret float %sum.1
}

; Accesses at a constant distance from a copy use its pointer.
; CHECK-LABEL: @pairs(
; CHECK: [[P:%.+]] = phi ptr addrspace(1)
; CHECK: load float, ptr addrspace(1) [[P]]
; CHECK: [[Q:%.+]] = getelementptr i8, ptr addrspace(1) [[P]], i64 4
; CHECK: load float, ptr addrspace(1) [[Q]]
; CHECK: [[P1:%.+]] = getelementptr i8, ptr addrspace(1) [[P]], i64 {{%.+}}
; CHECK: load float, ptr addrspace(1) [[P1]]
; CHECK: [[Q1:%.+]] = getelementptr i8, ptr addrspace(1) [[P1]], i64 4
; CHECK: load float, ptr addrspace(1) [[Q1]]
define float @pairs(ptr addrspace(1) %a, i64 %n, i64 %count) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum.3, %loop ]
  %row = mul nsw i64 %i, %n
  %address = getelementptr float, ptr addrspace(1) %a, i64 %row
  %x = load float, ptr addrspace(1) %address
  %sum = fadd float %total, %x
  %beside = add nsw i64 %row, 1
  %address.b = getelementptr float, ptr addrspace(1) %a, i64 %beside
  %y = load float, ptr addrspace(1) %address.b
  %sum.1 = fadd float %sum, %y
  %i.1 = or disjoint i64 %i, 1
  %row.1 = mul nsw i64 %i.1, %n
  %address.1 = getelementptr float, ptr addrspace(1) %a, i64 %row.1
  %z = load float, ptr addrspace(1) %address.1
  %sum.2 = fadd float %sum.1, %z
  %beside.1 = add nsw i64 %row.1, 1
  %address.1b = getelementptr float, ptr addrspace(1) %a, i64 %beside.1
  %w = load float, ptr addrspace(1) %address.1b
  %sum.3 = fadd float %sum.2, %w
  %next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret float %sum.3
}

; Indices that may wrap stay as they are: the sum of 32 bits is not that of 64.
; CHECK-LABEL: @wrapping(
; CHECK-NOT: phi ptr
; CHECK: ret float
define float @wrapping(ptr addrspace(1) %a, i32 %n, i32 %count) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum.1, %loop ]
  %row = mul i32 %i, %n
  %index = sext i32 %row to i64
  %address = getelementptr float, ptr addrspace(1) %a, i64 %index
  %x = load float, ptr addrspace(1) %address
  %sum = fadd float %total, %x
  %i.1 = or disjoint i32 %i, 1
  %row.1 = mul i32 %i.1, %n
  %index.1 = sext i32 %row.1 to i64
  %address.1 = getelementptr float, ptr addrspace(1) %a, i64 %index.1
  %y = load float, ptr addrspace(1) %address.1
  %sum.1 = fadd float %sum, %y
  %next = add nuw nsw i32 %i, 2
  %more = icmp slt i32 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret float %sum.1
}

; Nor an access that is not a copy of another one, nor one that only some iterations make, nor one that grows by a constant.
; CHECK-LABEL: @others(
; CHECK-NOT: phi ptr
; CHECK: ret void
define void @others(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, i64 %count, i1 %some) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %row = mul nsw i64 %i, %n
  %single = getelementptr float, ptr addrspace(1) %b, i64 %row
  store float 0.0, ptr addrspace(1) %single
  %even = getelementptr float, ptr addrspace(1) %a, i64 %i
  store float 1.0, ptr addrspace(1) %even
  %i.1 = or disjoint i64 %i, 1
  %odd = getelementptr float, ptr addrspace(1) %a, i64 %i.1
  store float 2.0, ptr addrspace(1) %odd
  br i1 %some, label %then, label %latch
then:
  %row.1 = mul nsw i64 %i.1, %n
  %address.1 = getelementptr float, ptr addrspace(1) %b, i64 %row.1
  store float 3.0, ptr addrspace(1) %address.1
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 2
  %more = icmp slt i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}
