; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=promote_uniform_addresses -S %s | FileCheck %s

; The second address is the first one's and a constant.
; CHECK: define ptx_kernel float @uniform({{.*}}) #[[CARRIED:[0-9]+]] {
; CHECK: loop:
; CHECK: %[[LOCAL:.*]] = phi ptr addrspace(3) [ %tile, %entry ], [ %[[NEXT:.*]], %loop ]
; CHECK-NOT: getelementptr float
; CHECK: load float, ptr addrspace(3) %[[LOCAL]]
; CHECK: %[[SECOND:.*]] = getelementptr i8, ptr addrspace(3) %[[LOCAL]], i64 128
; CHECK: load float, ptr addrspace(3) %[[SECOND]]
; CHECK: %[[NEXT]] = getelementptr i8, ptr addrspace(3) %[[LOCAL]], i64 4
; CHECK-NEXT: br i1 %more, label %loop, label %end
define ptx_kernel float @uniform(ptr addrspace(3) %tile, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum2, %loop ]
  %one = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %x = load float, ptr addrspace(3) %one
  %j = add nuw nsw i64 %i, 32
  %other = getelementptr float, ptr addrspace(3) %tile, i64 %j
  %y = load float, ptr addrspace(3) %other
  %sum = fadd float %total, %x
  %sum2 = fadd float %sum, %y
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %loop, label %end
end:
  ret float %sum2
}

; Each work-item has addresses of its own.
; CHECK: define ptx_kernel float @divergent({{.*}}) {
; CHECK-NOT: phi ptr
; CHECK: %one = getelementptr float, ptr addrspace(3) %row, i64 %i
; CHECK-NEXT: load float, ptr addrspace(3) %one
define ptx_kernel float @divergent(ptr addrspace(3) %tile) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = getelementptr [32 x float], ptr addrspace(3) %tile, i32 %id
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %one = getelementptr float, ptr addrspace(3) %row, i64 %i
  %x = load float, ptr addrspace(3) %one
  %sum = fadd float %total, %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %loop, label %end
end:
  ret float %sum
}

; CHECK: define ptx_kernel float @of_buffer({{.*}}) {
; CHECK-NOT: phi ptr
; CHECK: %one = getelementptr float, ptr addrspace(1) %tile, i64 %i
; CHECK-NEXT: load float, ptr addrspace(1) %one
define ptx_kernel float @of_buffer(ptr addrspace(1) %tile) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %one = getelementptr float, ptr addrspace(1) %tile, i64 %i
  %x = load float, ptr addrspace(1) %one
  %sum = fadd float %total, %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %loop, label %end
end:
  ret float %sum
}

; Only in the loop within.
; CHECK: define ptx_kernel float @in_outer_loop({{.*}}) {
; CHECK: %one = getelementptr float, ptr addrspace(3) %tile, i64 %i
; CHECK-NEXT: load float, ptr addrspace(3) %one
define ptx_kernel float @in_outer_loop(ptr addrspace(3) %tile, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %next, %behind ]
  %total = phi float [ 0.0, %entry ], [ %scaled, %behind ]
  %one = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %x = load float, ptr addrspace(3) %one
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %next_j, %inner ]
  %power = phi float [ %total, %outer ], [ %scaled, %inner ]
  %scaled = fmul float %power, %x
  %next_j = add nuw nsw i32 %j, 1
  %more_j = icmp slt i32 %next_j, %n
  br i1 %more_j, label %inner, label %behind
behind:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %outer, label %end
end:
  ret float %scaled
}

; Steps that are no constant.
; CHECK: define ptx_kernel float @by_any_step({{.*}}) {
; CHECK-NOT: phi ptr
; CHECK: %one = getelementptr float, ptr addrspace(3) %tile, i64 %i
define ptx_kernel float @by_any_step(ptr addrspace(3) %tile, i64 %step) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %one = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %x = load float, ptr addrspace(3) %one
  %sum = fadd float %total, %x
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, 32
  br i1 %more, label %loop, label %end
end:
  ret float %sum
}

; CHECK: attributes #[[CARRIED]] = { "clcuda-carried-addresses" }
