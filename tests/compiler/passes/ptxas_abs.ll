; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=ptxas_abs -S %s | FileCheck %s

; CHECK-LABEL: @negated(
; CHECK: %[[MINUS:.*]] = sub i32 0, %x
; CHECK-NEXT: %[[R:.*]] = call i32 @llvm.smin.i32(i32 %x, i32 %[[MINUS]])
; CHECK-NEXT: ret i32 %[[R]]
define i32 @negated(i32 %x) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %opposite = sub i32 0, %magnitude
  ret i32 %opposite
}

; CHECK-LABEL: @converted(
; CHECK: %[[F:.*]] = sitofp i32 %x to float
; CHECK-NEXT: %[[R:.*]] = call float @llvm.fabs.f32(float %[[F]])
; CHECK-NEXT: ret float %[[R]]
define float @converted(i32 %x) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %number = uitofp i32 %magnitude to float
  ret float %number
}

; The library's conversions that round in another way.
declare float @convert_float_rtz(i32) memory(none)
; CHECK-LABEL: @rounded(
; CHECK: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: call float @convert_float_rtz(i32 %[[M]])
define float @rounded(i32 %x) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %number = call float @convert_float_rtz(i32 %magnitude)
  ret float %number
}

; CHECK-LABEL: @remainder(
; CHECK: %[[MINUS:.*]] = sub i32 0, %x
; CHECK-NEXT: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %[[MINUS]])
; CHECK-NEXT: srem i32 %[[M]], %y
define i32 @remainder(i32 %x, i32 %y) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %rest = srem i32 %magnitude, %y
  ret i32 %rest
}

; CHECK-LABEL: @minimum(
; CHECK: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: call i32 @llvm.smin.i32(i32 %[[M]], i32 %y)
define i32 @minimum(i32 %x, i32 %y) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %least = call i32 @llvm.smin.i32(i32 %magnitude, i32 %y)
  ret i32 %least
}

; Below 0 is the least number only.
; CHECK-LABEL: @below_zero(
; CHECK: %[[R:.*]] = icmp eq i32 %x, -2147483648
; CHECK-NEXT: ret i1 %[[R]]
define i1 @below_zero(i32 %x) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %below = icmp slt i32 %magnitude, 0
  ret i1 %below
}

; CHECK-LABEL: @above_minus_one(
; CHECK: %[[R:.*]] = icmp ne i32 %x, -2147483648
; CHECK-NEXT: ret i1 %[[R]]
define i1 @above_minus_one(i32 %x) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %above = icmp sgt i32 %magnitude, -1
  ret i1 %above
}

; On one of the ways to the end.
; CHECK-LABEL: @merged(
; CHECK: one:
; CHECK: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: br label %end
; CHECK: phi i32 [ %[[M]], %one ], [ %y, %entry ]
define i32 @merged(i32 %x, i32 %y, i1 %c) {
entry:
  br i1 %c, label %one, label %end
one:
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  br label %end
end:
  %result = phi i32 [ %magnitude, %one ], [ %y, %entry ]
  ret i32 %result
}

; A choice by the sign is |x| as well.
; CHECK-LABEL: @chosen(
; CHECK-NOT: select
; CHECK: %[[R:.*]] = call i32 @llvm.smin.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: ret i32 %[[R]]
define i32 @chosen(i32 %x) {
  %is_negative = icmp slt i32 %x, 0
  %minus = sub i32 0, %x
  %magnitude = select i1 %is_negative, i32 %minus, i32 %x
  %opposite = sub i32 0, %magnitude
  ret i32 %opposite
}

; CHECK-LABEL: @chosen_opposite(
; CHECK-NOT: select
; CHECK: %[[R:.*]] = call i32 @llvm.smin.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: ret i32 %[[R]]
define i32 @chosen_opposite(i32 %x) {
  %is_negative = icmp slt i32 %x, 0
  %minus = sub i32 0, %x
  %opposite = select i1 %is_negative, i32 %x, i32 %minus
  ret i32 %opposite
}

; A block that comes to the end in two ways brings the same.
; CHECK-LABEL: @merged_twice(
; CHECK: %[[M:.*]] = call i32 @llvm.smax.i32(i32 %x, i32 %{{.*}})
; CHECK-NEXT: switch
; CHECK: phi i32 [ %[[M]], %entry ], [ %[[M]], %entry ], [ %y, %other ]
define i32 @merged_twice(i32 %x, i32 %y) {
entry:
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  switch i32 %y, label %other [
    i32 1, label %end
    i32 2, label %end
  ]
other:
  br label %end
end:
  %result = phi i32 [ %magnitude, %entry ], [ %magnitude, %entry ], [ %y, %other ]
  ret i32 %result
}

; A lane of |x|.
; CHECK-LABEL: @lane(
; CHECK: %[[X:.*]] = extractelement <2 x i32> %x, i64 1
; CHECK-NEXT: %[[MINUS:.*]] = sub i32 0, %[[X]]
; CHECK-NEXT: call i32 @llvm.smin.i32(i32 %[[X]], i32 %[[MINUS]])
define i32 @lane(<2 x i32> %x) {
  %magnitude = call <2 x i32> @llvm.abs.v2i32(<2 x i32> %x, i1 false)
  %one = extractelement <2 x i32> %magnitude, i64 1
  %opposite = sub i32 0, %one
  ret i32 %opposite
}

; CHECK-LABEL: @before_anything_else(
; CHECK-NEXT: %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
; CHECK-NEXT: %sum = add i32 %magnitude, %y
; CHECK-NEXT: %c = icmp slt i32 %magnitude, 7
; CHECK-NEXT: %r = select i1 %c, i32 %sum, i32 %magnitude
; CHECK-NEXT: ret i32 %r
define i32 @before_anything_else(i32 %x, i32 %y) {
  %magnitude = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %sum = add i32 %magnitude, %y
  %c = icmp slt i32 %magnitude, 7
  %r = select i1 %c, i32 %sum, i32 %magnitude
  ret i32 %r
}

; CHECK-LABEL: @of_other_numbers(
; CHECK-NEXT: %opposite = sub i32 0, %x
; CHECK-NEXT: %rest = srem i32 %opposite, %y
; CHECK-NEXT: ret i32 %rest
define i32 @of_other_numbers(i32 %x, i32 %y) {
  %opposite = sub i32 0, %x
  %rest = srem i32 %opposite, %y
  ret i32 %rest
}
