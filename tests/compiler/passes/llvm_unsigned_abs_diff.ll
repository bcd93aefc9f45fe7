; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=llvm_unsigned_abs_diff -S %s | FileCheck %s

; %low is below 256, %high is not.
; CHECK-LABEL: @of_extremes(
; CHECK: %[[R:.*]] = sub i32 %high, %low
; CHECK-NEXT: ret i32 %[[R]]
define i32 @of_extremes(i32 %x, i32 %y) {
  %low = and i32 %x, 255
  %high = or i32 %y, 256
  %least = call i32 @llvm.umin.i32(i32 %low, i32 %high)
  %most = call i32 @llvm.umax.i32(i32 %low, i32 %high)
  %difference = sub i32 %most, %least
  ret i32 %difference
}

; CHECK-LABEL: @selected(
; CHECK: %difference = select
; CHECK-NEXT: %[[R:.*]] = sub i32 %high, %low
; CHECK-NEXT: ret i32 %[[R]]
define i32 @selected(i32 %x, i32 %y) {
  %low = and i32 %x, 255
  %high = or i32 %y, 256
  %c = icmp ult i32 %low, %high
  %one = sub i32 %low, %high
  %other = sub i32 %high, %low
  %difference = select i1 %c, i32 %other, i32 %one
  ret i32 %difference
}

; The other sign.
; CHECK-LABEL: @negative(
; CHECK: %difference = select
; CHECK-NEXT: %[[R:.*]] = sub i32 %low, %high
; CHECK-NEXT: ret i32 %[[R]]
define i32 @negative(i32 %x, i32 %y) {
  %low = and i32 %x, 255
  %high = or i32 %y, 256
  %c = icmp ugt i32 %low, %high
  %one = sub i32 %low, %high
  %other = sub i32 %high, %low
  %difference = select i1 %c, i32 %other, i32 %one
  ret i32 %difference
}

; Only of the second lane the order is known.
; CHECK-LABEL: @of_one_lane(
; CHECK: %difference = sub <2 x i32> %most, %least
; CHECK-NEXT: %[[X:.*]] = extractelement <2 x i32> %low, i64 1
; CHECK-NEXT: %[[Y:.*]] = extractelement <2 x i32> %high, i64 1
; CHECK-NEXT: %[[D:.*]] = sub i32 %[[Y]], %[[X]]
; CHECK-NEXT: %[[R:.*]] = insertelement <2 x i32> %difference, i32 %[[D]], i64 1
; CHECK-NEXT: ret <2 x i32> %[[R]]
define <2 x i32> @of_one_lane(<2 x i32> %x, <2 x i32> %y) {
  %low = and <2 x i32> %x, <i32 -1, i32 255>
  %high = or <2 x i32> %y, <i32 0, i32 256>
  %least = call <2 x i32> @llvm.umin.v2i32(<2 x i32> %low, <2 x i32> %high)
  %most = call <2 x i32> @llvm.umax.v2i32(<2 x i32> %low, <2 x i32> %high)
  %difference = sub <2 x i32> %most, %least
  ret <2 x i32> %difference
}

; CHECK-LABEL: @of_unknown_order(
; CHECK: %difference = sub i32 %most, %least
; CHECK-NEXT: ret i32 %difference
define i32 @of_unknown_order(i32 %x, i32 %y) {
  %least = call i32 @llvm.umin.i32(i32 %x, i32 %y)
  %most = call i32 @llvm.umax.i32(i32 %x, i32 %y)
  %difference = sub i32 %most, %least
  ret i32 %difference
}

; Numbers with a sign: %high may be negative.
; CHECK-LABEL: @of_signed_numbers(
; CHECK: %difference = select i1 %c, i32 %other, i32 %one
; CHECK-NEXT: ret i32 %difference
define i32 @of_signed_numbers(i32 %x, i32 %y) {
  %low = and i32 %x, 255
  %high = or i32 %y, 256
  %c = icmp slt i32 %low, %high
  %one = sub i32 %low, %high
  %other = sub i32 %high, %low
  %difference = select i1 %c, i32 %other, i32 %one
  ret i32 %difference
}
