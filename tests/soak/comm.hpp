// SPDX-License-Identifier: BSD-3-Clause
// Who this rank is in a communicator.
#pragma once

#include <mpi.h>

namespace soak {

inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

}  // namespace soak
