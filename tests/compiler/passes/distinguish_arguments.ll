; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=distinguish_arguments -S %s | FileCheck %s
; RUN: clcuda-opt -passes=distinguish_arguments --variant=general -S %s | FileCheck %s --check-prefix=LEFT
; RUN: clcuda-opt -passes=distinguish_arguments --build-options=-cl-opt-disable -S %s | FileCheck %s --check-prefix=LEFT

; LEFT-NOT: clcuda-distinct

declare ptr @library(ptr addrspace(1))
declare void @_Z7barrierj(i32)

; What a variable holds for a while was an argument. Numbers, local memory and structures stay as they are.
; CHECK: define ptx_kernel void @plain(ptr addrspace(1) noalias align 4 "clcuda-distinct" %a, ptr addrspace(1) noalias "clcuda-distinct" %b, i64 %n, ptr addrspace(3) %l) [[DISTINCT:#[0-9]+]]
define ptx_kernel void @plain(ptr addrspace(1) align 4 %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %a, ptr %slot
  %p = load ptr addrspace(1), ptr %slot
  %q = getelementptr i32, ptr addrspace(1) %p, i64 %n
  %v = load i32, ptr addrspace(1) %q
  call void @_Z7barrierj(i32 1)
  call void @put(ptr addrspace(1) %b, i32 %v)
  ret void
}

; CHECK: define void @put(ptr addrspace(1) %p, i32 %v)
define void @put(ptr addrspace(1) %p, i32 %v) {
  store i32 %v, ptr addrspace(1) %p
  ret void
}

; What is declared restrict stays as it is.
; CHECK: define ptx_kernel void @restricted(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias "clcuda-distinct" %b, i64 %n, ptr addrspace(3) %l) [[DISTINCT]]
define ptx_kernel void @restricted(ptr addrspace(1) noalias %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  ret void
}

; Nothing to be told apart.
; CHECK: define ptx_kernel void @single(ptr addrspace(1) %a, i64 %n, ptr addrspace(3) %l, i64 %m) !
define ptx_kernel void @single(ptr addrspace(1) %a, i64 %n, ptr addrspace(3) %l, i64 %m) !kernel_arg_base_type !2 !kernel_arg_type_qual !1 {
  ret void
}

; Images and pipes are no memory that pointers lead to.
; CHECK: define ptx_kernel void @objects(ptr addrspace(1) %a, ptr addrspace(1) %i, ptr addrspace(1) %p, i64 %m) !
define ptx_kernel void @objects(ptr addrspace(1) %a, ptr addrspace(1) %i, ptr addrspace(1) %p, i64 %m) !kernel_arg_base_type !3 !kernel_arg_type_qual !4 {
  ret void
}

; Pointers that come from elsewhere: from memory, in whatever function,
; CHECK: define ptx_kernel void @loads(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @loads(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  call void @load(ptr addrspace(1) %a)
  ret void
}
define void @load(ptr addrspace(1) %list) {
  %p = load ptr, ptr addrspace(1) %list
  store i32 1, ptr %p
  ret void
}

; from a structure, also by way of a variable,
; CHECK: define ptx_kernel void @copies(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @copies(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  %slot = alloca { i64, ptr addrspace(1) }
  call void @llvm.memcpy.p0.p1.i64(ptr %slot, ptr addrspace(1) %b, i64 16, i1 false)
  %field = getelementptr { i64, ptr addrspace(1) }, ptr %slot, i32 0, i32 1
  %p = load ptr addrspace(1), ptr %field
  store i32 1, ptr addrspace(1) %p
  ret void
}

; from numbers,
; CHECK: define ptx_kernel void @numbers(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @numbers(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  %p = inttoptr i64 %n to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %p
  ret void
}

; also those that a variable shows as another type,
; CHECK: define ptx_kernel void @puns(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @puns(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  %slot = alloca i64
  store i64 %n, ptr %slot
  %p = load ptr addrspace(1), ptr %slot
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK: define ptx_kernel void @constants(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @constants(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  store i32 1, ptr addrspace(1) getelementptr (i32, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1)), i64 3)
  ret void
}

; from an exchange of pointers,
; CHECK: define ptx_kernel void @exchanges(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @exchanges(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  %p = atomicrmw xchg ptr addrspace(1) %a, ptr addrspace(1) %b monotonic
  store i32 1, ptr addrspace(1) %p
  ret void
}

; from a function that is not the program's,
; CHECK: define ptx_kernel void @asks(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @asks(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  %p = call ptr @library(ptr addrspace(1) %a)
  store i32 1, ptr %p
  ret void
}

; and what a function does that is not known.
; CHECK: define ptx_kernel void @jumps(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !
define ptx_kernel void @jumps(ptr addrspace(1) %a, ptr addrspace(1) %b, i64 %n, ptr addrspace(3) %l) !kernel_arg_base_type !0 !kernel_arg_type_qual !1 {
  %function = inttoptr i64 %n to ptr
  call void %function()
  ret void
}

; CHECK: attributes [[DISTINCT]] = { {{.*}}"clcuda-distinct-arguments"

!0 = !{!"int*", !"int*", !"long", !"int*"}
!1 = !{!"", !"const", !"", !""}
!2 = !{!"int*", !"long", !"int*", !"long"}
!3 = !{!"int*", !"image2d_t", !"int", !"long"}
!4 = !{!"", !"", !"pipe", !""}
