; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=unroll_convergent_loops -S %s | FileCheck %s

; The number of turns is the same for all work-items: four of them, and the rest.
; CHECK-LABEL: @of_sub_group(
; CHECK-COUNT-4: call i32 @llvm.nvvm.redux.sync.add(
; CHECK: br i1 %{{.*}}, label %loop, {{.*}}!llvm.loop
; CHECK: call i32 @llvm.nvvm.redux.sync.add(
; CHECK-NOT: call
; CHECK: ret i32
define ptx_kernel i32 @of_sub_group(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = phi i32 [ %x, %entry ], [ %sum, %loop ]
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 -1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum
}

; A barrier in a loop whose turns are counted: nothing is left over.
; CHECK-LABEL: @of_group(
; CHECK-COUNT-4: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @of_group(ptr addrspace(3) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %place = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %i, ptr addrspace(3) %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Whatever else it calls.
; CHECK-LABEL: @of_group_with_another_call(
; CHECK-COUNT-4: call i32 @other(
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @of_group_with_another_call(ptr addrspace(3) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %result = call i32 @other(i32 %i)
  %place = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %result, ptr addrspace(3) %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @not_to_be_duplicated(
; CHECK-COUNT-1: call i32 @other(
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @not_to_be_duplicated(ptr addrspace(3) %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %result = call i32 @other(i32 %i) noduplicate
  %place = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store i32 %result, ptr addrspace(3) %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Work-items leave this one in different turns.
; CHECK-LABEL: @divergent(
; CHECK-COUNT-1: call i32 @llvm.nvvm.redux.sync.add(
; CHECK-NOT: call
; CHECK: ret i32
define ptx_kernel i32 @divergent(i32 %x) {
entry:
  %n = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = phi i32 [ %x, %entry ], [ %sum, %loop ]
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 -1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %sum
}

; CHECK-LABEL: @of_several(
; CHECK-COUNT-2: call i32 @llvm.nvvm.redux.sync.{{add|and}}(
; CHECK-NOT: call
; CHECK: ret i32
define ptx_kernel i32 @of_several(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = phi i32 [ %x, %entry ], [ %both, %loop ]
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 -1)
  %both = call i32 @llvm.nvvm.redux.sync.and(i32 %sum, i32 -1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %both
}

; Nobody knows how often, and the call costs more than the loop.
; CHECK-LABEL: @with_another_call(
; CHECK-COUNT-1: call i32 @llvm.nvvm.redux.sync.add(
; CHECK-NOT: call i32 @llvm
; CHECK: ret i32
declare i32 @other(i32)
define ptx_kernel i32 @with_another_call(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = phi i32 [ %x, %entry ], [ %result, %loop ]
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 -1)
  %result = call i32 @other(i32 %sum)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %result
}

; A barrier, and nobody knows how often.
; CHECK-LABEL: @of_larger_loop(
; CHECK-COUNT-1: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: call
; CHECK: ret void
define ptx_kernel void @of_larger_loop(ptr addrspace(3) %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %place = getelementptr i32, ptr addrspace(3) %p, i32 %i
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  store volatile i32 %i, ptr addrspace(3) %place
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The program has said what it wants.
; CHECK-LABEL: @with_a_wish(
; CHECK-COUNT-1: call i32 @llvm.nvvm.redux.sync.add(
; CHECK-NOT: call
; CHECK: ret i32
define ptx_kernel i32 @with_a_wish(i32 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = phi i32 [ %x, %entry ], [ %sum, %loop ]
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %value, i32 -1)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret i32 %sum
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
