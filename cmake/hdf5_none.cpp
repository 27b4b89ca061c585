// SPDX-License-Identifier: BSD-3-Clause
// What a program needs of MPI without HDF5.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
}
