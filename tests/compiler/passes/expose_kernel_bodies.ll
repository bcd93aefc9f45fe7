; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=expose_kernel_bodies -S %s | FileCheck %s
; RUN: clcuda-opt -passes=expose_kernel_bodies,always-inline -S %s | FileCheck %s --check-prefix=INLINED

$f = comdat any

; CHECK: define ptx_kernel void @k(
; INLINED: define ptx_kernel void @k(ptr %p)
; INLINED-NEXT: store i32 1, ptr %p
define weak ptx_kernel void @k(ptr %p) {
  call void @__clang_ocl_kern_imp_k(ptr %p)
  ret void
}

; CHECK: define internal void @__clang_ocl_kern_imp_k(ptr %p) #[[BODY:[0-9]+]] {
define void @__clang_ocl_kern_imp_k(ptr %p) noinline {
  store i32 1, ptr %p
  ret void
}

; CHECK: define internal void @f() #[[F:[0-9]+]] {
define linkonce_odr void @f() noinline comdat {
  ret void
}

; CHECK: declare void @__clang_ocl_kern_imp_elsewhere() #[[F]]
declare void @__clang_ocl_kern_imp_elsewhere() noinline

; CHECK: attributes #[[BODY]] = { alwaysinline }
; CHECK: attributes #[[F]] = { noinline }
