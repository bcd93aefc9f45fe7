; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=raise_inline_threshold -S %s | FileCheck %s

declare void @outside(ptr)
define void @takes_private(ptr %p) {
  ret void
}
define void @takes_buffer(ptr addrspace(1) %p, i32 %n) {
  ret void
}
define void @stays(ptr %p) noinline {
  ret void
}

; CHECK-LABEL: @of_private_memory(
; CHECK: call void @takes_private(ptr %variable) #[[RAISED:[0-9]+]]
define void @of_private_memory() {
  %variable = alloca i32
  call void @takes_private(ptr %variable)
  ret void
}

; CHECK-LABEL: @of_buffers(
; CHECK: call void @takes_buffer(ptr addrspace(1) %p, i32 1){{$}}
define void @of_buffers(ptr addrspace(1) %p) {
  call void @takes_buffer(ptr addrspace(1) %p, i32 1)
  ret void
}

; Not to be inlined, or without a body, or not known.
; CHECK-LABEL: @of_others(
; CHECK: call void @stays(ptr %variable){{$}}
; CHECK: call void @outside(ptr %variable){{$}}
; CHECK: call void %f(ptr %variable){{$}}
define void @of_others(ptr %f) {
  %variable = alloca i32
  call void @stays(ptr %variable)
  call void @outside(ptr %variable)
  call void %f(ptr %variable)
  ret void
}

; CHECK: attributes #[[RAISED]] = { "function-inline-threshold"="20000" }
