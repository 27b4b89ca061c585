// SPDX-License-Identifier: BSD-3-Clause
// The planning functions of the guru interface: any strides, any loops, split arrays.
//
// Strides of interleaved complex numbers count complex numbers, all others count reals.
#include "planner.hpp"

namespace {

using namespace sixstep::fftw;
using sixstep::Index;
using Plan = SIXSTEP_FFTW(plan);
using Dim = SIXSTEP_FFTW(iodim);
using Dim64 = SIXSTEP_FFTW(iodim64);

Real* real_part(FftwComplex* numbers) { return reinterpret_cast<Real*>(numbers); }
Real* imaginary_part(FftwComplex* numbers) { return real_part(numbers) + 1; }

/// The reals that a stride counts.
struct Units {
  Index in;
  Index out;
};
constexpr Units reals = {1, 1};

template <class AnyDim>
struct Dims {
  int rank;
  AnyDim const* dims;
};

template <class AnyDim>
Axes axes_of(Dims<AnyDim> const& dims, Units const& units) {
  Axes axes;
  for (int i = 0; i < dims.rank; ++i)
    axes.push_back({dims.dims[i].n, dims.dims[i].is * units.in, dims.dims[i].os * units.out});
  return axes;
}

/// A plan with the given kinds (of r2r) or the given sign (of c2c).
template <class AnyDim>
Plan guru(Numbers numbers, Dims<AnyDim> const& dims, Dims<AnyDim> const& loops, Units const& units,
          Arrays<Real> const& arrays, unsigned flags, R2r const* kinds = nullptr,
          bool plus = false) {
  if (dims.rank < 0 || loops.rank < 0) return nullptr;
  Problem problem;
  problem.numbers = numbers;
  problem.plus = plus;
  problem.axes = axes_of(dims, units);
  problem.loops = axes_of(loops, units);
  if (numbers == Numbers::r2r) problem.kinds.assign(kinds, kinds + dims.rank);
  return make_plan(problem, arrays, flags);
}

}  // namespace

extern "C" {

Plan SIXSTEP_FFTW(plan_guru_dft)(int rank, Dim const* dims, int howmany_rank,
                                 Dim const* howmany_dims, FftwComplex* in, FftwComplex* out,
                                 int sign, unsigned flags) {
  return guru<Dim>(Numbers::c2c, {rank, dims}, {howmany_rank, howmany_dims}, {2, 2},
                   {real_part(in), imaginary_part(in), real_part(out), imaginary_part(out)}, flags,
                   nullptr, sign != FFTW_FORWARD);
}

Plan SIXSTEP_FFTW(plan_guru_split_dft)(int rank, Dim const* dims, int howmany_rank,
                                       Dim const* howmany_dims, Real* ri, Real* ii, Real* ro,
                                       Real* io, unsigned flags) {
  return guru<Dim>(Numbers::c2c, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                   {ri, ii, ro, io}, flags);
}

Plan SIXSTEP_FFTW(plan_guru_dft_r2c)(int rank, Dim const* dims, int howmany_rank,
                                     Dim const* howmany_dims, Real* in, FftwComplex* out,
                                     unsigned flags) {
  return guru<Dim>(Numbers::r2c, {rank, dims}, {howmany_rank, howmany_dims}, {1, 2},
                   {in, nullptr, real_part(out), imaginary_part(out)}, flags);
}

Plan SIXSTEP_FFTW(plan_guru_split_dft_r2c)(int rank, Dim const* dims, int howmany_rank,
                                           Dim const* howmany_dims, Real* in, Real* ro, Real* io,
                                           unsigned flags) {
  return guru<Dim>(Numbers::r2c, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                   {in, nullptr, ro, io}, flags);
}

Plan SIXSTEP_FFTW(plan_guru_dft_c2r)(int rank, Dim const* dims, int howmany_rank,
                                     Dim const* howmany_dims, FftwComplex* in, Real* out,
                                     unsigned flags) {
  return guru<Dim>(Numbers::c2r, {rank, dims}, {howmany_rank, howmany_dims}, {2, 1},
                   {real_part(in), imaginary_part(in), out, nullptr}, flags);
}

Plan SIXSTEP_FFTW(plan_guru_split_dft_c2r)(int rank, Dim const* dims, int howmany_rank,
                                           Dim const* howmany_dims, Real* ri, Real* ii, Real* out,
                                           unsigned flags) {
  return guru<Dim>(Numbers::c2r, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                   {ri, ii, out, nullptr}, flags);
}

Plan SIXSTEP_FFTW(plan_guru_r2r)(int rank, Dim const* dims, int howmany_rank,
                                 Dim const* howmany_dims, Real* in, Real* out, R2r const* kind,
                                 unsigned flags) {
  return guru<Dim>(Numbers::r2r, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                   {in, nullptr, out, nullptr}, flags, kind);
}

Plan SIXSTEP_FFTW(plan_guru64_dft)(int rank, Dim64 const* dims, int howmany_rank,
                                   Dim64 const* howmany_dims, FftwComplex* in, FftwComplex* out,
                                   int sign, unsigned flags) {
  return guru<Dim64>(Numbers::c2c, {rank, dims}, {howmany_rank, howmany_dims}, {2, 2},
                     {real_part(in), imaginary_part(in), real_part(out), imaginary_part(out)},
                     flags, nullptr, sign != FFTW_FORWARD);
}

Plan SIXSTEP_FFTW(plan_guru64_split_dft)(int rank, Dim64 const* dims, int howmany_rank,
                                         Dim64 const* howmany_dims, Real* ri, Real* ii, Real* ro,
                                         Real* io, unsigned flags) {
  return guru<Dim64>(Numbers::c2c, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                     {ri, ii, ro, io}, flags);
}

Plan SIXSTEP_FFTW(plan_guru64_dft_r2c)(int rank, Dim64 const* dims, int howmany_rank,
                                       Dim64 const* howmany_dims, Real* in, FftwComplex* out,
                                       unsigned flags) {
  return guru<Dim64>(Numbers::r2c, {rank, dims}, {howmany_rank, howmany_dims}, {1, 2},
                     {in, nullptr, real_part(out), imaginary_part(out)}, flags);
}

Plan SIXSTEP_FFTW(plan_guru64_split_dft_r2c)(int rank, Dim64 const* dims, int howmany_rank,
                                             Dim64 const* howmany_dims, Real* in, Real* ro,
                                             Real* io, unsigned flags) {
  return guru<Dim64>(Numbers::r2c, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                     {in, nullptr, ro, io}, flags);
}

Plan SIXSTEP_FFTW(plan_guru64_dft_c2r)(int rank, Dim64 const* dims, int howmany_rank,
                                       Dim64 const* howmany_dims, FftwComplex* in, Real* out,
                                       unsigned flags) {
  return guru<Dim64>(Numbers::c2r, {rank, dims}, {howmany_rank, howmany_dims}, {2, 1},
                     {real_part(in), imaginary_part(in), out, nullptr}, flags);
}

Plan SIXSTEP_FFTW(plan_guru64_split_dft_c2r)(int rank, Dim64 const* dims, int howmany_rank,
                                             Dim64 const* howmany_dims, Real* ri, Real* ii,
                                             Real* out, unsigned flags) {
  return guru<Dim64>(Numbers::c2r, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                     {ri, ii, out, nullptr}, flags);
}

Plan SIXSTEP_FFTW(plan_guru64_r2r)(int rank, Dim64 const* dims, int howmany_rank,
                                   Dim64 const* howmany_dims, Real* in, Real* out, R2r const* kind,
                                   unsigned flags) {
  return guru<Dim64>(Numbers::r2r, {rank, dims}, {howmany_rank, howmany_dims}, reals,
                     {in, nullptr, out, nullptr}, flags, kind);
}

}  // extern "C"
