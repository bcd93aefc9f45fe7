; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=align_arguments -S %s | FileCheck %s
; RUN: clcuda-opt -passes=align_arguments --variant=general -S %s | FileCheck %s --check-prefix=GENERAL

; Addresses of buffers only: no numbers, no local memory, nothing that is passed by value.
; CHECK: define ptx_kernel void @k(ptr addrspace(1) align 16 %a, ptr addrspace(4) align 16 %b, i64 %n, ptr addrspace(3) align 4 %l, ptr byval(i64) align 8 %v)
; GENERAL: define ptx_kernel void @k(ptr addrspace(1) align 4 %a, ptr addrspace(4) %b, i64 %n, ptr addrspace(3) align 4 %l, ptr byval(i64) align 8 %v)
define ptx_kernel void @k(ptr addrspace(1) align 4 %a, ptr addrspace(4) %b, i64 %n, ptr addrspace(3) align 4 %l, ptr byval(i64) align 8 %v) {
  ret void
}

; What is aligned to more stays so.
; CHECK: define ptx_kernel void @aligned(ptr addrspace(1) align 128 %a)
; GENERAL: define ptx_kernel void @aligned(ptr addrspace(1) align 128 %a)
define ptx_kernel void @aligned(ptr addrspace(1) align 128 %a) {
  ret void
}

; Functions may be given any address.
; CHECK: define void @f(ptr addrspace(1) align 4 %a)
define void @f(ptr addrspace(1) align 4 %a) {
  ret void
}
