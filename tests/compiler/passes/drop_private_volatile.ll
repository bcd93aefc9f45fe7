; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=drop_private_volatile -S %s | FileCheck %s

; Also at an offset, and where one of several variables is chosen.
; CHECK-LABEL: @private(
; CHECK: store i32 %x, ptr %place
; CHECK: load i32, ptr %chosen
define i32 @private(i32 %x, i1 %c) {
  %one = alloca [4 x i32]
  %other = alloca [4 x i32]
  %place = getelementptr i8, ptr %one, i32 4
  store volatile i32 %x, ptr %place
  %chosen = select i1 %c, ptr %place, ptr %other
  %y = load volatile i32, ptr %chosen
  ret i32 %y
}

; CHECK-LABEL: @shared(
; CHECK: store volatile i32 %x, ptr addrspace(1) %p
; CHECK: load volatile i32, ptr %q
define i32 @shared(ptr addrspace(1) %p, ptr %q, i32 %x) {
  store volatile i32 %x, ptr addrspace(1) %p
  %y = load volatile i32, ptr %q
  ret i32 %y
}

; CHECK-LABEL: @either(
; CHECK: load volatile i32, ptr %chosen
define i32 @either(ptr %q, i1 %c) {
  %one = alloca i32
  %chosen = select i1 %c, ptr %one, ptr %q
  %y = load volatile i32, ptr %chosen
  ret i32 %y
}
