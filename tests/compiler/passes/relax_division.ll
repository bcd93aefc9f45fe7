; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=relax_division -S %s | FileCheck %s

; CHECK-LABEL: @single(
; CHECK: %[[R:.*]] = call float @llvm.nvvm.div.full(float %x, float %y)
; CHECK-NEXT: ret float %[[R]]
define float @single(float %x, float %y) {
  %quotient = fdiv float %x, %y, !fpmath !0
  ret float %quotient
}

; CHECK-LABEL: @flushing(
; CHECK: call float @llvm.nvvm.div.full.ftz(float %x, float %y)
define float @flushing(float %x, float %y) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %quotient = fdiv float %x, %y, !fpmath !0
  ret float %quotient
}

; With unsafe math optimizations.
; CHECK-LABEL: @unsafe(
; CHECK: call float @llvm.nvvm.div.approx.f(float %x, float %y)
define float @unsafe(float %x, float %y) {
  %quotient = fdiv afn float %x, %y, !fpmath !0
  ret float %quotient
}

; CHECK-LABEL: @unsafe_and_flushing(
; CHECK: call float @llvm.nvvm.div.approx.ftz.f(float %x, float %y)
define float @unsafe_and_flushing(float %x, float %y) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %quotient = fdiv fast float %x, %y, !fpmath !0
  ret float %quotient
}

; A reciprocal is one instruction, if it may be approximate.
; CHECK-LABEL: @reciprocal(
; CHECK: %[[R:.*]] = fdiv afn float 1.{{.*}}, %y
; CHECK-NEXT: ret float %[[R]]
define float @reciprocal(float %y) {
  %quotient = fdiv float 1.0, %y, !fpmath !0
  ret float %quotient
}

; CHECK-LABEL: @vector(
; CHECK: call float @llvm.nvvm.div.full(
; CHECK: call float @llvm.nvvm.div.full(
; CHECK: %[[R:.*]] = insertelement <2 x float> %{{.*}}, float %{{.*}}, i64 1
; CHECK-NEXT: ret <2 x float> %[[R]]
define <2 x float> @vector(<2 x float> %x, <2 x float> %y) {
  %quotient = fdiv <2 x float> %x, %y, !fpmath !0
  ret <2 x float> %quotient
}

; Halves need no note: they come out correctly rounded.
; CHECK-LABEL: @halves(
; CHECK: %[[X:.*]] = fpext half %x to float
; CHECK: %[[Y:.*]] = fpext half %y to float
; CHECK: %[[I:.*]] = call float @llvm.nvvm.rcp.approx.ftz.f(float %[[Y]])
; CHECK: %[[Q:.*]] = fmul float %[[X]], %[[I]]
; CHECK: %[[M:.*]] = fneg float %[[Y]]
; CHECK: %[[REST:.*]] = call float @llvm.fma.f32(float %[[M]], float %[[Q]], float %[[X]])
; CHECK: call float @llvm.fma.f32(float %[[REST]], float %[[I]], float %[[Q]])
; CHECK: fptrunc float %{{.*}} to half
define half @halves(half %x, half %y) {
  %quotient = fdiv half %x, %y
  ret half %quotient
}

; CHECK-LABEL: @correctly_rounded(
; CHECK-NEXT: %quotient = fdiv float %x, %y
; CHECK-NEXT: ret float %quotient
define float @correctly_rounded(float %x, float %y) {
  %quotient = fdiv float %x, %y
  ret float %quotient
}

; div.full has an error of 2 ulp.
; CHECK-LABEL: @of_one_ulp(
; CHECK-NEXT: %quotient = fdiv float %x, %y, !fpmath
; CHECK-NEXT: ret float %quotient
define float @of_one_ulp(float %x, float %y) {
  %quotient = fdiv float %x, %y, !fpmath !1
  ret float %quotient
}

; CHECK-LABEL: @double(
; CHECK-NEXT: %quotient = fdiv double %x, %y
; CHECK-NEXT: ret double %quotient
define double @double(double %x, double %y) {
  %quotient = fdiv double %x, %y, !fpmath !0
  ret double %quotient
}

!0 = !{float 2.5}
!1 = !{float 1.0}
