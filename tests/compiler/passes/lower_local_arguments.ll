; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=lower_local_arguments -S %s | FileCheck %s --check-prefixes=CHECK,UNIFORM
; RUN: clcuda-opt -passes=lower_local_arguments --variant=general -S %s | FileCheck %s --check-prefixes=CHECK,GENERAL

; Whatever arguments ask for.
; CHECK: @__clcuda_dynamic_local = external addrspace(3) global [0 x i8], align 16

; CHECK-LABEL: define ptx_kernel void @k(i32 %a, float %x, i32 %b)
; Counted from one address.
; CHECK: %[[START_B:.*]] = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) @__clcuda_dynamic_local, i64 -64)
; CHECK: %[[B:.*]] = getelementptr i8, ptr addrspace(3) %[[START_B]], i32 %b
; UNIFORM: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[B]], i64 16) ]
; GENERAL: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[B]], i64 4) ]
; CHECK: %[[START:.*]] = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) @__clcuda_dynamic_local, i64 -64)
; CHECK: %[[A:.*]] = getelementptr i8, ptr addrspace(3) %[[START]], i32 %a
; CHECK: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[A]], i64 64) ]
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

; What a block's arguments point to is not known.
; CHECK-LABEL: define ptx_kernel void @block(i32 %a)
; CHECK: call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) @__clcuda_dynamic_local, i64 -128)
; CHECK: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %{{.*}}, i64 128) ]
define ptx_kernel void @block(ptr addrspace(3) %a) "clcuda-block" {
  store float 1.0, ptr addrspace(3) %a
  ret void
}

; CHECK-LABEL: define ptx_kernel void @narrow(i32 %a)
; CHECK: getelementptr inbounds i8, ptr addrspace(3) @__clcuda_dynamic_local, i32 %a
define ptx_kernel void @narrow(ptr addrspace(3) align 16 %a) {
  store float 1.0, ptr addrspace(3) %a
  ret void
}
