# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` writes: headers, library, command, and how CMake and pkg-config find them.

include(CMakePackageConfigHelpers)
include(mpi_kind)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sixstep${SIXSTEP_SUFFIX}")
install(TARGETS sixstep EXPORT sixstep
  FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS sixstep_serial EXPORT sixstep_serial
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET sixstep_emulated)
  install(TARGETS sixstep_emulated LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
if(TARGET sixstep_cli)
  install(TARGETS sixstep_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(DIRECTORY machines DESTINATION "${CMAKE_INSTALL_DATADIR}/sixstep" FILES_MATCHING PATTERN "*.json")
endif()

install(EXPORT sixstep NAMESPACE sixstep:: FILE sixstepTargets.cmake DESTINATION "${package_dir}")
install(EXPORT sixstep_serial NAMESPACE sixstep:: FILE sixstep_serialTargets.cmake DESTINATION "${package_dir}")
if(SIXSTEP_BUILD_FORTRAN)
  install(EXPORT sixstep_fortran NAMESPACE sixstep:: FILE sixstep_fortranTargets.cmake
    DESTINATION "${package_dir}")
endif()
# A name given to a build that was configured before stays a name.
find_program(SIXSTEP_MPICXX "${MPI_CXX_COMPILER}" NO_CACHE)
find_program(SIXSTEP_MPIFORT "${MPI_Fortran_COMPILER}" NO_CACHE)
configure_package_config_file(cmake/sixstepConfig.cmake.in
  "${CMAKE_CURRENT_BINARY_DIR}/sixstepConfig.cmake" INSTALL_DESTINATION "${package_dir}")
# Of several in one prefix, those for another MPI than the project's do not suit.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/basicVersion.cmake" COMPATIBILITY SameMinorVersion)
file(READ "${CMAKE_CURRENT_BINARY_DIR}/basicVersion.cmake" version_words)
sixstep_mpi_kind("${MPI_CXX_COMPILER}" SIXSTEP_MPI_KIND)
configure_file(cmake/sixstepConfigVersion.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/sixstepConfigVersion.cmake" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/sixstepConfig.cmake"
  "${CMAKE_CURRENT_BINARY_DIR}/sixstepConfigVersion.cmake" cmake/mpi_kind.cmake DESTINATION "${package_dir}")

if(SIXSTEP_HAVE_CUDA)
  set(cuda_libs "-L${CUDAToolkit_LIBRARY_DIR} -lcudart")
endif()

# pkg-config: C++, C and Fortran. Directories are given from where the files lie, so that an installed tree can be
# moved.
set(pc_dir "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${pc_dir}" OUTPUT_VARIABLE pc_libdir)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY "${pc_dir}"
  OUTPUT_VARIABLE pc_includedir)
if(NOT SIXSTEP_HAS_OWN_HIGHWAY)
  set(highway_libs "-lhwy")
endif()
function(install_pc name language description flags libs private_libs)
  list(TRANSFORM MPI_${language}_INCLUDE_DIRS PREPEND "-I" OUTPUT_VARIABLE mpi_flags)
  list(APPEND mpi_flags ${mpi_h_flags})
  list(JOIN mpi_flags " " mpi_flags)
  list(JOIN MPI_${language}_LIBRARIES " " mpi_libs)
  list(JOIN hdf5_${SIXSTEP_HDF5_PACKAGE}_LDFLAGS " " hdf5_libs)
  set(name ${name}${SIXSTEP_SUFFIX})
  configure_file(cmake/sixstep.pc.in ${name}.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
set(name sixstep-serial${SIXSTEP_SUFFIX})
configure_file(cmake/sixstep-serial.pc.in ${name}.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${name}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
install_pc(sixstep CXX "" "-std=c++20 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX" "" "")
install_pc(sixstep-c CXX ", in C" "" "" "-lstdc++ -lm")
if(SIXSTEP_BUILD_FORTRAN)
  install_pc(sixstep-fortran Fortran ", in Fortran" "-I\${includedir}/sixstep/modules${SIXSTEP_SUFFIX}"
    "-lsixstep_fortran${SIXSTEP_SUFFIX}" "-lstdc++")
endif()

# A package of the system's, one for each MPI: `cpack -G DEB` in the build folder.
if(PROJECT_IS_TOP_LEVEL)
  string(TOLOWER "${SIXSTEP_MPI_KIND}" mpi_name)
  string(REPLACE " " "" mpi_name "${mpi_name}")
  set(CPACK_PACKAGE_NAME "sixstep-${mpi_name}")
  set(CPACK_PACKAGE_CONTACT "The sixstep developers")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  # What a program needs that is linked with it; what the command needs is found by dpkg-shlibdeps.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "lib${mpi_name}-dev")
  if(NOT BUILD_SHARED_LIBS AND NOT SIXSTEP_HAS_OWN_HIGHWAY)
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libhwy-dev")
  endif()
  if(NOT BUILD_SHARED_LIBS AND SIXSTEP_HDF5_PACKAGE)
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", lib${SIXSTEP_HDF5_PACKAGE}-dev")
  endif()
  if(NOT SIXSTEP_SUFFIX) # the names of their files are the same
    set(CPACK_DEBIAN_PACKAGE_PROVIDES sixstep)
    set(CPACK_DEBIAN_PACKAGE_CONFLICTS sixstep)
  endif()
  find_program(shlibdeps dpkg-shlibdeps NO_CACHE)
  if(shlibdeps)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  endif()
  include(CPack)
endif()
