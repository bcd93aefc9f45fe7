; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=flush_approximations -S %s | FileCheck %s

declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.lg2.approx.f(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare float @llvm.nvvm.cos.approx.f(float)
declare float @llvm.nvvm.div.approx.f(float, float)
declare float @llvm.nvvm.sqrt.approx.f(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare half @llvm.nvvm.ex2.approx.f16(half)
declare double @llvm.nvvm.rsqrt.approx.d(double)

; CHECK-LABEL: @flushing(
; CHECK-NEXT: call float @llvm.nvvm.ex2.approx.ftz.f32(float %x)
; CHECK-NEXT: call float @llvm.nvvm.lg2.approx.ftz.f(float %x)
; CHECK-NEXT: call float @llvm.nvvm.sin.approx.ftz.f(float %x)
; CHECK-NEXT: call float @llvm.nvvm.cos.approx.ftz.f(float %x)
; CHECK-NEXT: call float @llvm.nvvm.div.approx.ftz.f(float %x, float %y)
; CHECK-NEXT: call float @llvm.nvvm.sqrt.approx.ftz.f(float %x)
; CHECK-NEXT: call float @llvm.nvvm.rsqrt.approx.ftz.f(float %x)
; CHECK-NEXT: call half @llvm.nvvm.ex2.approx.f16(half %h)
; CHECK-NEXT: call double @llvm.nvvm.rsqrt.approx.d(double %d)
define void @flushing(float %x, float %y, half %h, double %d) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  %1 = call float @llvm.nvvm.ex2.approx.f32(float %x)
  %2 = call float @llvm.nvvm.lg2.approx.f(float %x)
  %3 = call float @llvm.nvvm.sin.approx.f(float %x)
  %4 = call float @llvm.nvvm.cos.approx.f(float %x)
  %5 = call float @llvm.nvvm.div.approx.f(float %x, float %y)
  %6 = call float @llvm.nvvm.sqrt.approx.f(float %x)
  %7 = call float @llvm.nvvm.rsqrt.approx.f(float %x)
  %8 = call half @llvm.nvvm.ex2.approx.f16(half %h)
  %9 = call double @llvm.nvvm.rsqrt.approx.d(double %d)
  ret void
}

; CHECK-LABEL: @keeping(
; CHECK-NEXT: call float @llvm.nvvm.ex2.approx.f32(float %x)
define void @keeping(float %x) {
  %1 = call float @llvm.nvvm.ex2.approx.f32(float %x)
  ret void
}
