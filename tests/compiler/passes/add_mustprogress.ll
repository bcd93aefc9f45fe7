; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=add_mustprogress -S %s | FileCheck %s

; CHECK-LABEL: @can_be_left(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[LOOP:[0-9]+]]
define void @can_be_left(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 7
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @cannot_be_left(
; CHECK: br label %loop{{$}}
; CHECK: br label %loop{{$}}
define void @cannot_be_left() {
  br label %loop
loop:
  br label %loop
}

; Said of the function already.
; CHECK-LABEL: @of_cpp(
; CHECK: br i1 %c, label %loop, label %end{{$}}
define void @of_cpp(i1 %c) mustprogress {
  br label %loop
loop:
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: @assembly(
; CHECK: call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %x) #[[RETURNS:[0-9]+]]
; CHECK: call void asm sideeffect "bar.sync 0;", ""(){{$}}
define i32 @assembly(i32 %x) {
  %y = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %x)
  call void asm sideeffect "bar.sync 0;", ""()
  ret i32 %y
}

; CHECK: attributes #[[RETURNS]] = { willreturn }
; CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[PROGRESS:[0-9]+]]}
; CHECK: ![[PROGRESS]] = !{!"llvm.loop.mustprogress"{{(, i32 1)?}}}
