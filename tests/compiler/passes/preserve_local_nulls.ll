; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=preserve_local_nulls -S %s | FileCheck %s --check-prefixes=CHECK,SM90
; RUN: clcuda-opt -passes=preserve_local_nulls --sm=75 -S %s | FileCheck %s --check-prefixes=CHECK,BEFORE

@variable = internal addrspace(3) global i32 poison

; CHECK-LABEL: @to_generic(
; SM90-NEXT: %generic = addrspacecast ptr addrspace(3) %p to ptr
; SM90-NEXT: %[[NULL:.*]] = icmp eq ptr addrspace(3) %p, null
; SM90-NEXT: %[[NUMBER:.*]] = ptrtoint ptr %generic to i64
; SM90-NEXT: %[[CHOSEN:.*]] = select i1 %[[NULL]], i64 0, i64 %[[NUMBER]]
; SM90-NEXT: %[[KEPT:.*]] = inttoptr i64 %[[CHOSEN]] to ptr
; SM90-NEXT: ret ptr %[[KEPT]]
; BEFORE: ret ptr %generic
define ptr @to_generic(ptr addrspace(3) %p) {
  %generic = addrspacecast ptr addrspace(3) %p to ptr
  ret ptr %generic
}

; CHECK-LABEL: @from_generic(
; SM90: icmp eq ptr %p, null
; SM90: %[[KEPT:.*]] = inttoptr i{{.*}} to ptr addrspace(3)
; SM90: ret ptr addrspace(3) %[[KEPT]]
; BEFORE: ret ptr addrspace(3) %local
define ptr addrspace(3) @from_generic(ptr %p) {
  %local = addrspacecast ptr %p to ptr addrspace(3)
  ret ptr addrspace(3) %local
}

; CHECK-LABEL: @of_variable(
; CHECK: %generic = addrspacecast ptr addrspace(3) %place to ptr
; CHECK-NEXT: ret ptr %generic
define ptr @of_variable(i32 %i) {
  %place = getelementptr i8, ptr addrspace(3) @variable, i32 %i
  %generic = addrspacecast ptr addrspace(3) %place to ptr
  ret ptr %generic
}

; Null is null in global memory.
; CHECK-LABEL: @of_global(
; CHECK-NEXT: %generic = addrspacecast ptr addrspace(1) %p to ptr
; CHECK-NEXT: ret ptr %generic
define ptr @of_global(ptr addrspace(1) %p) {
  %generic = addrspacecast ptr addrspace(1) %p to ptr
  ret ptr %generic
}

; CHECK-LABEL: @between_named_spaces(
; CHECK: %[[GENERIC:.*]] = addrspacecast ptr addrspace(1) %p to ptr
; CHECK: ptrtoint ptr %[[GENERIC]] to i
; CHECK: inttoptr i{{.*}} to ptr addrspace(3)
; CHECK-NOT: addrspacecast
define ptr addrspace(3) @between_named_spaces(ptr addrspace(1) %p) {
  %local = addrspacecast ptr addrspace(1) %p to ptr addrspace(3)
  ret ptr addrspace(3) %local
}

; As a choice of numbers, as the back end would choose before it converts.
; CHECK-LABEL: @choice_of_null(
; SM90: %[[NUMBER:.*]] = ptrtoint ptr {{.*}} to i64
; SM90: %[[CHOSEN:.*]] = select i1 %c, i64 %[[NUMBER]], i64 0
; SM90: inttoptr i64 %[[CHOSEN]] to ptr
; BEFORE: select i1 %c, ptr %generic, ptr null
define ptr @choice_of_null(i1 %c, i32 %i) {
  %place = getelementptr i8, ptr addrspace(3) @variable, i32 %i
  %generic = addrspacecast ptr addrspace(3) %place to ptr
  %chosen = select i1 %c, ptr %generic, ptr null
  ret ptr %chosen
}

; CHECK-LABEL: @choice_without_null(
; CHECK: select i1 %c, ptr %{{.*}}, ptr %{{.*}}
; CHECK-NEXT: ret ptr
define ptr @choice_without_null(i1 %c, i32 %i, ptr %other) {
  %place = getelementptr i8, ptr addrspace(3) @variable, i32 %i
  %generic = addrspacecast ptr addrspace(3) %place to ptr
  %chosen = select i1 %c, ptr %generic, ptr %other
  ret ptr %chosen
}

; CHECK-LABEL: @phi_of_null(
; SM90: %[[NUMBER:.*]] = ptrtoint ptr {{.*}} to i64
; SM90: %[[CHOSEN:.*]] = phi i64 [ %[[NUMBER]], %one ], [ 0, %entry ]
; SM90: inttoptr i64 %[[CHOSEN]] to ptr
; BEFORE: phi ptr [ %generic, %one ], [ null, %entry ]
define ptr @phi_of_null(i1 %c, i32 %i) {
entry:
  br i1 %c, label %one, label %end
one:
  %place = getelementptr i8, ptr addrspace(3) @variable, i32 %i
  %generic = addrspacecast ptr addrspace(3) %place to ptr
  br label %end
end:
  %chosen = phi ptr [ %generic, %one ], [ null, %entry ]
  ret ptr %chosen
}
