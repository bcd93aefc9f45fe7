; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=ptxas_abs -S %s | FileCheck %s

; CHECK-LABEL: @of_any_number(
; CHECK-NEXT: %[[MINUS:.*]] = sub i32 0, %x
; CHECK-NEXT: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %[[MINUS]])
; CHECK-NEXT: ret i32 %[[M]]
define i32 @of_any_number(i32 %x) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  ret i32 %magnitude
}

; Whatever comes next, in whichever place: ptxas finds no |x| there.
; CHECK-LABEL: @ahead_of_all(
; CHECK: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %{{.*}})
; CHECK-NOT: @llvm.abs
; CHECK: sub i32 0, %[[M]]
; CHECK: uitofp i32 %[[M]] to float
; CHECK: sitofp i32 %[[M]] to float
; CHECK: srem i32 %[[M]], %y
; CHECK: urem i32 %y, %[[M]]
; CHECK: udiv i32 %y, %[[M]]
; CHECK: call i32 @llvm.smin.i32(i32 %y, i32 %[[M]])
; CHECK: icmp slt i32 %[[M]], 0
define void @ahead_of_all(i32 %x, i32 %y, ptr %p) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %opposite = sub i32 0, %magnitude
  store volatile i32 %opposite, ptr %p
  %unsigned = uitofp i32 %magnitude to float
  store volatile float %unsigned, ptr %p
  %signed = sitofp i32 %magnitude to float
  store volatile float %signed, ptr %p
  %rest = srem i32 %magnitude, %y
  store volatile i32 %rest, ptr %p
  %other_rest = urem i32 %y, %magnitude
  store volatile i32 %other_rest, ptr %p
  %quotient = udiv i32 %y, %magnitude
  store volatile i32 %quotient, ptr %p
  %least = call i32 @llvm.smin.i32(i32 %y, i32 %magnitude)
  store volatile i32 %least, ptr %p
  %below = icmp slt i32 %magnitude, 0
  store volatile i1 %below, ptr %p
  ret void
}

; CHECK-LABEL: @on_one_way(
; CHECK: one:
; CHECK: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %{{.*}})
; CHECK: phi i32 [ %[[M]], %one ], [ %y, %entry ]
define i32 @on_one_way(i32 %x, i32 %y, i1 %c) {
entry:
  br i1 %c, label %one, label %end
one:
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  br label %end
end:
  %result = phi i32 [ %magnitude, %one ], [ %y, %entry ]
  ret i32 %result
}

; CHECK-LABEL: @of_other_widths(
; CHECK: call i64 @llvm.smax.i64(i64 %x, i64 %{{.*}})
; CHECK: call <2 x i16> @llvm.smax.v2i16(<2 x i16> %y, <2 x i16> %{{.*}})
define void @of_other_widths(i64 %x, <2 x i16> %y, ptr %p) {
  %long = call i64 @llvm.abs.i64(i64 %x, i1 false)
  store i64 %long, ptr %p
  %shorts = call <2 x i16> @llvm.abs.v2i16(<2 x i16> %y, i1 false)
  store <2 x i16> %shorts, ptr %p
  ret void
}

; A choice by the sign is |x| as well.
; CHECK-LABEL: @chosen(
; CHECK-NOT: select
; CHECK: %[[R:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: ret i32 %[[R]]
define i32 @chosen(i32 %x) {
  %is_negative = icmp slt i32 %x, 0
  %minus = sub i32 0, %x
  %magnitude = select i1 %is_negative, i32 %minus, i32 %x
  ret i32 %magnitude
}

; CHECK-LABEL: @chosen_opposite(
; CHECK-NOT: select
; CHECK: %[[R:.*]] = call i32 @llvm.smin.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: ret i32 %[[R]]
define i32 @chosen_opposite(i32 %x) {
  %is_negative = icmp slt i32 %x, 0
  %minus = sub nsw i32 0, %x
  %opposite = select i1 %is_negative, i32 %x, i32 %minus
  ret i32 %opposite
}

; These are not the least number: half of one, by a range, by a bit, by an assumption, or it would be undefined.
; CHECK-LABEL: @of_known_numbers(
; CHECK-NOT: @llvm.smax
; CHECK: ret void
define void @of_known_numbers(i32 %x, i32 range(i32 -9, 9) %ranged, i32 %assumed, ptr %p) {
  %half = ashr i32 %x, 1
  %of_half = call i32 @llvm.abs.i32(i32 %half, i1 false)
  store volatile i32 %of_half, ptr %p
  %of_ranged = call i32 @llvm.abs.i32(i32 %ranged, i1 false)
  store volatile i32 %of_ranged, ptr %p
  %odd = or i32 %x, 1
  %of_odd = call i32 @llvm.abs.i32(i32 %odd, i1 false)
  store volatile i32 %of_odd, ptr %p
  %greater = icmp sgt i32 %assumed, -100
  call void @llvm.assume(i1 %greater)
  %of_assumed = call i32 @llvm.abs.i32(i32 %assumed, i1 false)
  store volatile i32 %of_assumed, ptr %p
  %of_any = call i32 @llvm.abs.i32(i32 %x, i1 true)
  store volatile i32 %of_any, ptr %p
  %is_negative = icmp slt i32 %x, 0
  %minus = sub nsw i32 0, %x
  %chosen = select i1 %is_negative, i32 %minus, i32 %x
  store volatile i32 %chosen, ptr %p
  ret void
}

; Of every number -|x| is less than any constant to ptxas.
; CHECK-LABEL: @negated(
; CHECK: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %half, i32 %{{.*}})
; CHECK-NEXT: sub i32 0, %[[M]]
; CHECK: %[[TWO:.*]] = call <2 x i32> @llvm.smax.v2i32(<2 x i32> %y, <2 x i32> %{{.*}})
; CHECK: extractelement <2 x i32> %[[TWO]], i64 1
define void @negated(i32 %x, <2 x i32> %y, ptr %p) {
  %half = ashr i32 %x, 1
  %magnitude = call i32 @llvm.abs.i32(i32 %half, i1 true)
  %opposite = sub i32 0, %magnitude
  store volatile i32 %opposite, ptr %p
  %both = call <2 x i32> @llvm.abs.v2i32(<2 x i32> %y, i1 true)
  %one = extractelement <2 x i32> %both, i64 1
  %minus = sub i32 0, %one
  store volatile i32 %minus, ptr %p
  ret void
}
