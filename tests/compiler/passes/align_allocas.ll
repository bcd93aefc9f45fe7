; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=align_allocas -S %s | FileCheck %s

; CHECK: %large = alloca [4 x i32], align 16
; CHECK: %odd = alloca [17 x i8], align 16
; CHECK: %small = alloca [3 x i32], align 4
; CHECK: %aligned = alloca [16 x i32], align 64
; CHECK: %unknown = alloca i32, i32 %n, align 4
define void @f(i32 %n) {
  %large = alloca [4 x i32], align 4
  %odd = alloca [17 x i8], align 1
  %small = alloca [3 x i32], align 4
  %aligned = alloca [16 x i32], align 64
  %unknown = alloca i32, i32 %n, align 4
  ret void
}
