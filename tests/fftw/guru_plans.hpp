// SPDX-License-Identifier: BSD-3-Clause
// Problems as FFTW's interface is asked for them.
#pragma once

#include "guru_problem.hpp"

namespace guru {

/// The arrays of a problem. Interleaved numbers have their imaginary parts behind the real ones.
struct Arrays {
  Real *ri, *ii, *ro, *io;

  Complex* in() const { return reinterpret_cast<Complex*>(ri); }
  Complex* out() const { return reinterpret_cast<Complex*>(ro); }
};

inline FFTW(plan) guru_plan(Problem const& p, Arrays const& arrays) {
  auto const [ri, ii, ro, io] = arrays;
  int const rank = static_cast<int>(p.dims.size()), loops = static_cast<int>(p.loops.size());
  Dim const *dims = p.dims.data(), *howmany = p.loops.data();
  Complex *const in = arrays.in(), *const out = arrays.out();
  unsigned const f = p.flags;
  switch (p.numbers) {
    case Numbers::c2c:
      if (!p.split) return FFTW(plan_guru64_dft)(rank, dims, loops, howmany, in, out, p.sign, f);
      return p.sign == FFTW_FORWARD
                 ? FFTW(plan_guru64_split_dft)(rank, dims, loops, howmany, ri, ii, ro, io, f)
                 : FFTW(plan_guru64_split_dft)(rank, dims, loops, howmany, ii, ri, io, ro, f);
    case Numbers::r2c:
      return p.split ? FFTW(plan_guru64_split_dft_r2c)(rank, dims, loops, howmany, ri, ro, io, f)
                     : FFTW(plan_guru64_dft_r2c)(rank, dims, loops, howmany, ri, out, f);
    case Numbers::c2r:
      return p.split ? FFTW(plan_guru64_split_dft_c2r)(rank, dims, loops, howmany, ri, ii, ro, f)
                     : FFTW(plan_guru64_dft_c2r)(rank, dims, loops, howmany, in, ro, f);
    case Numbers::r2r:
      return FFTW(plan_guru64_r2r)(rank, dims, loops, howmany, ri, ro, p.kinds.data(), f);
  }
  return nullptr;
}

inline FFTW(plan) advanced_plan(Problem const& p, Arrays const& arrays) {
  Advanced const& a = *p.advanced;
  int const rank = static_cast<int>(a.n.size());
  int const* const n = a.n.data();
  int const* const in_embed = a.in_embed.empty() ? nullptr : a.in_embed.data();
  int const* const out_embed = a.out_embed.empty() ? nullptr : a.out_embed.data();
  auto const planned = [&](auto* make, auto* in, auto* out, auto... last) {
    return make(rank, n, a.howmany, in, in_embed, a.in_stride, a.in_distance, out, out_embed,
                a.out_stride, a.out_distance, last..., p.flags);
  };
  switch (p.numbers) {
    case Numbers::c2c:
      return planned(FFTW(plan_many_dft), arrays.in(), arrays.out(), p.sign);
    case Numbers::r2c:
      return planned(FFTW(plan_many_dft_r2c), arrays.ri, arrays.out());
    case Numbers::c2r:
      return planned(FFTW(plan_many_dft_c2r), arrays.in(), arrays.ro);
    case Numbers::r2r:
      return planned(FFTW(plan_many_r2r), arrays.ri, arrays.ro, p.kinds.data());
  }
  return nullptr;
}

inline FFTW(plan) make_plan(Problem const& problem, Arrays const& arrays) {
  FFTW(plan_with_nthreads)(problem.threads);
  return problem.advanced ? advanced_plan(problem, arrays) : guru_plan(problem, arrays);
}

/// By the function for other arrays than those of planning.
inline void execute_on(FFTW(plan) plan, Problem const& p, Arrays const& arrays) {
  auto const [ri, ii, ro, io] = arrays;
  bool const is_swapped = p.split && p.numbers == Numbers::c2c && p.sign == FFTW_BACKWARD;
  switch (p.numbers) {
    case Numbers::c2c:
      if (!p.split) return FFTW(execute_dft)(plan, arrays.in(), arrays.out());
      return is_swapped ? FFTW(execute_split_dft)(plan, ii, ri, io, ro)
                        : FFTW(execute_split_dft)(plan, ri, ii, ro, io);
    case Numbers::r2c:
      return p.split ? FFTW(execute_split_dft_r2c)(plan, ri, ro, io)
                     : FFTW(execute_dft_r2c)(plan, ri, arrays.out());
    case Numbers::c2r:
      return p.split ? FFTW(execute_split_dft_c2r)(plan, ri, ii, ro)
                     : FFTW(execute_dft_c2r)(plan, arrays.in(), ro);
    case Numbers::r2r:
      return FFTW(execute_r2r)(plan, ri, ro);
  }
}

}  // namespace guru
