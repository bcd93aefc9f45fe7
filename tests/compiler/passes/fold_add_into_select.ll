; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=fold_add_into_select -S %s | FileCheck %s

; CHECK-LABEL: @sum(
; CHECK: %[[SUM:.*]] = add i32 %x, %y
; CHECK-NEXT: %[[R:.*]] = select i1 %c, i32 %[[SUM]], i32 %x
; CHECK-NEXT: ret i32 %[[R]]
define i32 @sum(i32 %a, i32 %y, i1 %c) {
  %x = mul i32 %a, 3
  %amount = select i1 %c, i32 %y, i32 0
  %sum = add i32 %x, %amount
  ret i32 %sum
}

; The other way round, on the other side: x where the condition holds.
; CHECK-LABEL: @reversed(
; CHECK: %[[SUM:.*]] = or i32 %x, %y
; CHECK-NEXT: select i1 %c, i32 %x, i32 %[[SUM]]
define i32 @reversed(i32 %a, i32 %y, i1 %c) {
  %x = mul i32 %a, 3
  %amount = select i1 %c, i32 0, i32 %y
  %sum = or i32 %amount, %x
  ret i32 %sum
}

; A condition as a number is an amount of 1, or of -1.
; CHECK-LABEL: @counted(
; CHECK: %[[SUM:.*]] = sub i32 %x, 1
; CHECK-NEXT: select i1 %c, i32 %[[SUM]], i32 %x
define i32 @counted(i32 %a, i1 %c) {
  %x = mul i32 %a, 3
  %one = zext i1 %c to i32
  %difference = sub i32 %x, %one
  ret i32 %difference
}

; Nothing is subtracted from an amount.
; CHECK-LABEL: @subtracted_from_amount(
; CHECK: %difference = sub i32 %amount, %x
define i32 @subtracted_from_amount(i32 %a, i32 %y, i1 %c) {
  %x = mul i32 %a, 3
  %amount = select i1 %c, i32 %y, i32 0
  %difference = sub i32 %amount, %x
  ret i32 %difference
}

; CHECK-LABEL: @of_64_bits(
; CHECK: %sum = add i64 %x, %amount
define i64 @of_64_bits(i64 %a, i64 %y, i1 %c) {
  %x = mul i64 %a, 3
  %amount = select i1 %c, i64 %y, i64 0
  %sum = add i64 %x, %amount
  ret i64 %sum
}

; x lives on, so that adding in place would need a copy.
; CHECK-LABEL: @used_again(
; CHECK: %sum = add i32 %x, %amount
define i32 @used_again(i32 %a, i32 %y, i1 %c) {
  %x = mul i32 %a, 3
  %amount = select i1 %c, i32 %y, i32 0
  %sum = add i32 %x, %amount
  %product = mul i32 %sum, %x
  ret i32 %product
}

; 0 would not leave a product as it is.
; CHECK-LABEL: @product(
; CHECK: %product = mul i32 %x, %amount
define i32 @product(i32 %a, i32 %y, i1 %c) {
  %x = add i32 %a, 3
  %amount = select i1 %c, i32 %y, i32 0
  %product = mul i32 %x, %amount
  ret i32 %product
}
