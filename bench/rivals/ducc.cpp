// SPDX-License-Identifier: BSD-3-Clause
// ducc0, compiled from its sources for this machine.
#include <ducc0/fft/fft.h>

#include "contender.hpp"

namespace sixstep::bench {
namespace {

using Shape = std::vector<std::size_t>;
using Strides = std::vector<std::ptrdiff_t>;

/// An array of `count` rows of n elements.
template <class View, class Element>
View view(Problem const& problem, Side const& side, Index n, Element* data) {
  return View(data, Shape{static_cast<std::size_t>(problem.count), static_cast<std::size_t>(n)},
              Strides{side.distance, side.stride});
}

template <class Real>
Run prepare(Problem const& problem, void* in, void* out) {
  using Complex = std::complex<Real>;
  Shape const axes{1};
  auto const threads = static_cast<std::size_t>(problem.threads);
  auto const real_view = [&](Side const& side, void* data) {
    return view<ducc0::vfmav<Real>>(problem, side, problem.n, static_cast<Real*>(data));
  };
  auto const complex_view = [&](Side const& side, void* data) {
    Index const n = problem.kind == Kind::c2c ? problem.n : problem.n / 2 + 1;
    return view<ducc0::vfmav<Complex>>(problem, side, n, static_cast<Complex*>(data));
  };
  switch (problem.kind) {
    case Kind::c2c:
      return [=, from = complex_view(problem.in, in), to = complex_view(problem.out, out)] {
        ducc0::c2c<Real>(from, to, axes, true, Real(1), threads);
      };
    case Kind::r2c:
      return [=, from = real_view(problem.in, in), to = complex_view(problem.out, out)] {
        ducc0::r2c<Real>(from, to, axes, true, Real(1), threads);
      };
    case Kind::c2r:
      return [=, from = complex_view(problem.in, in), to = real_view(problem.out, out)] {
        ducc0::c2r<Real>(from, to, axes, false, Real(1), threads);
      };
    case Kind::dct2:
      return [=, from = real_view(problem.in, in), to = real_view(problem.out, out)] {
        ducc0::dct<Real>(from, to, axes, 2, Real(1), false, threads);
      };
  }
  return {};
}

}  // namespace

Contender ducc_contender() {
  return {"ducc0", SIXSTEP_DUCC_VERSION, prepare<double>, prepare<float>};
}

}  // namespace sixstep::bench
