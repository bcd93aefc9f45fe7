; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=resolve_library_imports -S %t/imports | FileCheck %s
; RUN: not clcuda-opt -passes=resolve_library_imports -S %t/types 2>&1 | FileCheck %s --check-prefix=TYPES

;--- imports
; CHECK-NOT: @program._Z3sinf
; CHECK-NOT: @program._Z3cosf
; CHECK: define float @program._Z5clampfff(
define float @program._Z5clampfff(float %x, float %low, float %high) {
; CHECK: call float @_Z3sinf(float %x)
; CHECK: call float @_Z3cosf(float
; CHECK: call float @_Z3cosf(float
  %a = call float @program._Z3sinf(float %x)
  %b = call float @program._Z3cosf(float %a)
  %c = call float @_Z3cosf(float %b)
  ret float %c
}

; CHECK-LABEL: define void @f(
; CHECK: call float @program._Z5clampfff(
define void @f(ptr %out) {
  %x = call float @program._Z5clampfff(float 1.0, float 2.0, float 3.0)
  store float %x, ptr %out
  ret void
}

; CHECK-DAG: declare float @_Z3sinf(float)
; CHECK-DAG: declare float @_Z3cosf(float)
declare float @program._Z3sinf(float)
declare float @program._Z3cosf(float)
declare float @_Z3cosf(float)
;--- types
; TYPES: 'cos(float)' is declared with two types
declare double @program._Z3cosf(float)
declare float @_Z3cosf(float)
