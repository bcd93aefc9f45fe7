; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=lower_local_arguments -S %s | FileCheck %s --check-prefixes=CHECK,UNIFORM
; RUN: clcuda-opt -passes=lower_local_arguments --variant=general -S %s | FileCheck %s --check-prefixes=CHECK,GENERAL

; The most that an argument asks for.
; CHECK: @__clcuda_dynamic_local = external addrspace(3) global [0 x i8], align 64

; CHECK-LABEL: define ptx_kernel void @k(i32 %a, float %x, i32 %b)
; CHECK-DAG: %[[A:.*]] = getelementptr inbounds i8, ptr addrspace(3) @__clcuda_dynamic_local, i32 %a
; CHECK-DAG: %[[B:.*]] = getelementptr inbounds i8, ptr addrspace(3) @__clcuda_dynamic_local, i32 %b
; CHECK-DAG: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[A]], i64 64) ]
; UNIFORM-DAG: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[B]], i64 16) ]
; GENERAL-DAG: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[B]], i64 4) ]
; CHECK: store float %x, ptr addrspace(3) %[[A]]
; CHECK: store float %x, ptr addrspace(3) %[[B]]
define ptx_kernel void @k(ptr addrspace(3) align 64 %a, float %x, ptr addrspace(3) noalias align 4 %b) {
  store float %x, ptr addrspace(3) %a
  store float %x, ptr addrspace(3) %b
  ret void
}

; CHECK-LABEL: define ptx_kernel void @without(ptr addrspace(1) %a, i32 %n)
define ptx_kernel void @without(ptr addrspace(1) %a, i32 %n) {
  store i32 %n, ptr addrspace(1) %a
  ret void
}

; A function is given addresses.
; CHECK-LABEL: define void @f(ptr addrspace(3) %a)
define void @f(ptr addrspace(3) %a) {
  ret void
}
