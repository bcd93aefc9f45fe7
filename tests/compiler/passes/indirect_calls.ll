; SPDX-License-Identifier: Apache-2.0
; Passes that follow calls from functions to kernels follow those through pointers (src/compiler/passes/indirect_calls.h): every kernel that
; calls a pointer may reach @prints, @enqueues and @shares.
; RUN: clcuda-opt -passes=lower_printf -S %s | FileCheck %s --check-prefix=PRINTF
; RUN: clcuda-opt -passes=mark_enqueuing_kernels -S %s | FileCheck %s --check-prefix=ENQUEUE
; RUN: clcuda-opt -passes=clear_local_variables -S %s | FileCheck %s --check-prefix=CLEAR
; RUN: clcuda-opt -passes=place_local_variables -S %s | FileCheck %s --check-prefix=PLACE

@format = private constant [3 x i8] c"%d\00"
@shared = internal addrspace(3) global [50000 x i8] zeroinitializer
@table = global [3 x ptr] [ptr @prints, ptr @enqueues, ptr @shares]
declare i32 @printf(ptr, ...)
declare i32 @__enqueue_kernel_basic(ptr, i32)

define void @prints() {
  %result = call i32 (ptr, ...) @printf(ptr @format, i32 1)
  ret void
}
define void @enqueues() {
  %status = call i32 @__enqueue_kernel_basic(ptr null, i32 0)
  ret void
}
define void @shares() {
  store i8 1, ptr addrspace(3) @shared
  ret void
}
define void @calls(ptr %f) {
  call void %f()
  ret void
}
; How often it prints is not known.
; PRINTF: define ptx_kernel void @through(ptr %f) #[[THROUGH:[0-9]+]]
; ENQUEUE: define ptx_kernel void @through(ptr %f) #[[THROUGH:[0-9]+]]
; CLEAR: define ptx_kernel void @through(
; CLEAR-NEXT: call i64 @_Z19get_local_linear_idv()
; PLACE: define ptx_kernel void @through(ptr %f) #[[THROUGH:[0-9]+]]
define ptx_kernel void @through(ptr %f) {
  call void @calls(ptr %f)
  ret void
}
; PRINTF: define ptx_kernel void @without(ptr %f) {
; ENQUEUE: define ptx_kernel void @without(ptr %f) {
; CLEAR: define ptx_kernel void @without(ptr %f) {
; CLEAR-NEXT: ret void
; PLACE: define ptx_kernel void @without(ptr %f) {
define ptx_kernel void @without(ptr %f) {
  ret void
}
; PRINTF: attributes #[[THROUGH]] = { "clcuda-printf"="0" }
; ENQUEUE: attributes #[[THROUGH]] = { "clcuda-enqueue" }
; PLACE: attributes #[[THROUGH]] = { "clcuda-static-local-size"="50000" }
