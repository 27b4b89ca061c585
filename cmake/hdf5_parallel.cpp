// SPDX-License-Identifier: BSD-3-Clause
// Can be built where HDF5 writes by MPI.
#include <hdf5.h>
#include <mpi.h>

#ifndef H5_HAVE_PARALLEL
#error "without MPI"
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  herr_t const failed = H5Pset_fapl_mpio(H5Pcreate(H5P_FILE_ACCESS), MPI_COMM_WORLD, MPI_INFO_NULL);
  MPI_Finalize();
  return failed < 0;
}
