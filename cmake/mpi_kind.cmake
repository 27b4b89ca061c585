# SPDX-License-Identifier: BSD-3-Clause
# Which MPI a compiler is for: MPICH (and those that have its binary interface), Open MPI, the standard ABI; empty if
# that
# cannot be told.
function(sixstep_mpi_kind compiler result)
  set(${result} "" PARENT_SCOPE)
  find_program(sixstep_mpi_compiler "${compiler}" NO_CACHE)
  if(NOT compiler OR NOT sixstep_mpi_compiler)
    return()
  endif()
  set(source "${CMAKE_BINARY_DIR}/CMakeFiles/sixstep_mpi.cpp")
  file(WRITE "${source}" "#include <mpi.h>\n")
  execute_process(COMMAND "${sixstep_mpi_compiler}" -E -dM "${source}" OUTPUT_VARIABLE macros ERROR_QUIET)
  if(macros MATCHES "#define OPEN_MPI ")
    set(${result} "Open MPI" PARENT_SCOPE)
  elseif(macros MATCHES "#define SMPI_")
    set(${result} "SimGrid" PARENT_SCOPE)
  elseif(macros MATCHES "#define MPI_ABI ")
    set(${result} "MPI's ABI" PARENT_SCOPE)
  elseif(macros MATCHES "#define (MPICH|I_MPI|MVAPICH2?)_")
    set(${result} "MPICH" PARENT_SCOPE)
  endif()
endfunction()
