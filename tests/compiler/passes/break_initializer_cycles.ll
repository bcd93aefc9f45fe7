; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=break_initializer_cycles -S %s | FileCheck %s

%node = type { i32, ptr addrspace(1) }
%pair = type { i8, [2 x %node] }

; Of each cycle, one reference is left out; others are kept.
; CHECK-DAG: @self = addrspace(1) global %node { i32 1, ptr addrspace(1) null }
; CHECK-DAG: @a = addrspace(1) global %node { i32 1, ptr addrspace(1) @b }
; CHECK-DAG: @b = addrspace(1) global %pair { i8 5, [2 x %node] [%node { i32 6, ptr addrspace(1) null }, %node { i32 7, ptr addrspace(1) @c }] }
; CHECK-DAG: @c = addrspace(1) global %node { i32 3, ptr addrspace(1) null }
; CHECK-DAG: @d = addrspace(1) constant %node { i32 4, ptr addrspace(1) @a }
@self = addrspace(1) global %node { i32 1, ptr addrspace(1) @self }
@a = addrspace(1) global %node { i32 1, ptr addrspace(1) @b }
@b = addrspace(1) global %pair { i8 5, [2 x %node] [%node { i32 6, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @a, i64 8) }, %node { i32 7, ptr addrspace(1) @c }] }
@c = addrspace(1) constant %node { i32 3, ptr addrspace(1) @b }
@d = addrspace(1) constant %node { i32 4, ptr addrspace(1) @a }

; CHECK-DAG: @llvm.global_ctors = {{.*}}{ i32 0, ptr @__clcuda_close_cycles, ptr null }

; CHECK: define internal void @__clcuda_close_cycles()
; CHECK-DAG: store ptr addrspace(1) @self, ptr addrspace(1) getelementptr inbounds{{.*}} (i8, ptr addrspace(1) @self, i64 8), align 8
; CHECK-DAG: store ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @a, i64 8), ptr addrspace(1) getelementptr inbounds{{.*}} (i8, ptr addrspace(1) @b, i64 16), align 8
; CHECK-DAG: store ptr addrspace(1) @b, ptr addrspace(1) getelementptr inbounds{{.*}} (i8, ptr addrspace(1) @c, i64 8), align 8
; CHECK: ret void
