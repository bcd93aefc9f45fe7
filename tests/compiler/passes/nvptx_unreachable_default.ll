; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=nvptx_unreachable_default -S %s | FileCheck %s

; The highest case is what is left over.
; CHECK-LABEL: @settled(
; CHECK: switch i32 %x, label %three [
; CHECK-NEXT: i32 0, label %zero
; CHECK-NEXT: i32 2, label %two
; CHECK-NEXT: i32 1, label %one
; CHECK-NEXT: ]
; CHECK-NOT: unreachable
define i32 @settled(i32 %x) {
  switch i32 %x, label %never [
    i32 0, label %zero
    i32 3, label %three
    i32 1, label %one
    i32 2, label %two
  ]
never:
  unreachable
zero:
  ret i32 5
one:
  ret i32 9
two:
  ret i32 2
three:
  ret i32 7
}

; CHECK-LABEL: @with_default(
; CHECK: switch i32 %x, label %other [
; CHECK-NEXT: i32 0, label %zero
; CHECK-NEXT: i32 3, label %three
; CHECK-NEXT: ]
define i32 @with_default(i32 %x) {
  switch i32 %x, label %other [
    i32 0, label %zero
    i32 3, label %three
  ]
other:
  ret i32 1
zero:
  ret i32 5
three:
  ret i32 7
}
