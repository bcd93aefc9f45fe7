; SPDX-License-Identifier: Apache-2.0
; RUN: not clcuda-opt -passes=lower_printf -S %s 2>&1 | FileCheck %s

declare i32 @printf(ptr, ...)

; CHECK: error: in function 'k': the format of printf is not a string literal
define ptx_kernel void @__clang_ocl_kern_imp_k(ptr %format) {
  %result = call i32 (ptr, ...) @printf(ptr %format)
  ret void
}
