; SPDX-License-Identifier: Apache-2.0
; Code that is linked with the device runtime: dynamic shared memory begins at a multiple of 16.
; RUN: clcuda-opt -passes=lower_local_arguments --variant=general -S %s | FileCheck %s

; CHECK: @__clcuda_dynamic_local = external addrspace(3) global [0 x i8], align 16

; CHECK-LABEL: define ptx_kernel void @wide(i32 %a, i32 %b)
; CHECK: %[[B:.*]] = getelementptr i8, ptr addrspace(3) %{{.*}}, i32 %b
; CHECK: %[[START:.*]] = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) @__clcuda_dynamic_local, i64 -128)
; CHECK: %[[A:.*]] = getelementptr i8, ptr addrspace(3) %[[START]], i32 %a
; CHECK: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[A]], i64 128) ]
; CHECK: ret void
define ptx_kernel void @wide(ptr addrspace(3) align 128 %a, ptr addrspace(3) align 4 %b) {
  store float 1.0, ptr addrspace(3) %a
  store float 1.0, ptr addrspace(3) %b
  ret void
}

; Needs no more than it gets.
; CHECK-LABEL: define ptx_kernel void @narrow(i32 %a) {
; CHECK: getelementptr inbounds i8, ptr addrspace(3) @__clcuda_dynamic_local, i32 %a
define ptx_kernel void @narrow(ptr addrspace(3) align 16 %a) {
  store float 1.0, ptr addrspace(3) %a
  ret void
}

; The offsets of a block's arguments lead to multiples of 128.
; CHECK-LABEL: define ptx_kernel void @block(i32 %a)
; CHECK: %[[C:.*]] = getelementptr inbounds i8, ptr addrspace(3) @__clcuda_dynamic_local, i32 %a
; CHECK: call void @llvm.assume(i1 true) [ "align"(ptr addrspace(3) %[[C]], i64 128) ]
define ptx_kernel void @block(ptr addrspace(3) %a) "clcuda-block" {
  store float 1.0, ptr addrspace(3) %a
  ret void
}

declare i32 @__cudaCDP2LaunchDeviceV2(ptr, ptr)
define i32 @launch(ptr %parameters) {
  %status = call i32 @__cudaCDP2LaunchDeviceV2(ptr %parameters, ptr null)
  ret i32 %status
}
