; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=restore_multiply_adds -S %s | FileCheck %s

; (w·y + w)·y
; CHECK-LABEL: @factored(
; CHECK-NEXT: %inner = mul i32 %w, %y
; CHECK-NEXT: %[[PRODUCT:.*]] = mul i32 %inner, %y
; CHECK-NEXT: %[[R:.*]] = add i32 %[[PRODUCT]], %inner
; CHECK-NEXT: ret i32 %[[R]]
define i32 @factored(i32 %w, i32 %y) {
  %inner = mul i32 %w, %y
  %sum = add i32 %inner, %w
  %r = mul i32 %sum, %y
  ret i32 %r
}

; y·(w + y·w)
; CHECK-LABEL: @reversed(
; CHECK-NEXT: %inner = mul i32 %y, %w
; CHECK-NEXT: %[[PRODUCT:.*]] = mul i32 %inner, %y
; CHECK-NEXT: %[[R:.*]] = add i32 %[[PRODUCT]], %inner
; CHECK-NEXT: ret i32 %[[R]]
define i32 @reversed(i32 %w, i32 %y) {
  %inner = mul i32 %y, %w
  %sum = add i32 %w, %inner
  %r = mul i32 %y, %sum
  ret i32 %r
}

; CHECK-LABEL: @with_another_use(
; CHECK: %r = mul i32 %sum, %y
define i32 @with_another_use(ptr %p, i32 %w, i32 %y) {
  %inner = mul i32 %w, %y
  %sum = add i32 %inner, %w
  store i32 %sum, ptr %p
  %r = mul i32 %sum, %y
  ret i32 %r
}

; CHECK-LABEL: @in_another_block(
; CHECK: %sum = add i32 %inner, %w
; CHECK: %r = mul i32 %sum, %y
define i32 @in_another_block(i32 %w, i32 %y, i1 %c) {
  %inner = mul i32 %w, %y
  %sum = add i32 %inner, %w
  br i1 %c, label %one, label %other
one:
  %r = mul i32 %sum, %y
  ret i32 %r
other:
  ret i32 0
}

; Another factor.
; CHECK-LABEL: @not_in_common(
; CHECK: %r = mul i32 %sum, %z
define i32 @not_in_common(i32 %w, i32 %y, i32 %z) {
  %inner = mul i32 %w, %y
  %sum = add i32 %inner, %w
  %r = mul i32 %sum, %z
  ret i32 %r
}
