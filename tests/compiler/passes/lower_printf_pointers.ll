; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=lower_printf -S %s | FileCheck %s

; Any function may call @prints through its address, so how much a kernel prints is not known.
@format = private constant [3 x i8] c"%d\00"
@functions = constant [1 x ptr] [ptr @prints]

declare i32 @printf(ptr, ...)

define void @prints(i32 %x) {
  %result = call i32 (ptr, ...) @printf(ptr @format, i32 %x)
  ret void
}

; CHECK: define ptx_kernel void @k(i32 %x) #[[PRINTS:[0-9]+]]
define ptx_kernel void @k(i32 %x) {
  call void @prints(i32 %x)
  ret void
}

; CHECK: attributes #[[PRINTS]] = { "clcuda-printf"="0" }
