; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=ptxas_negated_minmax -S %s | FileCheck %s

; CHECK-LABEL: @second(
; CHECK: call i32 @llvm.smax.i32(i32 %opposite, i32 %x)
define i32 @second(i32 %x, i32 %y) {
  %opposite = sub i32 0, %y
  %r = call i32 @llvm.smax.i32(i32 %x, i32 %opposite)
  ret i32 %r
}

; max(-x, -y) = ~min(x - 1, y - 1).
; CHECK-LABEL: @both(
; CHECK: %[[MIN:.*]] = call i32 @llvm.smin.i32(i32 %{{.*}}, i32 %{{.*}})
; CHECK: %[[R:.*]] = xor i32 %[[MIN]], -1
; CHECK: ret i32 %[[R]]
define i32 @both(i32 %x, i32 %y) {
  %one = sub i32 0, %x
  %other = sub i32 0, %y
  %r = call i32 @llvm.smax.i32(i32 %one, i32 %other)
  ret i32 %r
}

; CHECK-LABEL: @lane(
; CHECK: call i32 @llvm.smin.i32(i32 %lane, i32 %x)
define i32 @lane(i32 %x, <2 x i32> %y) {
  %opposite = sub <2 x i32> zeroinitializer, %y
  %lane = extractelement <2 x i32> %opposite, i32 1
  %r = call i32 @llvm.smin.i32(i32 %x, i32 %lane)
  ret i32 %r
}

; CHECK-LABEL: @first(
; CHECK: call i32 @llvm.smax.i32(i32 %opposite, i32 %x)
define i32 @first(i32 %x, i32 %y) {
  %opposite = sub i32 0, %y
  %r = call i32 @llvm.smax.i32(i32 %opposite, i32 %x)
  ret i32 %r
}

; CHECK-LABEL: @unsigned(
; CHECK: call i32 @llvm.umax.i32(i32 %x, i32 %opposite)
define i32 @unsigned(i32 %x, i32 %y) {
  %opposite = sub i32 0, %y
  %r = call i32 @llvm.umax.i32(i32 %x, i32 %opposite)
  ret i32 %r
}

; CHECK-LABEL: @of_64_bits(
; CHECK: call i64 @llvm.smax.i64(i64 %x, i64 %opposite)
define i64 @of_64_bits(i64 %x, i64 %y) {
  %opposite = sub i64 0, %y
  %r = call i64 @llvm.smax.i64(i64 %x, i64 %opposite)
  ret i64 %r
}
