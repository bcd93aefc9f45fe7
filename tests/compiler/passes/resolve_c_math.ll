; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=resolve_c_math -S %s | FileCheck %s

declare double @acosh(double)
declare float @hypotf(float, float)
declare i32 @ilogbf(float)
declare double @remquo(double, double, ptr)
declare float @scalbnf(float, i32)

; CHECK-LABEL: @of_library(
; CHECK: call double @_Z5acoshd(double %y)
; CHECK: call float @_Z5hypotff(float %x, float %x)
; CHECK: call i32 @_Z5ilogbf(float %x)
; CHECK: call double @_Z6remquoddPi(double %y, double %y, ptr %p)
; CHECK: call float @_Z5ldexpfi(float %x, i32 %n)
; CHECK: ret void
define void @of_library(float %x, double %y, i32 %n, ptr %p) {
  %a = call double @acosh(double %y)
  store volatile double %a, ptr %p
  %b = call float @hypotf(float %x, float %x)
  store volatile float %b, ptr %p
  %c = call i32 @ilogbf(float %x)
  store volatile i32 %c, ptr %p
  %d = call double @remquo(double %y, double %y, ptr %p)
  store volatile double %d, ptr %p
  %e = call float @scalbnf(float %x, i32 %n)
  store volatile float %e, ptr %p
  ret void
}

; The library's exponent is an int: beyond it the result is 0 or infinite in any case.
declare double @scalbln(double, i64)
; CHECK-LABEL: @of_long_exponent(
; CHECK-NEXT: %[[ABOVE:.*]] = call i64 @llvm.smax.i64(i64 %n, i64 -2147483648)
; CHECK-NEXT: %[[BETWEEN:.*]] = call i64 @llvm.smin.i64(i64 %[[ABOVE]], i64 2147483647)
; CHECK-NEXT: %[[N:.*]] = trunc i64 %[[BETWEEN]] to i32
; CHECK-NEXT: call double @_Z5ldexpdi(double %x, i32 %[[N]])
define double @of_long_exponent(double %x, i64 %n) {
  %scaled = call double @scalbln(double %x, i64 %n)
  ret double %scaled
}

; The program's own.
define double @cbrt(double %x) {
  ret double %x
}
; CHECK-LABEL: @of_program(
; CHECK: call double @cbrt(double %x)
define double @of_program(double %x) {
  %root = call double @cbrt(double %x)
  ret double %root
}

; Something else by that name.
declare i32 @erf(i32)
; CHECK-LABEL: @of_other_types(
; CHECK: call i32 @erf(i32 %x)
define i32 @of_other_types(i32 %x) {
  %result = call i32 @erf(i32 %x)
  ret i32 %result
}
