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

; Doubles that are stored as pairs of integers.
; CHECK-LABEL: @parts_of_vector(
; CHECK: %[[FIRST:.*]] = call i64 asm "mov.b64 $0, $1;", "=l,l"
; CHECK: %[[SECOND:.*]] = call i64 asm "mov.b64 $0, $1;", "=l,l"
; CHECK: %[[BOTH:.*]] = insertelement <2 x i64> %{{.*}}, i64 %[[SECOND]], i64 1
; CHECK: %[[BITS:.*]] = bitcast <2 x i64> %[[BOTH]] to <4 x i32>
; CHECK: %part = extractelement <4 x i32> %[[BITS]], i64 2
; CHECK-NEXT: store i32 %part, ptr %p, align 4
define void @parts_of_vector(ptr %p, <2 x double> %x) {
  %bits = bitcast <2 x double> %x to <4 x i32>
  %part = extractelement <4 x i32> %bits, i64 2
  store i32 %part, ptr %p, align 4
  ret void
}

; CHECK-LABEL: @parts_of_scalar(
; CHECK: %[[MOVED:.*]] = call i64 asm "mov.b64 $0, $1;", "=l,l"
; CHECK: bitcast i64 %[[MOVED]] to <2 x i32>
define void @parts_of_scalar(ptr %p, double %x) {
  %bits = bitcast double %x to <2 x i32>
  store <2 x i32> %bits, ptr %p, align 4
  ret void
}

; CHECK-LABEL: @parts_computed_with(
; CHECK-NEXT: %bits = bitcast double %x to <2 x i32>
; CHECK-NEXT: %high = extractelement <2 x i32> %bits, i64 1
; CHECK-NEXT: %more = add i32 %high, 1
; CHECK-NEXT: ret i32 %more
define i32 @parts_computed_with(double %x) {
  %bits = bitcast double %x to <2 x i32>
  %high = extractelement <2 x i32> %bits, i64 1
  %more = add i32 %high, 1
  ret i32 %more
}

; Pairs of halves are bits.
; CHECK-LABEL: @pairs_of_halves(
; CHECK-NEXT: %bits = bitcast <2 x half> %x to i32
; CHECK-NEXT: store i32 %bits, ptr %p, align 1
define void @pairs_of_halves(ptr %p, <2 x half> %x) {
  %bits = bitcast <2 x half> %x to i32
  store i32 %bits, ptr %p, align 1
  ret void
}
