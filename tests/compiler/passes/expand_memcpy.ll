; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=expand_memcpy -S %s | FileCheck %s

; Words, and at the end what is left; all are loaded first.
; CHECK-LABEL: @copy(
; CHECK: load i32, ptr addrspace(1) %{{.*}}, align 8
; CHECK: load i32, ptr addrspace(1) %{{.*}}, align 4
; CHECK: load i16, ptr addrspace(1) %{{.*}}, align 8
; CHECK: load i8, ptr addrspace(1) %{{.*}}, align 2
; CHECK: store i32 %{{.*}}, ptr %{{.*}}, align 4
; CHECK: store i32 %{{.*}}, ptr %{{.*}}, align 4
; CHECK: store i16 %{{.*}}, ptr %{{.*}}, align 4
; CHECK: store i8 %{{.*}}, ptr %{{.*}}, align 2
; CHECK-NOT: call
; CHECK: ret void
define void @copy(ptr %to, ptr addrspace(1) %from) {
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %to, ptr addrspace(1) align 8 %from, i64 11, i1 false)
  ret void
}

; CHECK-LABEL: @of_bytes(
; CHECK-COUNT-4: load i8
; CHECK-COUNT-4: store i8
; CHECK-NOT: call
; CHECK: ret void
define void @of_bytes(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr %from, i64 4, i1 false)
  ret void
}

; CHECK-LABEL: @fill(
; CHECK: %[[BYTE:.*]] = zext i8 %x to i32
; CHECK: %[[WORD:.*]] = mul i32 %[[BYTE]], 16843009
; CHECK: store i32 %[[WORD]], ptr %{{.*}}, align 4
; CHECK-NOT: call
; CHECK: ret void
define void @fill(ptr %to, i8 %x) {
  call void @llvm.memset.p0.i64(ptr align 4 %to, i8 %x, i64 4, i1 false)
  ret void
}

; More than 512 bytes: 16 words in a turn, and what is left.
; CHECK-LABEL: @in_loop(
; CHECK-COUNT-16: load i32
; CHECK-COUNT-16: store i32
; CHECK: icmp eq i64 %{{.*}}, 10
; CHECK: load i32
; CHECK: store i32
; CHECK-NOT: {{load|call}}
; CHECK: ret void
define void @in_loop(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 644, i1 false)
  ret void
}

; What overlaps is loaded before any of it is stored.
; CHECK-LABEL: @overlapping(
; CHECK-COUNT-16: load i32
; CHECK-COUNT-16: store i32
; CHECK-NOT: call
; CHECK: ret void
define void @overlapping(ptr %to, ptr %from) {
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 64, i1 false)
  ret void
}

; CHECK-LABEL: @left_alone(
; CHECK-NEXT: call void @llvm.memmove.p0.p0.i64(
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64({{.*}}, i1 true)
; CHECK-NEXT: ret void
define void @left_alone(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memmove.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 68, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 %n, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %to, ptr align 4 %from, i64 16, i1 true)
  ret void
}
