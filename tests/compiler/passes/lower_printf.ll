; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=lower_printf -S %s | FileCheck %s

@format = private constant [6 x i8] c"%d %f\00"
@other = private constant [3 x i8] c"%d\00"

; No function calls a kernel through its address.
@kernels = constant [1 x ptr] [ptr @k]

declare i32 @printf(ptr, ...)

; A record of 8 bytes for each value behind its head; printf gives -1 where there is no room.
; CHECK: define ptx_kernel void @k({{.*}}) #[[PRINTS:[0-9]+]]
; CHECK: %[[RECORD:.*]] = call ptr addrspace(1) @__clcuda_printf_reserve(i32 24, i32 0)
; CHECK: %[[LOST:.*]] = icmp eq ptr addrspace(1) %[[RECORD]], null
; CHECK: %[[RESULT:.*]] = select i1 %[[LOST]], i32 -1, i32 0
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %{{.*}}, align 8
; CHECK: store double %{{.*}}, ptr addrspace(1) %{{.*}}, align 8
; CHECK: store i32 %[[RESULT]], ptr addrspace(1) %out
define ptx_kernel void @k(ptr addrspace(1) %out, i32 %x, float %y) {
  %wide = fpext float %y to double
  %result = call i32 (ptr, ...) @printf(ptr @format, i32 %x, double %wide)
  store i32 %result, ptr addrspace(1) %out
  ret void
}

; Either of two formats, by its number.
; CHECK-LABEL: define void @f(
; CHECK: %[[SECOND:.*]] = icmp eq ptr %chosen, @other
; CHECK: %[[NUMBER:.*]] = select i1 %[[SECOND]], i32 2, i32 1
; CHECK: call ptr addrspace(1) @__clcuda_printf_reserve(i32 16, i32 %[[NUMBER]])
define void @f(i1 %c) {
  %chosen = select i1 %c, ptr @format, ptr @other
  %result = call i32 (ptr, ...) @printf(ptr %chosen, i32 1)
  ret void
}

; CHECK: define ptx_kernel void @calls_f({{.*}}) #[[PRINTS_LESS:[0-9]+]]
define ptx_kernel void @calls_f(i1 %c) {
  call void @f(i1 %c)
  ret void
}

; How much it prints is not known.
; CHECK: define ptx_kernel void @calls_f_often({{.*}}) #[[PRINTS_ANY:[0-9]+]]
define ptx_kernel void @calls_f_often(i1 %c) {
entry:
  br label %again
again:
  call void @f(i1 %c)
  br i1 %c, label %again, label %end
end:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @prints_nothing() {
define ptx_kernel void @prints_nothing() {
  ret void
}

; CHECK: attributes #[[PRINTS]] = { "clcuda-printf"="24" }
; CHECK: attributes #[[PRINTS_LESS]] = { "clcuda-printf"="16" }
; CHECK: attributes #[[PRINTS_ANY]] = { "clcuda-printf"="0" }
; CHECK: !clcuda.printf-texts = !{![[FIRST:[0-9]+]], !{{[0-9]+}}, !{{[0-9]+}}}
; CHECK: ![[FIRST]] = !{!"id\0A%d %f"}
