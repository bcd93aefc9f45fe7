; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=branch_around_divisions -S %s | FileCheck %s

; With what is needed for the quotient only.
; CHECK-LABEL: @division(
; CHECK: %[[C:.*]] = freeze i1 %c
; CHECK-NEXT: br i1 %[[C]], label %[[SIDE:.*]], label %[[TAIL:.*]]
; CHECK: [[SIDE]]:
; CHECK-NEXT: %sum = fadd float %x, 1.000000e+00
; CHECK-NEXT: %quotient = fdiv float %sum, %y
; CHECK-NEXT: br label %[[TAIL]]
; CHECK: [[TAIL]]:
; CHECK-NEXT: %[[R:.*]] = phi float [ %quotient, %[[SIDE]] ], [ %x, %{{.*}} ]
; CHECK-NEXT: ret float %[[R]]
define float @division(float %x, float %y, i1 %c) {
  %sum = fadd float %x, 1.0
  %quotient = fdiv float %sum, %y
  %chosen = select i1 %c, float %quotient, float %x
  ret float %chosen
}

; On the other side; two choices by one condition share the branch.
; CHECK-LABEL: @roots(
; CHECK: br i1 %c, label %[[TAIL:.*]], label %[[SIDE:.*]]
; CHECK: [[SIDE]]:
; CHECK-DAG: %root = call float @llvm.sqrt.f32(float %x)
; CHECK-DAG: %other = call float @llvm.sqrt.f32(float %y)
; CHECK: [[TAIL]]:
; CHECK-COUNT-2: phi float
; CHECK-NOT: select
; CHECK: ret float
define float @roots(float %x, float %y, i1 noundef %c) {
  %root = call float @llvm.sqrt.f32(float %x)
  %other = call float @llvm.sqrt.f32(float %y)
  %one = select i1 %c, float %x, float %root
  %two = select i1 %c, float %y, float %other
  %sum = fadd float %one, %two
  ret float %sum
}

; What was read ahead of a store stays ahead of it.
; CHECK-LABEL: @read_ahead_of_a_store(
; CHECK: %old = load float, ptr %p
; CHECK-NEXT: store float %y, ptr %p
; CHECK: br i1
; CHECK: fdiv float %old, %y
define float @read_ahead_of_a_store(ptr %p, float %y, i1 %c) {
  %old = load float, ptr %p
  store float %y, ptr %p
  %quotient = fdiv float %old, %y
  %chosen = select i1 %c, float %quotient, float %y
  ret float %chosen
}

; CHECK-LABEL: @cheap(
; CHECK: select i1 %c, float %product, float %x
define float @cheap(float %x, float %y, i1 %c) {
  %product = fmul float %x, %y
  %chosen = select i1 %c, float %product, float %x
  ret float %chosen
}

; Both values need it.
; CHECK-LABEL: @needed_by_both(
; CHECK: select i1 %c, float %quotient, float %sum
define float @needed_by_both(float %x, float %y, i1 %c) {
  %quotient = fdiv float %x, %y
  %sum = fadd float %quotient, %x
  %chosen = select i1 %c, float %quotient, float %sum
  ret float %chosen
}

; CHECK-LABEL: @of_integers(
; CHECK: select i1 %c, i32 %quotient, i32 %x
define i32 @of_integers(i32 %x, i32 %y, i1 %c) {
  %quotient = udiv i32 %x, %y
  %chosen = select i1 %c, i32 %quotient, i32 %x
  ret i32 %chosen
}

; CHECK-LABEL: @by_vector(
; CHECK: select <2 x i1> %c, <2 x float> %quotient, <2 x float> %x
define <2 x float> @by_vector(<2 x float> %x, <2 x float> %y, <2 x i1> %c) {
  %quotient = fdiv <2 x float> %x, %y
  %chosen = select <2 x i1> %c, <2 x float> %quotient, <2 x float> %x
  ret <2 x float> %chosen
}
