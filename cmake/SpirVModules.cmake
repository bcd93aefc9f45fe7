# SPDX-License-Identifier: Apache-2.0
# clcuda_spirv_modules(TEST file…)
#
# SPIR-V modules for a test program, made while it is built: file.spvasm by the assembler of spirv-tools, whose validator looks at
# them, too; file.cl by Clang's own SPIR-V target. The program finds them by name in the folder TEST_modules beside it
# (tests/support/spirv.h). A line of an assembled file may name the version, 1.0 otherwise: "; Version: 1.4". Another one may say why the
# validator does not know the module: "; Unknown to spirv-val: …". A line of a compiled file may name an extension that Clang is to use:
# "// SPIR-V extensions: …".
find_program(CLCUDA_SPIRV_AS spirv-as REQUIRED)
find_program(CLCUDA_SPIRV_VAL spirv-val REQUIRED)

function(clcuda_spirv_modules test)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${test}_modules)
  file(MAKE_DIRECTORY ${folder})
  set(modules)
  foreach(file ${ARGN})
    cmake_path(ABSOLUTE_PATH file)
    cmake_path(GET file STEM name)
    cmake_path(GET file EXTENSION kind)
    set(module ${folder}/${name}.spv)
    if(kind STREQUAL ".cl")
      file(STRINGS ${file} extensions LIMIT_COUNT 1 REGEX "^// SPIR-V extensions: ")
      string(REGEX REPLACE "^.*: (.+)" "-mllvm;--spirv-ext=+\\1" extensions "${extensions}")
      add_custom_command(OUTPUT ${module} DEPENDS ${file} VERBATIM COMMENT "SPIR-V of ${name}.cl"
        COMMAND ${LLVM_TOOLS}/clang --target=spirv64v1.4 -x cl -cl-std=CL3.0 -cl-kernel-arg-info -O2 ${extensions} -c ${file} -o ${module})
    else()
      file(STRINGS ${file} version LIMIT_COUNT 1 REGEX "^; Version: ")
      string(REGEX REPLACE "^.*: " "" version "${version}")  # a semicolon would stand for a list
      if(NOT version)
        set(version 1.0)
      endif()
      file(STRINGS ${file} unknown LIMIT_COUNT 1 REGEX "^; Unknown to spirv-val")
      set(validation COMMAND ${CLCUDA_SPIRV_VAL} --target-env spv${version} ${module})
      if(unknown)
        set(validation)
      endif()
      add_custom_command(OUTPUT ${module} DEPENDS ${file} VERBATIM COMMENT "SPIR-V of ${name}.spvasm"
        COMMAND ${CLCUDA_SPIRV_AS} --target-env spv${version} ${file} -o ${module} ${validation})
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    list(APPEND modules ${module})
  endforeach()
  add_custom_target(${test}_modules DEPENDS ${modules})
  add_dependencies(${test} ${test}_modules)
endfunction()
