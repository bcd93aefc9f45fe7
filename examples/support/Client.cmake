# SPDX-License-Identifier: Apache-2.0
# clcuda_client: what our OpenCL programs (examples, benchmarks) share. They are ordinary clients: they link the ICD loader only.
include_guard(GLOBAL)
include(EmbedFile)
find_library(CLCUDA_ICD_LOADER OpenCL REQUIRED)

add_library(clcuda_client STATIC ${CMAKE_CURRENT_LIST_DIR}/client.cpp)
target_include_directories(clcuda_client PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
target_link_libraries(clcuda_client PUBLIC clcuda_options ${CLCUDA_ICD_LOADER})

# What programs that share memory and streams with CUDA have in common.
add_library(clcuda_client_cuda STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/cuda_interop.cpp)
target_include_directories(clcuda_client_cuda PUBLIC ${CMAKE_SOURCE_DIR}/include)
target_link_libraries(clcuda_client_cuda PUBLIC clcuda_client)

# NCCL, where its header is installed: with the toolkit, or of the wheel nvidia-nccl-cu13 (or -cu12) in the folder that NCCL_ROOT names. The
# library is loaded at run time, so that the programs start without it.
find_path(CLCUDA_NCCL_INCLUDE nccl.h HINTS $ENV{NCCL_ROOT} ${CUDAToolkit_TARGET_DIR} ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
find_library(CLCUDA_NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS $ENV{NCCL_ROOT} ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib)
if(CLCUDA_NCCL_INCLUDE)
  add_library(clcuda_client_nccl STATIC EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/nccl.cpp)
  target_include_directories(clcuda_client_nccl SYSTEM PUBLIC ${CLCUDA_NCCL_INCLUDE} ${CUDAToolkit_INCLUDE_DIRS})
  target_compile_definitions(clcuda_client_nccl PRIVATE
    CLCUDA_NCCL_LIBRARY="$<$<BOOL:${CLCUDA_NCCL_LIBRARY}>:${CLCUDA_NCCL_LIBRARY}>")
  target_link_libraries(clcuda_client_nccl PUBLIC clcuda_client ${CMAKE_DL_LIBS})
endif()
