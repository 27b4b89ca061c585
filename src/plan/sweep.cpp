// SPDX-License-Identifier: BSD-3-Clause
// Running sweeps: windows, threads.
#include "plan/sweep.hpp"

#include <omp.h>

#include <algorithm>

#include "runtime/memory.hpp"

namespace sixstep::plan {

namespace {

/// The same pass over the real and imaginary parts, which lie along one more axis.
Pass of_parts(Pass pass) {
  for (Pieces* pieces : {&pass.source, &pass.target})
    for (exchange::Piece& piece : *pieces) {
      piece.offset *= 2;
      for (Index& stride : piece.strides) stride *= 2;
      piece.box.ranges.push_back({0, 2, 1});
      piece.strides.push_back(1);
    }
  pass.box.ranges.push_back({0, 2, 1});
  pass.target_box.ranges.push_back({0, 2, 1});
  pass.source_number = pass.target_number = Number::real;
  return pass;
}

}  // namespace

template <class Real>
SweepRunner<Real>::SweepRunner(Sweep const& sweep, Kernels<Real>& kernels)
    : window_axis_(sweep.window_axis),
      window_(sweep.window),
      windows_(sweep.windows()),
      extent_(window_axis_ < 0 ? 0 : sweep.passes[0].box.ranges[window_axis_].count()),
      between_bytes_(aligned(static_cast<std::size_t>(sweep.scratch_reals) * sizeof(Real))) {
  for (Pass const& pass : sweep.passes) {
    stages_.push_back(
        {make_pass(pass, window_axis_, kernels), pass.from_scratch, pass.to_scratch, pass.last});
    std::size_t const bytes =
        std::visit([](auto const& p) { return p.scratch_bytes(); }, stages_.back().pass);
    pass_bytes_ = std::max(pass_bytes_, bytes);
  }
}

template <class Real>
auto SweepRunner<Real>::make_pass(Pass const& pass, int window_axis, Kernels<Real>& kernels)
    -> AnyPass {
  bool const from_reals = pass.source_number == Number::real;
  if (!pass.axis) {
    if (from_reals) return CopyPass<Real>(pass);
    return CopyPass<Complex>(pass);
  }
  if (is_r2r(pass.kind))
    return FftPass<Real, Real>(from_reals ? pass : of_parts(pass), window_axis, kernels);
  if (pass.kind == Kind::c2c) return FftPass<Complex, Complex>(pass, window_axis, kernels);
  if (from_reals) return FftPass<Real, Complex>(pass, window_axis, kernels);
  return FftPass<Complex, Real>(pass, window_axis, kernels);
}

template <class Real>
std::size_t SweepRunner<Real>::scratch_bytes() const {
  return between_bytes_ + pass_bytes_;
}

template <class Real>
void SweepRunner<Real>::run(Real const* source, Real* target, Mode<Real> const& mode, int threads,
                            std::byte* scratch) const {
  if (threads == 1 || windows_ <= 1) {
    for (Index number = 0; number < windows_; ++number)
      run_window(number, source, target, mode, scratch);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(dynamic)
    for (Index number = 0; number < windows_; ++number)
      run_window(number, source, target, mode,
                 scratch + static_cast<std::size_t>(omp_get_thread_num()) * scratch_bytes());
  }
}

template <class Real>
void SweepRunner<Real>::run_window(Index number, Real const* source, Real* target,
                                   Mode<Real> const& mode, std::byte* scratch) const {
  Window window;
  if (window_axis_ >= 0)
    window = {window_axis_, number * window_, std::min((number + 1) * window_, extent_)};
  auto* const between = reinterpret_cast<Real*>(scratch);
  for (Stage const& stage : stages_) {
    Mode<Real> const here{mode.backward, stage.last ? mode.scale : Real(1)};
    std::visit(
        [&](auto const& pass) {
          pass.run(stage.from_scratch ? between : source, stage.to_scratch ? between : target,
                   window, here, scratch + between_bytes_);
        },
        stage.pass);
  }
}

template class SweepRunner<float>;
template class SweepRunner<double>;

}  // namespace sixstep::plan
