; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=clear_local_variables -S %s | FileCheck %s --implicit-check-not=zeroinitializer
; RUN: clcuda-opt -passes=clear_local_variables -S %s | opt -passes=verify -disable-output

; CHECK: @words = internal addrspace(3) global [8 x i32] poison, align 4
; CHECK: @bytes = internal addrspace(3) global [5 x i8] poison, align 1
; CHECK: @undefined = internal addrspace(3) global i32 undef, align 4
@words = internal addrspace(3) global [8 x i32] zeroinitializer, align 4
@bytes = internal addrspace(3) global [5 x i8] zeroinitializer, align 1
@undefined = internal addrspace(3) global i32 undef, align 4

; Behind the private variables, those that it uses in the order of the module.
; CHECK-LABEL: define ptx_kernel void @both(
; CHECK-NEXT: entry:
; CHECK-NEXT: %private = alloca i32
; CHECK-NEXT: [[FIRST:%[0-9]+]] = call i64 @_Z19get_local_linear_idv() #[[CONVERGENT:[0-9]+]], !dbg [[NOWHERE:![0-9]+]]
; CHECK-NEXT: [[X:%[0-9]+]] = call i64 @_Z14get_local_sizej(i32 0)
; CHECK-NEXT: [[Y:%[0-9]+]] = call i64 @_Z14get_local_sizej(i32 1)
; CHECK-NEXT: [[XY:%[0-9]+]] = mul i64 [[X]], [[Y]]
; CHECK-NEXT: [[Z:%[0-9]+]] = call i64 @_Z14get_local_sizej(i32 2)
; CHECK-NEXT: [[STEP:%[0-9]+]] = mul i64 [[XY]], [[Z]]
; CHECK-NEXT: br label %[[WORDS:[a-z0-9]+]]
; CHECK: [[WORDS]]:
; CHECK-NEXT: [[INDEX:%[0-9]+]] = phi i64 [ [[FIRST]], %entry ], [ [[NEXT:%[0-9]+]], %[[TURN:[0-9]+]] ]
; CHECK-NEXT: [[GOES_ON:%[0-9]+]] = icmp ult i64 [[INDEX]], 8
; CHECK-NEXT: br i1 [[GOES_ON]], label %[[TURN]], label %[[BETWEEN:[a-z0-9]+]]
; CHECK: [[TURN]]:
; CHECK-NEXT: [[PLACE:%[0-9]+]] = getelementptr i32, ptr addrspace(3) @words, i64 [[INDEX]]
; CHECK-NEXT: store i32 0, ptr addrspace(3) [[PLACE]]
; CHECK-NEXT: [[NEXT]] = add i64 [[INDEX]], [[STEP]]
; CHECK-NEXT: br label %[[WORDS]]
; CHECK: [[BETWEEN]]:
; CHECK: icmp ult i64 %{{[0-9]+}}, 5
; CHECK: getelementptr i8, ptr addrspace(3) @bytes
; CHECK-NEXT: store i8 0,
; CHECK: call void @_Z18work_group_barrierj(i32 1) #[[CONVERGENT]], !dbg [[NOWHERE]]
; CHECK-NEXT: br label %[[BODY:[a-z0-9.]+]]
; CHECK: [[BODY]]:
; CHECK-NEXT: store i32 1, ptr %private
define ptx_kernel void @both() !dbg !3 {
entry:
  %private = alloca i32
  store i32 1, ptr %private
  call void @f(), !dbg !5
  store i8 2, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @bytes, i64 4)
  ret void
}

; CHECK-LABEL: define void @f(
; CHECK-NEXT: store
define void @f() {
  store i32 3, ptr addrspace(3) @words
  ret void
}

; CHECK-LABEL: define ptx_kernel void @neither(
; CHECK-NEXT: store
define ptx_kernel void @neither() {
  store i32 4, ptr addrspace(3) @undefined
  ret void
}

; CHECK: attributes #[[CONVERGENT]] = { convergent nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "program.cl", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "both", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 2, column: 3, scope: !3)
