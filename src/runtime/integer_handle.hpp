// SPDX-License-Identifier: BSD-3-Clause
// Communicators as integers, as Fortran and mpi4py have them.
#pragma once

#include <mpi.h>

namespace sixstep::mpi {

#if defined(MPI_ABI_VERSION)
// The standard ABI leaves Fortran out; its integers are the same.
using Integer = int;
inline MPI_Comm comm_of(Integer handle) { return MPI_Comm_fromint(handle); }
inline Integer integer_of(MPI_Comm comm) { return MPI_Comm_toint(comm); }
#else
using Integer = MPI_Fint;
inline MPI_Comm comm_of(Integer handle) { return MPI_Comm_f2c(handle); }
inline Integer integer_of(MPI_Comm comm) { return MPI_Comm_c2f(comm); }
#endif

}  // namespace sixstep::mpi
