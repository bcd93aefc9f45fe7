; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=resolve_device_enqueue -S %t/small.ll | FileCheck %s
; RUN: clcuda-opt -passes=resolve_device_enqueue -S %t/large.ll | FileCheck %s --check-prefix=LARGE
; RUN: clcuda-opt -passes=resolve_device_enqueue -S %t/does_not_ask.ll | FileCheck %s --check-prefix=NOT

;--- small.ll
declare i64 @__clcuda_task_size()
declare i32 @__clcuda_must_divide()
declare i32 @__clcuda_detailed_errors()
declare ptr @__clcuda_task_scheduler()
declare void @__clcuda_run_tasks(ptr addrspace(1))

; No task takes less than 512 bytes. The kernel with groups of one size does not enqueue.
; CHECK-LABEL: @ask(
; CHECK-NEXT: store volatile i64 512, ptr %p
; CHECK-NEXT: store volatile i32 0, ptr %p
; CHECK-NEXT: store volatile i32 0, ptr %p
; CHECK-NEXT: store volatile ptr @__clcuda_run_tasks, ptr %p
define void @ask(ptr %p) {
  %size = call i64 @__clcuda_task_size()
  store volatile i64 %size, ptr %p
  %divide = call i32 @__clcuda_must_divide()
  store volatile i32 %divide, ptr %p
  %detailed = call i32 @__clcuda_detailed_errors()
  store volatile i32 %detailed, ptr %p
  %scheduler = call ptr @__clcuda_task_scheduler()
  store volatile ptr %scheduler, ptr %p
  ret void
}
define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal) "clcuda-block" {
  ret void
}
define ptx_kernel void @uniform() "uniform-work-group-size"="true" {
  ret void
}

;--- large.ll
declare i64 @__clcuda_task_size()
declare i32 @__clcuda_must_divide()
declare i32 @__clcuda_detailed_errors()

; Head (128 bytes), literal and local offset (3592), launch record (152), in a multiple of 64.
; LARGE-LABEL: @ask(
; LARGE-NEXT: store volatile i64 3904, ptr %p
; LARGE-NEXT: store volatile i32 1, ptr %p
; LARGE-NEXT: store volatile i32 1, ptr %p
; LARGE-NEXT: ret void
define void @ask(ptr %p) {
  %size = call i64 @__clcuda_task_size()
  store volatile i64 %size, ptr %p
  %divide = call i32 @__clcuda_must_divide()
  store volatile i32 %divide, ptr %p
  %detailed = call i32 @__clcuda_detailed_errors()
  store volatile i32 %detailed, ptr %p
  ret void
}
define internal ptx_kernel void @block(ptr byval([3584 x i8]) align 16 %literal, i32 %local) "clcuda-block" {
  ret void
}
define ptx_kernel void @uniform() "uniform-work-group-size"="true" "clcuda-enqueue" {
  ret void
}
!clcuda.detailed-enqueue-errors = !{}

;--- does_not_ask.ll
; NOT-LABEL: define ptx_kernel void @k()
; NOT-NEXT: ret void
define ptx_kernel void @k() {
  ret void
}
