; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=propagate_denormal_mode -S %t/flush.ll | FileCheck %s
; RUN: clcuda-opt -passes=propagate_denormal_mode -S %t/one_keeps.ll | FileCheck %s --check-prefix=KEEPS

;--- flush.ll
; CHECK: define ptx_kernel void @k() #[[FLUSHES:[0-9]+]] {
define ptx_kernel void @k() "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  ret void
}
; CHECK: define float @of_library(float %x) #[[FLUSHES]] {
define float @of_library(float %x) {
  ret float %x
}
; CHECK: define float @with_mode(float %x) #[[OWN:[0-9]+]] {
define float @with_mode(float %x) "denormal-fp-math-f32"="ieee,ieee" {
  ret float %x
}
; CHECK: declare float @elsewhere(float){{$}}
declare float @elsewhere(float)
; CHECK-DAG: attributes #[[FLUSHES]] = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
; CHECK-DAG: attributes #[[OWN]] = { "denormal-fp-math-f32"="ieee,ieee" }

;--- one_keeps.ll
define ptx_kernel void @k() "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  ret void
}
define ptx_kernel void @other() "denormal-fp-math-f32"="ieee,ieee" {
  ret void
}
; KEEPS: define float @of_library(float %x) {
define float @of_library(float %x) {
  ret float %x
}
