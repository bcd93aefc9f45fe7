; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=nvptx_atomicrmw_order -S %s | FileCheck %s
; LLVM's own code, for which the pass is there: no fence, and the scope of the device.
; RUN: llc -mtriple=nvptx64-nvidia-nvidiacl -mcpu=sm_90 -mattr=+ptx83 %s -o - | FileCheck %s --check-prefix=LLVM

; CHECK-LABEL: @ordered(
; CHECK: fence syncscope("device") release
; CHECK-NEXT: %old = atomicrmw add ptr addrspace(1) %p, i32 %x syncscope("device") monotonic
; CHECK-NEXT: fence syncscope("device") acquire
; LLVM-LABEL: ordered(
; LLVM-NOT: fence
; LLVM: atom{{(\.relaxed)?(\.gpu)?}}.global.add.u32
; LLVM-NOT: fence
; LLVM: ret;
define i32 @ordered(ptr addrspace(1) %p, i32 %x) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 %x syncscope("device") acq_rel
  ret i32 %old
}

; CHECK-LABEL: @sequentially_consistent(
; CHECK: fence syncscope("device") seq_cst
; CHECK-NEXT: %old = atomicrmw xchg ptr addrspace(1) %p, i32 %x syncscope("device") monotonic
; CHECK-NEXT: fence syncscope("device") acquire
define i32 @sequentially_consistent(ptr addrspace(1) %p, i32 %x) {
  %old = atomicrmw xchg ptr addrspace(1) %p, i32 %x syncscope("device") seq_cst
  ret i32 %old
}

; CHECK-LABEL: @of_system_scope(
; CHECK: %[[OLD:.*]] = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p1(ptr addrspace(1) %p, i32 %x)
; CHECK-NEXT: ret i32 %[[OLD]]
define i32 @of_system_scope(ptr addrspace(1) %p, i32 %x) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 %x monotonic
  ret i32 %old
}

; There is no intrinsic for this one.
; CHECK-LABEL: @by_compare_exchange(
; CHECK: load atomic i32, ptr addrspace(1) %p monotonic
; CHECK: cmpxchg ptr addrspace(1) %p, i32 %{{.*}}, i32 %{{.*}} monotonic monotonic
define i32 @by_compare_exchange(ptr addrspace(1) %p, i32 %x) {
  %old = atomicrmw max ptr addrspace(1) %p, i32 %x monotonic
  ret i32 %old
}

; CHECK-LABEL: @relaxed(
; CHECK-NEXT: %old = atomicrmw add ptr addrspace(1) %p, i32 %x syncscope("device") monotonic
; CHECK-NEXT: ret i32 %old
define i32 @relaxed(ptr addrspace(1) %p, i32 %x) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 %x syncscope("device") monotonic
  ret i32 %old
}

; Nobody outside of the group sees local memory.
; CHECK-LABEL: @local(
; CHECK-NEXT: %old = atomicrmw max ptr addrspace(3) %p, i32 %x monotonic
; CHECK-NEXT: ret i32 %old
define i32 @local(ptr addrspace(3) %p, i32 %x) {
  %old = atomicrmw max ptr addrspace(3) %p, i32 %x monotonic
  ret i32 %old
}

; Of floating-point numbers by their bits.
; CHECK-LABEL: @of_a_float(
; CHECK: %[[SEEN:.*]] = phi i32
; CHECK: %[[OLD:.*]] = bitcast i32 %[[SEEN]] to float
; CHECK: %[[LEAST:.*]] = call float @llvm.minnum.f32(float %[[OLD]], float %x)
; CHECK: %[[WANTED:.*]] = bitcast float %[[LEAST]] to i32
; CHECK: cmpxchg ptr addrspace(1) %p, i32 %[[SEEN]], i32 %[[WANTED]]
define float @of_a_float(ptr addrspace(1) %p, float %x) {
  %old = atomicrmw fmin ptr addrspace(1) %p, float %x acquire
  ret float %old
}
