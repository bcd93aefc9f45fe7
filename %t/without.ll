; WITHOUT: define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal) #{{[0-9]+}}
define internal ptx_kernel void @block(ptr byval([32 x i8]) align 16 %literal) "clcuda-block" {
  ret void
}

