; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=free_library_names -S %s | FileCheck %s

; CHECK: define float @program._Z5clampfff(float %x, float %low, float %high)
define float @_Z5clampfff(float %x, float %low, float %high) {
  ret float %x
}

; A name that the library does not have.
; CHECK: define float @_Z5clampffi(float %x, float %low, i32 %high)
define float @_Z5clampffi(float %x, float %low, i32 %high) {
  ret float %x
}

; CHECK: declare float @_Z3sinf(float)
declare float @_Z3sinf(float)

; CHECK: define ptx_kernel void @_Z3cosf(
; CHECK: call float @program._Z5clampfff(float %x, float %x, float %x)
; CHECK: call float @_Z3sinf(float
define ptx_kernel void @_Z3cosf(float %x, ptr %out) {
  %y = call float @_Z5clampfff(float %x, float %x, float %x)
  %z = call float @_Z3sinf(float %y)
  store float %z, ptr %out
  ret void
}
