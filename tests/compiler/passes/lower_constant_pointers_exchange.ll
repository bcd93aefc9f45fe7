; SPDX-License-Identifier: Apache-2.0
; What lower_constant_pointers asks of a program: whether a pointer to constant memory comes from outside, or goes there.
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/made_of_number.ll | FileCheck %s --implicit-check-not='addrspace(4)'
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/number_made.ll | FileCheck %s --implicit-check-not='addrspace(4)'
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/stored.ll | FileCheck %s --implicit-check-not='addrspace(4)'
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/copied.ll | FileCheck %s --implicit-check-not='addrspace(4)'
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/read_in_part.ll | FileCheck %s --implicit-check-not='addrspace(4)'
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/escapes.ll | FileCheck %s --implicit-check-not='addrspace(4)'
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/compared.ll | FileCheck %s --check-prefix=KEPT
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/beside.ll | FileCheck %s --check-prefix=KEPT
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/copied_variable.ll | FileCheck %s --check-prefix=KEPT
; CHECK: @table = internal addrspace(1) constant i32 3
; KEPT: @table = internal addrspace(4) constant i32 3

;--- made_of_number.ll
@table = internal addrspace(4) constant i32 3
define i32 @f(i64 %number) {
  %c = inttoptr i64 %number to ptr addrspace(4)
  %x = load i32, ptr addrspace(4) %c
  ret i32 %x
}

;--- number_made.ll
@table = internal addrspace(4) constant i32 3
define i64 @f(i1 %c, ptr addrspace(4) %p) {
  %chosen = select i1 %c, ptr addrspace(4) @table, ptr addrspace(4) %p
  %number = ptrtoint ptr addrspace(4) %chosen to i64
  %next = add i64 %number, 1
  ret i64 %next
}

;--- stored.ll
@table = internal addrspace(4) constant i32 3
define void @f(ptr addrspace(1) %p) {
  store ptr addrspace(4) @table, ptr addrspace(1) %p
  ret void
}

;--- copied.ll
@table = internal addrspace(4) constant i32 3
define void @f(ptr addrspace(1) %p) {
  %variable = alloca { i64, ptr addrspace(4) }
  %place = getelementptr i8, ptr %variable, i64 8
  store ptr addrspace(4) @table, ptr %place
  call void @llvm.memcpy.p1.p0.i64(ptr addrspace(1) %p, ptr %variable, i64 16, i1 false)
  ret void
}

;--- read_in_part.ll
@table = internal addrspace(4) constant i32 3
define i32 @f() {
  %variable = alloca ptr addrspace(4)
  store ptr addrspace(4) @table, ptr %variable
  %half = getelementptr i8, ptr %variable, i64 4
  %x = load i32, ptr %half
  ret i32 %x
}

;--- escapes.ll
@table = internal addrspace(4) constant i32 3
define void @f() {
  %variable = alloca ptr addrspace(4)
  store ptr addrspace(4) @table, ptr %variable
  call void @g(ptr %variable)
  ret void
}
declare void @g(ptr)

;--- compared.ll
; A difference and a comparison tell nobody where a pointer points.
@table = internal addrspace(4) constant i32 3
define i64 @f(ptr addrspace(4) %c, ptr addrspace(4) %d) {
  %one = ptrtoint ptr addrspace(4) %c to i64
  %other = ptrtoint ptr addrspace(4) %d to i64
  %difference = sub i64 %one, %other
  ret i64 %difference
}

;--- beside.ll
; The number lies beside the pointer.
@table = internal addrspace(4) constant i32 3
define i32 @f() {
  %variable = alloca { i32, ptr addrspace(4) }
  %place = getelementptr i8, ptr %variable, i64 8
  store ptr addrspace(4) @table, ptr %place
  %x = load i32, ptr %variable
  ret i32 %x
}

;--- copied_variable.ll
@table = internal addrspace(4) constant i32 3
define i32 @f() {
  %one = alloca ptr addrspace(4)
  %other = alloca ptr addrspace(4)
  store ptr addrspace(4) @table, ptr %one
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %one, i64 8, i1 false)
  %c = load ptr addrspace(4), ptr %other
  %x = load i32, ptr addrspace(4) %c
  ret i32 %x
}
