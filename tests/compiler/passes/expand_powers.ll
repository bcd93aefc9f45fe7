; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=expand_powers -S %s | FileCheck %s

declare float @_Z3powff(float, float)
declare double @_Z3powdd(double, double)
declare float @_Z4pownfi(float, i32)
declare <2 x float> @_Z3powDv2_fS_(<2 x float>, <2 x float>)
declare float @_Z4powrff(float, float)

; CHECK-LABEL: @square(
; CHECK-NEXT: %[[R:.*]] = fmul float %x, %x
; CHECK-NEXT: ret float %[[R]]
define float @square(float %x) {
  %r = call float @_Z3powff(float %x, float 2.0)
  ret float %r
}

; CHECK-LABEL: @cube(
; CHECK-NEXT: %[[S:.*]] = fmul double %x, %x
; CHECK-NEXT: %[[R:.*]] = fmul double %x, %[[S]]
; CHECK-NEXT: ret double %[[R]]
define double @cube(double %x) {
  %r = call double @_Z3powdd(double %x, double 3.0)
  ret double %r
}

; CHECK-LABEL: @fourth(
; CHECK-NEXT: %[[S:.*]] = fmul float %x, %x
; CHECK-NEXT: %[[R:.*]] = fmul float %[[S]], %[[S]]
; CHECK-NEXT: ret float %[[R]]
define float @fourth(float %x) {
  %r = call float @_Z4pownfi(float %x, i32 4)
  ret float %r
}

; CHECK-LABEL: @first_and_none(
; CHECK-NEXT: store float %x, ptr %p
; CHECK-NEXT: store float 1.000000e+00, ptr %p
define void @first_and_none(float %x, ptr %p) {
  %a = call float @_Z3powff(float %x, float 1.0)
  store float %a, ptr %p
  %b = call float @_Z3powff(float %x, float 0.0)
  store float %b, ptr %p
  ret void
}

; CHECK-LABEL: @inverse(
; CHECK-NEXT: %[[R:.*]] = fdiv float 1.000000e+00, %x, !fpmath ![[BOUND:[0-9]+]]
; CHECK-NEXT: ret float %[[R]]
define float @inverse(float %x) {
  %r = call float @_Z4pownfi(float %x, i32 -1)
  ret float %r
}

; CHECK-LABEL: @vector(
; CHECK-NEXT: %[[R:.*]] = fmul <2 x float> %x, %x
; CHECK-NEXT: ret <2 x float> %[[R]]
define <2 x float> @vector(<2 x float> %x) {
  %r = call <2 x float> @_Z3powDv2_fS_(<2 x float> %x, <2 x float> splat (float 2.0))
  ret <2 x float> %r
}

; CHECK-LABEL: @relaxed(
; CHECK-NEXT: %[[S:.*]] = fmul afn float %x, %x
; CHECK-NEXT: %[[T:.*]] = fmul afn float %[[S]], %[[S]]
; CHECK-NEXT: %[[U:.*]] = fmul afn float %x, %[[T]]
; CHECK-NEXT: %[[R:.*]] = fdiv afn float 1.000000e+00, %[[U]], !fpmath ![[BOUND]]
; CHECK-NEXT: ret float %[[R]]
define float @relaxed(float %x) {
  %r = call afn float @_Z3powff(float %x, float -5.0)
  ret float %r
}

; CHECK-LABEL: @not_so(
; CHECK-NEXT: call float @_Z3powff(float %x, float 5.000000e+00)
; CHECK-NEXT: call float @_Z3powff(float %x, float -2.000000e+00)
; CHECK-NEXT: call float @_Z3powff(float %x, float 5.000000e-01)
; CHECK-NEXT: call afn float @_Z3powff(float %x, float 1.700000e+01)
; CHECK-NEXT: call float @_Z3powff(float %x, float 0x7FF8000000000000)
; CHECK-NEXT: call float @_Z3powff(float %x, float 0x7FF0000000000000)
; CHECK-NEXT: call float @_Z3powff(float %x, float 0x46293E5940000000)
; CHECK-NEXT: call float @_Z3powff(float %x, float %y)
; CHECK-NEXT: call <2 x float> @_Z3powDv2_fS_(<2 x float> %v, <2 x float> <float 2.000000e+00, float 3.000000e+00>)
; CHECK-NEXT: call float @_Z4powrff(float %x, float 2.000000e+00)
; CHECK-NEXT: ret void
define void @not_so(float %x, float %y, <2 x float> %v) {
  %1 = call float @_Z3powff(float %x, float 5.0)
  %2 = call float @_Z3powff(float %x, float -2.0)
  %3 = call float @_Z3powff(float %x, float 0.5)
  %4 = call afn float @_Z3powff(float %x, float 17.0)
  %5 = call float @_Z3powff(float %x, float 0x7FF8000000000000)
  %6 = call float @_Z3powff(float %x, float 0x7FF0000000000000)
  %7 = call float @_Z3powff(float %x, float 0x46293E5940000000)
  %8 = call float @_Z3powff(float %x, float %y)
  %9 = call <2 x float> @_Z3powDv2_fS_(<2 x float> %v, <2 x float> <float 2.0, float 3.0>)
  %10 = call float @_Z4powrff(float %x, float 2.0)
  ret void
}

; A program's own function that nobody defines.
; CHECK-LABEL: @not_of_the_library(
; CHECK-NEXT: call i32 @_Z3powii(i32 %x, i32 2)
define void @not_of_the_library(i32 %x) {
  %1 = call i32 @_Z3powii(i32 %x, i32 2)
  ret void
}
declare i32 @_Z3powii(i32, i32)

; CHECK: ![[BOUND]] = !{float 2.500000e+00}
