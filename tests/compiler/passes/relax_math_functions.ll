; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=relax_math_functions -S %s | FileCheck %s

declare float @_Z3cosf(float)
declare <3 x float> @_Z3sinDv3_f(<3 x float>)
declare double @_Z3cosd(double)
declare half @_Z3cosDh(half)
declare float @_Z3powff(float, float)
declare <2 x float> @_Z4pownDv2_fDv2_i(<2 x float>, <2 x i32>)
declare float @_Z6sincosfPU3AS1f(float, ptr addrspace(1))
declare float @_Z4cbrtf(float)
declare float @cos(float)

; CHECK-LABEL: @relaxed(
; CHECK: call afn float @_Z10native_cosf(float %x)
; CHECK: call fast <3 x float> @_Z10native_sinDv3_f(<3 x float> %v)
; CHECK: call afn float @_Z20__clcuda_relaxed_powff(float %x, float %y)
; CHECK: call afn <2 x float> @_Z21__clcuda_relaxed_pownDv2_fDv2_i(<2 x float> %u, <2 x i32> %n)
; CHECK: call afn float @_Z23__clcuda_relaxed_sincosfPU3AS1f(float %x, ptr addrspace(1) %p)
define void @relaxed(float %x, float %y, <2 x float> %u, <3 x float> %v, <2 x i32> %n, ptr addrspace(1) %p) {
  %1 = call afn float @_Z3cosf(float %x)
  %2 = call fast <3 x float> @_Z3sinDv3_f(<3 x float> %v)
  %3 = call afn float @_Z3powff(float %x, float %y)
  %4 = call afn <2 x float> @_Z4pownDv2_fDv2_i(<2 x float> %u, <2 x i32> %n)
  %5 = call afn float @_Z6sincosfPU3AS1f(float %x, ptr addrspace(1) %p)
  ret void
}

; CHECK-LABEL: @precise(
; CHECK: call float @_Z3cosf(float %x)
; CHECK: call reassoc nnan ninf nsz arcp contract float @_Z3cosf(float %x)
define void @precise(float %x) {
  %1 = call float @_Z3cosf(float %x)
  %2 = call reassoc nnan ninf nsz arcp contract float @_Z3cosf(float %x)
  ret void
}

; CHECK-LABEL: @others(
; CHECK: call afn double @_Z3cosd(double %d)
; CHECK: call afn half @_Z3cosDh(half %h)
; CHECK: call afn float @_Z4cbrtf(float %x)
; CHECK: call afn float @cos(float %x)
; CHECK: call afn float @_Z3expf(float %x)
define void @others(double %d, half %h, float %x) {
  %1 = call afn double @_Z3cosd(double %d)
  %2 = call afn half @_Z3cosDh(half %h)
  %3 = call afn float @_Z4cbrtf(float %x)
  %4 = call afn float @cos(float %x)
  %5 = call afn float @_Z3expf(float %x)
  ret void
}

; The program's own.
define float @_Z3expf(float %x) {
  ret float %x
}
