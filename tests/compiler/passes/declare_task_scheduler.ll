; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=declare_task_scheduler -S %t/enqueues.ll | FileCheck %s
; RUN: clcuda-opt -passes=declare_task_scheduler -S %t/does_not.ll | FileCheck %s --check-prefix=NOT --implicit-check-not=__clcuda_run_tasks

;--- enqueues.ll
; CHECK: @llvm.used = appending global [1 x ptr] [ptr @__clcuda_run_tasks], section "llvm.metadata"
; CHECK: declare void @__clcuda_run_tasks(ptr addrspace(1))
declare i32 @_Z14enqueue_marker9ocl_queuejPK12ocl_clkeventP12ocl_clkevent(ptr, i32, ptr, ptr)
define ptx_kernel void @k() {
  %status = call i32 @_Z14enqueue_marker9ocl_queuejPK12ocl_clkeventP12ocl_clkevent(ptr null, i32 0, ptr null, ptr null)
  ret void
}

;--- does_not.ll
; Declared, but not called.
; NOT: define ptx_kernel void @k()
declare i32 @__enqueue_kernel_basic(ptr, i32)
define ptx_kernel void @k() {
  ret void
}
