; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=choose_invariant_loads -S %s | FileCheck %s

; What the kernel only reads, outside of loops. The pointers are plain ones to the back end.
; CHECK-LABEL: define ptx_kernel void @straight(ptr addrspace(1) readonly "clcuda-distinct" %a, ptr addrspace(1) "clcuda-distinct" %b, ptr addrspace(1) noalias readonly %r)
; CHECK: load i32, ptr addrspace(1) %p, align 4, !invariant.load
; CHECK: load volatile i32, ptr addrspace(1) %p, align 4{{$}}
; CHECK: load i32, ptr addrspace(1) %b, align 4{{$}}
; CHECK: load i32, ptr addrspace(1) %r, align 4{{$}}
define ptx_kernel void @straight(ptr addrspace(1) noalias readonly "clcuda-distinct" %a, ptr addrspace(1) noalias "clcuda-distinct" %b, ptr addrspace(1) noalias readonly %r) {
  %p = getelementptr i32, ptr addrspace(1) %a, i64 3
  %v = load i32, ptr addrspace(1) %p, align 4
  %w = load volatile i32, ptr addrspace(1) %p, align 4
  %x = load i32, ptr addrspace(1) %b, align 4
  %y = load i32, ptr addrspace(1) %r, align 4
  store i32 %v, ptr addrspace(1) %b, align 4
  ret void
}

; A loop that writes, with few loads: those of several turns are under way together.
; CHECK-LABEL: define ptx_kernel void @few(
; CHECK-COUNT-8: load i32, ptr addrspace(1) %a, align 4, !invariant.load
; CHECK: ret void
define ptx_kernel void @few(ptr addrspace(1) noalias readonly "clcuda-distinct" %a, ptr addrspace(1) noalias "clcuda-distinct" %b, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v0 = load i32, ptr addrspace(1) %a, align 4
  %v1 = load i32, ptr addrspace(1) %a, align 4
  %v2 = load i32, ptr addrspace(1) %a, align 4
  %v3 = load i32, ptr addrspace(1) %a, align 4
  %v4 = load i32, ptr addrspace(1) %a, align 4
  %v5 = load i32, ptr addrspace(1) %a, align 4
  %v6 = load i32, ptr addrspace(1) %a, align 4
  %v7 = load i32, ptr addrspace(1) %a, align 4
  store i32 %v0, ptr addrspace(1) %b, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; With many of them, they stay where they are among the stores,
; CHECK-LABEL: define ptx_kernel void @many(
; CHECK-COUNT-9: load i32, ptr addrspace(1) %a, align 4{{$}}
; CHECK: ret void
define ptx_kernel void @many(ptr addrspace(1) noalias readonly "clcuda-distinct" %a, ptr addrspace(1) noalias "clcuda-distinct" %b, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v0 = load i32, ptr addrspace(1) %a, align 4
  %v1 = load i32, ptr addrspace(1) %a, align 4
  %v2 = load i32, ptr addrspace(1) %a, align 4
  %v3 = load i32, ptr addrspace(1) %a, align 4
  %v4 = load i32, ptr addrspace(1) %a, align 4
  %v5 = load i32, ptr addrspace(1) %a, align 4
  %v6 = load i32, ptr addrspace(1) %a, align 4
  %v7 = load i32, ptr addrspace(1) %a, align 4
  %v8 = load i32, ptr addrspace(1) %a, align 4
  store i32 %v0, ptr addrspace(1) %b, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; whatever writes.
; CHECK-LABEL: define ptx_kernel void @atomic(
; CHECK-COUNT-9: load i32, ptr addrspace(1) %a, align 4{{$}}
; CHECK: ret void
define ptx_kernel void @atomic(ptr addrspace(1) noalias readonly "clcuda-distinct" %a, ptr addrspace(1) noalias "clcuda-distinct" %b, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v0 = load i32, ptr addrspace(1) %a, align 4
  %v1 = load i32, ptr addrspace(1) %a, align 4
  %v2 = load i32, ptr addrspace(1) %a, align 4
  %v3 = load i32, ptr addrspace(1) %a, align 4
  %v4 = load i32, ptr addrspace(1) %a, align 4
  %v5 = load i32, ptr addrspace(1) %a, align 4
  %v6 = load i32, ptr addrspace(1) %a, align 4
  %v7 = load i32, ptr addrspace(1) %a, align 4
  %v8 = load i32, ptr addrspace(1) %a, align 4
  %o = atomicrmw add ptr addrspace(1) %b, i32 1 monotonic
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop that writes nothing keeps no order.
; CHECK-LABEL: define ptx_kernel void @reading(
; CHECK-COUNT-9: load i32, ptr addrspace(1) %a, align 4, !invariant.load
; CHECK: ret void
define ptx_kernel void @reading(ptr addrspace(1) noalias readonly "clcuda-distinct" %a, ptr addrspace(1) noalias "clcuda-distinct" %b, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v0 = load i32, ptr addrspace(1) %a, align 4
  %v1 = load i32, ptr addrspace(1) %a, align 4
  %v2 = load i32, ptr addrspace(1) %a, align 4
  %v3 = load i32, ptr addrspace(1) %a, align 4
  %v4 = load i32, ptr addrspace(1) %a, align 4
  %v5 = load i32, ptr addrspace(1) %a, align 4
  %v6 = load i32, ptr addrspace(1) %a, align 4
  %v7 = load i32, ptr addrspace(1) %a, align 4
  %v8 = load i32, ptr addrspace(1) %a, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Functions of the program do not know what they are called with.
; CHECK-LABEL: define void @function(ptr addrspace(1) noalias readonly "clcuda-distinct" %a)
; CHECK: load i32, ptr addrspace(1) %a, align 4{{$}}
define void @function(ptr addrspace(1) noalias readonly "clcuda-distinct" %a) {
  %v = load i32, ptr addrspace(1) %a, align 4
  ret void
}
