# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` writes: headers, library, command, and how CMake and pkg-config find them.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sixstep")
install(TARGETS sixstep EXPORT sixstep
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET sixstep_cli)
  install(TARGETS sixstep_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY machines DESTINATION "${CMAKE_INSTALL_DATADIR}/sixstep" FILES_MATCHING PATTERN "*.json")
endif()

install(EXPORT sixstep NAMESPACE sixstep:: FILE sixstepTargets.cmake DESTINATION "${package_dir}")
# A name given to a build that was configured before stays a name.
find_program(SIXSTEP_MPICXX "${MPI_CXX_COMPILER}" NO_CACHE)
configure_package_config_file(cmake/sixstepConfig.cmake.in
  "${CMAKE_CURRENT_BINARY_DIR}/sixstepConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/sixstepConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/sixstepConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/sixstepConfigVersion.cmake" DESTINATION "${package_dir}")

# pkg-config. Directories are given from where the file lies, so that an installed tree can be moved.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${pc_dir}" OUTPUT_VARIABLE pc_libdir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY "${pc_dir}"
  OUTPUT_VARIABLE pc_includedir)
list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE pc_mpi_cflags)
list(JOIN pc_mpi_cflags " " pc_mpi_cflags)
list(JOIN MPI_CXX_LIBRARIES " " pc_mpi_libs)
configure_file(cmake/sixstep.pc.in sixstep.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/sixstep.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
