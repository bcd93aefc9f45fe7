; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: not clcuda-opt -passes=check_program -S %t/refused.ll 2>&1 | FileCheck %s
; RUN: clcuda-opt -passes=check_program -S %t/accepted.ll | FileCheck %s --check-prefix=ACCEPTED

;--- refused.ll
; CHECK: error: function 'k': long double is not supported
; CHECK-NEXT: error: kernel 'k' requires sub-groups of 16; they have 32 work-items
; CHECK-NEXT: error: recursive call of function '{{one|other}}'
define ptx_kernel void @__clang_ocl_kern_imp_k(ptr %p) !intel_reqd_sub_group_size !0 {
  %x = load fp128, ptr %p
  call void @one()
  ret void
}
define void @one() {
  call void @other()
  ret void
}
define void @other() {
  call void @one()
  ret void
}
!0 = !{i32 16}

;--- accepted.ll
; ACCEPTED: define ptx_kernel void @k(
define ptx_kernel void @k(ptr %p) !intel_reqd_sub_group_size !0 {
  %x = load <4096 x i8>, ptr %p
  call void @one()
  ret void
}
define void @one() {
  ret void
}
!0 = !{i32 32}
