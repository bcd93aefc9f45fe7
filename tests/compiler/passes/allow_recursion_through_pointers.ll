; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=allow_recursion_through_pointers -S %t/pointers.ll | FileCheck %s
; RUN: clcuda-opt -passes=allow_recursion_through_pointers -S %t/without.ll | FileCheck %s --check-prefix=WITHOUT

;--- pointers.ll
@table = global ptr @f
; CHECK: define void @f() {
define void @f() norecurse {
  %g = load ptr, ptr @table
  call void %g()
  ret void
}
; CHECK: define ptx_kernel void @k() #[[KERNEL:[0-9]+]]
define ptx_kernel void @k() norecurse {
  call void @f()
  ret void
}
; CHECK: attributes #[[KERNEL]] = { norecurse }

;--- without.ll
; WITHOUT: define void @f() #[[FUNCTION:[0-9]+]]
define void @f() norecurse {
  ret void
}
define ptx_kernel void @k() {
  call void @f()
  ret void
}
; WITHOUT: attributes #[[FUNCTION]] = { norecurse }
