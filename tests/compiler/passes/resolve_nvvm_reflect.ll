; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: cat %t/kernel.ll %t/common.ll > %t/keeps.ll
; RUN: cat %t/flushing_kernel.ll %t/common.ll > %t/flushes.ll
; RUN: clcuda-opt -passes=resolve_nvvm_reflect --sm=90 -S %t/keeps.ll | FileCheck %t/common.ll --check-prefixes=CHECK,KEEPS
; RUN: clcuda-opt -passes=resolve_nvvm_reflect --sm=75 -S %t/flushes.ll | FileCheck %t/common.ll --check-prefixes=CHECK,FLUSHES

;--- kernel.ll
define ptx_kernel void @k() {
  ret void
}
;--- flushing_kernel.ll
define ptx_kernel void @k() "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  ret void
}
;--- common.ll
@ftz = private constant [11 x i8] c"__CUDA_FTZ\00"
@arch = private constant [12 x i8] c"__CUDA_ARCH\00"
@division = private constant [16 x i8] c"__CUDA_PREC_DIV\00"
@unknown = private constant [6 x i8] c"__ASK\00"
declare i32 @__nvvm_reflect(ptr)

; CHECK-LABEL: @f(
; KEEPS: store volatile i32 0, ptr %p
; KEEPS: store volatile i32 900, ptr %p
; FLUSHES: store volatile i32 1, ptr %p
; FLUSHES: store volatile i32 750, ptr %p
; CHECK: store volatile i32 1, ptr %p
; CHECK: store volatile i32 0, ptr %p
define void @f(ptr %p) {
  %a = call i32 @__nvvm_reflect(ptr @ftz)
  store volatile i32 %a, ptr %p
  %b = call i32 @__nvvm_reflect(ptr @arch)
  store volatile i32 %b, ptr %p
  %c = call i32 @__nvvm_reflect(ptr @division)
  store volatile i32 %c, ptr %p
  %d = call i32 @__nvvm_reflect(ptr @unknown)
  store volatile i32 %d, ptr %p
  ret void
}
; CHECK-NOT: __nvvm_reflect
