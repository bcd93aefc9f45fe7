; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=scale_local_indices -S %s | FileCheck %s

; Two places of a ring: %i is scaled once.
; CHECK-LABEL: @ring(
; CHECK-NEXT: %[[BYTES:.*]] = shl i32 %i, 2
; CHECK-NOT: shl
; CHECK: add i32 %[[BYTES]], 12
; CHECK: and i32 %{{.*}}, 1020
; CHECK: %[[WIDE:.*]] = zext i32 %{{.*}} to i64
; CHECK: getelementptr i8, ptr addrspace(3) %p, i64 %[[WIDE]]
; CHECK: add i32 %[[BYTES]], 16
; CHECK: and i32 %{{.*}}, 1020
; CHECK: getelementptr i8, ptr addrspace(3) %p, i64
define float @ring(ptr addrspace(3) %p, i32 %i) {
  %a = add i32 %i, 3
  %b = and i32 %a, 255
  %c = zext i32 %b to i64
  %one = getelementptr float, ptr addrspace(3) %p, i64 %c
  %d = add i32 %i, 4
  %e = and i32 %d, 255
  %f = zext i32 %e to i64
  %other = getelementptr float, ptr addrspace(3) %p, i64 %f
  %x = load float, ptr addrspace(3) %one
  %y = load float, ptr addrspace(3) %other
  %r = fadd float %x, %y
  ret float %r
}

; Columns that are permuted.
; CHECK-LABEL: @permuted(
; CHECK: %i = lshr i32 %n, 27
; CHECK-NEXT: %[[BYTES:.*]] = shl i32 %i, 3
; CHECK: xor i32 %[[BYTES]], 8
; CHECK: getelementptr inbounds i8, ptr addrspace(3) %p
; CHECK: xor i32 %[[BYTES]], 16
; CHECK: getelementptr inbounds i8, ptr addrspace(3) %p
define double @permuted(ptr addrspace(3) %p, i32 %n) {
  %i = lshr i32 %n, 27
  %a = xor i32 %i, 1
  %b = zext i32 %a to i64
  %one = getelementptr inbounds double, ptr addrspace(3) %p, i64 %b
  %c = xor i32 %i, 2
  %d = zext i32 %c to i64
  %other = getelementptr inbounds double, ptr addrspace(3) %p, i64 %d
  %x = load double, ptr addrspace(3) %one
  %y = load double, ptr addrspace(3) %other
  %r = fadd double %x, %y
  ret double %r
}

; CHECK-LABEL: @one_access(
; CHECK-NOT: shl
; CHECK: getelementptr float, ptr addrspace(3) %p, i64 %b
define float @one_access(ptr addrspace(3) %p, i32 %i) {
  %a = and i32 %i, 255
  %b = zext i32 %a to i64
  %one = getelementptr float, ptr addrspace(3) %p, i64 %b
  %x = load float, ptr addrspace(3) %one
  ret float %x
}

; CHECK-LABEL: @sums(
; CHECK-NOT: shl
; CHECK: getelementptr float, ptr addrspace(3) %p, i64 %b
; CHECK: getelementptr float, ptr addrspace(3) %p, i64 %d
define float @sums(ptr addrspace(3) %p, i16 %n) {
  %i = zext i16 %n to i32
  %a = add nuw nsw i32 %i, 3
  %b = zext i32 %a to i64
  %one = getelementptr float, ptr addrspace(3) %p, i64 %b
  %c = add nuw nsw i32 %i, 4
  %d = zext i32 %c to i64
  %other = getelementptr float, ptr addrspace(3) %p, i64 %d
  %x = load float, ptr addrspace(3) %one
  %y = load float, ptr addrspace(3) %other
  %r = fadd float %x, %y
  ret float %r
}

; Other memory.
; CHECK-LABEL: @of_buffer(
; CHECK-NOT: shl
; CHECK: getelementptr float, ptr addrspace(1) %p, i64 %c
; CHECK: getelementptr float, ptr addrspace(1) %p, i64 %f
define float @of_buffer(ptr addrspace(1) %p, i32 %i) {
  %a = add i32 %i, 3
  %b = and i32 %a, 255
  %c = zext i32 %b to i64
  %one = getelementptr float, ptr addrspace(1) %p, i64 %c
  %d = add i32 %i, 4
  %e = and i32 %d, 255
  %f = zext i32 %e to i64
  %other = getelementptr float, ptr addrspace(1) %p, i64 %f
  %x = load float, ptr addrspace(1) %one
  %y = load float, ptr addrspace(1) %other
  %r = fadd float %x, %y
  ret float %r
}

; The upper bits of the indices would be lost.
; CHECK-LABEL: @too_large(
; CHECK-NOT: shl
; CHECK: getelementptr float, ptr addrspace(3) %p, i64 %b
; CHECK: getelementptr float, ptr addrspace(3) %p, i64 %d
define float @too_large(ptr addrspace(3) %p, i32 %i) {
  %a = xor i32 %i, 1
  %b = zext i32 %a to i64
  %one = getelementptr float, ptr addrspace(3) %p, i64 %b
  %c = xor i32 %i, 2
  %d = zext i32 %c to i64
  %other = getelementptr float, ptr addrspace(3) %p, i64 %d
  %x = load float, ptr addrspace(3) %one
  %y = load float, ptr addrspace(3) %other
  %r = fadd float %x, %y
  ret float %r
}
