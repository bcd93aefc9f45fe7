; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=fold_local_nulls -S %s | FileCheck %s
; RUN: clcuda-opt -passes=fold_local_nulls --sm=75 -S %s | FileCheck %s --check-prefix=BEFORE

@variable = internal addrspace(3) global i32 poison

; CHECK-LABEL: @null_of_local(
; CHECK: icmp eq ptr addrspace(3) %p, null
; BEFORE-LABEL: @null_of_local(
; BEFORE: icmp eq ptr addrspace(3) %p, addrspacecast (ptr null to ptr addrspace(3))
define i1 @null_of_local(ptr addrspace(3) %p) {
  %is_null = icmp eq ptr addrspace(3) %p, addrspacecast (ptr null to ptr addrspace(3))
  ret i1 %is_null
}

; And from there on.
; CHECK-LABEL: @null_from_local(
; CHECK: store ptr null, ptr %p
; CHECK: store ptr addrspace(1) null, ptr %p
; BEFORE-LABEL: @null_from_local(
; BEFORE: store ptr addrspacecast (ptr addrspace(3) null to ptr), ptr %p
define void @null_from_local(ptr %p) {
  store ptr addrspacecast (ptr addrspace(3) null to ptr), ptr %p
  store ptr addrspace(1) addrspacecast (ptr addrspace(3) null to ptr addrspace(1)), ptr %p
  ret void
}

; CHECK-LABEL: @of_variable(
; CHECK: ret ptr addrspacecast (ptr addrspace(3) @variable to ptr)
define ptr @of_variable() {
  ret ptr addrspacecast (ptr addrspace(3) @variable to ptr)
}
