; SPDX-License-Identifier: Apache-2.0
; RUN: split-file %s %t
; RUN: clcuda-opt -passes=place_local_variables -S %t/beyond.ll | FileCheck %s
; RUN: clcuda-opt -passes=place_local_variables -S %t/below.ll | FileCheck %s --check-prefix=BELOW --implicit-check-not=__clcuda

;--- beyond.ll
; What no such kernel uses stays where it is.
; CHECK-NOT: @first
; CHECK: @other = internal addrspace(3) global [30000 x i8] poison, align 16
; CHECK: @__clcuda_dynamic_local = external addrspace(3) global [0 x i8], align 16
@first = internal addrspace(3) global [30000 x i8] poison, align 1
@second = internal addrspace(3) global [20000 x i8] poison, align 64
@other = internal addrspace(3) global [30000 x i8] poison, align 1

; CHECK: define ptx_kernel void @k() #[[K:[0-9]+]]
; CHECK: store i8 1, ptr addrspace(3) @__clcuda_dynamic_local
define ptx_kernel void @k() {
  store i8 1, ptr addrspace(3) @first
  call void @f()
  ret void
}
; CHECK: define void @f()
; A multiple of 64 behind what rounding down may skip.
; CHECK: [[START:%.+]] = call ptr addrspace(3) @llvm.ptrmask.p3.i64(ptr addrspace(3) @__clcuda_dynamic_local, i64 -64)
; CHECK: [[SECOND:%.+]] = getelementptr i8, ptr addrspace(3) [[START]], i64 30080
; CHECK: store i8 2, ptr addrspace(3) [[SECOND]]
; CHECK: [[PLACE:%.+]] = getelementptr inbounds i8, ptr addrspace(3) [[SECOND]], i64 5
; CHECK: store i8 4, ptr addrspace(3) [[PLACE]]
define void @f() {
  store i8 2, ptr addrspace(3) @second
  store i8 4, ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @second, i64 5)
  ret void
}
; CHECK: define ptx_kernel void @small() {
; CHECK: store i8 3, ptr addrspace(3) @other
define ptx_kernel void @small() {
  store i8 3, ptr addrspace(3) @other
  ret void
}
; CHECK: attributes #[[K]] = { "clcuda-static-local-size"="50080" }

;--- below.ll
; BELOW: @large = internal addrspace(3) global [40000 x i8] poison, align 16
; BELOW: @small = internal addrspace(3) global [15 x i8] poison, align 1
; BELOW: @whole = internal addrspace(3) global [45056 x i8] poison, align 16
@large = internal addrspace(3) global [40000 x i8] poison, align 1
@small = internal addrspace(3) global [15 x i8] poison, align 1
; As much as may be.
@whole = internal addrspace(3) global [45056 x i8] poison, align 1
define ptx_kernel void @k() {
  store i8 1, ptr addrspace(3) @large
  store i8 2, ptr addrspace(3) @small
  ret void
}
define ptx_kernel void @with_the_whole() {
  store i8 3, ptr addrspace(3) @whole
  ret void
}
