; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=set_denormal_mode --build-options=-cl-denorms-are-zero -S %s | FileCheck %s --check-prefix=FLUSH
; RUN: clcuda-opt -passes=set_denormal_mode -S %s | FileCheck %s --check-prefix=KEEP

; FLUSH: define float @without_mode(float %x) #[[ZERO:[0-9]+]]
; KEEP: define float @without_mode(float %x) #[[IEEE:[0-9]+]]
define float @without_mode(float %x) {
  ret float %x
}

; One that was compiled to flush does so, whatever is said of the others.
; FLUSH: define float @flushing(float %x) #[[ZERO]]
; KEEP: define float @flushing(float %x) #[[ZERO:[0-9]+]]
define float @flushing(float %x) #0 {
  ret float %x
}

; FLUSH: define float @keeping(float %x) #[[ZERO]]
; KEEP: define float @keeping(float %x) #[[IEEE]]
define float @keeping(float %x) #1 {
  ret float %x
}

; FLUSH: define float @of_spirv(float %x) #[[KEPT:[0-9]+]]
; KEEP: define float @of_spirv(float %x) #[[KEPT:[0-9]+]]
define float @of_spirv(float %x) #2 {
  ret float %x
}

; FLUSH: declare float @elsewhere(float){{$}}
; KEEP: declare float @elsewhere(float){{$}}
declare float @elsewhere(float)

; FLUSH-DAG: attributes #[[KEPT]] = { "clcuda-keeps-denormals" "denormal-fp-math-f32"="ieee,ieee" }
; KEEP-DAG: attributes #[[KEPT]] = { "clcuda-keeps-denormals" "denormal-fp-math-f32"="ieee,ieee" }
; FLUSH-DAG: attributes #[[ZERO]] = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
; KEEP-DAG: attributes #[[ZERO]] = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
; KEEP-DAG: attributes #[[IEEE]] = { "denormal-fp-math-f32"="ieee,ieee" }
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
attributes #1 = { "denormal-fp-math-f32"="ieee,ieee" }
attributes #2 = { "clcuda-keeps-denormals" }
