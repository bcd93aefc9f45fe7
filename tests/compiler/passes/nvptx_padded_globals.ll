; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=nvptx_padded_globals -S %s | FileCheck %s

; CHECK: @three = addrspace(1) global <{ [3 x i32], [4 x i8] }> <{ [3 x i32] [i32 1, i32 2, i32 3], [4 x i8] zeroinitializer }>, align 16
@three = addrspace(1) global <3 x i32> <i32 1, i32 2, i32 3>, align 16

; A vector without a value is declared too short, too.
; CHECK: @zero = addrspace(1) global <{ [3 x i32], [4 x i8] }> zeroinitializer, align 16
@zero = addrspace(1) global <3 x i32> zeroinitializer, align 16
; CHECK: @outer = external addrspace(1) global <{ [3 x i32], [4 x i8] }>, align 16
@outer = external addrspace(1) global <3 x i32>, align 16

; CHECK: @array = internal addrspace(4) constant [2 x <{ [3 x i8], [1 x i8] }>]
; CHECK-SAME: [<{ [3 x i8], [1 x i8] }> <{ [3 x i8] c"\01\02\03", [1 x i8] zeroinitializer }>,
; CHECK-SAME: <{ [3 x i8], [1 x i8] }> <{ [3 x i8] c"\04\05\06", [1 x i8] zeroinitializer }>], align 4
@array = internal addrspace(4) constant [2 x <3 x i8>] [<3 x i8> <i8 1, i8 2, i8 3>, <3 x i8> <i8 4, i8 5, i8 6>], align 4

; What lies between the members is padding as well.
; CHECK: @structure = addrspace(1) global <{ i32, [12 x i8], <{ [3 x i32], [4 x i8] }> }>
; CHECK-SAME: <{ i32 7, [12 x i8] zeroinitializer, <{ [3 x i32], [4 x i8] }> <{ [3 x i32] [i32 1, i32 2, i32 3], [4 x i8] zeroinitializer }> }>, align 16
@structure = addrspace(1) global { i32, <3 x i32> } { i32 7, <3 x i32> <i32 1, i32 2, i32 3> }, align 16

; CHECK: @single = addrspace(1) global { half } { half {{.*}} }, align 2
@single = addrspace(1) global half 1.0, align 2

; CHECK: @brain = addrspace(1) global { bfloat } { bfloat {{.*}} }, align 2
@brain = addrspace(1) global bfloat 1.0, align 2

; Declared in their whole size: arrays and structures without values.
; CHECK: @zeros = addrspace(1) global [2 x <3 x i32>] zeroinitializer, align 16
@zeros = addrspace(1) global [2 x <3 x i32>] zeroinitializer, align 16
; CHECK: @undefined = addrspace(3) global { i32, <3 x i32> } undef, align 16
@undefined = addrspace(3) global { i32, <3 x i32> } undef, align 16

; Types that NVPTX has right.
; CHECK: @four = addrspace(1) global <4 x i32> <i32 1, i32 2, i32 3, i32 4>, align 16
@four = addrspace(1) global <4 x i32> <i32 1, i32 2, i32 3, i32 4>, align 16
; CHECK: @numbers = addrspace(1) global [3 x i32] [i32 1, i32 2, i32 3], align 4
@numbers = addrspace(1) global [3 x i32] [i32 1, i32 2, i32 3], align 4
; CHECK: @halves = addrspace(1) global [2 x half] [half {{.*}}, half {{.*}}], align 2
@halves = addrspace(1) global [2 x half] [half 1.0, half 2.0], align 2

; The variable keeps its name where it is used.
; CHECK-LABEL: @use(
; CHECK: load <3 x i32>, ptr addrspace(1) @three
define <3 x i32> @use() {
  %value = load <3 x i32>, ptr addrspace(1) @three, align 16
  ret <3 x i32> %value
}
