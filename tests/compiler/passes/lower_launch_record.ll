; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=lower_launch_record -S %t/record.ll | FileCheck %s --implicit-check-not=@__clcuda_launch_record
; RUN: clcuda-opt -passes=lower_launch_record -S %t/without.ll | FileCheck %s --check-prefix=WITHOUT
; RUN: clcuda-opt -passes=lower_launch_record -S %t/pointers.ll | FileCheck %s --check-prefix=POINTERS
; RUN: clcuda-opt -passes=lower_launch_record -S %t/other_pointers.ll | FileCheck %s --check-prefix=OTHER

;--- record.ll
declare ptr @__clcuda_launch_record()

; Through any chain of calls.
; CHECK: define ptx_kernel void @k(ptr addrspace(1) %p, ptr noalias readonly byval([{{[0-9]+}} x i8]) align 8 "clcuda-launch-record" "nvvm.grid_constant" %launch_record)
; CHECK: %x = call i32 @f(i32 1, ptr %launch_record)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = call i32 @f(i32 1)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
; CHECK: define internal i32 @f(i32 %x, ptr noalias readonly align 8 "clcuda-launch-record" %launch_record)
; CHECK: tail call i32 @g(ptr %launch_record)
define internal i32 @f(i32 %x) {
  %y = tail call i32 @g()
  ret i32 %y
}
; CHECK: define internal i32 @g(ptr {{.*}}%launch_record)
; CHECK: load i32, ptr %launch_record
define internal i32 @g() {
  %record = call ptr @__clcuda_launch_record()
  %x = load i32, ptr %record
  ret i32 %x
}

; CHECK: define ptx_kernel void @without(ptr addrspace(1) %p) {
define ptx_kernel void @without(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

; Who enqueues a block does not know whether it needs the record.
; CHECK: define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal, ptr {{.*}}byval({{.*}}%launch_record)
define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal) "clcuda-block" {
  ret void
}

;--- without.ll
; WITHOUT: define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal) #{{[0-9]+}}
define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal) "clcuda-block" {
  ret void
}

;--- pointers.ll
; One of the functions that the call may reach needs the record: all get it, from every kernel.
declare ptr @__clcuda_launch_record()
@table = global [2 x ptr] [ptr @f, ptr @g]
; POINTERS: define internal i32 @f(ptr {{.*}}"clcuda-launch-record" %launch_record)
; POINTERS-NEXT: load i32, ptr %launch_record
define internal i32 @f() {
  %record = call ptr @__clcuda_launch_record()
  %x = load i32, ptr %record
  ret i32 %x
}
; POINTERS: define internal i32 @g(ptr {{.*}}"clcuda-launch-record" %launch_record)
define internal i32 @g() {
  ret i32 1
}
; POINTERS: define internal i32 @direct(i32 %x) {
define internal i32 @direct(i32 %x) {
  ret i32 %x
}
; POINTERS: define ptx_kernel void @k(ptr %p, ptr {{.*}}%launch_record)
; POINTERS: %x = call i32 %f(ptr %launch_record)
; POINTERS: %y = call i32 @f(ptr %launch_record)
; POINTERS: %z = call i32 @direct(i32 %x)
define ptx_kernel void @k(ptr %p) {
  %f = load ptr, ptr %p
  %x = call i32 %f()
  %y = call i32 @f()
  %z = call i32 @direct(i32 %x)
  ret void
}

;--- other_pointers.ll
declare ptr @__clcuda_launch_record()
@table = global ptr @g
; OTHER: define internal i32 @g() {
define internal i32 @g() {
  ret i32 1
}
; OTHER: define ptx_kernel void @k(ptr %p) {
; OTHER: call i32 %g()
define ptx_kernel void @k(ptr %p) {
  %g = load ptr, ptr %p
  %x = call i32 %g()
  ret void
}
define ptx_kernel void @other(ptr %p) {
  %record = call ptr @__clcuda_launch_record()
  ret void
}
