; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=reuse_subtractions -S %s | FileCheck %s

; The first difference may overflow where the second does not, and loses its flags.
; CHECK-LABEL: @next(
; CHECK: %difference = sub i32 %a, %b
; CHECK: %[[R:.*]] = add i32 %difference, 1
; CHECK: ret i32 %[[R]]
define i32 @next(ptr %p, i32 %a, i32 %b) {
  %difference = sub nsw i32 %a, %b
  store i32 %difference, ptr %p
  %sum = add i32 %a, 1
  %next = sub i32 %sum, %b
  ret i32 %next
}

; The difference is there on one way only.
; CHECK-LABEL: @not_there(
; CHECK: %next = sub i32 %sum, %b
define i32 @not_there(ptr %p, i32 %a, i32 %b, i1 %c) {
  br i1 %c, label %one, label %end
one:
  %difference = sub i32 %a, %b
  store i32 %difference, ptr %p
  br label %end
end:
  %sum = add i32 %a, 1
  %next = sub i32 %sum, %b
  ret i32 %next
}

; CHECK-LABEL: @of_something_else(
; CHECK: %next = sub i32 %sum, %b
define i32 @of_something_else(ptr %p, i32 %a, i32 %b, i32 %x) {
  %difference = sub i32 %x, %b
  store i32 %difference, ptr %p
  %sum = add i32 %a, 1
  %next = sub i32 %sum, %b
  ret i32 %next
}

; CHECK-LABEL: @no_constant(
; CHECK: %next = sub i32 %sum, %b
define i32 @no_constant(ptr %p, i32 %a, i32 %b, i32 %x) {
  %difference = sub i32 %a, %b
  store i32 %difference, ptr %p
  %sum = add i32 %a, %x
  %next = sub i32 %sum, %b
  ret i32 %next
}
