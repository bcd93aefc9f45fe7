; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=resolve_image_queries -S %s | FileCheck %s

declare i32 @__clcuda_ask_image_order(ptr, i32)
declare i64 @__clcuda_ask_image_format(ptr, i64)
declare i1 @__clcuda_ask_image_read_is_known(ptr, i64)
declare i32 @get_image_width(ptr, i32)

; CHECK-LABEL: @order(
; CHECK-NEXT: ret i32 %loaded
define i32 @order(ptr %image, i32 %loaded) {
  %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
  ret i32 %order
}

; CHECK-LABEL: @format(
; CHECK-NEXT: ret i64 %loaded
define i64 @format(ptr %image, i64 %loaded) {
  %format = call i64 @__clcuda_ask_image_format(ptr %image, i64 %loaded)
  ret i64 %format
}

; CHECK-LABEL: @read(
; CHECK-NEXT: ret i1 false
define i1 @read(ptr %image) {
  %known = call i1 @__clcuda_ask_image_read_is_known(ptr %image, i64 20)
  ret i1 %known
}

; No question.
; CHECK-LABEL: @width(
; CHECK-NEXT: %width = call i32 @get_image_width(ptr %image, i32 %loaded)
; CHECK-NEXT: ret i32 %width
define i32 @width(ptr %image, i32 %loaded) {
  %width = call i32 @get_image_width(ptr %image, i32 %loaded)
  ret i32 %width
}
