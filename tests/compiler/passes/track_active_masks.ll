; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=track_active_masks -S %s | FileCheck %s
; The same when LLVM's passes that it calls optional are left out, as in an optimisation that takes too long:
; RUN: clcuda-opt -passes=track_active_masks -opt-bisect-limit=0 -opt-bisect-verbose=0 -S %s | FileCheck %s

declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; They vote on their ways where they part: all that went to the branch, some of them to each side.
; CHECK-LABEL: @parted(
; CHECK: %c = icmp ult i32 %id, 7
; CHECK-DAG: %[[ONE:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
; CHECK-DAG: %[[NOT:.*]] = xor i1 %c, true
; CHECK-DAG: %[[OTHER:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %[[NOT]])
; CHECK: br i1 %c, label %one, label %other
; CHECK: one:
; CHECK-NEXT: store volatile i32 %[[ONE]], ptr addrspace(1) %p
; CHECK: other:
; CHECK-NEXT: store volatile i32 %[[OTHER]], ptr addrspace(1) %p
define ptx_kernel void @parted(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br i1 %c, label %one, label %other
one:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  br label %end
other:
  %rest = call i32 @llvm.nvvm.activemask()
  store volatile i32 %rest, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Where the ways have met, all that exist.
; CHECK-LABEL: @met_again(
; CHECK: end:
; CHECK-NEXT: %[[ALL:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
; CHECK-NEXT: store volatile i32 %[[ALL]], ptr addrspace(1) %p
define ptx_kernel void @met_again(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br i1 %c, label %one, label %end
one:
  store volatile i32 3, ptr addrspace(1) %p
  br label %end
end:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  ret void
}

; From turn to turn, fewer.
; CHECK-LABEL: @loop(
; CHECK: loop:
; CHECK-NEXT: %[[MASK:.*]] = phi i32 [ %[[ALL:.*]], %entry ], [ %[[LEFT:.*]], %loop ]
; CHECK: store volatile i32 %[[MASK]], ptr addrspace(1) %p
; CHECK: %[[LEFT]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 %[[MASK]], i1 %more)
define ptx_kernel void @loop(ptr addrspace(1) %p) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %id
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Behind either of two conditions: once control flow nests, masks are known here, too.
; CHECK-LABEL: @either(
; CHECK-NOT: activemask
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(
; CHECK-NOT: activemask
; CHECK: ret void
define ptx_kernel void @either(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br i1 %c, label %shared, label %second
second:
  %even = trunc i32 %id to i1
  br i1 %even, label %shared, label %end
shared:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: @left_by_two_ways(
; CHECK-NOT: activemask
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(
; CHECK-NOT: activemask
; CHECK: ret void
define ptx_kernel void @left_by_two_ways(ptr addrspace(1) %p) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %turn ]
  %next = add i32 %i, 1
  %found = icmp eq i32 %next, %id
  br i1 %found, label %early, label %turn
turn:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  %more = icmp ult i32 %next, 100
  br i1 %more, label %loop, label %end
early:
  %those = call i32 @llvm.nvvm.activemask()
  store volatile i32 %those, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: @fallen_through(
; CHECK-NOT: activemask
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(
; CHECK-NOT: activemask
; CHECK: ret void
define ptx_kernel void @fallen_through(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %id, label %end [
    i32 1, label %one
    i32 2, label %two
  ]
one:
  store volatile i32 1, ptr addrspace(1) %p
  br label %two
two:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A loop with two entries.
; CHECK-LABEL: @irreducible(
; CHECK-NOT: activemask
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(
; CHECK-NOT: activemask
; CHECK: ret void
define ptx_kernel void @irreducible(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br i1 %c, label %one, label %other
one:
  %x = load volatile i32, ptr addrspace(1) %p
  %to_other = icmp eq i32 %x, %id
  br i1 %to_other, label %other, label %end
other:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  %to_one = icmp eq i32 %mask, %id
  br i1 %to_one, label %one, label %end
end:
  ret void
}

; What does not end comes last, and those that go there are in no mask of the others.
; CHECK-LABEL: @beside_endless_loop(
; CHECK-NOT: activemask
; CHECK: %[[THOSE:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %[[COME:.*]])
; CHECK-NEXT: br i1 %[[COME]], label %rest, label
; CHECK: rest:
; CHECK-NEXT: store volatile i32 %[[THOSE]], ptr addrspace(1) %p
; CHECK-NOT: activemask
; CHECK: ret void
define ptx_kernel void @beside_endless_loop(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %id, label %rest [
    i32 1, label %endless
    i32 2, label %two
  ]
endless:
  store volatile i32 1, ptr addrspace(1) %p
  br label %endless
two:
  store volatile i32 2, ptr addrspace(1) %p
  br label %rest
rest:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  ret void
}

declare void @llvm.trap()
; CHECK-LABEL: @beside_trap(
; CHECK-NOT: activemask
; CHECK: %[[THOSE:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %[[COME:.*]])
; CHECK-NEXT: br i1 %[[COME]], label %rest, label
; CHECK: rest:
; CHECK-NEXT: store volatile i32 %[[THOSE]], ptr addrspace(1) %p
; CHECK-NOT: activemask
; CHECK: ret void
define ptx_kernel void @beside_trap(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %id, label %rest [
    i32 1, label %wrong
    i32 2, label %two
  ]
wrong:
  call void @llvm.trap()
  unreachable
two:
  store volatile i32 2, ptr addrspace(1) %p
  br label %rest
rest:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  ret void
}

; Within a loop that does not end.
; CHECK-LABEL: @in_endless_loop(
; CHECK-NOT: activemask
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(
; CHECK-NOT: activemask
; CHECK: ret void
define ptx_kernel void @in_endless_loop(ptr addrspace(1) %p) {
entry:
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  switch i32 %id, label %rest [
    i32 1, label %endless
    i32 2, label %either
  ]
endless:
  %i = phi i32 [ 0, %entry ], [ %i.2, %either ], [ %next, %endless ]
  %next = add i32 %i, 1
  %c = icmp eq i32 %next, %id
  br i1 %c, label %either, label %endless
either:
  %i.2 = phi i32 [ 7, %entry ], [ %next, %endless ]
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  br label %endless
rest:
  ret void
}

; CHECK-LABEL: @without(
; CHECK-NEXT: %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NEXT: %c = icmp ult i32 %id, 7
; CHECK-NEXT: br i1 %c, label %shared, label %second
define ptx_kernel void @without(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br i1 %c, label %shared, label %second
second:
  %even = trunc i32 %id to i1
  br i1 %even, label %shared, label %end
shared:
  store volatile i32 1, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; A function whose callers say who comes.
; CHECK-LABEL: @told(
; CHECK: %[[ONE:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 %active_mask, i1 %c)
; CHECK: one:
; CHECK-NEXT: %[[SUM:.*]] = add i32 %[[ONE]], %active_mask
; CHECK: ret i32 %active_mask
define i32 @told(i1 %c, ptr %p, i32 "clcuda-active-mask" %active_mask) {
  %first = call i32 @llvm.nvvm.activemask()
  br i1 %c, label %one, label %end
one:
  %mask = call i32 @llvm.nvvm.activemask()
  %sum = add i32 %mask, %first
  store volatile i32 %sum, ptr %p
  br label %end
end:
  %last = call i32 @llvm.nvvm.activemask()
  ret i32 %last
}

; Nobody says who comes.
; CHECK-LABEL: @function(
; CHECK: call i32 @llvm.nvvm.activemask()
define i32 @function() {
  %mask = call i32 @llvm.nvvm.activemask()
  ret i32 %mask
}
