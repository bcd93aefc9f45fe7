; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=prove_full_masks -S %s | FileCheck %s

declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; All come to the beginning, and where ways have met again.
; CHECK-LABEL: @together(
; CHECK: store volatile i32 -1, ptr addrspace(1) %p
; CHECK: end:
; CHECK: store volatile i32 -1, ptr addrspace(1) %p
define ptx_kernel void @together(ptr addrspace(1) %p) {
  %first = call i32 @llvm.nvvm.activemask()
  store volatile i32 %first, ptr addrspace(1) %p
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br i1 %c, label %one, label %end
one:
  store volatile i32 3, ptr addrspace(1) %p
  br label %end
end:
  %last = call i32 @llvm.nvvm.activemask()
  store volatile i32 %last, ptr addrspace(1) %p
  ret void
}

; Behind a branch that is the same for all.
; CHECK-LABEL: @uniform(
; CHECK: store volatile i32 -1, ptr addrspace(1) %p
define ptx_kernel void @uniform(ptr addrspace(1) %p, i32 %n) {
  %c = icmp ult i32 %n, 7
  br i1 %c, label %one, label %end
one:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: @parted(
; CHECK: %mask = call i32 @llvm.nvvm.activemask()
define ptx_kernel void @parted(ptr addrspace(1) %p) {
  %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %id, 7
  br i1 %c, label %one, label %end
one:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; What work-items read at different times may be different.
; CHECK-LABEL: @by_volatile_load(
; CHECK: %mask = call i32 @llvm.nvvm.activemask()
define ptx_kernel void @by_volatile_load(ptr addrspace(1) %p) {
  %n = load volatile i32, ptr addrspace(1) %p
  %c = icmp ult i32 %n, 7
  br i1 %c, label %one, label %end
one:
  %mask = call i32 @llvm.nvvm.activemask()
  store volatile i32 %mask, ptr addrspace(1) %p
  br label %end
end:
  ret void
}

; Who comes to a function is not known.
; CHECK-LABEL: @function(
; CHECK: %mask = call i32 @llvm.nvvm.activemask()
define i32 @function() {
  %mask = call i32 @llvm.nvvm.activemask()
  ret i32 %mask
}
