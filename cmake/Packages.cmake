# SPDX-License-Identifier: Apache-2.0
# Debian packages by CPack, as scripts/package makes them: one for each component of cmake/Install.cmake. With each go the notices and the
# changelog that scripts/package has put into <build>/debian.
set(debian_packages runtime:libclcuda-opencl-icd development:clcuda-dev)
if(TARGET clcuda-compile)
  list(APPEND debian_packages tools:clcuda-tools)
endif()
set(CPACK_COMPONENTS_ALL)
foreach(pair ${debian_packages})
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  set(documents ${CMAKE_BINARY_DIR}/debian)
  install(FILES ${documents}/copyright ${documents}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
          COMPONENT debian_${component} EXCLUDE_FROM_ALL)
  set(overrides ${PROJECT_SOURCE_DIR}/packaging/debian/${package}.lintian-overrides)
  if(EXISTS ${overrides})
    install(FILES ${overrides} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${package}
            COMPONENT debian_${component} EXCLUDE_FROM_ALL)
  endif()
  list(APPEND CPACK_COMPONENTS_ALL ${component} debian_${component})
  string(TOUPPER ${component} name)
  set(CPACK_COMPONENT_${name}_GROUP ${component})
  set(CPACK_COMPONENT_DEBIAN_${name}_GROUP ${component})
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package})
endforeach()

# dpkg-shlibdeps reads the packages that are installed, which are not of the other architecture. These are its results on x86-64.
set(runtime_libraries)
if(CMAKE_CROSSCOMPILING)
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
  set(runtime_libraries ", libc6 (>= 2.34)")
  set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libc6 (>= 2.34), libgcc-s1 (>= 3.0), libstdc++6 (>= 12)")
else()
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
# Folders as a package is to have them, whatever the umask.
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# What a package of debugging symbols takes out is not to be stripped before.
set(CPACK_STRIP_FILES OFF)
# CPack's own, which it does not put before the descriptions of components: the first line of each is the summary.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${CMAKE_PROJECT_NAME} built using CMake")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/debian/packages)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(maintainer $ENV{DEBFULLNAME})
set(address $ENV{DEBEMAIL})
if(NOT maintainer OR NOT address)
  set(maintainer "clcuda developers")
  set(address clcuda@example.org)
endif()
set(CPACK_PACKAGE_CONTACT "${maintainer} <${address}>")

# Not in Debian's main section: the library contains libdevice and libcudadevrt, which are free of charge but come without sources.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION non-free/libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "ocl-icd-libopencl1 | libopencl1${runtime_libraries}")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "libcuda1 (>= 525), clinfo, clcuda-tools, gcc")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_PROVIDES opencl-icd)
set(CPACK_DEBIAN_RUNTIME_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/conffiles)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "OpenCL for NVIDIA GPUs and for the processor, built on CUDA
An OpenCL 3.1 implementation that any ICD loader finds, beside others. It
compiles OpenCL C and SPIR-V to PTX, and uses the driver of NVIDIA GPUs. On
machines without one it offers the processor as a device.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "opencl-c-headers | opencl-headers, ocl-icd-opencl-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS libclcuda-opencl-icd)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "header of clcuda's OpenCL extension for sharing with CUDA
CL/cl_clcuda.h declares cl_clcuda_cuda_interop, by which OpenCL programs share
memory, streams and events with CUDA. With files for CMake and pkg-config.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION non-free/devel)
set(CPACK_DEBIAN_TOOLS_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "offline compiler of clcuda, an OpenCL implementation on CUDA
clcuda-compile makes PTX, program binaries and SPIR-V modules of OpenCL C and
SPIR-V, on machines with or without a GPU.")
include(CPack)
