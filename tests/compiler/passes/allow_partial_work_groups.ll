; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=allow_partial_work_groups --build-options=-cl-std=CLC++ -S %s | FileCheck %s --check-prefix=PARTIAL
; RUN: clcuda-opt -passes=allow_partial_work_groups --build-options='-cl-std=CLC++ -cl-uniform-work-group-size' -S %s | FileCheck %s --check-prefix=UNIFORM
; RUN: clcuda-opt -passes=allow_partial_work_groups --build-options=-cl-std=CL1.2 -S %s | FileCheck %s --check-prefix=UNIFORM

; PARTIAL: define ptx_kernel void @k() #[[K:[0-9]+]] {
; UNIFORM: define ptx_kernel void @k() #[[K:[0-9]+]] {
define ptx_kernel void @k() #0 {
  ret void
}

; Nothing is said of a function about which nothing was said.
; PARTIAL: define void @f() {
define void @f() {
  ret void
}

attributes #0 = { "uniform-work-group-size"="true" }
; PARTIAL: attributes #[[K]] = { "uniform-work-group-size"="false" }
; UNIFORM: attributes #[[K]] = { "uniform-work-group-size"="true" }
