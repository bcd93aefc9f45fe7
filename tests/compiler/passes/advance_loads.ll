; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=advance_loads -S %s | FileCheck %s

; The second element's index and the element itself are loaded ahead of the branch, and of the comparison that waits for the first.
; CHECK-LABEL: @gather(
; CHECK: loop:
; CHECK: %x = load float, ptr addrspace(1) %x_at
; CHECK-NEXT: %i1 = or disjoint i32 %i, 1
; CHECK-NEXT: %y_index_at = getelementptr
; CHECK-NEXT: %y_index = load i32, ptr addrspace(1) %y_index_at
; CHECK-NEXT: %y_at = getelementptr
; CHECK-NEXT: %y = load float, ptr addrspace(1) %y_at
; CHECK-NEXT: %x_near = fcmp olt float %x, %limit
; CHECK-NEXT: br i1 %x_near, label %add_x, label %second
; CHECK: second:
; CHECK-NEXT: %sum1 = phi
; CHECK-NEXT: %y_near = fcmp
define float @gather(ptr addrspace(1) %indices, ptr addrspace(1) %values, float %limit, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %sum2, %latch ]
  %x_index_at = getelementptr i32, ptr addrspace(1) %indices, i32 %i
  %x_index = load i32, ptr addrspace(1) %x_index_at
  %x_at = getelementptr float, ptr addrspace(1) %values, i32 %x_index
  %x = load float, ptr addrspace(1) %x_at
  %x_near = fcmp olt float %x, %limit
  br i1 %x_near, label %add_x, label %second
add_x:
  %with_x = fadd float %sum, %x
  br label %second
second:
  %sum1 = phi float [ %sum, %loop ], [ %with_x, %add_x ]
  %i1 = or disjoint i32 %i, 1
  %y_index_at = getelementptr i32, ptr addrspace(1) %indices, i32 %i1
  %y_index = load i32, ptr addrspace(1) %y_index_at
  %y_at = getelementptr float, ptr addrspace(1) %values, i32 %y_index
  %y = load float, ptr addrspace(1) %y_at
  %y_near = fcmp olt float %y, %limit
  br i1 %y_near, label %add_y, label %latch
add_y:
  %with_y = fadd float %sum1, %y
  br label %latch
latch:
  %sum2 = phi float [ %sum1, %second ], [ %with_y, %add_y ]
  %next = add i32 %i, 2
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %sum2
}

; An address that depends on what the branch decides, a load that only some iterations make, and one of local memory stay.
; CHECK-LABEL: @dependent(
; CHECK: loop:
; CHECK: %x = load float
; CHECK-NEXT: %is_near = fcmp
; CHECK-NEXT: br i1
; CHECK: some:
; CHECK-NEXT: load float, ptr addrspace(1) %b
; CHECK: latch:
; CHECK: load float, ptr addrspace(1) %at
; CHECK-NEXT: load float, ptr addrspace(3) %c
define float @dependent(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(3) %c, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi float [ 0.0, %entry ], [ %sum3, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  %y = load float, ptr addrspace(1) %b
  br label %latch
latch:
  %y1 = phi float [ 0.0, %loop ], [ %y, %some ]
  %place = phi i32 [ %i, %loop ], [ 0, %some ]
  %at = getelementptr float, ptr addrspace(1) %a, i32 %place
  %z = load float, ptr addrspace(1) %at
  %w = load float, ptr addrspace(3) %c
  %sum1 = fadd float %sum, %y1
  %sum2 = fadd float %sum1, %z
  %sum3 = fadd float %sum2, %w
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %sum3
}

; A loop that writes.
; CHECK-LABEL: @writes(
; CHECK: latch:
; CHECK-NEXT: load float, ptr addrspace(1) %b
define void @writes(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  store float 0.0, ptr addrspace(1) %b
  br label %latch
latch:
  %y = load float, ptr addrspace(1) %b
  %next = add i32 %i, 1
  %more = fcmp olt float %y, 1.0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The load behind another exit may be of memory that does not exist.
; CHECK-LABEL: @two_exits(
; CHECK: latch:
; CHECK-NEXT: load float, ptr addrspace(1) %b
define void @two_exits(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %loop
loop:
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %end, label %latch
latch:
  %y = load float, ptr addrspace(1) %b
  %more = fcmp olt float %y, 1.0
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The first of these loads takes the 16 registers.
; CHECK-LABEL: @many(
; CHECK: loop:
; CHECK: load float, ptr addrspace(1) %a
; CHECK-NEXT: load <16 x float>, ptr addrspace(1) %b
; CHECK-NEXT: fcmp
; CHECK: latch:
; CHECK: load float, ptr addrspace(1) %c
define <16 x float> @many(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
entry:
  br label %loop
loop:
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %sum2, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  %negative = fneg <16 x float> %sum
  br label %latch
latch:
  %sum1 = phi <16 x float> [ %sum, %loop ], [ %negative, %some ]
  %y = load <16 x float>, ptr addrspace(1) %b
  %sum2 = fadd <16 x float> %sum1, %y
  %z = load float, ptr addrspace(1) %c
  %more = fcmp olt float %z, 1.0
  br i1 %more, label %loop, label %end
end:
  ret <16 x float> %sum2
}

; A narrow value occupies a register, too.
; CHECK-LABEL: @narrow(
; CHECK: loop:
; CHECK: load float, ptr addrspace(1) %a
; CHECK-COUNT-16: load i8
; CHECK-NOT: load
; CHECK: latch:
; CHECK-COUNT-1: load i8
; CHECK-NOT: load
; CHECK: ret
define i32 @narrow(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  %b0 = getelementptr i8, ptr addrspace(1) %b, i32 0
  %b1 = getelementptr i8, ptr addrspace(1) %b, i32 1
  %b2 = getelementptr i8, ptr addrspace(1) %b, i32 2
  %b3 = getelementptr i8, ptr addrspace(1) %b, i32 3
  %b4 = getelementptr i8, ptr addrspace(1) %b, i32 4
  %b5 = getelementptr i8, ptr addrspace(1) %b, i32 5
  %b6 = getelementptr i8, ptr addrspace(1) %b, i32 6
  %b7 = getelementptr i8, ptr addrspace(1) %b, i32 7
  %b8 = getelementptr i8, ptr addrspace(1) %b, i32 8
  %b9 = getelementptr i8, ptr addrspace(1) %b, i32 9
  %b10 = getelementptr i8, ptr addrspace(1) %b, i32 10
  %b11 = getelementptr i8, ptr addrspace(1) %b, i32 11
  %b12 = getelementptr i8, ptr addrspace(1) %b, i32 12
  %b13 = getelementptr i8, ptr addrspace(1) %b, i32 13
  %b14 = getelementptr i8, ptr addrspace(1) %b, i32 14
  %b15 = getelementptr i8, ptr addrspace(1) %b, i32 15
  %b16 = getelementptr i8, ptr addrspace(1) %b, i32 16
  br label %loop
loop:
  %sum = phi i32 [ 0, %entry ], [ %u16, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  br label %latch
latch:
  %y0 = load i8, ptr addrspace(1) %b0
  %y1 = load i8, ptr addrspace(1) %b1
  %y2 = load i8, ptr addrspace(1) %b2
  %y3 = load i8, ptr addrspace(1) %b3
  %y4 = load i8, ptr addrspace(1) %b4
  %y5 = load i8, ptr addrspace(1) %b5
  %y6 = load i8, ptr addrspace(1) %b6
  %y7 = load i8, ptr addrspace(1) %b7
  %y8 = load i8, ptr addrspace(1) %b8
  %y9 = load i8, ptr addrspace(1) %b9
  %y10 = load i8, ptr addrspace(1) %b10
  %y11 = load i8, ptr addrspace(1) %b11
  %y12 = load i8, ptr addrspace(1) %b12
  %y13 = load i8, ptr addrspace(1) %b13
  %y14 = load i8, ptr addrspace(1) %b14
  %y15 = load i8, ptr addrspace(1) %b15
  %y16 = load i8, ptr addrspace(1) %b16
  %t0 = zext i8 %y0 to i32
  %u0 = add i32 %sum, %t0
  %t1 = zext i8 %y1 to i32
  %u1 = add i32 %u0, %t1
  %t2 = zext i8 %y2 to i32
  %u2 = add i32 %u1, %t2
  %t3 = zext i8 %y3 to i32
  %u3 = add i32 %u2, %t3
  %t4 = zext i8 %y4 to i32
  %u4 = add i32 %u3, %t4
  %t5 = zext i8 %y5 to i32
  %u5 = add i32 %u4, %t5
  %t6 = zext i8 %y6 to i32
  %u6 = add i32 %u5, %t6
  %t7 = zext i8 %y7 to i32
  %u7 = add i32 %u6, %t7
  %t8 = zext i8 %y8 to i32
  %u8 = add i32 %u7, %t8
  %t9 = zext i8 %y9 to i32
  %u9 = add i32 %u8, %t9
  %t10 = zext i8 %y10 to i32
  %u10 = add i32 %u9, %t10
  %t11 = zext i8 %y11 to i32
  %u11 = add i32 %u10, %t11
  %t12 = zext i8 %y12 to i32
  %u12 = add i32 %u11, %t12
  %t13 = zext i8 %y13 to i32
  %u13 = add i32 %u12, %t13
  %t14 = zext i8 %y14 to i32
  %u14 = add i32 %u13, %t14
  %t15 = zext i8 %y15 to i32
  %u15 = add i32 %u14, %t15
  %t16 = zext i8 %y16 to i32
  %u16 = add i32 %u15, %t16
  %more = icmp slt i32 %u16, 1000
  br i1 %more, label %loop, label %end
end:
  ret i32 %u16
}

; The address and the load are 32 instructions.
; CHECK-LABEL: @address_of_32(
; CHECK: load float, ptr addrspace(1) %a
; CHECK-COUNT-29: mul i32
; CHECK: load float, ptr addrspace(1) %b
; CHECK: br i1
define float @address_of_32(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  br label %latch
latch:
  %h1 = xor i32 %i, 5
  %h2 = mul i32 %h1, 5
  %h3 = mul i32 %h2, 7
  %h4 = mul i32 %h3, 9
  %h5 = mul i32 %h4, 11
  %h6 = mul i32 %h5, 13
  %h7 = mul i32 %h6, 15
  %h8 = mul i32 %h7, 17
  %h9 = mul i32 %h8, 19
  %h10 = mul i32 %h9, 21
  %h11 = mul i32 %h10, 23
  %h12 = mul i32 %h11, 25
  %h13 = mul i32 %h12, 27
  %h14 = mul i32 %h13, 29
  %h15 = mul i32 %h14, 31
  %h16 = mul i32 %h15, 33
  %h17 = mul i32 %h16, 35
  %h18 = mul i32 %h17, 37
  %h19 = mul i32 %h18, 39
  %h20 = mul i32 %h19, 41
  %h21 = mul i32 %h20, 43
  %h22 = mul i32 %h21, 45
  %h23 = mul i32 %h22, 47
  %h24 = mul i32 %h23, 49
  %h25 = mul i32 %h24, 51
  %h26 = mul i32 %h25, 53
  %h27 = mul i32 %h26, 55
  %h28 = mul i32 %h27, 57
  %h29 = mul i32 %h28, 59
  %h30 = mul i32 %h29, 61
  %b = getelementptr float, ptr addrspace(1) %a, i32 %h30
  %y = load float, ptr addrspace(1) %b
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %y
}

; One more.
; CHECK-LABEL: @address_of_33(
; CHECK: load float, ptr addrspace(1) %a
; CHECK-NOT: mul
; CHECK: br i1 %is_near
; CHECK-COUNT-30: mul i32
; CHECK: load float, ptr addrspace(1) %b
define float @address_of_33(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  br label %latch
latch:
  %h1 = xor i32 %i, 5
  %h2 = mul i32 %h1, 5
  %h3 = mul i32 %h2, 7
  %h4 = mul i32 %h3, 9
  %h5 = mul i32 %h4, 11
  %h6 = mul i32 %h5, 13
  %h7 = mul i32 %h6, 15
  %h8 = mul i32 %h7, 17
  %h9 = mul i32 %h8, 19
  %h10 = mul i32 %h9, 21
  %h11 = mul i32 %h10, 23
  %h12 = mul i32 %h11, 25
  %h13 = mul i32 %h12, 27
  %h14 = mul i32 %h13, 29
  %h15 = mul i32 %h14, 31
  %h16 = mul i32 %h15, 33
  %h17 = mul i32 %h16, 35
  %h18 = mul i32 %h17, 37
  %h19 = mul i32 %h18, 39
  %h20 = mul i32 %h19, 41
  %h21 = mul i32 %h20, 43
  %h22 = mul i32 %h21, 45
  %h23 = mul i32 %h22, 47
  %h24 = mul i32 %h23, 49
  %h25 = mul i32 %h24, 51
  %h26 = mul i32 %h25, 53
  %h27 = mul i32 %h26, 55
  %h28 = mul i32 %h27, 57
  %h29 = mul i32 %h28, 59
  %h30 = mul i32 %h29, 61
  %h31 = mul i32 %h30, 63
  %b = getelementptr float, ptr addrspace(1) %a, i32 %h31
  %y = load float, ptr addrspace(1) %b
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %y
}

; The header computes the address behind its last load.
; CHECK-LABEL: @address_behind_the_load(
; CHECK: load float, ptr addrspace(1) %a
; CHECK-NEXT: %square = mul i32 %i, %i
; CHECK-NEXT: %b = getelementptr float, ptr addrspace(1) %a, i32 %square
; CHECK-NEXT: load float, ptr addrspace(1) %b
; CHECK-NEXT: fcmp
define float @address_behind_the_load(ptr addrspace(1) %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load float, ptr addrspace(1) %a
  %square = mul i32 %i, %i
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  br label %latch
latch:
  %b = getelementptr float, ptr addrspace(1) %a, i32 %square
  %y = load float, ptr addrspace(1) %b
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %y
}

; CHECK-LABEL: @volatile(
; CHECK: latch:
; CHECK-NEXT: load volatile
define float @volatile(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  br label %latch
latch:
  %y = load volatile float, ptr addrspace(1) %b
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %y
}

; CHECK-LABEL: @atomic(
; CHECK: latch:
; CHECK-NEXT: load atomic
define float @atomic(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %x = load float, ptr addrspace(1) %a
  %is_near = fcmp olt float %x, 1.0
  br i1 %is_near, label %some, label %latch
some:
  br label %latch
latch:
  %y = load atomic float, ptr addrspace(1) %b monotonic, align 4
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret float %y
}
