// SPDX-License-Identifier: BSD-3-Clause
// The planning functions for interleaved complex numbers and for reals: basic and advanced.
//
// The guru interface is in plan_guru.cpp. Whatever is not given (embeddings, distances) is that of
// dense arrays; in place, rows of reals are padded so that their coefficients fit.
#include <cstddef>
#include <vector>

#include "planner.hpp"

namespace {

using namespace sixstep::fftw;
using sixstep::Index;
using Plan = SIXSTEP_FFTW(plan);

Real* real_part(FftwComplex* numbers) { return reinterpret_cast<Real*>(numbers); }
Real* imaginary_part(FftwComplex* numbers) { return real_part(numbers) + 1; }

/// The arguments of an advanced planning function that say how an array lies.
struct Many {
  int const* embed;  // null: dense
  int stride;
  int dist;
};

/// The points of an array along each axis: what it is embedded in, or n with the last replaced.
std::vector<int> points_of(int rank, int const* n, int const* embed, int last) {
  if (rank <= 0) return {};
  int const* const from = embed != nullptr ? embed : n;
  std::vector<int> points(from, from + rank);
  if (embed == nullptr) points.back() = last;
  return points;
}

struct Counts {
  int in;
  int out;
};

/// The points of dense arrays along the last axis.
Counts last_points(Numbers numbers, int n, bool in_place) {
  int const half = n / 2 + 1, reals = in_place ? 2 * half : n;
  if (numbers == Numbers::r2c) return {reals, half};
  if (numbers == Numbers::c2r) return {half, reals};
  return {n, n};
}

Problem many(Numbers numbers, int rank, int const* n, int howmany, Many const& in, Many const& out,
             bool in_place) {
  Index const in_reals = numbers == Numbers::c2c || numbers == Numbers::c2r ? 2 : 1;
  Index const out_reals = numbers == Numbers::c2c || numbers == Numbers::r2c ? 2 : 1;
  Counts const last = last_points(numbers, rank > 0 ? n[rank - 1] : 1, in_place);
  std::vector<int> const in_points = points_of(rank, n, in.embed, last.in);
  std::vector<int> const out_points = points_of(rank, n, out.embed, last.out);
  Problem problem;
  problem.numbers = numbers;
  problem.axes = row_major(rank, n, in_points.data(), in.stride * in_reals, out_points.data(),
                           out.stride * out_reals);
  problem.loops = {{howmany, in.dist * in_reals, out.dist * out_reals}};
  return problem;
}

}  // namespace

extern "C" {

Plan SIXSTEP_FFTW(plan_many_dft)(int rank, int const* n, int howmany, FftwComplex* in,
                                 int const* inembed, int istride, int idist, FftwComplex* out,
                                 int const* onembed, int ostride, int odist, int sign,
                                 unsigned flags) {
  if (rank < 0) return nullptr;
  Problem problem = many(Numbers::c2c, rank, n, howmany, {inembed, istride, idist},
                         {onembed, ostride, odist}, in == out);
  problem.plus = sign != FFTW_FORWARD;
  return make_plan(problem,
                   {real_part(in), imaginary_part(in), real_part(out), imaginary_part(out)}, flags);
}

Plan SIXSTEP_FFTW(plan_dft)(int rank, int const* n, FftwComplex* in, FftwComplex* out, int sign,
                            unsigned flags) {
  return SIXSTEP_FFTW(plan_many_dft)(rank, n, 1, in, nullptr, 1, 1, out, nullptr, 1, 1, sign,
                                     flags);
}

Plan SIXSTEP_FFTW(plan_dft_1d)(int n, FftwComplex* in, FftwComplex* out, int sign, unsigned flags) {
  return SIXSTEP_FFTW(plan_dft)(1, &n, in, out, sign, flags);
}

Plan SIXSTEP_FFTW(plan_dft_2d)(int n0, int n1, FftwComplex* in, FftwComplex* out, int sign,
                               unsigned flags) {
  int const n[] = {n0, n1};
  return SIXSTEP_FFTW(plan_dft)(2, n, in, out, sign, flags);
}

Plan SIXSTEP_FFTW(plan_dft_3d)(int n0, int n1, int n2, FftwComplex* in, FftwComplex* out, int sign,
                               unsigned flags) {
  int const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(plan_dft)(3, n, in, out, sign, flags);
}

Plan SIXSTEP_FFTW(plan_many_dft_r2c)(int rank, int const* n, int howmany, Real* in,
                                     int const* inembed, int istride, int idist, FftwComplex* out,
                                     int const* onembed, int ostride, int odist, unsigned flags) {
  if (rank < 0) return nullptr;
  Problem const problem = many(Numbers::r2c, rank, n, howmany, {inembed, istride, idist},
                               {onembed, ostride, odist}, in == real_part(out));
  return make_plan(problem, {in, nullptr, real_part(out), imaginary_part(out)}, flags);
}

Plan SIXSTEP_FFTW(plan_dft_r2c)(int rank, int const* n, Real* in, FftwComplex* out,
                                unsigned flags) {
  return SIXSTEP_FFTW(plan_many_dft_r2c)(rank, n, 1, in, nullptr, 1, 1, out, nullptr, 1, 1, flags);
}

Plan SIXSTEP_FFTW(plan_dft_r2c_1d)(int n, Real* in, FftwComplex* out, unsigned flags) {
  return SIXSTEP_FFTW(plan_dft_r2c)(1, &n, in, out, flags);
}

Plan SIXSTEP_FFTW(plan_dft_r2c_2d)(int n0, int n1, Real* in, FftwComplex* out, unsigned flags) {
  int const n[] = {n0, n1};
  return SIXSTEP_FFTW(plan_dft_r2c)(2, n, in, out, flags);
}

Plan SIXSTEP_FFTW(plan_dft_r2c_3d)(int n0, int n1, int n2, Real* in, FftwComplex* out,
                                   unsigned flags) {
  int const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(plan_dft_r2c)(3, n, in, out, flags);
}

Plan SIXSTEP_FFTW(plan_many_dft_c2r)(int rank, int const* n, int howmany, FftwComplex* in,
                                     int const* inembed, int istride, int idist, Real* out,
                                     int const* onembed, int ostride, int odist, unsigned flags) {
  if (rank < 0) return nullptr;
  Problem const problem = many(Numbers::c2r, rank, n, howmany, {inembed, istride, idist},
                               {onembed, ostride, odist}, real_part(in) == out);
  return make_plan(problem, {real_part(in), imaginary_part(in), out, nullptr}, flags);
}

Plan SIXSTEP_FFTW(plan_dft_c2r)(int rank, int const* n, FftwComplex* in, Real* out,
                                unsigned flags) {
  return SIXSTEP_FFTW(plan_many_dft_c2r)(rank, n, 1, in, nullptr, 1, 1, out, nullptr, 1, 1, flags);
}

Plan SIXSTEP_FFTW(plan_dft_c2r_1d)(int n, FftwComplex* in, Real* out, unsigned flags) {
  return SIXSTEP_FFTW(plan_dft_c2r)(1, &n, in, out, flags);
}

Plan SIXSTEP_FFTW(plan_dft_c2r_2d)(int n0, int n1, FftwComplex* in, Real* out, unsigned flags) {
  int const n[] = {n0, n1};
  return SIXSTEP_FFTW(plan_dft_c2r)(2, n, in, out, flags);
}

Plan SIXSTEP_FFTW(plan_dft_c2r_3d)(int n0, int n1, int n2, FftwComplex* in, Real* out,
                                   unsigned flags) {
  int const n[] = {n0, n1, n2};
  return SIXSTEP_FFTW(plan_dft_c2r)(3, n, in, out, flags);
}

Plan SIXSTEP_FFTW(plan_many_r2r)(int rank, int const* n, int howmany, Real* in, int const* inembed,
                                 int istride, int idist, Real* out, int const* onembed, int ostride,
                                 int odist, R2r const* kind, unsigned flags) {
  if (rank < 0) return nullptr;
  Problem problem = many(Numbers::r2r, rank, n, howmany, {inembed, istride, idist},
                         {onembed, ostride, odist}, in == out);
  problem.kinds.assign(kind, kind + rank);
  return make_plan(problem, {in, nullptr, out, nullptr}, flags);
}

Plan SIXSTEP_FFTW(plan_r2r)(int rank, int const* n, Real* in, Real* out, R2r const* kind,
                            unsigned flags) {
  return SIXSTEP_FFTW(plan_many_r2r)(rank, n, 1, in, nullptr, 1, 1, out, nullptr, 1, 1, kind,
                                     flags);
}

Plan SIXSTEP_FFTW(plan_r2r_1d)(int n, Real* in, Real* out, R2r kind, unsigned flags) {
  return SIXSTEP_FFTW(plan_r2r)(1, &n, in, out, &kind, flags);
}

Plan SIXSTEP_FFTW(plan_r2r_2d)(int n0, int n1, Real* in, Real* out, R2r kind0, R2r kind1,
                               unsigned flags) {
  int const n[] = {n0, n1};
  R2r const kinds[] = {kind0, kind1};
  return SIXSTEP_FFTW(plan_r2r)(2, n, in, out, kinds, flags);
}

Plan SIXSTEP_FFTW(plan_r2r_3d)(int n0, int n1, int n2, Real* in, Real* out, R2r kind0, R2r kind1,
                               R2r kind2, unsigned flags) {
  int const n[] = {n0, n1, n2};
  R2r const kinds[] = {kind0, kind1, kind2};
  return SIXSTEP_FFTW(plan_r2r)(3, n, in, out, kinds, flags);
}

void SIXSTEP_FFTW(set_timelimit)(double) {}  // planning measures nothing

}  // extern "C"
