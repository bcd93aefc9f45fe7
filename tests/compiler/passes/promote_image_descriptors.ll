; SPDX-License-Identifier: Apache-2.0
; RUN: clcuda-opt -passes=promote_image_descriptors -S %s | FileCheck %s

; The second argument's part at byte 16, which is loaded twice, and the one at its beginning.
; CHECK: define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %image, ptr noalias readonly byval([4 x i64]) align 16 "clcuda-image-parts"="1 16 1 0 " "nvvm.grid_constant" %image_parts)
; CHECK-NOT: asm
; CHECK: %[[FIRST:.*]] = getelementptr inbounds i64, ptr %image_parts, i64 0
; CHECK: load i64, ptr %[[FIRST]], align 16, !invariant.load
; CHECK: %[[SECOND:.*]] = getelementptr inbounds i64, ptr %image_parts, i64 1
; CHECK: load i64, ptr %[[SECOND]], align 8, !invariant.load
; CHECK: store volatile
; CHECK: getelementptr inbounds i64, ptr %image_parts, i64 2
; CHECK: getelementptr inbounds i64, ptr %image_parts, i64 3
; CHECK: store volatile
; CHECK: getelementptr inbounds i64, ptr %image_parts, i64 0
; CHECK: getelementptr inbounds i64, ptr %image_parts, i64 1
; CHECK: store volatile
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %image) !kernel_arg_base_type !0 !kernel_arg_access_qual !1 {
  %place = getelementptr i8, ptr addrspace(1) %image, i64 16
  %a = call { i64, i64 } asm "ld.global.nc.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr addrspace(1) %place)
  store volatile { i64, i64 } %a, ptr addrspace(1) %p
  %b = call { i64, i64 } asm "ld.global.nc.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr addrspace(1) %image)
  store volatile { i64, i64 } %b, ptr addrspace(1) %p
  %c = call { i64, i64 } asm "ld.global.nc.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr addrspace(1) %place)
  store volatile { i64, i64 } %c, ptr addrspace(1) %p
  ret void
}

; Who enqueues a block knows no descriptors.
; CHECK: define internal ptx_kernel void @block(ptr addrspace(1) %p, ptr addrspace(1) %image) #
; CHECK: asm
define internal ptx_kernel void @block(ptr addrspace(1) %p, ptr addrspace(1) %image) "clcuda-block" !kernel_arg_base_type !0 !kernel_arg_access_qual !1 {
  %a = call { i64, i64 } asm "ld.global.nc.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr addrspace(1) %image)
  store volatile { i64, i64 } %a, ptr addrspace(1) %p
  ret void
}

; From a buffer, and from where in a descriptor nobody knows.
; CHECK: define ptx_kernel void @of_others(ptr addrspace(1) %p, ptr addrspace(1) %image, i64 %i) !
; CHECK-COUNT-2: asm
define ptx_kernel void @of_others(ptr addrspace(1) %p, ptr addrspace(1) %image, i64 %i) !kernel_arg_base_type !0 !kernel_arg_access_qual !1 {
  %place = getelementptr i8, ptr addrspace(1) %image, i64 %i
  %a = call { i64, i64 } asm "ld.global.nc.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr addrspace(1) %p)
  store volatile { i64, i64 } %a, ptr addrspace(1) %p
  %b = call { i64, i64 } asm "ld.global.nc.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr addrspace(1) %place)
  store volatile { i64, i64 } %b, ptr addrspace(1) %p
  ret void
}

; CHECK: define ptx_kernel void @of_many_parameters(ptr addrspace(1) %p, ptr addrspace(1) %image, ptr byval([2048 x i8]) %v) !
; CHECK: asm
define ptx_kernel void @of_many_parameters(ptr addrspace(1) %p, ptr addrspace(1) %image, ptr byval([2048 x i8]) %v) !kernel_arg_base_type !0 !kernel_arg_access_qual !1 {
  %a = call { i64, i64 } asm "ld.global.nc.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(ptr addrspace(1) %image)
  store volatile { i64, i64 } %a, ptr addrspace(1) %p
  ret void
}

!0 = !{!"float*", !"image2d_t", !"long"}
!1 = !{!"none", !"read_only", !"none"}
