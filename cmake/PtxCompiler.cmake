# SPDX-License-Identifier: Apache-2.0
# The target clcuda_nvptxcompiler: NVIDIA's PTX compiler library, if the CUDA toolkit has it or scripts/install-dependencies brought it.
# Without it, the driver makes all machine code (src/cuda/ptx_compiler.h).
if(NOT CLCUDA_PTX_COMPILER)
  return()
endif()
set(data $ENV{XDG_DATA_HOME})
if(NOT data)
  set(data $ENV{HOME}/.local/share)
endif()
set(brought ${data}/nvptxcompiler-${CUDAToolkit_VERSION_MAJOR}.${CUDAToolkit_VERSION_MINOR})
if(CMAKE_CROSSCOMPILING)
  set(brought /usr/local/cuda)  # in the target's root
endif()
find_library(CLCUDA_NVPTXCOMPILER nvptxcompiler_static PATHS ${CUDAToolkit_LIBRARY_DIR} ${brought} PATH_SUFFIXES lib lib64 NO_DEFAULT_PATH)
find_path(CLCUDA_NVPTXCOMPILER_INCLUDE nvPTXCompiler.h PATHS ${CUDAToolkit_INCLUDE_DIRS} ${brought}/include NO_DEFAULT_PATH)
if(NOT CLCUDA_NVPTXCOMPILER OR NOT CLCUDA_NVPTXCOMPILER_INCLUDE)
  message(STATUS "No libnvptxcompiler_static.a: the driver makes all machine code, which is slower")
  return()
endif()
message(STATUS "PTX compiler library: ${CLCUDA_NVPTXCOMPILER}")

# Its constructors are named in sections .ctors, which LLD does not run.
set(archive ${CMAKE_BINARY_DIR}/libnvptxcompiler_static.a)
add_custom_command(OUTPUT ${archive} DEPENDS ${CLCUDA_NVPTXCOMPILER} VERBATIM COMMENT "PTX compiler library"
  COMMAND ${LLVM_TOOLS}/llvm-objcopy --rename-section .ctors=.init_array ${CLCUDA_NVPTXCOMPILER} ${archive})
add_custom_target(clcuda_nvptxcompiler_archive DEPENDS ${archive})
add_library(clcuda_nvptxcompiler INTERFACE)
add_dependencies(clcuda_nvptxcompiler clcuda_nvptxcompiler_archive)
target_include_directories(clcuda_nvptxcompiler SYSTEM INTERFACE ${CLCUDA_NVPTXCOMPILER_INCLUDE})
target_link_libraries(clcuda_nvptxcompiler INTERFACE ${archive} Threads::Threads ${CMAKE_DL_LIBS} m)
