; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=specialize_image_queries -S %s | FileCheck %s
; RUN: clcuda-opt -passes=specialize_image_queries --variant=general -S %s | FileCheck %s --check-prefix=GENERAL

declare i32 @__clcuda_ask_image_order(ptr, i32)
declare i64 @__clcuda_ask_image_format(ptr, i64)
declare i1 @__clcuda_ask_image_read_is_known(ptr, i64)

; Channels in the order RGBA, which the argument's attribute says.
; CHECK: define ptx_kernel i32 @order(ptr "clcuda-known-image"="1 12816 0 0" %image, i32 %loaded)
; CHECK-NEXT: ret i32 12816
; GENERAL: define ptx_kernel i32 @order(ptr %image, i32 %loaded)
; GENERAL-NEXT: ret i32 %loaded
define ptx_kernel i32 @order(ptr %image, i32 %loaded) {
  %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
  ret i32 %order
}

; The format is not known; the argument's attribute says that the code asks for it.
; CHECK: define ptx_kernel i64 @format(ptr "clcuda-known-image"="0 0 1 0" %image, i64 %loaded)
; CHECK-NEXT: ret i64 %loaded
; GENERAL: define ptx_kernel i64 @format(ptr %image, i64 %loaded)
; GENERAL-NEXT: ret i64 %loaded
define ptx_kernel i64 @format(ptr %image, i64 %loaded) {
  %format = call i64 @__clcuda_ask_image_format(ptr %image, i64 %loaded)
  ret i64 %format
}

; A read by a sampler that is a literal.
; CHECK: define ptx_kernel i1 @read(ptr "clcuda-known-image"="1 12816 0 0" %image)
; CHECK-NEXT: ret i1 true
; GENERAL: define ptx_kernel i1 @read(ptr %image)
; GENERAL-NEXT: ret i1 false
define ptx_kernel i1 @read(ptr %image) {
  %known = call i1 @__clcuda_ask_image_read_is_known(ptr %image, i64 20)
  ret i1 %known
}

; CHECK: define ptx_kernel i1 @read_by_argument(ptr {{.*}}%image, i64 %sampler)
; CHECK-NEXT: ret i1 false
; GENERAL: define ptx_kernel i1 @read_by_argument(
; GENERAL-NEXT: ret i1 false
define ptx_kernel i1 @read_by_argument(ptr %image, i64 %sampler) {
  %known = call i1 @__clcuda_ask_image_read_is_known(ptr %image, i64 %sampler)
  ret i1 %known
}

; A function that is called once hands the kernel's argument on.
; CHECK: define ptx_kernel i32 @hands_on(ptr "clcuda-known-image"="1 12816 0 0" %image, i32 %loaded)
; CHECK: define internal i32 @called_once(
; CHECK-NEXT: ret i32 12816
; GENERAL: define internal i32 @called_once(
; GENERAL-NEXT: ret i32 %loaded
define ptx_kernel i32 @hands_on(ptr %image, i32 %loaded) {
  %order = call i32 @called_once(ptr %image, i32 %loaded)
  ret i32 %order
}
define internal i32 @called_once(ptr %image, i32 %loaded) {
  %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
  ret i32 %order
}

; Anybody may call this one, with any image.
; CHECK: define i32 @of_any_image(ptr %image, i32 %loaded)
; CHECK-NEXT: %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
; GENERAL: define i32 @of_any_image(ptr %image, i32 %loaded)
; GENERAL-NEXT: %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
define i32 @of_any_image(ptr %image, i32 %loaded) {
  %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
  ret i32 %order
}

; CHECK: define ptx_kernel i32 @of_loaded_image(ptr %images, i32 %loaded)
; CHECK: %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
define ptx_kernel i32 @of_loaded_image(ptr %images, i32 %loaded) {
  %image = load ptr, ptr %images
  %order = call i32 @__clcuda_ask_image_order(ptr %image, i32 %loaded)
  ret i32 %order
}
