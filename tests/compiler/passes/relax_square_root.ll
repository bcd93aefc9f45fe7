; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=relax_square_root -S %s | FileCheck %s

declare float @_Z4sqrtf(float)
declare <2 x float> @_Z4sqrtDv2_f(<2 x float>)
declare double @_Z4sqrtd(double)

; CHECK-LABEL: @relaxed(
; CHECK: %[[R:.*]] = call float @llvm.nvvm.sqrt.approx.f(float %x)
; CHECK-NEXT: ret float %[[R]]
define float @relaxed(float %x) {
  %root = call float @_Z4sqrtf(float %x), !fpmath !0
  ret float %root
}

; CHECK-LABEL: @flushing(
; CHECK: call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)
define float @flushing(float %x) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %root = call float @_Z4sqrtf(float %x), !fpmath !0
  ret float %root
}

; CHECK-LABEL: @vector(
; CHECK: %[[X:.*]] = extractelement <2 x float> %x, i64 0
; CHECK: call float @llvm.nvvm.sqrt.approx.f(float %[[X]])
; CHECK: %[[Y:.*]] = extractelement <2 x float> %x, i64 1
; CHECK: %[[ROOT:.*]] = call float @llvm.nvvm.sqrt.approx.f(float %[[Y]])
; CHECK: %[[R:.*]] = insertelement <2 x float> %{{.*}}, float %[[ROOT]], i64 1
; CHECK-NEXT: ret <2 x float> %[[R]]
define <2 x float> @vector(<2 x float> %x) {
  %root = call <2 x float> @_Z4sqrtDv2_f(<2 x float> %x), !fpmath !0
  ret <2 x float> %root
}

; CHECK-LABEL: @correctly_rounded(
; CHECK-NEXT: %root = call float @_Z4sqrtf(float %x){{$}}
; CHECK-NEXT: ret float %root
define float @correctly_rounded(float %x) {
  %root = call float @_Z4sqrtf(float %x)
  ret float %root
}

; CHECK-LABEL: @of_one_ulp(
; CHECK-NEXT: %root = call float @_Z4sqrtf(float %x), !fpmath
; CHECK-NEXT: ret float %root
define float @of_one_ulp(float %x) {
  %root = call float @_Z4sqrtf(float %x), !fpmath !1
  ret float %root
}

; CHECK-LABEL: @double(
; CHECK-NEXT: %root = call double @_Z4sqrtd(double %x), !fpmath
; CHECK-NEXT: ret double %root
define double @double(double %x) {
  %root = call double @_Z4sqrtd(double %x), !fpmath !0
  ret double %root
}

!0 = !{float 3.0}
!1 = !{float 1.0}
