// SPDX-License-Identifier: BSD-3-Clause
// Functions that say which part of an array a rank holds.
#include <algorithm>
#include <vector>

#include "mpi_names.hpp"
#include "mpi_sizes.hpp"

using namespace sixstep::fftw;

namespace {

struct Place {
  int ranks = 1;
  int rank = 0;
};

Place place_in(MPI_Comm comm) {
  Place place;
  MPI_Comm_size(comm, &place.ranks);
  MPI_Comm_rank(comm, &place.rank);
  return place;
}

void tell(Slice const& slice, std::ptrdiff_t* count, std::ptrdiff_t* start) {
  *count = slice.count;
  *start = slice.start;
}

}  // namespace

extern "C" {

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_many_transposed)(
    int rank, std::ptrdiff_t const* n, std::ptrdiff_t howmany, std::ptrdiff_t block0,
    std::ptrdiff_t block1, MPI_Comm comm, std::ptrdiff_t* local_n0, std::ptrdiff_t* local_0_start,
    std::ptrdiff_t* local_n1, std::ptrdiff_t* local_1_start) {
  std::vector<sixstep::Index> const shape(n, n + std::max(rank, 0));
  Place const place = place_in(comm);
  auto const part = [&](std::size_t axis, std::ptrdiff_t block) {
    if (axis >= shape.size()) return slice(1, 1, place.rank);
    return slice(shape[axis], block_length(shape[axis], block, place.ranks), place.rank);
  };
  tell(part(0, block0), local_n0, local_0_start);
  tell(part(1, block1), local_n1, local_1_start);
  return room(shape, howmany, block0, block1, place.ranks);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_many)(int rank, std::ptrdiff_t const* n,
                                                 std::ptrdiff_t howmany, std::ptrdiff_t block0,
                                                 MPI_Comm comm, std::ptrdiff_t* local_n0,
                                                 std::ptrdiff_t* local_0_start) {
  std::ptrdiff_t local_n1, local_1_start;
  return SIXSTEP_FFTW(mpi_local_size_many_transposed)(rank, n, howmany, block0,
                                                      FFTW_MPI_DEFAULT_BLOCK, comm, local_n0,
                                                      local_0_start, &local_n1, &local_1_start);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_transposed)(int rank, std::ptrdiff_t const* n,
                                                       MPI_Comm comm, std::ptrdiff_t* local_n0,
                                                       std::ptrdiff_t* local_0_start,
                                                       std::ptrdiff_t* local_n1,
                                                       std::ptrdiff_t* local_1_start) {
  return SIXSTEP_FFTW(mpi_local_size_many_transposed)(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK,
                                                      FFTW_MPI_DEFAULT_BLOCK, comm, local_n0,
                                                      local_0_start, local_n1, local_1_start);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size)(int rank, std::ptrdiff_t const* n, MPI_Comm comm,
                                            std::ptrdiff_t* local_n0,
                                            std::ptrdiff_t* local_0_start) {
  return SIXSTEP_FFTW(mpi_local_size_many)(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, comm, local_n0,
                                           local_0_start);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_2d)(std::ptrdiff_t n0, std::ptrdiff_t n1, MPI_Comm comm,
                                               std::ptrdiff_t* local_n0,
                                               std::ptrdiff_t* local_0_start) {
  std::ptrdiff_t const n[] = {n0, n1};
  return SIXSTEP_FFTW(mpi_local_size)(2, n, comm, local_n0, local_0_start);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_3d)(std::ptrdiff_t n0, std::ptrdiff_t n1,
                                               std::ptrdiff_t n2, MPI_Comm comm,
                                               std::ptrdiff_t* local_n0,
                                               std::ptrdiff_t* local_0_start) {
  std::ptrdiff_t const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(mpi_local_size)(3, n, comm, local_n0, local_0_start);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_2d_transposed)(std::ptrdiff_t n0, std::ptrdiff_t n1,
                                                          MPI_Comm comm, std::ptrdiff_t* local_n0,
                                                          std::ptrdiff_t* local_0_start,
                                                          std::ptrdiff_t* local_n1,
                                                          std::ptrdiff_t* local_1_start) {
  std::ptrdiff_t const n[] = {n0, n1};
  return SIXSTEP_FFTW(mpi_local_size_transposed)(2, n, comm, local_n0, local_0_start, local_n1,
                                                 local_1_start);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_3d_transposed)(std::ptrdiff_t n0, std::ptrdiff_t n1,
                                                          std::ptrdiff_t n2, MPI_Comm comm,
                                                          std::ptrdiff_t* local_n0,
                                                          std::ptrdiff_t* local_0_start,
                                                          std::ptrdiff_t* local_n1,
                                                          std::ptrdiff_t* local_1_start) {
  std::ptrdiff_t const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(mpi_local_size_transposed)(3, n, comm, local_n0, local_0_start, local_n1,
                                                 local_1_start);
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_many_1d)(std::ptrdiff_t n0, std::ptrdiff_t howmany,
                                                    MPI_Comm comm, int, unsigned,
                                                    std::ptrdiff_t* local_ni,
                                                    std::ptrdiff_t* local_i_start,
                                                    std::ptrdiff_t* local_no,
                                                    std::ptrdiff_t* local_o_start) {
  std::ptrdiff_t const all = SIXSTEP_FFTW(mpi_local_size_many)(
      1, &n0, howmany, FFTW_MPI_DEFAULT_BLOCK, comm, local_ni, local_i_start);
  *local_no = *local_ni;
  *local_o_start = *local_i_start;
  return all;
}

std::ptrdiff_t SIXSTEP_FFTW(mpi_local_size_1d)(std::ptrdiff_t n0, MPI_Comm comm, int sign,
                                               unsigned flags, std::ptrdiff_t* local_ni,
                                               std::ptrdiff_t* local_i_start,
                                               std::ptrdiff_t* local_no,
                                               std::ptrdiff_t* local_o_start) {
  return SIXSTEP_FFTW(mpi_local_size_many_1d)(n0, 1, comm, sign, flags, local_ni, local_i_start,
                                              local_no, local_o_start);
}

}  // extern "C"
