; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/argument.ll | FileCheck %s --implicit-check-not='addrspace(4)'
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/from_buffer.ll | FileCheck %s --check-prefix=FOUND
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/large.ll | FileCheck %s --check-prefix=LARGE
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/padded.ll | FileCheck %s --check-prefix=PADDED
; RUN: clcuda-opt -passes=lower_constant_pointers -S %t/own_constants.ll | FileCheck %s --check-prefix=OWN

;--- argument.ll
; One such argument, and no constant of the program stays in the bank.
; CHECK-DAG: @table = internal addrspace(1) constant [2 x i32] [i32 3, i32 4]
; CHECK-DAG: @pointers = internal addrspace(1) constant { i32, ptr addrspace(1) } { i32 1, ptr addrspace(1) @table }
; A table of functions whose type changes keeps them.
; CHECK-DAG: @functions = internal addrspace(1) global [1 x ptr] [ptr @f]
@functions = internal addrspace(1) global [1 x ptr] [ptr @f]
@table = internal addrspace(4) constant [2 x i32] [i32 3, i32 4]
@pointers = internal addrspace(4) constant { i32, ptr addrspace(4) } { i32 1, ptr addrspace(4) @table }

; CHECK: define ptx_kernel void @k(ptr addrspace(1) %c, ptr addrspace(1) %p)
; CHECK-NEXT: %x = load i32, ptr addrspace(1) %c, align 4, !invariant.load
; CHECK-NEXT: %y = call i32 @f(ptr addrspace(1) @table)
; CHECK-NEXT: %z = load i32, ptr addrspace(1) %p, align 4{{$}}
; CHECK-NEXT: call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %p, ptr addrspace(1) %c, i64 64, i1 false)
define ptx_kernel void @k(ptr addrspace(4) %c, ptr addrspace(1) %p) {
  %x = load i32, ptr addrspace(4) %c
  %y = call i32 @f(ptr addrspace(4) @table)
  %z = load i32, ptr addrspace(1) %p
  call void @llvm.memcpy.p1.p4.i64(ptr addrspace(1) %p, ptr addrspace(4) %c, i64 64, i1 false)
  ret void
}
; A volatile load is not invariant.
; CHECK: define i32 @f(ptr addrspace(1) %c)
; CHECK-NEXT: load volatile i32, ptr addrspace(1) %c, align 4{{$}}
define i32 @f(ptr addrspace(4) %c) {
  %x = load volatile i32, ptr addrspace(4) %c
  ret i32 %x
}

;--- from_buffer.ll
; FOUND: %c = load ptr addrspace(1), ptr addrspace(1) %p
; FOUND: load i32, ptr addrspace(1) %c, align 4, !invariant.load
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %c = load ptr addrspace(4), ptr addrspace(1) %p
  %x = load i32, ptr addrspace(4) %c
  store i32 %x, ptr addrspace(1) %p
  ret void
}

;--- large.ll
; LARGE: @large = internal addrspace(1) constant [65537 x i8] zeroinitializer
; LARGE: load i8, ptr addrspace(1) @large, align 1, !invariant.load
@large = internal addrspace(4) constant [65537 x i8] zeroinitializer
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load i8, ptr addrspace(4) @large
  store i8 %x, ptr addrspace(1) %p
  ret void
}

;--- padded.ll
; 64 KB, but more if @small comes first.
; PADDED: @small = internal addrspace(1) constant [128 x i8] zeroinitializer
; PADDED: @aligned = internal addrspace(1) constant [65408 x i8] zeroinitializer, align 256
@small = internal addrspace(4) constant [128 x i8] zeroinitializer
@aligned = internal addrspace(4) constant [65408 x i8] zeroinitializer, align 256
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = load i8, ptr addrspace(4) @aligned
  store i8 %x, ptr addrspace(1) %p
  ret void
}

;--- own_constants.ll
; Pointers to constants in a variable are not given away.
; OWN: @table = internal addrspace(4) constant [16384 x i32] zeroinitializer
; OWN: %c = load ptr addrspace(4), ptr %variable
; OWN: load i32, ptr addrspace(4) %c, align 4{{$}}
@table = internal addrspace(4) constant [16384 x i32] zeroinitializer
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %variable = alloca ptr addrspace(4)
  store ptr addrspace(4) @table, ptr %variable
  %c = load ptr addrspace(4), ptr %variable
  %x = load i32, ptr addrspace(4) %c
  store i32 %x, ptr addrspace(1) %p
  ret void
}
