; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=legalize_math -S %s | FileCheck %s

; CHECK-LABEL: @scalars(
; CHECK: call float @_Z3sinf(float %x)
; CHECK: call double @_Z3powdd(double %y, double %y)
; CHECK: call half @_Z4exp2Dh(half %z)
define void @scalars(float %x, double %y, half %z, ptr %p) {
  %sine = call float @llvm.sin.f32(float %x)
  store volatile float %sine, ptr %p
  %power = call double @llvm.pow.f64(double %y, double %y)
  store volatile double %power, ptr %p
  %exponential = call half @llvm.exp2.f16(half %z)
  store volatile half %exponential, ptr %p
  ret void
}

; Of two elements, one after the other.
; CHECK-LABEL: @vector(
; CHECK: %[[X:.*]] = extractelement <2 x float> %x, i64 0
; CHECK: %[[A:.*]] = call float @_Z3logf(float %[[X]])
; CHECK: %[[ONE:.*]] = insertelement <2 x float> poison, float %[[A]], i64 0
; CHECK: %[[Y:.*]] = extractelement <2 x float> %x, i64 1
; CHECK: %[[B:.*]] = call float @_Z3logf(float %[[Y]])
; CHECK: insertelement <2 x float> %[[ONE]], float %[[B]], i64 1
define <2 x float> @vector(<2 x float> %x) {
  %logarithm = call <2 x float> @llvm.log.v2f32(<2 x float> %x)
  ret <2 x float> %logarithm
}

; In single precision.
; CHECK-LABEL: @of_bfloat(
; CHECK: %[[WIDE:.*]] = fpext bfloat %x to float
; CHECK: %[[COSINE:.*]] = call float @_Z3cosf(float %[[WIDE]])
; CHECK: fptrunc float %[[COSINE]] to bfloat
define bfloat @of_bfloat(bfloat %x) {
  %cosine = call bfloat @llvm.cos.bf16(bfloat %x)
  ret bfloat %cosine
}

; CHECK-LABEL: @with_instructions(
; CHECK: call float @llvm.sqrt.f32(
; CHECK: call float @llvm.fma.f32(
define float @with_instructions(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %sum = call float @llvm.fma.f32(float %root, float %x, float %x)
  ret float %sum
}
