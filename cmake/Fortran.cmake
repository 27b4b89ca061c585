# SPDX-License-Identifier: BSD-3-Clause
# Whether the Fortran module can be built: where there are a compiler and mpi_f08, of the MPI that C++ has.

include(CheckLanguage)
check_language(Fortran)
set(fortran_is_possible OFF)
string(REGEX REPLACE "mpi(cxx|c\\+\\+|CC)" "mpifort" mpifort "${MPI_CXX_COMPILER}")
find_program(mpifort_path "${mpifort}" NO_CACHE)
if(CMAKE_Fortran_COMPILER AND mpifort_path AND NOT mpifort STREQUAL MPI_CXX_COMPILER)
  enable_language(Fortran)
  if(NOT MPI_Fortran_COMPILER)
    set(MPI_Fortran_COMPILER "${mpifort}")
  endif()
  find_package(MPI COMPONENTS CXX Fortran QUIET)
  if(MPI_Fortran_HAVE_F08_MODULE AND NOT SIXSTEP_SANITIZE)
    set(fortran_is_possible ON)
  endif()
endif()

option(SIXSTEP_BUILD_FORTRAN "Build the Fortran module" ${fortran_is_possible})
if(SIXSTEP_BUILD_FORTRAN AND NOT MPI_Fortran_HAVE_F08_MODULE)
  message(FATAL_ERROR "SIXSTEP_BUILD_FORTRAN: a Fortran compiler and the module mpi_f08 are needed")
endif()
