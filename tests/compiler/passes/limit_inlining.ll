; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=limit_inlining -S %s | FileCheck %s

; Functions of 21, 441 and 7957 instructions once what they call is inlined.
; CHECK-LABEL: @small(
; CHECK-LABEL: @medium(
; CHECK-NOT: call void @small() #
; CHECK-LABEL: @large(
; CHECK-NOT: call void @medium() #
define void @small() {
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  fence syncscope("device") seq_cst
  ret void
}
define void @medium() {
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  call void @small()
  ret void
}
define void @large() {
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  call void @medium()
  ret void
}

; The sixth would make more than 40 000 of it; a small one fits yet.
; CHECK-LABEL: @k(
; CHECK-COUNT-5: call void @large(){{$}}
; CHECK-NEXT: call void @large() #[[NOINLINE:[0-9]+]]
; CHECK-NEXT: call void @small(){{$}}
define ptx_kernel void @k() {
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @small()
  ret void
}

; What must be inlined is.
; CHECK-LABEL: @must(
; CHECK-NOT: #[[NOINLINE]]
; CHECK: ret void
define void @must() alwaysinline {
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  call void @large()
  ret void
}
; CHECK-LABEL: @must_be_large(
; CHECK-COUNT-10: call void @must(){{$}}
define ptx_kernel void @must_be_large() {
  call void @must()
  call void @must()
  call void @must()
  call void @must()
  call void @must()
  call void @must()
  call void @must()
  call void @must()
  call void @must()
  call void @must()
  ret void
}

; The program has more than 400 000 already.
; CHECK-LABEL: @later(
; CHECK-NEXT: call void @medium() #[[NOINLINE]]
define ptx_kernel void @later() {
  call void @medium()
  ret void
}

; CHECK: attributes #[[NOINLINE]] = { noinline }
