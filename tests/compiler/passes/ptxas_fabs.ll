; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=ptxas_fabs -S %s | FileCheck %s

; CHECK-LABEL: @selected(
; CHECK: %[[BITS:.*]] = bitcast float %x to i32
; CHECK: %[[REST:.*]] = call i32 asm "and.b32 $0, $1, 2147483647;", "=r,r"(i32 %[[BITS]])
; CHECK: %[[R:.*]] = bitcast i32 %[[REST]] to float
; CHECK: ret float %[[R]]
define float @selected(i1 %c, float %y) {
  %x = select i1 %c, float %y, float -0.0
  %r = call float @llvm.fabs.f32(float %x)
  ret float %r
}

; CHECK-LABEL: @computed(
; CHECK-NOT: @llvm.fabs
; CHECK: ret float
define float @computed(i1 %c, i1 %d, float %y) {
entry:
  br i1 %c, label %other, label %end
other:
  br label %end
end:
  %x = phi float [ -0.0, %entry ], [ %y, %other ]
  %product = fmul float %x, 3.0
  %sum = fadd float %product, %y
  %greater = call float @llvm.maxnum.f32(float %sum, float 1.0)
  %z = select i1 %d, float 2.0, float %greater
  %r = call float @llvm.fabs.f32(float %z)
  ret float %r
}

; CHECK-LABEL: @lane(
; CHECK: call i32 asm "and.b32 $0, $1, 2147483647;"
define float @lane(i1 %c, <2 x float> %y) {
  %x = select i1 %c, <2 x float> <float 1.0, float -0.0>, <2 x float> %y
  %lane = extractelement <2 x float> %x, i32 1
  %r = call float @llvm.fabs.f32(float %lane)
  ret float %r
}

; CHECK-LABEL: @lanes(
; CHECK-COUNT-2: call i32 asm "and.b32 $0, $1, 2147483647;"
; CHECK-NOT: @llvm.fabs
; CHECK: ret <2 x float>
define <2 x float> @lanes(i1 %c, <2 x float> %y) {
  %x = select i1 %c, <2 x float> splat (float -0.0), <2 x float> %y
  %r = call <2 x float> @llvm.fabs.v2f32(<2 x float> %x)
  ret <2 x float> %r
}

; CHECK-LABEL: @in_a_loop(
; CHECK: call i32 asm "and.b32 $0, $1, 2147483647;"
define float @in_a_loop(float %y, i1 %c) {
entry:
  br label %loop
loop:
  %x = phi float [ -0.0, %entry ], [ %next, %loop ]
  %r = call float @llvm.fabs.f32(float %x)
  %next = fadd float %r, %y
  br i1 %c, label %loop, label %end
end:
  ret float %r
}

; CHECK-LABEL: @other_constants(
; CHECK: call float @llvm.fabs.f32(float %x)
define float @other_constants(i1 %c, float %y) {
  %x = select i1 %c, float %y, float 0.0
  %r = call float @llvm.fabs.f32(float %x)
  ret float %r
}

; CHECK-LABEL: @insignificant_sign(
; CHECK: call nsz float @llvm.fabs.f32(float %x)
define float @insignificant_sign(i1 %c, float %y) {
  %x = select i1 %c, float %y, float -0.0
  %r = call nsz float @llvm.fabs.f32(float %x)
  ret float %r
}

; CHECK-LABEL: @other_type(
; CHECK: call double @llvm.fabs.f64(double %x)
define double @other_type(i1 %c, double %y) {
  %x = select i1 %c, double %y, double -0.0
  %r = call double @llvm.fabs.f64(double %x)
  ret double %r
}

; A square root has a sign, and ptxas does not look through it.
; CHECK-LABEL: @not_seen_through(
; CHECK: call float @llvm.fabs.f32(float %root)
define float @not_seen_through(i1 %c, float %y) {
  %x = select i1 %c, float %y, float -0.0
  %root = call float @llvm.sqrt.f32(float %x)
  %r = call float @llvm.fabs.f32(float %root)
  ret float %r
}
