; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=annotate_id_ranges -S %s | FileCheck %s --check-prefixes=CHECK,UNIFORM
; RUN: clcuda-opt -passes=annotate_id_ranges --variant=general -S %s | FileCheck %s --check-prefixes=CHECK,GENERAL

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

; The device's bounds.
; CHECK: define ptx_kernel void @k(ptr %p) {
; CHECK: call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; CHECK: call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: call range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
; CHECK: call range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
; CHECK: %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
define ptx_kernel void @k(ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store volatile i32 %x, ptr %p
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  store volatile i32 %z, ptr %p
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store volatile i32 %size, ptr %p
  %group = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  store volatile i32 %group, ptr %p
  %groups = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  store volatile i32 %groups, ptr %p
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  store volatile i32 %lane, ptr %p
  ret void
}

; Groups of the general variant may be smaller. In a dimension of size 1 there is one id.
; CHECK: define ptx_kernel void @required(ptr %p) #[[LARGE:[0-9]+]] !reqd_work_group_size
; UNIFORM: call range(i32 0, 512) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; UNIFORM: store volatile i32 0, ptr %p
; UNIFORM: store volatile i32 512, ptr %p
; GENERAL: call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; GENERAL: call range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.z()
; GENERAL: call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @required(ptr %p) !reqd_work_group_size !0 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store volatile i32 %x, ptr %p
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  store volatile i32 %z, ptr %p
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  store volatile i32 %size, ptr %p
  ret void
}

; A group of 256 fits whatever registers it takes: no directive.
; CHECK: define ptx_kernel void @small(ptr %p) !reqd_work_group_size
; UNIFORM: call range(i32 0, 256) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @small(ptr %p) !reqd_work_group_size !1 {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store volatile i32 %x, ptr %p
  ret void
}

; UNIFORM: attributes #[[LARGE]] = { "nvvm.reqntid"="512,1,1" }
; GENERAL: attributes #[[LARGE]] = { "nvvm.maxntid"="512,1,1" }
!0 = !{i32 512, i32 1, i32 1}
!1 = !{i32 256, i32 1, i32 1}
