; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=keep_libdevice_branches -S %s | FileCheck %s
; RUN: clcuda-opt -passes='keep_libdevice_branches,simplifycfg' -S %s | FileCheck %s --check-prefix=SIMPLIFIED

; The side on which more is computed counts as rare, so that LLVM keeps the branch.
; CHECK: define float @__nv_f(float %x) #[[F:[0-9]+]] {
; CHECK: br i1 %c, label %one, label %end, !prof ![[RARE:[0-9]+]]
; SIMPLIFIED-LABEL: @__nv_f(
; SIMPLIFIED: br i1 %c
define float @__nv_f(float %x) noinline nounwind {
  %c = fcmp olt float %x, 1.0
  br i1 %c, label %one, label %end
one:
  %square = fmul float %x, %x
  %cube = fmul float %square, %x
  br label %end
end:
  %result = phi float [ %cube, %one ], [ %x, %0 ]
  ret float %result
}

; One operation is as cheap as a branch around it.
; CHECK-LABEL: @__nv_cheap(
; CHECK: br i1 %c, label %one, label %end{{$}}
define float @__nv_cheap(float %x) {
  %c = fcmp olt float %x, 1.0
  br i1 %c, label %one, label %end
one:
  %square = fmul float %x, %x
  br label %end
end:
  %result = phi float [ %square, %one ], [ %x, %0 ]
  ret float %result
}

; What libdevice asked has been answered.
; CHECK-LABEL: @__internal_decided(
; CHECK-NOT: br
; CHECK: ret float %x
define float @__internal_decided(float %x) {
  %flushes = icmp eq i32 0, 1
  br i1 %flushes, label %one, label %end
one:
  ret float 0.0
end:
  ret float %x
}

; CHECK: define float @of_program(float %x) #[[NOINLINE:[0-9]+]] {
; CHECK: br i1 %c, label %one, label %end{{$}}
; SIMPLIFIED-LABEL: @of_program(
; SIMPLIFIED: select i1 %c
define float @of_program(float %x) noinline {
  %c = fcmp olt float %x, 1.0
  br i1 %c, label %one, label %end
one:
  %square = fmul float %x, %x
  %cube = fmul float %square, %x
  br label %end
end:
  %result = phi float [ %cube, %one ], [ %x, %0 ]
  ret float %result
}

; CHECK-DAG: attributes #[[F]] = { nounwind }
; CHECK-DAG: attributes #[[NOINLINE]] = { noinline }
; CHECK-DAG: ![[RARE]] = !{!"branch_weights", i32 1, i32 2000}
