# SPDX-License-Identifier: Apache-2.0
# clcuda_client: what our OpenCL programs (examples, benchmarks) share. They are ordinary clients: they link the ICD loader only.
include_guard(GLOBAL)
include(EmbedFile)
find_library(CLCUDA_ICD_LOADER OpenCL REQUIRED)

add_library(clcuda_client STATIC ${CMAKE_CURRENT_LIST_DIR}/client.cpp)
target_include_directories(clcuda_client PUBLIC ${CMAKE_CURRENT_LIST_DIR}/..)
target_link_libraries(clcuda_client PUBLIC clcuda_options ${CLCUDA_ICD_LOADER})
