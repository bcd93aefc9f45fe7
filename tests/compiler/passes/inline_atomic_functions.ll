; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=inline_atomic_functions -S %s | FileCheck %s

; With what it calls in turn.
; CHECK-LABEL: @decided(
; CHECK-NOT: call
; CHECK: %[[OLD:.*]] = atomicrmw add
; CHECK: ret i32
define i32 @decided(ptr %p) {
  %old = call i32 @_Z25atomic_fetch_add_explicitPVU3AS4U7_Atomici12memory_order(ptr %p, i32 1, i32 0)
  ret i32 %old
}

; CHECK-LABEL: @undecided(
; CHECK: call i32 @_Z25atomic_fetch_add_explicitPVU3AS4U7_Atomici12memory_order(ptr %p, i32 1, i32 %order)
define i32 @undecided(ptr %p, i32 %order) {
  %old = call i32 @_Z25atomic_fetch_add_explicitPVU3AS4U7_Atomici12memory_order(ptr %p, i32 1, i32 %order)
  ret i32 %old
}

; CHECK-LABEL: @calls_another(
; CHECK: call i32 @another(i32 0)
define i32 @calls_another() {
  %x = call i32 @another(i32 0)
  ret i32 %x
}

; CHECK: define internal i32 @_Z25atomic_fetch_add_explicit
define internal i32 @_Z25atomic_fetch_add_explicitPVU3AS4U7_Atomici12memory_order(ptr %p, i32 %x, i32 %order) {
  %old = call i32 @add12memory_orderi12memory_scope(ptr %p, i32 %x, i32 %order, i32 2)
  ret i32 %old
}
define internal i32 @add12memory_orderi12memory_scope(ptr %p, i32 %x, i32 %order, i32 %scope) {
  %old = atomicrmw add ptr %p, i32 %x syncscope("device") monotonic
  ret i32 %old
}

; The program's functions may have any names and parameters.
; CHECK-LABEL: @calls_of_program(
; CHECK: call i32 @next12memory_order()
; CHECK: call i32 @_Z5store12memory_order(i32 0)
define i32 @calls_of_program() {
  %x = call i32 @next12memory_order()
  %y = call i32 @_Z5store12memory_order(i32 0)
  ret i32 %x
}
; CHECK: define internal i32 @next12memory_order()
define internal i32 @next12memory_order() "clcuda-of-program" {
  ret i32 5
}
; CHECK: define internal i32 @_Z5store12memory_order(
define internal i32 @_Z5store12memory_order(i32 %order) "clcuda-of-program" {
  ret i32 %order
}

; Nobody calls it any more.
; CHECK-NOT: 12memory_orderj
define internal void @_Z5fence12memory_orderj(i32 %order) {
  ret void
}

; CHECK: define internal i32 @another(i32 %x)
define internal i32 @another(i32 %x) {
  ret i32 %x
}
