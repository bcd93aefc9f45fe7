; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=name_destroyed_objects -S %s | FileCheck %s

@object = internal addrspace(1) global i32 0
declare void @destroy(ptr)

; CHECK-LABEL: @__dtor_object(
; CHECK: call void @destroy(ptr addrspacecast (ptr addrspace(1) @object to ptr))
define internal void @__dtor_object() {
  call void @destroy(ptr null)
  ret void
}

; There is no such object.
; CHECK-LABEL: @__dtor_other(
; CHECK: call void @destroy(ptr null)
define internal void @__dtor_other() {
  call void @destroy(ptr null)
  ret void
}

; CHECK-LABEL: @object_of_program(
; CHECK: call void @destroy(ptr null)
define internal void @object_of_program() {
  call void @destroy(ptr null)
  ret void
}
