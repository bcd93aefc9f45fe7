; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=resolve_launch_variant -S %s | FileCheck %s --check-prefixes=CHECK,UNIFORM
; RUN: clcuda-opt -passes=resolve_launch_variant --variant=general -S %s | FileCheck %s --check-prefixes=CHECK,GENERAL

declare i1 @__clcuda_uniform_launch()
declare ptr @__clcuda_launch_record() #0
declare ptr @another_record() #0

; CHECK-LABEL: @is_uniform(
; UNIFORM: ret i1 true
; GENERAL: ret i1 false
define i1 @is_uniform() {
  %uniform = call i1 @__clcuda_uniform_launch()
  ret i1 %uniform
}

; The record's contents are the same all through the launch, also behind an offset.
; CHECK-LABEL: @from_record(
; CHECK: load i64, ptr %place, align 8, !invariant.load
define i64 @from_record() {
  %record = call ptr @__clcuda_launch_record() #0
  %place = getelementptr i8, ptr %record, i64 16
  %value = load i64, ptr %place
  ret i64 %value
}

; What a pointer in the record points to may change.
; CHECK-LABEL: @behind_pointer(
; CHECK: load ptr, ptr %record, align 8, !invariant.load
; CHECK: load i64, ptr %pointer, align 4{{$}}
define i64 @behind_pointer() {
  %record = call ptr @__clcuda_launch_record() #0
  %pointer = load ptr, ptr %record
  %value = load i64, ptr %pointer, align 4
  ret i64 %value
}

; CHECK-LABEL: @from_another(
; CHECK: load i64, ptr %record, align 4{{$}}
define i64 @from_another() {
  %record = call ptr @another_record() #0
  %value = load i64, ptr %record, align 4
  ret i64 %value
}

attributes #0 = { convergent }
