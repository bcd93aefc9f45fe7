; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=ptxas_float_bit_store -S %s | FileCheck %s

; CHECK-LABEL: @unaligned(
; CHECK: %[[BITS:.*]] = bitcast double %x to i64
; CHECK-NEXT: %[[MOVED:.*]] = call i64 asm "mov.b64 $0, $1;", "=l,l"(i64 %[[BITS]])
; CHECK-NEXT: store i64 %[[MOVED]], ptr %{{.*}}, align 4
; CHECK-NEXT: ret void
define void @unaligned(ptr %p, double %x) {
  store double %x, ptr %p, align 4
  ret void
}

; Each element by itself.
; CHECK-LABEL: @unaligned_vector(
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r"
; CHECK-NEXT: store volatile i32 %{{.*}}, ptr %{{.*}}, align 2
; CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %p, i64 4
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r"
; CHECK-NEXT: store volatile i32 %{{.*}}, ptr %[[PLACE]], align 2
; CHECK-NEXT: ret void
define void @unaligned_vector(ptr %p, <2 x float> %x) {
  store volatile <2 x float> %x, ptr %p, align 2
  ret void
}

; CHECK-LABEL: @lower_part(
; CHECK: %[[MOVED:.*]] = call i64 asm "mov.b64 $0, $1;", "=l,l"
; CHECK-NEXT: %part = trunc i64 %[[MOVED]] to i32
; CHECK-NEXT: store i32 %part, ptr %p, align 4
define void @lower_part(ptr %p, double %x) {
  %bits = bitcast double %x to i64
  %part = trunc i64 %bits to i32
  store i32 %part, ptr %p, align 4
  ret void
}

; CHECK-LABEL: @bits_of_half(
; CHECK: %[[MOVED:.*]] = call i16 asm "mov.b16 $0, $1;", "=h,h"
; CHECK-NEXT: store i16 %[[MOVED]], ptr %p, align 1
define void @bits_of_half(ptr %p, half %x) {
  %bits = bitcast half %x to i16
  store i16 %bits, ptr %p, align 1
  ret void
}

; CHECK-LABEL: @aligned(
; CHECK-NEXT: store double %x, ptr %p, align 8
; CHECK-NEXT: ret void
define void @aligned(ptr %p, double %x) {
  store double %x, ptr %p, align 8
  ret void
}

; CHECK-LABEL: @whole_number(
; CHECK-NEXT: %part = trunc i64 %x to i32
; CHECK-NEXT: store i32 %part, ptr %p, align 1
; CHECK-NEXT: ret void
define void @whole_number(ptr %p, i64 %x) {
  %part = trunc i64 %x to i32
  store i32 %part, ptr %p, align 1
  ret void
}

; Bits that are not stored.
; CHECK-LABEL: @computed_with(
; CHECK-NEXT: %bits = bitcast float %x to i32
; CHECK-NEXT: %sign = lshr i32 %bits, 31
; CHECK-NEXT: ret i32 %sign
define i32 @computed_with(float %x) {
  %bits = bitcast float %x to i32
  %sign = lshr i32 %bits, 31
  ret i32 %sign
}
