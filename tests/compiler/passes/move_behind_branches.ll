; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=move_behind_branches -S %s | FileCheck %s

; A long division, and a product of two loads.
; CHECK-LABEL: @both(
; CHECK: entry:
; CHECK-NEXT: br i1 %one
; CHECK: write:
; CHECK-NEXT: %q = sdiv i64 %x, %n
; CHECK-NEXT: %a = load float
; CHECK-NEXT: %next = getelementptr
; CHECK-NEXT: %b = load float
; CHECK-NEXT: %product = fmul float %a, %b
; CHECK-NEXT: store i64 %q
; CHECK: end:
define void @both(ptr addrspace(1) noalias %out, ptr addrspace(1) noalias %in, i64 %x, i64 %n, i1 %one) {
entry:
  %q = sdiv i64 %x, %n
  %a = load float, ptr addrspace(1) %in
  %next = getelementptr float, ptr addrspace(1) %in, i64 1
  %b = load float, ptr addrspace(1) %next
  %product = fmul float %a, %b
  br i1 %one, label %write, label %end
write:
  store i64 %q, ptr addrspace(1) %out
  store float %product, ptr addrspace(1) %in
  br label %end
end:
  ret void
}

; Not past a store, nor a volatile load, nor what both sides use, nor what a phi chooses, nor cheap computations alone.
; CHECK-LABEL: @others(
; CHECK: entry:
; CHECK-NEXT: %a = load float
; CHECK-NEXT: store
; CHECK-NEXT: %v = load volatile float
; CHECK-NEXT: %q = sdiv i64 %x, %n
; CHECK-NEXT: %r = srem i64 %x, %n
; CHECK-NEXT: %cheap = add i64 %x, %n
; CHECK-NEXT: br i1
define i64 @others(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %x, i64 %n, i1 %one) {
entry:
  %a = load float, ptr addrspace(1) %in
  store i64 %x, ptr addrspace(1) %out
  %v = load volatile float, ptr addrspace(1) %in
  %q = sdiv i64 %x, %n
  %r = srem i64 %x, %n
  %cheap = add i64 %x, %n
  br i1 %one, label %write, label %end
write:
  store float %a, ptr addrspace(1) %out
  store volatile float %v, ptr addrspace(1) %out
  store volatile i64 %cheap, ptr addrspace(1) %out
  store volatile i64 %q, ptr addrspace(1) %out
  br label %end
end:
  %result = phi i64 [ %r, %entry ], [ 0, %write ]
  %sum = add i64 %result, %q
  ret i64 %sum
}

; Not where more values would be kept than the results are.
; CHECK-LABEL: @more(
; CHECK: entry:
; CHECK: %q = sdiv i64 %sum, %n
; CHECK-NEXT: br i1
define void @more(ptr addrspace(1) %out, ptr addrspace(1) %in, i64 %n, i1 %one) {
entry:
  %a = load volatile i64, ptr addrspace(1) %in
  %b = load volatile i64, ptr addrspace(1) %in
  %c = load volatile i64, ptr addrspace(1) %in
  %ab = add i64 %a, %b
  %sum = add i64 %ab, %c
  %q = sdiv i64 %sum, %n
  br i1 %one, label %write, label %end
write:
  store i64 %q, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
