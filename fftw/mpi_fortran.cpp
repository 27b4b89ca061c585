// SPDX-License-Identifier: BSD-3-Clause
// The functions that take a communicator, as Fortran calls them: with the communicator's number.
#include "mpi_names.hpp"

using sixstep::fftw::FftwComplex;
using sixstep::fftw::Real;

namespace {

using Index = std::ptrdiff_t;
using Planned = SIXSTEP_FFTW(plan);
using RealKind = SIXSTEP_FFTW(r2r_kind);

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

Index SIXSTEP_FFTW(mpi_local_size_f03)(int rank, Index const* n, MPI_Fint comm, Index* local_n0,
                                       Index* local_0_start) {
  return SIXSTEP_FFTW(mpi_local_size)(rank, n, MPI_Comm_f2c(comm), local_n0, local_0_start);
}

Index SIXSTEP_FFTW(mpi_local_size_2d_f03)(Index n0, Index n1, MPI_Fint comm, Index* local_n0,
                                          Index* local_0_start) {
  return SIXSTEP_FFTW(mpi_local_size_2d)(n0, n1, MPI_Comm_f2c(comm), local_n0, local_0_start);
}

Index SIXSTEP_FFTW(mpi_local_size_3d_f03)(Index n0, Index n1, Index n2, MPI_Fint comm,
                                          Index* local_n0, Index* local_0_start) {
  return SIXSTEP_FFTW(mpi_local_size_3d)(n0, n1, n2, MPI_Comm_f2c(comm), local_n0, local_0_start);
}

Index SIXSTEP_FFTW(mpi_local_size_many_f03)(int rank, Index const* n, Index howmany, Index block0,
                                            MPI_Fint comm, Index* local_n0, Index* local_0_start) {
  return SIXSTEP_FFTW(mpi_local_size_many)(rank, n, howmany, block0, MPI_Comm_f2c(comm), local_n0,
                                           local_0_start);
}

Index SIXSTEP_FFTW(mpi_local_size_transposed_f03)(int rank, Index const* n, MPI_Fint comm,
                                                  Index* local_n0, Index* local_0_start,
                                                  Index* local_n1, Index* local_1_start) {
  return SIXSTEP_FFTW(mpi_local_size_transposed)(rank, n, MPI_Comm_f2c(comm), local_n0,
                                                 local_0_start, local_n1, local_1_start);
}

Index SIXSTEP_FFTW(mpi_local_size_2d_transposed_f03)(Index n0, Index n1, MPI_Fint comm,
                                                     Index* local_n0, Index* local_0_start,
                                                     Index* local_n1, Index* local_1_start) {
  return SIXSTEP_FFTW(mpi_local_size_2d_transposed)(n0, n1, MPI_Comm_f2c(comm), local_n0,
                                                    local_0_start, local_n1, local_1_start);
}

Index SIXSTEP_FFTW(mpi_local_size_3d_transposed_f03)(Index n0, Index n1, Index n2, MPI_Fint comm,
                                                     Index* local_n0, Index* local_0_start,
                                                     Index* local_n1, Index* local_1_start) {
  return SIXSTEP_FFTW(mpi_local_size_3d_transposed)(n0, n1, n2, MPI_Comm_f2c(comm), local_n0,
                                                    local_0_start, local_n1, local_1_start);
}

Index SIXSTEP_FFTW(mpi_local_size_many_transposed_f03)(int rank, Index const* n, Index howmany,
                                                       Index block0, Index block1, MPI_Fint comm,
                                                       Index* local_n0, Index* local_0_start,
                                                       Index* local_n1, Index* local_1_start) {
  return SIXSTEP_FFTW(mpi_local_size_many_transposed)(rank, n, howmany, block0, block1,
                                                      MPI_Comm_f2c(comm), local_n0, local_0_start,
                                                      local_n1, local_1_start);
}

Index SIXSTEP_FFTW(mpi_local_size_1d_f03)(Index n0, MPI_Fint comm, int sign, unsigned flags,
                                          Index* local_ni, Index* local_i_start, Index* local_no,
                                          Index* local_o_start) {
  return SIXSTEP_FFTW(mpi_local_size_1d)(n0, MPI_Comm_f2c(comm), sign, flags, local_ni,
                                         local_i_start, local_no, local_o_start);
}

Index SIXSTEP_FFTW(mpi_local_size_many_1d_f03)(Index n0, Index howmany, MPI_Fint comm, int sign,
                                               unsigned flags, Index* local_ni,
                                               Index* local_i_start, Index* local_no,
                                               Index* local_o_start) {
  return SIXSTEP_FFTW(mpi_local_size_many_1d)(n0, howmany, MPI_Comm_f2c(comm), sign, flags,
                                              local_ni, local_i_start, local_no, local_o_start);
}

Planned SIXSTEP_FFTW(mpi_plan_transpose_f03)(Index n0, Index n1, Real* in, Real* out, MPI_Fint comm,
                                             unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_transpose)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_transpose_f03)(Index n0, Index n1, Index howmany, Index block0,
                                                  Index block1, Real* in, Real* out, MPI_Fint comm,
                                                  unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_transpose)(n0, n1, howmany, block0, block1, in, out,
                                               MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_f03)(int rank, Index const* n, FftwComplex* in, FftwComplex* out,
                                       MPI_Fint comm, int sign, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft)(rank, n, in, out, MPI_Comm_f2c(comm), sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_1d_f03)(Index n0, FftwComplex* in, FftwComplex* out,
                                          MPI_Fint comm, int sign, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_1d)(n0, in, out, MPI_Comm_f2c(comm), sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_2d_f03)(Index n0, Index n1, FftwComplex* in, FftwComplex* out,
                                          MPI_Fint comm, int sign, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_3d_f03)(Index n0, Index n1, Index n2, FftwComplex* in,
                                          FftwComplex* out, MPI_Fint comm, int sign,
                                          unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_dft_f03)(int rank, Index const* n, Index howmany, Index block,
                                            Index tblock, FftwComplex* in, FftwComplex* out,
                                            MPI_Fint comm, int sign, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_dft)(rank, n, howmany, block, tblock, in, out,
                                         MPI_Comm_f2c(comm), sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_r2c_f03)(int rank, Index const* n, Real* in, FftwComplex* out,
                                           MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_r2c)(rank, n, in, out, MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_r2c_2d_f03)(Index n0, Index n1, Real* in, FftwComplex* out,
                                              MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_r2c_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_r2c_3d_f03)(Index n0, Index n1, Index n2, Real* in,
                                              FftwComplex* out, MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_r2c_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_dft_r2c_f03)(int rank, Index const* n, Index howmany,
                                                Index iblock, Index oblock, Real* in,
                                                FftwComplex* out, MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_dft_r2c)(rank, n, howmany, iblock, oblock, in, out,
                                             MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_c2r_f03)(int rank, Index const* n, FftwComplex* in, Real* out,
                                           MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_c2r)(rank, n, in, out, MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_c2r_2d_f03)(Index n0, Index n1, FftwComplex* in, Real* out,
                                              MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_c2r_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_c2r_3d_f03)(Index n0, Index n1, Index n2, FftwComplex* in,
                                              Real* out, MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft_c2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_dft_c2r_f03)(int rank, Index const* n, Index howmany,
                                                Index iblock, Index oblock, FftwComplex* in,
                                                Real* out, MPI_Fint comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_dft_c2r)(rank, n, howmany, iblock, oblock, in, out,
                                             MPI_Comm_f2c(comm), flags);
}

Planned SIXSTEP_FFTW(mpi_plan_r2r_f03)(int rank, Index const* n, Real* in, Real* out, MPI_Fint comm,
                                       RealKind const* kinds, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_r2r)(rank, n, in, out, MPI_Comm_f2c(comm), kinds, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_r2r_2d_f03)(Index n0, Index n1, Real* in, Real* out, MPI_Fint comm,
                                          RealKind kind0, RealKind kind1, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_r2r_2d)(n0, n1, in, out, MPI_Comm_f2c(comm), kind0, kind1, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_r2r_3d_f03)(Index n0, Index n1, Index n2, Real* in, Real* out,
                                          MPI_Fint comm, RealKind kind0, RealKind kind1,
                                          RealKind kind2, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_r2r_3d)(n0, n1, n2, in, out, MPI_Comm_f2c(comm), kind0, kind1, kind2,
                                       flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_r2r_f03)(int rank, Index const* n, Index howmany, Index iblock,
                                            Index oblock, Real* in, Real* out, MPI_Fint comm,
                                            RealKind const* kinds, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_r2r)(rank, n, howmany, iblock, oblock, in, out,
                                         MPI_Comm_f2c(comm), kinds, flags);
}

void SIXSTEP_FFTW(mpi_gather_wisdom_f03)(MPI_Fint comm) {
  SIXSTEP_FFTW(mpi_gather_wisdom)(MPI_Comm_f2c(comm));
}

void SIXSTEP_FFTW(mpi_broadcast_wisdom_f03)(MPI_Fint comm) {
  SIXSTEP_FFTW(mpi_broadcast_wisdom)(MPI_Comm_f2c(comm));
}

}  // extern "C"
#pragma GCC visibility pop
