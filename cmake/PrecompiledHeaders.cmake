# SPDX-License-Identifier: Apache-2.0
# clcuda_precompile_headers(TARGET standard|llvm|tests)
#
# Every source of the target starts with one of three sets of headers, which is compiled once for all targets that take it: reading headers is
# most of the work. A set holds what most of those sources include anyway, headers of ours never: a layer sees no other through it. Tests
# always do that; the library and the tools with CLCUDA_PRECOMPILE_HEADERS only: builds without it prove that a file includes what it needs.
#
# ccache stores these objects, too, with the sloppiness that scripts/common.sh sets; without it, it runs the compiler. They are of use to
# that build folder alone, whose path the precompiled headers hold.
set(headers_standard
  <algorithm> <array> <atomic> <bit> <cerrno> <chrono> <climits> <cmath> <condition_variable> <cstddef> <cstdint> <cstdio> <cstdlib>
  <cstring> <deque> <exception> <functional> <iterator> <limits> <list> <map> <memory> <mutex> <new> <numeric> <optional> <ranges> <set>
  <span> <stdexcept> <string> <string_view> <system_error> <thread> <tuple> <type_traits> <unordered_map> <unordered_set> <utility>
  <variant> <vector> <fmt/format.h> <CL/cl.h> <CL/cl_ext.h> <CL/cl_icd.h> <cuda.h>)
set(headers_llvm
  <algorithm> <array> <cstdint> <cstring> <deque> <functional> <map> <memory> <mutex> <optional> <set> <span> <string> <string_view>
  <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>
  <llvm/ADT/DenseMap.h> <llvm/ADT/SetVector.h> <llvm/ADT/SmallPtrSet.h> <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h>
  <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolution.h> <llvm/Analysis/ValueTracking.h>
  <llvm/IR/CFG.h> <llvm/IR/Constants.h> <llvm/IR/Dominators.h> <llvm/IR/IRBuilder.h> <llvm/IR/InlineAsm.h> <llvm/IR/InstIterator.h>
  <llvm/IR/Instructions.h> <llvm/IR/IntrinsicInst.h> <llvm/IR/IntrinsicsNVPTX.h> <llvm/IR/Module.h> <llvm/IR/Operator.h>
  <llvm/IR/PassManager.h> <llvm/IR/PatternMatch.h> <llvm/Support/raw_ostream.h>
  <llvm/Transforms/Utils/BasicBlockUtils.h> <llvm/Transforms/Utils/Cloning.h> <llvm/Transforms/Utils/Local.h>)
set(headers_tests
  <algorithm> <array> <atomic> <chrono> <condition_variable> <cstring> <functional> <map> <memory> <mutex> <numeric> <optional> <random>
  <set> <span> <string> <string_view> <thread> <vector> <gtest/gtest.h> <CL/cl.h> <CL/cl_ext.h>)

# What a test computes itself is little, and more optimisation would take longer than that; under sanitizers any would.
add_library(clcuda_test_optimization INTERFACE)
if(CLCUDA_SANITIZE)
  target_compile_options(clcuda_test_optimization INTERFACE -O0)
else()
  target_compile_options(clcuda_test_optimization INTERFACE $<$<CONFIG:Release>:-O1>)
endif()

# A set belongs to a target of no code of its own. That of the tests is a program like them, because the position-independent code of
# programs and of libraries differs.
function(clcuda_header_set set)
  set(target clcuda_headers_${set})
  set(source ${CMAKE_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  if(set STREQUAL tests)
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE clcuda_test_optimization)
  else()
    add_library(${target} OBJECT ${source})
  endif()
  target_link_libraries(${target} PRIVATE clcuda_options ${ARGN})
  target_precompile_headers(${target} PRIVATE ${headers_${set}})
  # A file that was made anew with the same content is the same: for ccache, and for the objects made with it.
  target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

if(CLCUDA_PRECOMPILE_HEADERS)
  clcuda_header_set(standard clcuda_fmt clcuda_cuda_h)
  clcuda_header_set(llvm clcuda_fmt clcuda_llvm_headers)
endif()
if(CLCUDA_TESTS)
  find_package(GTest REQUIRED)
  clcuda_header_set(tests GTest::gtest_main)
endif()

function(clcuda_precompile_headers target set)
  if(CLCUDA_PRECOMPILE_HEADERS OR set STREQUAL tests)
    target_precompile_headers(${target} REUSE_FROM clcuda_headers_${set})
    # Clang may look for the headers of the set once more (on Debian 13 it does).
    target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:clcuda_headers_${set},INCLUDE_DIRECTORIES>)
  endif()
endfunction()
