; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=rematerialize_ids -S %s | FileCheck %s

; Behind the loop %place is made again, from the registers on.
; CHECK-LABEL: @behind_loop(
; CHECK: end:
; CHECK: %[[TID:.*]] = call i32 asm sideeffect "mov.u32 \09$0, %tid.x;", "=r"()
; CHECK: %[[ID:.*]] = add i32 {{.*}}%[[TID]]
; CHECK: %[[WIDE:.*]] = zext i32 %[[ID]] to i64
; CHECK: %[[PLACE:.*]] = getelementptr float, ptr addrspace(1) %p, i64 %[[WIDE]]
; CHECK: store float %sum, ptr addrspace(1) %[[PLACE]]
define ptx_kernel void @behind_loop(ptr addrspace(1) %p, i32 %n) "clcuda-carried-addresses" {
entry:
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %group, %size
  %id = add i32 %local, %first
  %wide = zext i32 %id to i64
  %place = getelementptr float, ptr addrspace(1) %p, i64 %wide
  %start = load float, ptr addrspace(1) %place
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ %start, %entry ], [ %sum, %loop ]
  %sum = fadd float %total, 1.5
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum, ptr addrspace(1) %place
  ret void
}

; Two places behind one loop share what they have in common.
; CHECK-LABEL: @two_places(
; CHECK: end:
; CHECK-NEXT: %[[TID:.*]] = call i32 asm sideeffect "mov.u32 \09$0, %tid.x;", "=r"()
; CHECK-NEXT: %[[FIRST:.*]] = getelementptr float, ptr addrspace(1) %p, i32 %[[TID]]
; CHECK-NEXT: %[[SECOND:.*]] = getelementptr float, ptr addrspace(1) %q, i32 %[[TID]]
; CHECK-NEXT: store float %sum, ptr addrspace(1) %[[FIRST]]
; CHECK-NEXT: store float %sum, ptr addrspace(1) %[[SECOND]]
define ptx_kernel void @two_places(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) "clcuda-carried-addresses" {
entry:
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = getelementptr float, ptr addrspace(1) %p, i32 %local
  %second = getelementptr float, ptr addrspace(1) %q, i32 %local
  %start = load float, ptr addrspace(1) %first
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ %start, %entry ], [ %sum, %loop ]
  %sum = fadd float %total, 1.5
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum, ptr addrspace(1) %first
  store float %sum, ptr addrspace(1) %second
  ret void
}

; Ten instructions, and eleven.
; CHECK-LABEL: @made_of_ten(
; CHECK: end:
; CHECK-NEXT: call i32 asm
define ptx_kernel void @made_of_ten(ptr addrspace(1) %p, i32 %n) "clcuda-carried-addresses" {
entry:
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a0 = add i32 %local, 3
  %a1 = mul i32 %a0, 4
  %a2 = add i32 %a1, 5
  %a3 = mul i32 %a2, 6
  %a4 = add i32 %a3, 7
  %a5 = mul i32 %a4, 8
  %a6 = add i32 %a5, 9
  %a7 = mul i32 %a6, 10
  %place = getelementptr float, ptr addrspace(1) %p, i32 %a7
  %start = load float, ptr addrspace(1) %place
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ %start, %entry ], [ %sum, %loop ]
  %sum = fadd float %total, 1.5
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum, ptr addrspace(1) %place
  ret void
}

; CHECK-LABEL: @made_of_eleven(
; CHECK: end:
; CHECK-NEXT: store float %sum, ptr addrspace(1) %place
define ptx_kernel void @made_of_eleven(ptr addrspace(1) %p, i32 %n) "clcuda-carried-addresses" {
entry:
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a0 = add i32 %local, 3
  %a1 = mul i32 %a0, 4
  %a2 = add i32 %a1, 5
  %a3 = mul i32 %a2, 6
  %a4 = add i32 %a3, 7
  %a5 = mul i32 %a4, 8
  %a6 = add i32 %a5, 9
  %a7 = mul i32 %a6, 10
  %a8 = add i32 %a7, 11
  %place = getelementptr float, ptr addrspace(1) %p, i32 %a8
  %start = load float, ptr addrspace(1) %place
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ %start, %entry ], [ %sum, %loop ]
  %sum = fadd float %total, 1.5
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum, ptr addrspace(1) %place
  ret void
}

; No addresses are carried along.
; CHECK-LABEL: @without_addresses(
; CHECK-NOT: asm
; CHECK: end:
; CHECK-NEXT: store float %sum, ptr addrspace(1) %place
define ptx_kernel void @without_addresses(ptr addrspace(1) %p, i32 %n) {
entry:
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %local to i64
  %place = getelementptr float, ptr addrspace(1) %p, i64 %wide
  %start = load float, ptr addrspace(1) %place
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ %start, %entry ], [ %sum, %loop ]
  %sum = fadd float %total, 1.5
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %sum, ptr addrspace(1) %place
  ret void
}

; What is loaded is not cheap, and %offset is made of no id.
; CHECK-LABEL: @of_something_else(
; CHECK-NOT: asm
; CHECK: end:
; CHECK-NEXT: %place = getelementptr float, ptr addrspace(1) %p, i64 %offset
; CHECK-NEXT: store float %start, ptr addrspace(1) %place
define ptx_kernel void @of_something_else(ptr addrspace(1) %p, i32 %n) "clcuda-carried-addresses" {
entry:
  %offset = zext i32 %n to i64
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %local
  %start = load float, ptr addrspace(1) %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %place = getelementptr float, ptr addrspace(1) %p, i64 %offset
  store float %start, ptr addrspace(1) %place
  ret void
}

; On the way past the loop nothing is held through it.
; CHECK-LABEL: @past_loop(
; CHECK-NOT: asm
; CHECK: past:
; CHECK-NEXT: store i32 %n, ptr addrspace(1) %place
define ptx_kernel void @past_loop(ptr addrspace(1) %p, i32 %n) "clcuda-carried-addresses" {
entry:
  %local = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %place = getelementptr i32, ptr addrspace(1) %p, i32 %local
  %some = icmp ugt i32 %n, 7
  br i1 %some, label %loop, label %past
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
past:
  store i32 %n, ptr addrspace(1) %place
  ret void
end:
  ret void
}
