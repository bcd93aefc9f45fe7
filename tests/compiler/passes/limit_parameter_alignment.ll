; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=limit_parameter_alignment -S %s | FileCheck %s

; By its type, or by what is said of it.
; CHECK: define ptx_kernel void @k(<8 x i32> alignstack(16) %a, ptr byval(<8 x i32>) align 16 alignstack(16) %b, ptr byval(i32) align 16 alignstack(16) %c)
define ptx_kernel void @k(<8 x i32> %a, ptr byval(<8 x i32>) align 32 %b, ptr byval(i32) align 64 %c) {
  ret void
}

; CHECK: define ptx_kernel void @small(<4 x i32> %a, ptr byval(i64) align 8 %b, ptr addrspace(1) align 128 %c)
define ptx_kernel void @small(<4 x i32> %a, ptr byval(i64) align 8 %b, ptr addrspace(1) align 128 %c) {
  ret void
}

; CHECK: define void @f(<8 x i32> %a)
define void @f(<8 x i32> %a) {
  ret void
}
