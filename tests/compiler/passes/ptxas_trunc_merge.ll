; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=ptxas_trunc_merge -S %s | FileCheck %s

; A constant that has an upper half only: the sum has the lower half of %x.
; CHECK-LABEL: @same_lower_half(
; CHECK: %[[LANES:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.lanemask.lt()
; CHECK-NEXT: %[[SIGN:.*]] = ashr i32 %[[LANES]], 31
; CHECK-NEXT: %[[ZERO:.*]] = zext i32 %[[SIGN]] to i64
; CHECK: %sum = add i64 %x, 4294967296
; CHECK-NEXT: %[[UPPER:.*]] = lshr i64 %sum, 32
; CHECK-NEXT: %[[NOTHING:.*]] = and i64 %[[UPPER]], %[[ZERO]]
; CHECK-NEXT: %[[TIED:.*]] = xor i64 %sum, %[[NOTHING]]
; CHECK-NEXT: %r = sitofp i64 %[[TIED]] to float
define float @same_lower_half(i64 %x) {
  %sum = add i64 %x, 4294967296
  %r = sitofp i64 %sum to float
  ret float %r
}

; CHECK-LABEL: @widened(
; CHECK: %[[TIED:.*]] = xor i64 %wide, %{{.*}}
; CHECK-NEXT: uitofp i64 %[[TIED]] to float
define float @widened(i32 %x) {
  %wide = sext i32 %x to i64
  %r = uitofp i64 %wide to float
  ret float %r
}

; Two choices by the same condition that differ in their upper halves only.
; CHECK-LABEL: @twins(
; CHECK: %one = select i1 %c, i64 %x, i64 %y
; CHECK: xor i64 %one, %{{.*}}
; CHECK: xor i64 %other, %{{.*}}
; CHECK: fadd float
define float @twins(i64 %x, i64 %y, i1 %c) {
  %x2 = or i64 %x, 4294967296
  %y2 = or i64 %y, 4294967296
  %one = select i1 %c, i64 %x, i64 %y
  %other = select i1 %c, i64 %x2, i64 %y2
  %a = sitofp i64 %one to float
  %b = sitofp i64 %other to float
  %r = fadd float %a, %b
  ret float %r
}

; The magnitude of a double changes its upper half.
; CHECK-LABEL: @of_double(
; CHECK: %magnitude = call double @llvm.fabs.f64(double %x)
; CHECK-NEXT: %[[BITS:.*]] = bitcast double %magnitude to i64
; CHECK: %[[TIED:.*]] = xor i64 %[[BITS]], %{{.*}}
; CHECK-NEXT: %[[NUMBER:.*]] = bitcast i64 %[[TIED]] to double
; CHECK-NEXT: fptrunc double %[[NUMBER]] to float
define float @of_double(double %x) {
  %magnitude = call double @llvm.fabs.f64(double %x)
  %r = fptrunc double %magnitude to float
  ret float %r
}

; Made of halves.
; CHECK-LABEL: @of_halves(
; CHECK: %whole = call double @llvm.nvvm.lohi.i2d(i32 %x, i32 %y)
; CHECK-NEXT: bitcast double %whole to i64
; CHECK: %[[TIED:.*]] = bitcast i64 %{{.*}} to double
; CHECK-NEXT: call float @llvm.nvvm.d2f.rz(double %[[TIED]])
define float @of_halves(i32 %x, i32 %y) {
  %whole = call double @llvm.nvvm.lohi.i2d(i32 %x, i32 %y)
  %r = call float @llvm.nvvm.d2f.rz(double %whole)
  ret float %r
}

; Where control flow meets: of the two that come the lower half is the same.
; CHECK-LABEL: @merged(
; CHECK: %[[TIED:.*]] = xor i64 %value, %{{.*}}
; CHECK-NEXT: sitofp i64 %[[TIED]] to float
define float @merged(i64 %x, i1 %c, ptr %p) {
entry:
  br i1 %c, label %one, label %end
one:
  store volatile i64 %x, ptr %p
  %changed = add i64 %x, 4294967296
  br label %end
end:
  %value = phi i64 [ %x, %entry ], [ %changed, %one ]
  %r = sitofp i64 %value to float
  ret float %r
}

; The lower half stays the same from turn to turn.
; CHECK-LABEL: @in_loop(
; CHECK: %[[TIED:.*]] = xor i64 %value, %{{.*}}
; CHECK-NEXT: sitofp i64 %[[TIED]] to float
define void @in_loop(ptr %p, i64 %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = phi i64 [ %x, %entry ], [ %changed, %loop ]
  %number = sitofp i64 %value to float
  store volatile float %number, ptr %p
  %changed = add i64 %value, 4294967296
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @of_arguments(
; CHECK-NEXT: %a = sitofp i64 %x to float
; CHECK-NEXT: %b = fptrunc double %y to float
; CHECK-NEXT: %r = fadd float %a, %b
define float @of_arguments(i64 %x, double %y) {
  %a = sitofp i64 %x to float
  %b = fptrunc double %y to float
  %r = fadd float %a, %b
  ret float %r
}

; A lower half of its own.
; CHECK-LABEL: @of_sum(
; CHECK-NEXT: %sum = add i64 %x, %y
; CHECK-NEXT: %r = sitofp i64 %sum to float
define float @of_sum(i64 %x, i64 %y) {
  %sum = add i64 %x, %y
  %r = sitofp i64 %sum to float
  ret float %r
}

; To 64 bits.
; CHECK-LABEL: @to_double(
; CHECK-NEXT: %sum = add i64 %x, 4294967296
; CHECK-NEXT: %r = sitofp i64 %sum to double
define double @to_double(i64 %x) {
  %sum = add i64 %x, 4294967296
  %r = sitofp i64 %sum to double
  ret double %r
}

; Choices of different lower halves.
; CHECK-LABEL: @no_twins(
; CHECK-NOT: xor
; CHECK: %a = sitofp i64 %one to float
; CHECK-NEXT: %b = sitofp i64 %other to float
define float @no_twins(i64 %x, i64 %y, i1 %c) {
  %x2 = or i64 %x, 1
  %y2 = or i64 %y, 1
  %one = select i1 %c, i64 %x, i64 %y
  %other = select i1 %c, i64 %x2, i64 %y2
  %a = sitofp i64 %one to float
  %b = sitofp i64 %other to float
  %r = fadd float %a, %b
  ret float %r
}
