# SPDX-License-Identifier: Apache-2.0
# clcuda_layer(NAME SOURCES … [DEPENDS layer…] [PRIVATE_DEPENDS layer…] [PUBLIC_HEADERS header…] [LINK library…] [PRIVATE_LINK library…])
#
# One layer = one folder = one object library, `clcuda_NAME` with _ for each / of a nested folder. Its headers are included as
# "NAME/header.h"; other layers see all of them, or, with PUBLIC_HEADERS, no more than those.
#
# DEPENDS names the layers whose headers this one's headers include: whoever sees this layer needs their include roots, too.
# PRIVATE_DEPENDS names those that only its sources (and headers that are not public) include: nobody above sees them through it.
# An arrow that is not drawn here does not compile, because each layer's include root holds nothing but that layer. What a root that
# is passed on would still allow, scripts/check-tree refuses: a file includes its own layer and what that names, nothing else.
#
# Objects meet in the final link, where every layer is named once. Tests of a layer's inside link `clcuda_NAME_internals`.
function(clcuda_layer_target layer out)
  string(REPLACE / _ name ${layer})
  set(${out} clcuda_${name} PARENT_SCOPE)
endfunction()

# The headers of a layer, as those who link the result see them: a root with NAME/…, links into the source folder.
function(clcuda_header_root target root name)
  cmake_path(GET name PARENT_PATH parent)
  file(MAKE_DIRECTORY ${root}/${parent})
  if(ARGN)
    file(MAKE_DIRECTORY ${root}/${name})
    foreach(header ${ARGN})
      file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${root}/${name}/${header} SYMBOLIC)
    endforeach()
  else()
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  endif()
  add_library(${target} INTERFACE)
  target_include_directories(${target} INTERFACE ${root})
endfunction()

function(clcuda_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 LAYER "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS;PUBLIC_HEADERS;LINK;PRIVATE_LINK")
  clcuda_layer_target(${name} target)
  foreach(list DEPENDS PRIVATE_DEPENDS)
    set(headers_${list})
    foreach(layer ${LAYER_${list}})
      clcuda_layer_target(${layer} dependency)
      list(APPEND headers_${list} ${dependency}_headers)
    endforeach()
  endforeach()

  clcuda_header_root(${target}_internals ${CMAKE_BINARY_DIR}/layers/${name} ${name})
  if(LAYER_PUBLIC_HEADERS)
    clcuda_header_root(${target}_headers ${CMAKE_BINARY_DIR}/layers/${name}.public ${name} ${LAYER_PUBLIC_HEADERS})
  else()
    add_library(${target}_headers INTERFACE)
    target_include_directories(${target}_headers INTERFACE ${CMAKE_BINARY_DIR}/layers/${name})
  endif()
  target_link_libraries(${target}_headers INTERFACE ${headers_DEPENDS} ${LAYER_LINK})
  target_link_libraries(${target}_internals INTERFACE ${headers_DEPENDS} ${headers_PRIVATE_DEPENDS} ${LAYER_LINK})

  if(LAYER_SOURCES)
    add_library(${target} OBJECT ${LAYER_SOURCES})
    target_link_libraries(${target} PRIVATE clcuda_options ${target}_internals ${LAYER_PRIVATE_LINK})
    if(clcuda_llvm_headers IN_LIST LAYER_PRIVATE_LINK)
      clcuda_precompile_headers(${target} llvm)
    else()
      clcuda_precompile_headers(${target} standard)
    endif()
  endif()
endfunction()
