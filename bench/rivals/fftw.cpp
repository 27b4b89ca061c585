// SPDX-License-Identifier: BSD-3-Clause
// FFTW, planned with FFTW_MEASURE.
#include <fftw3.h>

#include <memory>

#include "contender.hpp"

namespace sixstep::bench {
namespace {

// Long problems try many plans; those that take longer than this to find are not found.
constexpr double planning_limit_s = 30;
constexpr unsigned flags = FFTW_MEASURE | FFTW_PRESERVE_INPUT;

template <class Real>
struct Api;

template <>
struct Api<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  using Dimension = fftw_iodim64;
  static constexpr auto c2c = fftw_plan_guru64_dft;
  static constexpr auto r2c = fftw_plan_guru64_dft_r2c;
  static constexpr auto c2r = fftw_plan_guru64_dft_c2r;
  static constexpr auto r2r = fftw_plan_guru64_r2r;
  static constexpr auto run = fftw_execute;
  static constexpr auto destroy = fftw_destroy_plan;
  static constexpr auto init_threads = fftw_init_threads;
  static constexpr auto set_threads = fftw_plan_with_nthreads;
  static constexpr auto set_limit = fftw_set_timelimit;
};

template <>
struct Api<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  using Dimension = fftwf_iodim64;
  static constexpr auto c2c = fftwf_plan_guru64_dft;
  static constexpr auto r2c = fftwf_plan_guru64_dft_r2c;
  static constexpr auto c2r = fftwf_plan_guru64_dft_c2r;
  static constexpr auto r2r = fftwf_plan_guru64_r2r;
  static constexpr auto run = fftwf_execute;
  static constexpr auto destroy = fftwf_destroy_plan;
  static constexpr auto init_threads = fftwf_init_threads;
  static constexpr auto set_threads = fftwf_plan_with_nthreads;
  static constexpr auto set_limit = fftwf_set_timelimit;
};

template <class Real>
typename Api<Real>::Plan make_plan(Problem const& problem, void* in, void* out) {
  using Complex = typename Api<Real>::Complex;
  typename Api<Real>::Dimension const length{problem.n, problem.in.stride, problem.out.stride};
  typename Api<Real>::Dimension const many{problem.count, problem.in.distance,
                                           problem.out.distance};
  switch (problem.kind) {
    case Kind::c2c:
      return Api<Real>::c2c(1, &length, 1, &many, static_cast<Complex*>(in),
                            static_cast<Complex*>(out), FFTW_FORWARD, flags);
    case Kind::r2c:
      return Api<Real>::r2c(1, &length, 1, &many, static_cast<Real*>(in),
                            static_cast<Complex*>(out), flags);
    case Kind::c2r:
      return Api<Real>::c2r(1, &length, 1, &many, static_cast<Complex*>(in),
                            static_cast<Real*>(out), flags);
    case Kind::dct2: {
      fftw_r2r_kind const kind = FFTW_REDFT10;
      return Api<Real>::r2r(1, &length, 1, &many, static_cast<Real*>(in), static_cast<Real*>(out),
                            &kind, flags);
    }
  }
  return nullptr;
}

template <class Real>
Run prepare(Problem const& problem, void* in, void* out) {
  [[maybe_unused]] static int const ready = Api<Real>::init_threads();
  Api<Real>::set_limit(planning_limit_s);
  Api<Real>::set_threads(problem.threads);
  auto const plan = make_plan<Real>(problem, in, out);
  if (!plan) return {};
  std::shared_ptr<void> const owner(plan, [plan](void*) { Api<Real>::destroy(plan); });
  return [owner, plan] { Api<Real>::run(plan); };
}

}  // namespace

Contender fftw_contender() { return {"FFTW", fftw_version, prepare<double>, prepare<float>}; }

}  // namespace sixstep::bench
