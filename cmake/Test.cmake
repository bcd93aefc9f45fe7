# SPDX-License-Identifier: Apache-2.0
# clcuda_test(NAME SOURCES … [LAYERS layer…] [OWN_DRIVER [WITH_EXPORTS]] [LINK library…] [LABELS label…])
#
# A GoogleTest program, registered with CTest. With LAYERS it links our own object code and sees its headers (unit tests);
# without, it is an OpenCL program like any other: it links the ICD loader, and CTest runs it against the library just built.
# With OWN_DRIVER it links all layers and defines the driver's table that they get (tests/support/own_driver.h); WITH_EXPORTS adds what the
# library exports, through which extension functions are found.
# The label slow is for programs that take more than half a minute, which start first. Programs labelled slow or kernels, which look
# at what device code computes, are neither built nor run under sanitizers, unless they are asked for by name. So is under
# ThreadSanitizer what has one thread to speak of: all but the API's and the executor's driver, and of those the programs labelled serial,
# which make one call after another and look at its result (as in CMakePresets.json).
# The code of a program that has only OpenCL's functions in common with ours is not checked for undefined behaviour, which would take a
# fifth of its compilation.
find_package(GTest REQUIRED)
find_library(CLCUDA_ICD_LOADER OpenCL REQUIRED)

add_library(clcuda_test_code INTERFACE)
if(CLCUDA_SANITIZE MATCHES "undefined")
  target_compile_options(clcuda_test_code INTERFACE -fno-sanitize=undefined)
endif()

function(clcuda_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "OWN_DRIVER;WITH_EXPORTS" "TIMEOUT" "SOURCES;LAYERS;LINK;LABELS")
  if(TEST_OWN_DRIVER)
    set(TEST_LAYERS base cuda ${CLCUDA_PTX_LAYERS} builtins compiler runtime api)
    list(APPEND TEST_LINK clcuda_clang)
  endif()
  add_executable(${name} ${TEST_SOURCES})
  if(TEST_OWN_DRIVER)
    target_link_options(${name} PRIVATE LINKER:--wrap=_ZN6clcuda3ptx12driver_tableEi)
  endif()
  if(TEST_WITH_EXPORTS)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/icd/dispatch_table.cpp ${CMAKE_SOURCE_DIR}/icd/exports.cpp)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  endif()
  # Headers that tests share are included as "support/…", others by tests of their own folder only.
  target_link_libraries(${name} PRIVATE clcuda_options clcuda_test_base GTest::gtest_main ${TEST_LINK})
  # Calls OpenCL, by a loader or in the layers themselves.
  if(NOT TEST_LAYERS OR api IN_LIST TEST_LAYERS)
    target_link_libraries(${name} PRIVATE clcuda_test_support)
  endif()
  if(NOT TEST_LAYERS)
    target_link_libraries(${name} PRIVATE clcuda_test_code)
  endif()
  clcuda_precompile_headers(${name} tests)
  target_link_libraries(${name} PRIVATE clcuda_test_optimization)
  foreach(layer ${TEST_LAYERS})
    clcuda_layer_target(${layer} layer_target)
    target_link_libraries(${name} PRIVATE ${layer_target}_headers)
    if(TARGET ${layer_target})
      target_link_libraries(${name} PRIVATE ${layer_target})
    endif()
  endforeach()
  add_test(NAME ${name} COMMAND ${name})
  if((CLCUDA_SANITIZE AND ("slow" IN_LIST TEST_LABELS OR "kernels" IN_LIST TEST_LABELS))
      OR (CLCUDA_SANITIZE STREQUAL "thread" AND ("serial" IN_LIST TEST_LABELS OR NOT name MATCHES "^(api_|ptx_driver$)")))
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 300)
  endif()
  if(CLCUDA_SANITIZE)
    math(EXPR TEST_TIMEOUT "3 * ${TEST_TIMEOUT}")
  elseif(CMAKE_CROSSCOMPILING_EMULATOR)
    math(EXPR TEST_TIMEOUT "20 * ${TEST_TIMEOUT}")
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT})
  if("slow" IN_LIST TEST_LABELS)
    set_tests_properties(${name} PROPERTIES COST ${TEST_TIMEOUT})
  endif()
  if(TEST_LABELS)
    set_tests_properties(${name} PROPERTIES LABELS "${TEST_LABELS}")
  endif()
  if(CLCUDA_SANITIZE)
    # LLVM's allocators poison what they hold back, but in our instrumented code only, which shares it with LLVM's archives.
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "ASAN_OPTIONS=allow_user_poisoning=0"
      "UBSAN_OPTIONS=print_stacktrace=1" "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/leaks.supp:print_suppressions=0"
      "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/races.supp:detect_deadlocks=1:second_deadlock_stack=1")
  endif()
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    # For the processes that tests start, and for builds, whose time is limited.
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "QEMU_LD_PREFIX=${CMAKE_SYSROOT}" "CLCUDA_BUILD_TIME=240")
  endif()
  if(NOT TEST_LAYERS)
    target_link_libraries(${name} PRIVATE ${CLCUDA_ICD_LOADER})
    add_dependencies(${name} clcuda)
    # Without the program cache: a test of the compiler is to see what it makes now.
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
      "OCL_ICD_VENDORS=${CMAKE_BINARY_DIR}/vendors" "OCL_ICD_FILENAMES=$<TARGET_FILE:clcuda>" "CLCUDA_CACHE=0")
  endif()
endfunction()
