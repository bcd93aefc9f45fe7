; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=lower_samplers -S %s | FileCheck %s --implicit-check-not=__translate_sampler_initializer

declare ptr addrspace(4) @__translate_sampler_initializer(i32)
declare i32 @read(ptr addrspace(4))

; CHECK: define ptx_kernel void @k(i64 %s, ptr addrspace(4) %c)
; CHECK-NEXT: %[[SAMPLER:.*]] = inttoptr i64 %s to ptr addrspace(4)
; CHECK-NEXT: call i32 @read(ptr addrspace(4) %[[SAMPLER]])
; CHECK-NEXT: call i32 @read(ptr addrspace(4) %c)
define ptx_kernel void @k(ptr addrspace(4) align 8 %s, ptr addrspace(4) %c) !kernel_arg_base_type !0 {
  %x = call i32 @read(ptr addrspace(4) %s)
  %y = call i32 @read(ptr addrspace(4) %c)
  ret void
}

; CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR; CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST.
; CHECK-LABEL: @literals(
; CHECK-NEXT: call i32 @read(ptr addrspace(4) inttoptr (i64 14 to ptr addrspace(4)))
; CHECK-NEXT: call i32 @read(ptr addrspace(4) inttoptr (i64 1 to ptr addrspace(4)))
define void @literals() {
  %one = call ptr addrspace(4) @__translate_sampler_initializer(i32 39)
  %x = call i32 @read(ptr addrspace(4) %one)
  %other = call ptr addrspace(4) @__translate_sampler_initializer(i32 20)
  %y = call i32 @read(ptr addrspace(4) %other)
  ret void
}

; Nobody reads outside with CLK_ADDRESS_NONE; coordinates in texels do not repeat.
; CHECK-LABEL: @adjusted_literals(
; CHECK-NEXT: call i32 @read(ptr addrspace(4) inttoptr (i64 4 to ptr addrspace(4)))
; CHECK-NEXT: call i32 @read(ptr addrspace(4) null)
define void @adjusted_literals() {
  %one = call ptr addrspace(4) @__translate_sampler_initializer(i32 32)
  %x = call i32 @read(ptr addrspace(4) %one)
  %other = call ptr addrspace(4) @__translate_sampler_initializer(i32 22)
  %y = call i32 @read(ptr addrspace(4) %other)
  ret void
}

; CHECK: define ptx_kernel void @without(ptr addrspace(4) %c)
define ptx_kernel void @without(ptr addrspace(4) %c) !kernel_arg_base_type !1 {
  ret void
}

!0 = !{!"sampler_t", !"int*"}
!1 = !{!"int*"}
