; REFUSED: error: the address of function 'f' is taken
declare ptr @__clcuda_launch_record()
@table = global ptr @f
define internal i32 @f() {
  %record = call ptr @__clcuda_launch_record()
  %x = load i32, ptr %record
  ret i32 %x
}
