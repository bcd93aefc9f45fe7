# SPDX-License-Identifier: Apache-2.0
# clcuda_layer(NAME SOURCES … [DEPENDS layer…] [LINK library…] [PRIVATE_LINK library…])
#
# One layer = one folder = one object library `clcuda_NAME`, whose headers are included as "NAME/header.h". A layer sees only
# its own headers and those of the layers it DEPENDS on, because each layer's include root holds nothing but that layer:
# an arrow that is not drawn here does not compile. Objects meet in the final link, where every layer is named once.
function(clcuda_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 LAYER "" "" "SOURCES;DEPENDS;LINK;PRIVATE_LINK")
  set(root ${CMAKE_BINARY_DIR}/layers/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)

  add_library(clcuda_${name}_headers INTERFACE)
  target_include_directories(clcuda_${name}_headers INTERFACE ${root})
  list(TRANSFORM LAYER_DEPENDS PREPEND clcuda_ OUTPUT_VARIABLE dependencies)
  list(TRANSFORM dependencies APPEND _headers)
  target_link_libraries(clcuda_${name}_headers INTERFACE ${dependencies} ${LAYER_LINK})

  if(LAYER_SOURCES)
    add_library(clcuda_${name} OBJECT ${LAYER_SOURCES})
    target_link_libraries(clcuda_${name} PRIVATE clcuda_options clcuda_${name}_headers ${LAYER_PRIVATE_LINK})
  endif()
endfunction()
