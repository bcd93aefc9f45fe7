; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=mark_enqueuing_kernels -S %t/enqueues.ll | FileCheck %s
; RUN: clcuda-opt -passes=mark_enqueuing_kernels -S %t/prints.ll | FileCheck %s --check-prefix=PRINTS
; RUN: not clcuda-opt -passes=mark_enqueuing_kernels -S %t/refused.ll 2>&1 | FileCheck %s --check-prefix=REFUSED

;--- enqueues.ll
declare i32 @__enqueue_kernel_basic(ptr, i32)
declare ptr @_Z17create_user_eventv()
declare i32 @_Z16get_user_eventv()

; CHECK: define ptx_kernel void @enqueues() #[[ENQUEUES:[0-9]+]] {
define ptx_kernel void @enqueues() {
  call void @f()
  ret void
}
; CHECK: define void @f() {
define void @f() {
  %status = call i32 @__enqueue_kernel_basic(ptr null, i32 0)
  ret void
}
; CHECK: define ptx_kernel void @makes_event() #[[ENQUEUES]] {
define ptx_kernel void @makes_event() {
  %event = call ptr @_Z17create_user_eventv()
  ret void
}
; CHECK: define ptx_kernel void @does_not() {
define ptx_kernel void @does_not() {
  %number = call i32 @_Z16get_user_eventv()
  ret void
}
; CHECK: attributes #[[ENQUEUES]] = { "clcuda-enqueue" }

;--- prints.ll
declare i32 @__enqueue_kernel_basic(ptr, i32)

; PRINTS: define ptx_kernel void @enqueues() #[[ENQUEUES:[0-9]+]] {
define ptx_kernel void @enqueues() {
  %status = call i32 @__enqueue_kernel_basic(ptr null, i32 0)
  ret void
}
; PRINTS: define ptx_kernel void @does_not() {
define ptx_kernel void @does_not() {
  ret void
}
define internal ptx_kernel void @block(ptr %literal) "clcuda-block" "clcuda-printf" {
  ret void
}
; PRINTS: attributes #[[ENQUEUES]] = { "clcuda-enqueue" "clcuda-printf"="0" }

;--- refused.ll
; REFUSED: error: a block with more than 44 KB of local variables
define internal ptx_kernel void @block(ptr %literal) "clcuda-block" "clcuda-static-local-size"="46000" {
  ret void
}
