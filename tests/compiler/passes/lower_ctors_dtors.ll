; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=lower_ctors_dtors -S %t/objects.ll | FileCheck %s --implicit-check-not=llvm.global_ctors
; RUN: clcuda-opt -passes=lower_ctors_dtors -S %t/without.ll | FileCheck %s --check-prefix=WITHOUT --implicit-check-not=__clcuda

;--- objects.ll
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @later, ptr null }, { i32, ptr, ptr } { i32 101, ptr @earlier, ptr null }]
declare i32 @atexit(ptr)

; CHECK-DAG: @__clcuda_latest_object = internal addrspace(1) global i32 0, align 4
; CHECK-DAG: @__clcuda_objects_before = internal addrspace(1) global [3 x i32] zeroinitializer, align 4

; A registration puts itself ahead of the latest one.
; CHECK: define internal void @later() #[[OWN:[0-9]+]] {
; CHECK: %[[BEFORE:.*]] = atomicrmw xchg ptr addrspace(1) @__clcuda_latest_object, i32 1 monotonic
; CHECK-NEXT: store i32 %[[BEFORE]], ptr addrspace(1) getelementptr ({{.*}}@__clcuda_objects_before, i{{[0-9]+}} {{.*}}1)
; CHECK-NEXT: ret void
define internal void @later() #0 {
  %result = call i32 @atexit(ptr @destroy_later)
  ret void
}
define internal ptx_kernel void @earlier() #0 {
  %result = call i32 @atexit(ptr @destroy_earlier)
  ret void
}
define internal void @destroy_later() {
  ret void
}
define internal void @destroy_earlier() {
  ret void
}

; By priority. A constructor that Clang made a kernel becomes a function.
; CHECK: define internal void @earlier()
; CHECK: define ptx_kernel void @__clcuda_initialize() #[[LIFE:[0-9]+]] {
; CHECK-NEXT: call void @earlier()
; CHECK-NEXT: call void @later()
; CHECK-NEXT: ret void

; CHECK: define ptx_kernel void @__clcuda_finalize() #{{[0-9]+}} {
; CHECK: %[[LATEST:.*]] = load i32, ptr addrspace(1) @__clcuda_latest_object
; CHECK: switch i32 %[[LATEST]], label %{{.*}} [
; CHECK-NEXT: i32 1, label %[[FIRST:.*]]
; CHECK-NEXT: i32 2, label %[[SECOND:.*]]
; CHECK: [[FIRST]]:
; CHECK-NEXT: call void @destroy_later()
; CHECK: [[SECOND]]:
; CHECK-NEXT: call void @destroy_earlier()
; CHECK: attributes #[[LIFE]] = { convergent "clcuda-life" }
attributes #0 = { convergent }

;--- without.ll
declare i32 @atexit(ptr)

; A function that the program computes is no object's.
; WITHOUT-LABEL: define void @f(ptr %g)
; WITHOUT: call i32 @atexit(ptr %g)
define void @f(ptr %g) {
  %result = call i32 @atexit(ptr %g)
  ret void
}
