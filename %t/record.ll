declare ptr @__clcuda_launch_record()

; Through any chain of calls.
; CHECK: define ptx_kernel void @k(ptr addrspace(1) %p, ptr noalias readonly byval([{{[0-9]+}} x i8]) align 8 "clcuda-launch-record" "nvvm.grid_constant" %launch_record)
; CHECK: %x = call i32 @f(i32 1, ptr %launch_record)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %x = call i32 @f(i32 1)
  store i32 %x, ptr addrspace(1) %p
  ret void
}
; CHECK: define internal i32 @f(i32 %x, ptr noalias readonly align 8 "clcuda-launch-record" %launch_record)
; CHECK: tail call i32 @g(ptr %launch_record)
define internal i32 @f(i32 %x) {
  %y = tail call i32 @g()
  ret i32 %y
}
; CHECK: define internal i32 @g(ptr {{.*}}%launch_record)
; CHECK: load i32, ptr %launch_record
define internal i32 @g() {
  %record = call ptr @__clcuda_launch_record()
  %x = load i32, ptr %record
  ret i32 %x
}

; CHECK: define ptx_kernel void @without(ptr addrspace(1) %p) {
define ptx_kernel void @without(ptr addrspace(1) %p) {
  store i32 1, ptr addrspace(1) %p
  ret void
}

; Who enqueues a block does not know whether it needs the record.
; CHECK: define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal, ptr {{.*}}byval({{.*}}%launch_record)
define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal) "clcuda-block" {
  ret void
}

