; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=fuse_atomic_sums -S %s | FileCheck %s

; Local memory: the number is loaded for each attempt, and nothing is used afterwards.
; CHECK-LABEL: @local(
; CHECK-NOT: load
; CHECK: atomicrmw volatile fadd ptr addrspace(3) %p, float %x syncscope("device") monotonic, align 4
; CHECK-NOT: load
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @local(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %old = load volatile i32, ptr addrspace(3) %p
  %number = bitcast i32 %old to float
  %sum = fadd float %x, %number
  %bits = bitcast float %sum to i32
  %pair = cmpxchg volatile ptr addrspace(3) %p, i32 %old, i32 %bits syncscope("device") monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Two numbers, one after the other; a difference, the next attempt expects what the last one found, and all is used afterwards.
; CHECK-LABEL: @double(
; CHECK-NOT: load volatile
; CHECK: [[NEGATED:%.+]] = fneg double %x
; CHECK-NEXT: [[OLD:%.+]] = atomicrmw fadd ptr addrspace(1) %p, double [[NEGATED]] acq_rel, align 8
; CHECK-NEXT: [[EXPECTED:%.+]] = bitcast double [[OLD]] to i64
; CHECK-NEXT: [[FOUND:%.+]] = bitcast double [[OLD]] to i64
; CHECK-NEXT: [[NUMBER:%.+]] = bitcast i64 [[EXPECTED]] to double
; CHECK-NEXT: [[SUM:%.+]] = fsub double [[NUMBER]], %x
; CHECK: [[OTHER:%.+]] = atomicrmw fadd ptr addrspace(3) %q, double [[SUM]] monotonic, align 8
; CHECK-NEXT: [[EXPECTED2:%.+]] = bitcast double [[OTHER]] to i64
; CHECK-NOT: load
; CHECK: [[USED:%.+]] = add i64 [[FOUND]], [[EXPECTED2]]
; CHECK-NEXT: ret i64 [[USED]]
define i64 @double(ptr addrspace(1) %p, ptr addrspace(3) %q, double %x) {
  %first = load volatile double, ptr addrspace(1) %p
  %first.bits = bitcast double %first to i64
  br label %loop
loop:
  %expected = phi i64 [ %first.bits, %0 ], [ %found, %loop ]
  %number = bitcast i64 %expected to double
  %sum = fsub double %number, %x
  %bits = bitcast double %sum to i64
  %pair = cmpxchg ptr addrspace(1) %p, i64 %expected, i64 %bits acq_rel acquire, align 8
  %found = extractvalue { i64, i1 } %pair, 0
  %other = icmp ne i64 %expected, %found
  br i1 %other, label %loop, label %second
second:
  %expected2 = phi i64 [ 0, %loop ], [ %next, %second ]
  %number2 = bitcast i64 %expected2 to double
  %sum2 = fadd double %number2, %sum
  %bits2 = bitcast double %sum2 to i64
  %pair2 = cmpxchg ptr addrspace(3) %q, i64 %expected2, i64 %bits2 monotonic monotonic, align 8
  %done2 = extractvalue { i64, i1 } %pair2, 1
  %next = load volatile i64, ptr addrspace(3) %q
  br i1 %done2, label %end, label %second
end:
  %used = add i64 %found, %expected2
  ret i64 %used
}

; Global memory, where the function keeps subnormal numbers: the load ahead is for the loop only.
; CHECK-LABEL: @global(
; CHECK-NOT: load
; CHECK: [[X:%.+]] = freeze float %x
; CHECK-NEXT: [[MAGNITUDE:%.+]] = call float @llvm.fabs.f32(float [[X]])
; CHECK-NEXT: [[LARGE:%.+]] = fcmp oge float [[MAGNITUDE]], {{0x39B0000000000000|f0x0D800000}}
; CHECK-NEXT: br i1 [[LARGE]], label %[[SUM:.+]], label %[[RETRY:.+]], !prof
; CHECK: [[SUM]]:
; CHECK-NEXT: [[OLD:%.+]] = atomicrmw fadd ptr addrspace(1) %p, float [[X]] monotonic, align 4
; CHECK: [[OLD_BITS:%.+]] = bitcast float [[OLD]] to i32
; CHECK: [[RETRY]]:
; CHECK-NEXT: load volatile float, ptr addrspace(1) %p
; CHECK: loop:
; CHECK: fadd float %number, [[X]]
; CHECK: [[END:.+]]:
; CHECK-NEXT: [[RESULT:%.+]] = phi i32 [ %found, %loop ], [ {{%.+}}, %[[SUM]] ]
; CHECK: ret i32 [[RESULT]]
define i32 @global(ptr addrspace(1) %p, float %x) "denormal-fp-math-f32"="ieee,ieee" {
  %first = load volatile float, ptr addrspace(1) %p
  %first.bits = bitcast float %first to i32
  br label %loop
loop:
  %expected = phi i32 [ %first.bits, %0 ], [ %found, %loop ]
  %number = bitcast i32 %expected to float
  %sum = fadd float %number, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %bits monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret i32 %found
}

; Memory that is not known is treated as global memory.
; CHECK-LABEL: @generic(
; CHECK: fcmp oge
; CHECK: atomicrmw fadd ptr %p
; CHECK: cmpxchg
define void @generic(ptr %p, float noundef %x) {
  br label %loop
loop:
  %old = load float, ptr %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Where it flushes them, and where the operand is known to be large.
; CHECK-LABEL: @flushed(
; CHECK-NOT: fcmp
; CHECK: atomicrmw fadd ptr addrspace(1) %p
; CHECK-NOT: cmpxchg
define void @flushed(ptr addrspace(1) %p, float %x) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(1) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: @large(
; CHECK-NOT: fcmp
; CHECK: atomicrmw fadd ptr addrspace(1) %p, float -1.{{.+}} monotonic
; CHECK-NOT: cmpxchg
define void @large(ptr addrspace(1) %p) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(1) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, -1.0
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
; CHECK-LABEL: @small(
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define void @small(ptr addrspace(1) %p) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(1) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, 0x3870000000000000
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The library's functions of OpenCL C 2.0; their fences stay.
; CHECK-LABEL: @assembly(
; CHECK-NOT: ld.relaxed
; CHECK: call void asm sideeffect "fence.sc.gpu;", "~{memory}"()
; CHECK-NEXT: [[OLD:%.+]] = call float asm sideeffect "atom.acquire.gpu.shared.add.f32 $0, [$1], $2;", "=f,l,f,~{memory}"(i64 %at, float %x)
; CHECK-NOT: .cas.
; CHECK: ret float [[OLD]]
define float @assembly(ptr addrspace(3) %p, float %x) {
  %at = ptrtoint ptr addrspace(3) %p to i64
  %first = tail call i32 asm sideeffect "ld.relaxed.cta.shared.b32 $0, [$1];", "=r,l,~{memory}"(i64 %at)
  %first.number = bitcast i32 %first to float
  br label %loop
loop:
  %expected = phi float [ %first.number, %0 ], [ %found, %loop ]
  %sum = fadd float %x, %expected
  tail call void asm sideeffect "fence.sc.gpu;", "~{memory}"()
  %found = tail call float asm sideeffect "atom.acquire.gpu.shared.cas.b32 $0, [$1], $2, $3;", "=f,l,f,f,~{memory}"(i64 %at, float %expected, float %sum)
  %found.bits = bitcast float %found to i32
  %bits = bitcast float %expected to i32
  %done = icmp eq i32 %found.bits, %bits
  br i1 %done, label %end, label %loop
end:
  ret float %expected
}

; Here the load ahead acquires.
; CHECK-LABEL: @assembly_long(
; CHECK: ld.acquire.gpu.global.b64
; CHECK: call double asm sideeffect "atom.relaxed.sys.global.add.f64 $0, [$1], $2;", "=d,l,d,~{memory}"(i64 %at, double %x)
; CHECK-NOT: .cas.
define void @assembly_long(i64 %at, double %x) {
  %first = tail call i64 asm sideeffect "ld.acquire.gpu.global.b64 $0, [$1];", "=l,l,~{memory}"(i64 %at)
  br label %loop
loop:
  %expected = phi i64 [ %first, %0 ], [ %found, %loop ]
  %number = bitcast i64 %expected to double
  %sum = fadd double %x, %number
  %bits = bitcast double %sum to i64
  %found = tail call i64 asm sideeffect "atom.relaxed.sys.global.cas.b64 $0, [$1], $2, $3;", "=l,l,l,l,~{memory}"(i64 %at, i64 %expected, i64 %bits)
  %done = icmp eq i64 %found, %expected
  br i1 %done, label %end, label %loop
end:
  ret void
}

; What the library and this pass leave for small operands.
; CHECK-LABEL: @left(
; CHECK-NOT: atomicrmw
; CHECK: cmpxchg
define void @left(ptr addrspace(1) %p, float %x) {
  %magnitude = call float @llvm.fabs.f32(float %x)
  %large = fcmp oge float %magnitude, 0x39B0000000000000
  br i1 %large, label %end, label %loop
loop:
  %old = load volatile float, ptr addrspace(1) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The loops below are none of this kind.
; CHECK-NOT: atomicrmw

; Waits for a number.
define void @lock(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %sum = fadd float %x, 1.0
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 1065353216, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @waiting(ptr addrspace(3) %p, float %x) {
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  br label %loop
loop:
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Ends when an attempt fails.
define void @until_failure(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %loop, label %end
end:
  ret void
}

; Compares numbers.
define void @numbers(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %expected = phi float [ 0.0, %0 ], [ %found, %loop ]
  %expected.bits = bitcast float %expected to i32
  %sum = fadd float %expected, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %expected.bits, i32 %bits monotonic monotonic
  %found.bits = extractvalue { i32, i1 } %pair, 0
  %found = bitcast i32 %found.bits to float
  %done = fcmp oeq float %found, %expected
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Counts attempts.
define i32 @counter(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %count = phi i32 [ 0, %0 ], [ %more, %loop ]
  %more = add i32 %count, 1
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret i32 %count
}

; Has another effect.
define void @stores(ptr addrspace(3) %p, ptr addrspace(1) %q, float %x) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %x
  store float %sum, ptr addrspace(1) %q
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Loads the operand, or something else.
define void @loads_operand(ptr addrspace(3) %p, ptr addrspace(3) %q) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  %x = load float, ptr addrspace(3) %q
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @loads_elsewhere(ptr addrspace(3) %p, ptr addrspace(3) %q, float %x) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(3) %q
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Uses what is in memory after the last attempt.
define float @loads_again(ptr addrspace(3) %p, float %x) {
  %first = load volatile float, ptr addrspace(3) %p
  br label %loop
loop:
  %expected = phi float [ %first, %0 ], [ %next, %loop ]
  %old.bits = bitcast float %expected to i32
  %sum = fadd float %expected, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  %next = load volatile float, ptr addrspace(3) %p
  br i1 %done, label %end, label %loop
end:
  ret float %next
}

; Acquires in each attempt.
define void @acquires(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %old.bits = load atomic i32, ptr addrspace(3) %p acquire, align 4
  %old = bitcast i32 %old.bits to float
  %sum = fadd float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Computes something else: the operand minus the number, twice the number, a product.
define void @reversed(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  %sum = fsub float %x, %old
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @twice(ptr addrspace(3) %p) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  %sum = fadd float %old, %old
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
define void @product(ptr addrspace(3) %p, float %x) {
  br label %loop
loop:
  %old = load volatile float, ptr addrspace(3) %p
  %old.bits = bitcast float %old to i32
  %sum = fmul float %old, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(3) %p, i32 %old.bits, i32 %bits monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
