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
; CHECK-NEXT: %[[BOTH:.*]] = insertelement <2 x float> %[[ONE]], float %[[B]], i64 1
; CHECK-NEXT: ret <2 x float> %[[BOTH]]
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

; The same exponent for all elements.
; CHECK-LABEL: @to_whole_powers(
; CHECK: call float @_Z4pownfi(float %x, i32 %n)
; CHECK: extractelement <2 x double> %y, i64 0
; CHECK: call double @_Z4powndi(double %{{.*}}, i32 %n)
; CHECK: extractelement <2 x double> %y, i64 1
; CHECK: call double @_Z4powndi(double %{{.*}}, i32 %n)
; CHECK: %[[WIDE:.*]] = fpext bfloat %z to float
; CHECK: %[[POWER:.*]] = call float @_Z4pownfi(float %[[WIDE]], i32 -3)
; CHECK: fptrunc float %[[POWER]] to bfloat
define void @to_whole_powers(float %x, <2 x double> %y, bfloat %z, i32 %n, ptr %p) {
  %one = call float @llvm.powi.f32.i32(float %x, i32 %n)
  store volatile float %one, ptr %p
  %two = call <2 x double> @llvm.powi.v2f64.i32(<2 x double> %y, i32 %n)
  store volatile <2 x double> %two, ptr %p
  %inverse = call bfloat @llvm.powi.bf16.i32(bfloat %z, i32 -3)
  store volatile bfloat %inverse, ptr %p
  ret void
}

; To the fifth power by three multiplications; one to the zeroth.
; CHECK-LABEL: @to_small_powers(
; CHECK-NEXT: %[[SECOND:.*]] = fmul float %x, %x
; CHECK-NEXT: %[[FOURTH:.*]] = fmul float %[[SECOND]], %[[SECOND]]
; CHECK-NEXT: %[[FIFTH:.*]] = fmul float %x, %[[FOURTH]]
; CHECK-NEXT: store volatile float %[[FIFTH]], ptr %p
; CHECK-NEXT: store volatile float 1.000000e+00, ptr %p
; CHECK-NEXT: ret void
define void @to_small_powers(float %x, ptr %p) {
  %fifth = call float @llvm.powi.f32.i32(float %x, i32 5)
  store volatile float %fifth, ptr %p
  %zeroth = call float @llvm.powi.f32.i32(float %x, i32 0)
  store volatile float %zeroth, ptr %p
  ret void
}

; CHECK-LABEL: @sine_and_cosine(
; CHECK: %[[SINE:.*]] = call float @_Z3sinf(float %x)
; CHECK: %[[COSINE:.*]] = call float @_Z3cosf(float %x)
; CHECK: %[[ONE:.*]] = insertvalue { float, float } poison, float %[[SINE]], 0
; CHECK: %[[BOTH:.*]] = insertvalue { float, float } %[[ONE]], float %[[COSINE]], 1
; CHECK: ret { float, float } %[[BOTH]]
define { float, float } @sine_and_cosine(float %x) {
  %both = call { float, float } @llvm.sincos.f32(float %x)
  ret { float, float } %both
}

; CHECK-LABEL: @of_parts_of_pi(
; CHECK-COUNT-2: call double @_Z5sinpid(double
; CHECK-COUNT-2: call double @_Z5cospid(double
; CHECK: ret { <2 x double>, <2 x double> }
define { <2 x double>, <2 x double> } @of_parts_of_pi(<2 x double> %x) {
  %both = call { <2 x double>, <2 x double> } @llvm.sincospi.v2f64(<2 x double> %x)
  ret { <2 x double>, <2 x double> } %both
}

; CHECK-LABEL: @of_two_parts(
; CHECK: %[[WHOLE:.*]] = call float @llvm.trunc.f32(float %x)
; CHECK: %[[MAGNITUDE:.*]] = call float @llvm.fabs.f32(float %x)
; CHECK: %[[INFINITE:.*]] = fcmp oeq float %[[MAGNITUDE]], 0x7FF0000000000000
; CHECK: %[[DIFFERENCE:.*]] = fsub float %x, %[[WHOLE]]
; CHECK: %[[REST:.*]] = select i1 %[[INFINITE]], float 0.000000e+00, float %[[DIFFERENCE]]
; CHECK: %[[SIGNED:.*]] = call float @llvm.copysign.f32(float %[[REST]], float %x)
; CHECK: insertvalue { float, float } poison, float %[[SIGNED]], 0
; CHECK: insertvalue { float, float } %{{.*}}, float %[[WHOLE]], 1
define { float, float } @of_two_parts(float %x) {
  %both = call { float, float } @llvm.modf.f32(float %x)
  ret { float, float } %both
}

; CHECK-LABEL: @to_integers(
; CHECK: %[[NEAREST:.*]] = call float @llvm.round.f32(float %x)
; CHECK: call i64 @llvm.fptosi.sat.i64.f32(float %[[NEAREST]])
; CHECK: %[[EVEN:.*]] = call double @llvm.rint.f64(double %y)
; CHECK: call i64 @llvm.fptosi.sat.i64.f64(double %[[EVEN]])
; CHECK: call double @llvm.round.f64(
; CHECK: call float @llvm.rint.f32(
; CHECK: %[[LONG:.*]] = call i64 @llvm.fptosi.sat.i64.f32(
; CHECK: sext i64 %[[LONG]] to i128
define void @to_integers(float %x, double %y, ptr %p) {
  %a = call i64 @llvm.lround.i64.f32(float %x)
  store volatile i64 %a, ptr %p
  %b = call i64 @llvm.lrint.i64.f64(double %y)
  store volatile i64 %b, ptr %p
  %c = call i64 @llvm.llround.i64.f64(double %y)
  store volatile i64 %c, ptr %p
  %d = call i128 @llvm.llrint.i128.f32(float %x)
  store volatile i128 %d, ptr %p
  ret void
}

; Of halves in single precision.
; CHECK-LABEL: @canonical(
; CHECK: %[[WIDE:.*]] = fpext bfloat %x to float
; CHECK: %[[SAME:.*]] = call float @llvm.canonicalize.f32(float %[[WIDE]])
; CHECK: fptrunc float %[[SAME]] to bfloat
; CHECK: %[[BOTH:.*]] = fpext <2 x half> %y to <2 x float>
; CHECK: call <2 x float> @llvm.canonicalize.v2f32(<2 x float> %[[BOTH]])
; CHECK: fpext half %z to float
; CHECK: call double @llvm.canonicalize.f64(double %d)
define void @canonical(bfloat %x, <2 x half> %y, half %z, double %d, ptr %p) {
  %a = call bfloat @llvm.canonicalize.bf16(bfloat %x)
  store volatile bfloat %a, ptr %p
  %b = call <2 x half> @llvm.canonicalize.v2f16(<2 x half> %y)
  store volatile <2 x half> %b, ptr %p
  %c = call half @llvm.canonicalize.f16(half %z)
  store volatile half %c, ptr %p
  %e = call double @llvm.canonicalize.f64(double %d)
  store volatile double %e, ptr %p
  ret void
}

; CHECK-LABEL: @with_instructions(
; CHECK: call float @llvm.sqrt.f32(
; CHECK: call float @llvm.fma.f32(
define float @with_instructions(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  %sum = call float @llvm.fma.f32(float %root, float %x, float %x)
  ret float %sum
}
