# SPDX-License-Identifier: Apache-2.0
# clcuda_embed(TARGET symbol FILE path): puts a file's bytes into TARGET as
#   extern "C" const unsigned char symbol[]; extern "C" const unsigned char symbol_end[];
# by the assembler's .incbin, so that megabytes cost no compile time.
function(clcuda_embed target symbol file)
  set(assembly ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  file(GENERATE OUTPUT ${assembly} CONTENT
".section .rodata.${symbol},\"a\",@progbits
.balign 16
.globl ${symbol}
.hidden ${symbol}
${symbol}:
.incbin \"${file}\"
.globl ${symbol}_end
.hidden ${symbol}_end
${symbol}_end:
.byte 0
.section .note.GNU-stack,\"\",@progbits
")
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS ${file})
  target_sources(${target} PRIVATE ${assembly})
endfunction()
