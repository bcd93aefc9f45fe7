; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=reuse_reciprocals -S %s | FileCheck %s

; A quotient and its remainder, in the inner of two loops that do not change the divisor.
; CHECK-LABEL: @split(
; CHECK: entry:
; CHECK: [[FROZEN:%.+]] = freeze i64 %n
; CHECK-NEXT: [[N:%.+]] = trunc i64 [[FROZEN]] to i32
; CHECK-NEXT: [[NOT_ZERO:%.+]] = call i32 @llvm.umax.i32(i32 [[N]], i32 1)
; CHECK-NEXT: [[M:%.+]] = udiv i32 -1, [[NOT_ZERO]]
; CHECK: inner:
; CHECK: [[X:%.+]] = freeze i64 %x
; CHECK-NEXT: [[LOW:%.+]] = trunc i64 [[X]] to i32
; CHECK-NEXT: [[ESTIMATE:%.+]] = call i32 @llvm.nvvm.mulhi.ui(i32 [[LOW]], i32 [[M]])
; CHECK-NEXT: [[PRODUCT:%.+]] = mul i32 [[ESTIMATE]], [[N]]
; CHECK-NEXT: [[REST:%.+]] = sub i32 [[LOW]], [[PRODUCT]]
; CHECK-NEXT: [[LESS:%.+]] = icmp uge i32 [[REST]], [[N]]
; CHECK: br i1 %{{.+}}, label %[[LONG:.+]], label %[[TAIL:.+]], !prof
; CHECK: [[LONG]]:
; CHECK-NEXT: call i64 asm "div.s64 $0, $1, $2;"
; CHECK: [[TAIL]]:
; CHECK-NEXT: [[Q:%.+]] = phi i64
; CHECK-NEXT: [[R:%.+]] = phi i64
; CHECK-NOT: mul
; CHECK: store volatile i64 [[Q]]
; CHECK: store volatile i64 [[R]]
define void @split(ptr addrspace(1) %a, i64 noundef %n, i64 %count) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %x = add i64 %i, %j
  %q = sdiv i64 %x, %n
  %product = mul nsw i64 %q, %n
  %r = sub nsw i64 %x, %product
  %at = getelementptr i64, ptr addrspace(1) %a, i64 %j
  store volatile i64 %q, ptr addrspace(1) %at
  store volatile i64 %r, ptr addrspace(1) %at
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %count
  br i1 %more, label %inner, label %outer.end
outer.end:
  %i.next = add i64 %i, 1
  %again = icmp ult i64 %i.next, %count
  br i1 %again, label %outer, label %end
end:
  ret void
}

; A remainder alone, by a number that an outer loop changes.
; CHECK-LABEL: @remainder(
; CHECK: outer:
; CHECK: udiv i32 -1
; CHECK: inner:
; CHECK: call i64 asm "rem.u64 $0, $1, $2;"
; CHECK: ret void
define void @remainder(ptr addrspace(1) %a, i64 %count) {
entry:
  br label %outer
outer:
  %n = phi i64 [ 1, %entry ], [ %n.next, %outer.end ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %at = getelementptr i64, ptr addrspace(1) %a, i64 %j
  %x = load i64, ptr addrspace(1) %at
  %r = urem i64 %x, %n
  store i64 %r, ptr addrspace(1) %at
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %count
  br i1 %more, label %inner, label %outer.end
outer.end:
  %n.next = add i64 %n, 1
  %again = icmp ult i64 %n.next, %count
  br i1 %again, label %outer, label %end
end:
  ret void
}

; A dividend that is known to take 32 bits needs no branch, if both are known not to be negative.
; CHECK-LABEL: @short(
; CHECK: entry:
; CHECK: [[SHIFTED:%.+]] = lshr i64 %{{.+}}, 32
; CHECK: [[UPPER:%.+]] = trunc i64 [[SHIFTED]] to i32
; CHECK: loop:
; CHECK: nvvm.mulhi
; CHECK-NOT: br
; CHECK: [[QUOTIENT:%.+]] = zext i32
; CHECK: [[SHORT:%.+]] = icmp eq i32 [[UPPER]], 0
; CHECK-NEXT: select i1 [[SHORT]], i64 [[QUOTIENT]], i64 0
; CHECK: asm "div.s64
define void @short(ptr addrspace(1) %a, i64 %n, i64 %count) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %at = getelementptr i32, ptr addrspace(1) %a, i64 %j
  %x = load i32, ptr addrspace(1) %at
  %wide = zext i32 %x to i64
  %q = udiv i64 %wide, %n
  %signed = sdiv i64 %wide, %n
  %sum = add i64 %q, %signed
  store i64 %sum, ptr addrspace(1) %at
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The reciprocal outlives a division whose quotient nothing needs.
; CHECK-LABEL: @unused(
; CHECK: [[M:%.+]] = udiv i32 -1
; CHECK: loop:
; CHECK: nvvm.mulhi.ui(i32 %{{.+}}, i32 [[M]])
; CHECK: ret void
define void @unused(ptr addrspace(1) %a, i64 %n, i64 %count) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %at = getelementptr i64, ptr addrspace(1) %a, i64 %j
  %x = load i64, ptr addrspace(1) %at
  %dead = udiv i64 %x, %n
  %y = add i64 %x, 5
  %q = udiv i64 %y, %n
  %wide = and i64 %x, 4095
  %short = udiv i64 %wide, %n
  %product = mul i64 %short, %n
  %unused = sub i64 %wide, %product
  store i64 %q, ptr addrspace(1) %at
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %count
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Constants, a divisor that changes, one that is long, 32 bits, and a loop of three iterations.
; CHECK-LABEL: @others(
; CHECK-NOT: udiv i32 -1
; CHECK: udiv i64 %x, 10
; CHECK: udiv i64 100, %x
; CHECK: udiv i64 %x, %long
; CHECK: udiv i32 %low, %narrow
; CHECK: few:
; CHECK: udiv i64 %k, %n
; CHECK: ret i64
define i64 @others(ptr addrspace(1) %a, i64 %n, i32 %narrow, i64 %count) {
entry:
  %long = or i64 %n, 4294967296
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j.next, %loop ]
  %at = getelementptr i64, ptr addrspace(1) %a, i64 %j
  %x = load i64, ptr addrspace(1) %at
  %low = trunc i64 %x to i32
  %one = udiv i64 %x, 10
  %two = udiv i64 100, %x
  %three = udiv i64 %x, %long
  %four = udiv i32 %low, %narrow
  %wide = zext i32 %four to i64
  %sum = add i64 %one, %two
  %sum2 = add i64 %sum, %three
  %sum3 = add i64 %sum2, %wide
  store i64 %sum3, ptr addrspace(1) %at
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, %count
  br i1 %more, label %loop, label %between
between:
  br label %few
few:
  %k = phi i64 [ 0, %between ], [ %k.next, %few ]
  %total = phi i64 [ 0, %between ], [ %total.next, %few ]
  %five = udiv i64 %k, %n
  %total.next = add i64 %total, %five
  %k.next = add i64 %k, 1
  %further = icmp ult i64 %k.next, 3
  br i1 %further, label %few, label %end
end:
  ret i64 %total.next
}
