# SPDX-License-Identifier: Apache-2.0
# Makes ${library}, ${index} and ${dictionary} of the OpenCL C library's sources: each family is compiled to one bitcode module, and all are
# divided into small ones (pack_library.cpp), so that a program reads only the functions that it uses.
set(families
  work_item
  printf
  synchronization
  device_enqueue
  device_tasks
  vload_vstore
  vload_half
  shuffle
  atomics
  atomics_load_store
  atomics_compare_exchange
  atomics_opencl1
  static_guard
  math_exact
  math
  math_parts
  math_remquo
  math_power
  math_roots
  math_trigonometric
  math_pi
  math_exponent
  math_native
  math_relaxed
  geometric
  common
  select
  relational
  integer_multiply
  integer
)

# Calls inside the library are inlined into the program, where arguments are known, not before: that keeps the bitcode small.
set(compile ${LLVM_TOOLS}/clang -x cl -cl-std=CL3.0 --target=nvptx64-nvidia-nvidiacl -march=sm_75 -O2 -nogpulib
  -Xclang -cl-ext=+all -Xclang -finclude-default-header -ffp-contract=off -cl-fp32-correctly-rounded-divide-sqrt -fno-ident
  -mllvm -inline-threshold=0 -mllvm -inlinehint-threshold=0 -D__OPENCL_VERSION__=300 -Wall -Wextra -Werror)

# clcuda_family(NAME SOURCE [definition…]): adds NAME.bc. LLVM's atomic instructions get the scope of the device, which Clang cannot
# express for this target.
set(modules)
function(clcuda_family name source)
  set(module ${CMAKE_CURRENT_BINARY_DIR}/${name}.bc)
  set(text ${CMAKE_CURRENT_BINARY_DIR}/${name}.ll)
  add_custom_command(OUTPUT ${module}
    COMMAND ${compile} ${ARGN} -emit-llvm -S ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${text} -MD -MF ${module}.d -MT ${module}
    COMMAND sed -i -E -e "/ (atomicrmw|cmpxchg) /s/ (monotonic)/ syncscope(\"device\") \\1/"
                      -e "s/__clcuda_is_constant_later/llvm.is.constant.i32/" ${text}
    COMMAND ${LLVM_TOOLS}/llvm-as ${text} -o ${module}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} DEPFILE ${module}.d VERBATIM COMMENT "OpenCL C library: ${name}")
  set(modules ${modules} ${module} PARENT_SCOPE)
endfunction()

foreach(family ${families})
  clcuda_family(${family} ${family}.cl)
endforeach()

foreach(type char/CHAR/int/i uchar/UCHAR/int/i short/SHRT/int/i ushort/USHRT/int/i int/INT/int/i uint/UINT/uint/ui
             long/LONG/long/ll ulong/ULONG/ulong/ull)
  string(REPLACE "/" ";" type ${type})
  list(GET type 0 name)
  list(GET type 1 limits)
  list(GET type 2 register)
  list(GET type 3 cvt)
  set(low ${limits}_MIN)
  if(name MATCHES "^u")
    set(low 0)
  endif()
  set(definitions -DTO=${name} -DTO_LOW=${low} -DTO_HIGH=${limits}_MAX -DREGISTER=${register} -DCVT=${cvt})
  clcuda_family(convert_to_${name} convert_to_integer.cl ${definitions})
endforeach()
foreach(type half/16 float/32 double/64)
  string(REPLACE "/" ";" type ${type})
  list(GET type 0 name)
  list(GET type 1 bits)
  clcuda_family(convert_to_${name} convert_to_float.cl -DTO=${name} -DTO_BITS=${bits})
endforeach()

# clcuda_edited_family(NAME EXPRESSION): adds NAME.bc, whose text sed changes by the expression once it is optimised.
function(clcuda_edited_family name expression)
  clcuda_family(${name} ${name}.cl)
  set(module ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_custom_command(OUTPUT ${module}.bc APPEND
    COMMAND sed -i ${expression} ${module}.ll
    COMMAND ${LLVM_TOOLS}/llvm-as ${module}.ll -o ${module}.bc)
  set(modules ${modules} PARENT_SCOPE)
endfunction()

# clcuda_assembled(NAME): adds NAME.bc of NAME.ll.
function(clcuda_assembled name)
  set(module ${CMAKE_CURRENT_BINARY_DIR}/${name}.bc)
  add_custom_command(OUTPUT ${module} DEPENDS ${name}.ll VERBATIM
    COMMAND ${LLVM_TOOLS}/llvm-as ${CMAKE_CURRENT_SOURCE_DIR}/${name}.ll -o ${module})
  set(modules ${modules} ${module} PARENT_SCOPE)
endfunction()

# Sub-groups, work-groups, their copies and small extensions. The build gives __clcuda_reflect_later its real name once nothing can answer it
# for the chip that the library is compiled for.
foreach(family sub_group_query sub_group_vote sub_group_broadcast sub_group_ballot sub_group_shuffle sub_group_reduce
               sub_group_scan sub_group_non_uniform_reduce sub_group_non_uniform_scan sub_group_clustered_reduce
               sub_group_intel_shuffle sub_group_intel_block work_group_vote work_group_broadcast work_group_reduce
               work_group_scan async_copy integer_dot_product extended_bit_ops kernel_clock pipe atomics_floating)
  clcuda_edited_family(${family} s/__clcuda_reflect_later/__nvvm_reflect/g)
endforeach()
clcuda_assembled(work_group_slots)

# Images. Nothing in them is convergent, whatever Clang says of inline assembly.
foreach(family image_read_sampled image_read_texel image_read_mipmap image_write image_write_mipmap image_query
               sub_group_intel_image)
  clcuda_edited_family(${family} "/^attributes #/s/ convergent / /")
endforeach()
clcuda_assembled(image_handles)

if(CMAKE_CROSSCOMPILING)  # it runs here
  set(packer ${CMAKE_CURRENT_BINARY_DIR}/clcuda_pack_library)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/pack_library.cpp)
  add_custom_command(OUTPUT ${packer} DEPENDS ${source} VERBATIM COMMENT "OpenCL C library: what divides it"
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -O2 -DNDEBUG -isystem ${LLVM_INCLUDE_DIRS} ${source} -o ${packer} -fuse-ld=lld
            -Wl,--start-group ${CLCUDA_HOST_LLVM_ARCHIVES} -Wl,--end-group -l:libz.a -l:libzstd.a -ldl -lm)
else()
  add_executable(clcuda_pack_library pack_library.cpp)
  target_link_libraries(clcuda_pack_library PRIVATE clcuda_options clcuda_llvm)
  set(packer clcuda_pack_library)
endif()
add_custom_command(OUTPUT ${library} ${index} ${dictionary} DEPENDS ${packer} ${modules} ${CLCUDA_LIBDEVICE} VERBATIM
  COMMAND ${packer} ${library} ${index} ${dictionary} ${CLCUDA_LIBDEVICE} ${modules} COMMENT "OpenCL C library: dividing it")

