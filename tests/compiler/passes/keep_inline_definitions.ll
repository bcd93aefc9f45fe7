; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=keep_inline_definitions -S %s | FileCheck %s

; CHECK: define internal i32 @f(
define available_externally i32 @f(i32 %x) {
  ret i32 %x
}

; CHECK: define i32 @external(
define i32 @external(i32 %x) {
  ret i32 %x
}

; CHECK: define linkonce_odr i32 @of_cpp(
define linkonce_odr i32 @of_cpp(i32 %x) {
  ret i32 %x
}
