// SPDX-License-Identifier: BSD-3-Clause
// Planning functions for several ranks.
#include <exception>
#include <limits>

#include "mpi_problem.hpp"
#include "report.hpp"
#include "sixstep/error.hpp"

using namespace sixstep::fftw;

namespace {

using Planned = SIXSTEP_FFTW(plan);
using RealKind = SIXSTEP_FFTW(r2r_kind);

/// Lengths of axes, and blocks of the axes that input and output split.
struct Extents {
  int rank;
  std::ptrdiff_t const* n;
  std::ptrdiff_t howmany = 1;
  std::ptrdiff_t in_block = FFTW_MPI_DEFAULT_BLOCK;
  std::ptrdiff_t out_block = FFTW_MPI_DEFAULT_BLOCK;
};

MpiProblem problem_of(Extents const& extents, MPI_Comm comm, unsigned flags) {
  MpiProblem problem;
  problem.comm = comm;
  problem.flags = flags;
  problem.in = {extents.in_block, problem.has(FFTW_MPI_TRANSPOSED_IN)};
  problem.out = {extents.out_block, problem.has(FFTW_MPI_TRANSPOSED_OUT)};
  sixstep::require(extents.rank > 0, "an array of one axis at least is needed");
  for (int axis = 0; axis < extents.rank; ++axis) problem.shape.push_back(extents.n[axis]);
  for (sixstep::Index const n : problem.shape) sixstep::require(n > 0, "an axis has no points");
  bool const fits = extents.howmany > 0 && extents.howmany <= std::numeric_limits<int>::max();
  sixstep::require(fits, "howmany is out of range");
  problem.howmany = static_cast<int>(extents.howmany);
  sixstep::require(!problem.has(FFTW_WISDOM_ONLY), "plans come from no wisdom");
  MPI_Comm_size(comm, &problem.ranks);
  return problem;
}

/// The plan that `make` makes of the problem; null if there is none.
template <class Make>
Planned planned(Extents const& extents, MPI_Comm comm, unsigned flags, Arrays<Real> const& arrays,
                Make const& make) {
  double const begin = seconds_now();
  try {
    std::unique_ptr<Object> object = make(problem_of(extents, comm, flags));
    object->planned = arrays;
    return handed_out(std::move(object), begin);
  } catch (std::exception const&) {
    return nullptr;
  }
}

Real* real_part(FftwComplex* numbers) { return reinterpret_cast<Real*>(numbers); }
Real* imaginary_part(FftwComplex* numbers) {
  return numbers == nullptr ? nullptr : real_part(numbers) + 1;
}

}  // namespace

extern "C" {

Planned SIXSTEP_FFTW(mpi_plan_many_transpose)(std::ptrdiff_t n0, std::ptrdiff_t n1,
                                              std::ptrdiff_t howmany, std::ptrdiff_t block0,
                                              std::ptrdiff_t block1, Real* in, Real* out,
                                              MPI_Comm comm, unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1};
  return planned({2, n, howmany, block0, block1}, comm, flags, {in, nullptr, out, nullptr},
                 make_transpose);
}

Planned SIXSTEP_FFTW(mpi_plan_transpose)(std::ptrdiff_t n0, std::ptrdiff_t n1, Real* in, Real* out,
                                         MPI_Comm comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_transpose)(n0, n1, 1, FFTW_MPI_DEFAULT_BLOCK,
                                               FFTW_MPI_DEFAULT_BLOCK, in, out, comm, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_dft)(int rank, std::ptrdiff_t const* n, std::ptrdiff_t howmany,
                                        std::ptrdiff_t block, std::ptrdiff_t tblock,
                                        FftwComplex* in, FftwComplex* out, MPI_Comm comm, int sign,
                                        unsigned flags) {
  return planned({rank, n, howmany, block, tblock}, comm, flags,
                 {real_part(in), imaginary_part(in), real_part(out), imaginary_part(out)},
                 [sign](MpiProblem const& problem) { return make_c2c(problem, sign); });
}

Planned SIXSTEP_FFTW(mpi_plan_dft)(int rank, std::ptrdiff_t const* n, FftwComplex* in,
                                   FftwComplex* out, MPI_Comm comm, int sign, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_dft)(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                         in, out, comm, sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_1d)(std::ptrdiff_t n0, FftwComplex* in, FftwComplex* out,
                                      MPI_Comm comm, int sign, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_dft)(1, &n0, in, out, comm, sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_2d)(std::ptrdiff_t n0, std::ptrdiff_t n1, FftwComplex* in,
                                      FftwComplex* out, MPI_Comm comm, int sign, unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1};
  return SIXSTEP_FFTW(mpi_plan_dft)(2, n, in, out, comm, sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_3d)(std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t n2,
                                      FftwComplex* in, FftwComplex* out, MPI_Comm comm, int sign,
                                      unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(mpi_plan_dft)(3, n, in, out, comm, sign, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_dft_r2c)(int rank, std::ptrdiff_t const* n,
                                            std::ptrdiff_t howmany, std::ptrdiff_t iblock,
                                            std::ptrdiff_t oblock, Real* in, FftwComplex* out,
                                            MPI_Comm comm, unsigned flags) {
  return planned({rank, n, howmany, iblock, oblock}, comm, flags,
                 {in, nullptr, real_part(out), imaginary_part(out)}, make_r2c);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_r2c)(int rank, std::ptrdiff_t const* n, Real* in,
                                       FftwComplex* out, MPI_Comm comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_dft_r2c)(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK,
                                             FFTW_MPI_DEFAULT_BLOCK, in, out, comm, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_r2c_2d)(std::ptrdiff_t n0, std::ptrdiff_t n1, Real* in,
                                          FftwComplex* out, MPI_Comm comm, unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1};
  return SIXSTEP_FFTW(mpi_plan_dft_r2c)(2, n, in, out, comm, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_r2c_3d)(std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t n2,
                                          Real* in, FftwComplex* out, MPI_Comm comm,
                                          unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(mpi_plan_dft_r2c)(3, n, in, out, comm, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_dft_c2r)(int rank, std::ptrdiff_t const* n,
                                            std::ptrdiff_t howmany, std::ptrdiff_t iblock,
                                            std::ptrdiff_t oblock, FftwComplex* in, Real* out,
                                            MPI_Comm comm, unsigned flags) {
  return planned({rank, n, howmany, iblock, oblock}, comm, flags,
                 {real_part(in), imaginary_part(in), out, nullptr}, make_c2r);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_c2r)(int rank, std::ptrdiff_t const* n, FftwComplex* in,
                                       Real* out, MPI_Comm comm, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_dft_c2r)(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK,
                                             FFTW_MPI_DEFAULT_BLOCK, in, out, comm, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_c2r_2d)(std::ptrdiff_t n0, std::ptrdiff_t n1, FftwComplex* in,
                                          Real* out, MPI_Comm comm, unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1};
  return SIXSTEP_FFTW(mpi_plan_dft_c2r)(2, n, in, out, comm, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_dft_c2r_3d)(std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t n2,
                                          FftwComplex* in, Real* out, MPI_Comm comm,
                                          unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(mpi_plan_dft_c2r)(3, n, in, out, comm, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_many_r2r)(int rank, std::ptrdiff_t const* n, std::ptrdiff_t howmany,
                                        std::ptrdiff_t iblock, std::ptrdiff_t oblock, Real* in,
                                        Real* out, MPI_Comm comm, RealKind const* kinds,
                                        unsigned flags) {
  return planned(
      {rank, n, howmany, iblock, oblock}, comm, flags, {in, nullptr, out, nullptr},
      [=](MpiProblem const& problem) { return make_r2r(problem, Kinds(kinds, kinds + rank)); });
}

Planned SIXSTEP_FFTW(mpi_plan_r2r)(int rank, std::ptrdiff_t const* n, Real* in, Real* out,
                                   MPI_Comm comm, RealKind const* kinds, unsigned flags) {
  return SIXSTEP_FFTW(mpi_plan_many_r2r)(rank, n, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                         in, out, comm, kinds, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_r2r_2d)(std::ptrdiff_t n0, std::ptrdiff_t n1, Real* in, Real* out,
                                      MPI_Comm comm, RealKind kind0, RealKind kind1,
                                      unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1};
  RealKind const kinds[] = {kind0, kind1};
  return SIXSTEP_FFTW(mpi_plan_r2r)(2, n, in, out, comm, kinds, flags);
}

Planned SIXSTEP_FFTW(mpi_plan_r2r_3d)(std::ptrdiff_t n0, std::ptrdiff_t n1, std::ptrdiff_t n2,
                                      Real* in, Real* out, MPI_Comm comm, RealKind kind0,
                                      RealKind kind1, RealKind kind2, unsigned flags) {
  std::ptrdiff_t const n[] = {n0, n1, n2};
  RealKind const kinds[] = {kind0, kind1, kind2};
  return SIXSTEP_FFTW(mpi_plan_r2r)(3, n, in, out, comm, kinds, flags);
}

}  // extern "C"
