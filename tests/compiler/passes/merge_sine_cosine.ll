; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=merge_sine_cosine -S %s | FileCheck %s

declare float @_Z3sinf(float) nounwind willreturn memory(none)
declare float @_Z3cosf(float) nounwind willreturn memory(none)
declare <4 x double> @_Z3sinDv4_d(<4 x double>) nounwind willreturn memory(none)
declare <4 x double> @_Z3cosDv4_d(<4 x double>) nounwind willreturn memory(none)
declare half @_Z3sinDh(half) nounwind willreturn memory(none)
declare half @_Z3cosDh(half) nounwind willreturn memory(none)

; CHECK-LABEL: @both(
; CHECK-NEXT: %[[B:.*]] = call nnan <2 x float> @_Z20__clcuda_sine_cosinef(float %x)
; CHECK-NEXT: %[[S:.*]] = extractelement <2 x float> %[[B]], i64 0
; CHECK-NEXT: %[[C:.*]] = extractelement <2 x float> %[[B]], i64 1
; CHECK-NEXT: fdiv float %[[C]], %[[S]]
define float @both(float %x) {
  %c = call nnan float @_Z3cosf(float %x)
  %s = call nnan ninf float @_Z3sinf(float %x)
  %r = fdiv float %c, %s
  ret float %r
}

; As Clang writes it.
; CHECK-LABEL: @variable(
; CHECK-NEXT: call <2 x float> @_Z20__clcuda_sine_cosinef(float %x)
define float @variable(float %x) {
  %place = alloca float
  store float %x, ptr %place
  %x1 = load float, ptr %place
  %s = call float @_Z3sinf(float %x1)
  %x2 = load float, ptr %place
  %c = call float @_Z3cosf(float %x2)
  %r = fsub float %c, %s
  ret float %r
}

; CHECK-LABEL: @vector(
; CHECK-NEXT: %[[X0:.*]] = extractelement <4 x double> %x, i64 0
; CHECK-NEXT: %[[B0:.*]] = call <2 x double> @_Z20__clcuda_sine_cosined(double %[[X0]])
; CHECK-COUNT-3: call <2 x double> @_Z20__clcuda_sine_cosined
; CHECK-NOT: call
; CHECK: ret
define <4 x double> @vector(<4 x double> %x) {
  %s = call <4 x double> @_Z3sinDv4_d(<4 x double> %x)
  %c = call <4 x double> @_Z3cosDv4_d(<4 x double> %x)
  %r = fsub <4 x double> %c, %s
  ret <4 x double> %r
}

; CHECK-LABEL: @different(
; CHECK: call float @_Z3sinf(float %x)
; CHECK: call float @_Z3cosf(float %y)
define float @different(float %x, float %y) {
  %s = call float @_Z3sinf(float %x)
  %c = call float @_Z3cosf(float %y)
  %r = fsub float %c, %s
  ret float %r
}

; CHECK-LABEL: @one_of_them(
; CHECK: call float @_Z3sinf(float %x)
; CHECK: call float @_Z3cosf(float %x)
define float @one_of_them(float %x, i1 %which) {
  br i1 %which, label %sine, label %cosine
sine:
  %s = call float @_Z3sinf(float %x)
  ret float %s
cosine:
  %c = call float @_Z3cosf(float %x)
  ret float %c
}

; CHECK-LABEL: @narrow(
; CHECK: call half @_Z3sinDh(half %x)
; CHECK: call half @_Z3cosDh(half %x)
define half @narrow(half %x) {
  %s = call half @_Z3sinDh(half %x)
  %c = call half @_Z3cosDh(half %x)
  %r = fsub half %c, %s
  ret half %r
}

; An angle that is itself the result of a call that is merged.
; CHECK-LABEL: @nested(
; CHECK-NEXT: %[[B:.*]] = call <2 x float> @_Z20__clcuda_sine_cosinef(float %x)
; CHECK-NEXT: %[[S:.*]] = extractelement <2 x float> %[[B]], i64 0
; CHECK-NEXT: %[[C:.*]] = extractelement <2 x float> %[[B]], i64 1
; CHECK-NEXT: %[[BS:.*]] = call <2 x float> @_Z20__clcuda_sine_cosinef(float %[[S]])
; CHECK: %[[BC:.*]] = call <2 x float> @_Z20__clcuda_sine_cosinef(float %[[C]])
; CHECK-NOT: call
; CHECK: ret
define float @nested(float %x) {
  %s = call float @_Z3sinf(float %x)
  %c = call float @_Z3cosf(float %x)
  %ss = call float @_Z3sinf(float %s)
  %cs = call float @_Z3cosf(float %s)
  %sc = call float @_Z3sinf(float %c)
  %cc = call float @_Z3cosf(float %c)
  %a = fsub float %ss, %cs
  %b = fsub float %sc, %cc
  %r = fsub float %a, %b
  ret float %r
}

; The program's own declarations of other types.
; CHECK-LABEL: @other_types(
; CHECK-NEXT: call i32 @_Z3sinDv2_f(<2 x float> %x)
; CHECK-NEXT: call <2 x float> @_Z3cosDv2_f(<2 x float> %x)
declare i32 @_Z3sinDv2_f(<2 x float>)
declare <2 x float> @_Z3cosDv2_f(<2 x float>)
define <2 x float> @other_types(<2 x float> %x) {
  %s = call i32 @_Z3sinDv2_f(<2 x float> %x)
  %c = call <2 x float> @_Z3cosDv2_f(<2 x float> %x)
  ret <2 x float> %c
}

; CHECK-LABEL: @call_of_another_type(
; CHECK-NEXT: call i32 @_Z3sinf(float %x)
; CHECK-NEXT: sitofp
; CHECK-NEXT: call float @_Z3cosf(float %x)
define float @call_of_another_type(float %x) {
  %s = call i32 @_Z3sinf(float %x)
  %y = sitofp i32 %s to float
  %c = call float @_Z3cosf(float %x)
  %r = fsub float %c, %y
  ret float %r
}
