; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: not clcuda-opt -passes=check_program -S %t/refused.ll 2>&1 | FileCheck %s
; RUN: clcuda-opt -passes=check_program -S %t/accepted.ll | FileCheck %s --check-prefix=ACCEPTED

;--- refused.ll
; CHECK: error: the name '_Z3cosf' is reserved
; CHECK-NEXT: error: the name '__clcuda_task_size' is reserved
; CHECK-NEXT: error: the name '_Z3sinf' is reserved
; CHECK-NEXT: error: function 'k': long double is not supported
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
define ptx_kernel void @_Z3cosf(ptr %p) {
  ret void
}
define i32 @__clcuda_task_size() {
  ret i32 8
}
@_Z3sinf = addrspace(4) constant i32 8
!0 = !{i32 16}

;--- accepted.ll
declare i32 @__clcuda_task_size()
@other._Z3sinf = addrspace(4) constant i32 8
@_Z3cosf = internal constant i32 8
define float @_Z3sinf(float %x) {
  ret float %x
}
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
