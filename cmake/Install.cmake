# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, in three components:
#   runtime      the library, clcuda.icd, clcuda-doctor, clcuda-ptx-compiler
#   development  CL/cl_clcuda.h, and the CMake and pkg-config files that find it
#   tools        clcuda-compile
# `cmake --build … --target uninstall` removes what was installed last.
#
# The library is no one's to link with, so it has a folder of its own, in which the dynamic linker does not search.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(CLCUDA_VENDORS_DIR "" CACHE PATH "Folder of clcuda.icd. Empty: /etc/OpenCL/vendors for the prefixes /usr and /usr/local, \
etc/OpenCL/vendors in others")

set(library_folder ${CMAKE_INSTALL_LIBDIR}/clcuda)
set_target_properties(clcuda PROPERTIES INSTALL_RPATH "")
install(TARGETS clcuda LIBRARY DESTINATION ${library_folder} COMPONENT runtime)
configure_file(${PROJECT_SOURCE_DIR}/cmake/InstallIcd.cmake.in ${CMAKE_BINARY_DIR}/install/InstallIcd.cmake @ONLY)
install(SCRIPT ${CMAKE_BINARY_DIR}/install/InstallIcd.cmake COMPONENT runtime)
if(NOT TARGET clcuda_nvptxcompiler)
  install(PROGRAMS ${PROJECT_SOURCE_DIR}/packaging/clcuda-ptx-compiler DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endif()
if(TARGET clcuda-doctor)
  install(TARGETS clcuda-doctor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endif()
if(TARGET clcuda-compile)
  install(TARGETS clcuda-compile RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
endif()

# For programs that use the extension cl_clcuda_cuda_interop: clcuda::clcuda is its header, with OpenCL.
add_library(clcuda_interface INTERFACE)
set_target_properties(clcuda_interface PROPERTIES EXPORT_NAME clcuda)
target_include_directories(clcuda_interface INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(clcuda_interface INTERFACE OpenCL::OpenCL)
set(config_folder ${CMAKE_INSTALL_DATADIR}/cmake/clcuda)
install(TARGETS clcuda_interface EXPORT clcuda COMPONENT development)
install(EXPORT clcuda NAMESPACE clcuda:: FILE clcudaTargets.cmake DESTINATION ${config_folder} COMPONENT development)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/install/clcudaConfig.cmake @ONLY CONTENT
"include(CMakeFindDependencyMacro)
find_dependency(OpenCL)
include(\${CMAKE_CURRENT_LIST_DIR}/clcudaTargets.cmake)
")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/clcudaConfigVersion.cmake COMPATIBILITY SameMajorVersion
                                 ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/install/clcudaConfig.cmake ${CMAKE_BINARY_DIR}/install/clcudaConfigVersion.cmake
        DESTINATION ${config_folder} COMPONENT development)
install(FILES ${PROJECT_SOURCE_DIR}/include/CL/cl_clcuda.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/CL COMPONENT development)
# Relative to the file itself, so that the tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_DATADIR}/pkgconfig
           OUTPUT_VARIABLE include_folder)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/install/clcuda.pc @ONLY CONTENT
"includedir=\${pcfiledir}/@include_folder@

Name: clcuda
Description: Header of the OpenCL extension cl_clcuda_cuda_interop
Version: @PROJECT_VERSION@
Requires: OpenCL
Cflags: -I\${includedir}
")
install(FILES ${CMAKE_BINARY_DIR}/install/clcuda.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig COMPONENT development)

add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake
                  WORKING_DIRECTORY ${CMAKE_BINARY_DIR} VERBATIM)
