; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=hold_results -S %s | FileCheck %s

; Four loaded values and a sum: the sum is held.
; CHECK-LABEL: @sum(
; CHECK: [[SUM:%.+]] = call float @llvm.fma.f32(float %c, float %d, float %{{.+}})
; CHECK-NEXT: call void asm sideeffect "", "f"(float [[SUM]])
; CHECK-NEXT: br i1 %inside
define void @sum(ptr addrspace(1) %out, ptr addrspace(3) %in, i1 %inside) {
  %at1 = getelementptr float, ptr addrspace(3) %in, i64 1
  %at2 = getelementptr float, ptr addrspace(3) %in, i64 2
  %at3 = getelementptr float, ptr addrspace(3) %in, i64 3
  %a = load float, ptr addrspace(3) %in
  %b = load float, ptr addrspace(3) %at1
  %c = load float, ptr addrspace(3) %at2
  %d = load float, ptr addrspace(3) %at3
  %part = call float @llvm.fma.f32(float %a, float %b, float 0.0)
  %sum = call float @llvm.fma.f32(float %c, float %d, float %part)
  br i1 %inside, label %write, label %end
write:
  store float %sum, ptr addrspace(1) %out
  br label %end
end:
  ret void
}

; The same, chosen by a phi; and of vectors.
; CHECK-LABEL: @choice(
; CHECK: call void asm sideeffect "", "d"(double %sum)
; CHECK-NEXT: [[FIRST:%.+]] = extractelement <2 x i32> %vector, i64 0
; CHECK-NEXT: call void asm sideeffect "", "r"(i32 [[FIRST]])
; CHECK-NEXT: [[SECOND:%.+]] = extractelement <2 x i32> %vector, i64 1
; CHECK-NEXT: call void asm sideeffect "", "r"(i32 [[SECOND]])
; CHECK-NEXT: br i1
define double @choice(ptr addrspace(1) %out, ptr addrspace(3) %in, i1 %inside) {
entry:
  %at1 = getelementptr double, ptr addrspace(3) %in, i64 1
  %at2 = getelementptr double, ptr addrspace(3) %in, i64 2
  %a = load double, ptr addrspace(3) %in
  %b = load double, ptr addrspace(3) %at1
  %c = load double, ptr addrspace(3) %at2
  %part = fadd double %a, %b
  %sum = fadd double %c, %part
  %x = load <2 x i32>, ptr addrspace(3) %in
  %y = load <2 x i32>, ptr addrspace(3) %at1
  %z = load <2 x i32>, ptr addrspace(3) %at2
  %xy = xor <2 x i32> %x, %y
  %vector = xor <2 x i32> %xy, %z
  br i1 %inside, label %write, label %end
write:
  store <2 x i32> %vector, ptr addrspace(1) %out
  br label %end
end:
  %result = phi double [ %sum, %entry ], [ 0.0, %write ]
  ret double %result
}

; Operands that are needed behind the branch anyway, or arguments, or few; and results that are used on both sides.
; CHECK-LABEL: @others(
; CHECK-NOT: asm
; CHECK: ret void
define void @others(ptr addrspace(1) %out, ptr addrspace(3) %in, float %e, float %f, float %g, i1 %inside) {
  %at1 = getelementptr float, ptr addrspace(3) %in, i64 1
  %at2 = getelementptr float, ptr addrspace(3) %in, i64 2
  %at3 = getelementptr float, ptr addrspace(3) %in, i64 3
  %at4 = getelementptr float, ptr addrspace(3) %in, i64 4
  %a = load float, ptr addrspace(3) %in
  %b = load float, ptr addrspace(3) %at1
  %c = load float, ptr addrspace(3) %at2
  %d = load float, ptr addrspace(3) %at3
  %needed.part = fadd float %a, %b
  %needed = fadd float %needed.part, %c
  %few.part = fmul float %d, %e
  %few.part2 = fmul float %few.part, %f
  %few = fmul float %few.part2, %g
  %v = load volatile float, ptr addrspace(3) %at4
  %w = load volatile float, ptr addrspace(3) %at4
  %x = load volatile float, ptr addrspace(3) %at4
  %y = load volatile float, ptr addrspace(3) %at4
  %vw = fadd float %v, %w
  %vwx = fadd float %vw, %x
  %both = fadd float %vwx, %y
  br i1 %inside, label %write, label %end
write:
  store volatile float %needed, ptr addrspace(1) %out
  store volatile float %few, ptr addrspace(1) %out
  store volatile float %both, ptr addrspace(1) %out
  store volatile float %a, ptr addrspace(1) %out
  store volatile float %b, ptr addrspace(1) %out
  store volatile float %c, ptr addrspace(1) %out
  br label %last
end:
  store volatile float %both, ptr addrspace(1) %out
  br label %last
last:
  ret void
}

declare float @llvm.fma.f32(float, float, float)
