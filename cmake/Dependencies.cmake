# SPDX-License-Identifier: Apache-2.0
# Everything that the build needs from outside. `scripts/install-dependencies` installs all of it.

# LLVM's programs are this machine's. A cross-build has the headers and archives of the same version in the target's root.
find_package(LLVM 22.1 CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm NO_CMAKE_FIND_ROOT_PATH)
if(NOT LLVM_FOUND)
  message(FATAL_ERROR "LLVM 22.1 with its static libraries is needed: apt-get install llvm-22-dev libclang-22-dev clang-22 lld-22")
endif()
find_package(CUDAToolkit)
if(NOT CUDAToolkit_FOUND)
  message(FATAL_ERROR "The CUDA toolkit is needed for cuda.h, libdevice and libcudadevrt (no GPU or driver is needed to build)")
endif()
find_file(CLCUDA_LIBDEVICE libdevice.10.bc PATHS ${CUDAToolkit_LIBRARY_ROOT} ${CUDAToolkit_TARGET_DIR} /usr/local/cuda
          PATH_SUFFIXES nvvm/libdevice NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_file(CLCUDA_CUDADEVRT libcudadevrt.a PATHS ${CUDAToolkit_LIBRARY_DIR} /usr/local/cuda/lib64 REQUIRED)
find_path(CLCUDA_OPENCL_INCLUDE CL/cl_icd.h REQUIRED)
find_package(fmt REQUIRED)
# The declarations alone; src/base/fmt.cpp has the code.
add_library(clcuda_fmt INTERFACE)
target_include_directories(clcuda_fmt SYSTEM INTERFACE $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
find_path(CLCUDA_SPIRV_GRAMMARS spirv.core.grammar.json PATH_SUFFIXES spirv/unified1 REQUIRED)
find_package(Python3 COMPONENTS Interpreter REQUIRED)
find_path(CLCUDA_XXHASH_INCLUDE xxhash.h REQUIRED)
find_package(Threads REQUIRED)
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

set(LLVM_TOOLS ${LLVM_TOOLS_BINARY_DIR})
include(PtxCompiler)
set(CLCUDA_CLANG_RESOURCES ${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/include)
set(llvm_prefix ${CMAKE_SYSROOT}${LLVM_INSTALL_PREFIX})  # of the target

# Warnings, sanitizers and the like, for every target of ours.
add_library(clcuda_options INTERFACE)
target_compile_options(clcuda_options INTERFACE -Wall -Wextra $<$<BOOL:${CLCUDA_WERROR}>:-Werror>
  "$<$<CXX_COMPILER_ID:Clang>:-Wthread-safety;-Wthread-safety-beta>" -Wno-missing-field-initializers)
target_compile_definitions(clcuda_options INTERFACE CL_TARGET_OPENCL_VERSION=300 CL_USE_DEPRECATED_OPENCL_1_0_APIS
  CL_USE_DEPRECATED_OPENCL_1_1_APIS CL_USE_DEPRECATED_OPENCL_1_2_APIS CL_USE_DEPRECATED_OPENCL_2_0_APIS
  CL_USE_DEPRECATED_OPENCL_2_1_APIS CL_USE_DEPRECATED_OPENCL_2_2_APIS)
# The order of locks, as it is kept by whoever calls whom (base/lock_order.h).
target_compile_definitions(clcuda_options INTERFACE $<$<CONFIG:Debug>:CLCUDA_CHECK_LOCK_ORDER>)
if(CLCUDA_SANITIZE)
  # vptr needs type information, which LLVM has none of; function reads what stands before a function, also of generated code.
  target_compile_options(clcuda_options INTERFACE -fsanitize=${CLCUDA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
                         -fno-sanitize=vptr,function)
  # Of arrays and vectors, the end is no border that a sanitizer sees wherever it lies within an object.
  target_compile_definitions(clcuda_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(clcuda_options INTERFACE -fsanitize=${CLCUDA_SANITIZE} -fno-sanitize=vptr -shared-libsan
                      LINKER:-rpath,${LLVM_LIBRARY_DIR}/clang/${LLVM_VERSION_MAJOR}/lib/linux)
endif()
if(CLCUDA_FUZZ)
  target_compile_options(clcuda_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
# As on x86-64, so that the same sources compute the same: there char has a sign, and only what says so is a fused operation.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  target_compile_options(clcuda_options INTERFACE -fsigned-char -ffp-contract=off)
endif()
target_link_options(clcuda_options INTERFACE -fuse-ld=lld)

# Headers of LLVM and Clang, and their static archives. (The imported targets of Debian's package name libLLVM.so.)
add_library(clcuda_llvm_headers INTERFACE)
target_include_directories(clcuda_llvm_headers SYSTEM INTERFACE ${llvm_prefix}/include)
target_link_libraries(clcuda_llvm_headers INTERFACE Threads::Threads)

# For the processor, whose code the executor makes.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(native_target aarch64codegen aarch64asmparser)
else()
  set(native_target x86codegen x86asmparser)
endif()
execute_process(COMMAND ${LLVM_TOOLS}/llvm-config --link-static --libfiles nvptx spirv ${native_target} passes orcjit bitreader bitwriter
  linker ipo frontendopenmp frontendoffloading frontendhlsl frontenddriver option coverage lto irreader irprinter
  coroutines hipstdpar targetparser profiledata objcarcopts
  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_archives)
list(FILTER llvm_archives EXCLUDE REGEX "Polly")
set(CLCUDA_HOST_LLVM_ARCHIVES ${llvm_archives})  # for programs that the build runs
list(TRANSFORM llvm_archives PREPEND "${CMAKE_SYSROOT}")
add_library(clcuda_llvm INTERFACE)
target_link_libraries(clcuda_llvm INTERFACE clcuda_llvm_headers -Wl,--start-group ${llvm_archives} -Wl,--end-group -l:libz.a -l:libzstd.a -ldl -lm)

set(clang_archives)
foreach(name CodeGen Frontend Driver Serialization Parse Sema Analysis AnalysisLifetimeSafety ASTMatchers Edit APINotes
             Support AST Lex Options Basic)
  list(APPEND clang_archives ${llvm_prefix}/lib/libclang${name}.a)
endforeach()
add_library(clcuda_clang INTERFACE)
target_link_libraries(clcuda_clang INTERFACE -Wl,--start-group ${clang_archives} ${llvm_archives} -Wl,--end-group clcuda_llvm_headers
                      -l:libz.a -l:libzstd.a -ldl -lm)
