# SPDX-License-Identifier: BSD-3-Clause
# Whether the Fortran module can be built: where there are a compiler, its descriptors of arrays in C, and mpi_f08, of
# the MPI that C++ has.

set(fortran_is_possible OFF)
if(NOT PROJECT_IS_TOP_LEVEL AND NOT SIXSTEP_BUILD_FORTRAN)
  return() # whoever wants it in a project of theirs asks for it
endif()
include(CheckIncludeFile)
include(CheckLanguage)
check_language(Fortran)
string(REGEX REPLACE "mpi(cxx|c\\+\\+|CC)" "mpifort" mpifort "${MPI_CXX_COMPILER}")
find_program(mpifort_path "${mpifort}" NO_CACHE)
if(CMAKE_Fortran_COMPILER AND mpifort_path AND NOT mpifort STREQUAL MPI_CXX_COMPILER)
  enable_language(Fortran)
  enable_language(C)
  check_include_file(ISO_Fortran_binding.h SIXSTEP_HAVE_FORTRAN_BINDING)
  if(NOT MPI_Fortran_COMPILER)
    set(MPI_Fortran_COMPILER "${mpifort}")
  endif()
  find_package(MPI COMPONENTS CXX Fortran QUIET)
  if(MPI_Fortran_HAVE_F08_MODULE AND SIXSTEP_HAVE_FORTRAN_BINDING AND NOT SIXSTEP_SANITIZE)
    set(fortran_is_possible ON)
  endif()
endif()

option(SIXSTEP_BUILD_FORTRAN "Build the Fortran module" ${fortran_is_possible})
if(SIXSTEP_BUILD_FORTRAN AND NOT (MPI_Fortran_HAVE_F08_MODULE AND SIXSTEP_HAVE_FORTRAN_BINDING))
  message(FATAL_ERROR "SIXSTEP_BUILD_FORTRAN: a Fortran compiler, its ISO_Fortran_binding.h and the module mpi_f08 are "
    "needed")
endif()
