// SPDX-License-Identifier: BSD-3-Clause
// Runs sweeps: makes passes for each precision and each kind of elements.
#include "sweep/sweep_runner.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "sweep/parts.hpp"

namespace sixstep::sweep {

template <class Real>
auto SweepRunner::make_pass(program::Pass const& pass, program::Sweep const& sweep,
                            Kernels& kernels) -> Passes<Real> {
  using Complex = std::complex<Real>;
  bool const from_reals = pass.source_number == layout::Number::real;
  if (is_r2r(pass.kind))
    return FftPass<Real, Real>(from_reals ? pass : of_parts(pass), sweep, kernels);
  if (pass.source_number == pass.target_number)
    return FftPass<Complex, Complex>(pass, sweep, kernels);
  if (from_reals) return FftPass<Real, Complex>(pass, sweep, kernels);
  return FftPass<Complex, Real>(pass, sweep, kernels);
}

namespace {

/// Calls use(pass) with the pass in `any`.
template <class AnyPass, class Use>
auto with(AnyPass const& any, Use const& use) {
  return std::visit([&](auto const& of_precision) { return std::visit(use, of_precision); }, any);
}

}  // namespace

SweepRunner::SweepRunner(program::Sweep const& sweep, Kernels& kernels, int real_bytes)
    : window_axis_(sweep.window_axis),
      stacked_(sweep.stacked),
      box_(sweep.passes[0].box.shape()),
      window_(sweep.window),
      extent_(sweep.windows() == 0 ? 0
              : window_axis_ < 0   ? 1
                                   : sweep.passes[0].box.ranges[window_axis_].count()),
      between_bytes_(aligned(static_cast<std::size_t>(sweep.scratch_reals * real_bytes))) {
  for (program::Pass const& pass : sweep.passes) {
    auto const make = [&]() -> AnyPass {
      if (!pass.axis)
        return std::variant<CopyPass>(std::in_place_type<CopyPass>, pass,
                                      real_bytes * layout::reals_of(pass.source_number));
      if (real_bytes == sizeof(float)) return make_pass<float>(pass, sweep, kernels);
      return make_pass<double>(pass, sweep, kernels);
    };
    stages_.push_back({make(), pass.from_scratch, pass.to_scratch, pass.scales, pass.ends});
    bytes_ += sizeof(Stage) + with(stages_.back().pass, [](auto const& p) { return p.bytes(); });
    pass_bytes_ = std::max(
        pass_bytes_, with(stages_.back().pass, [](auto const& p) { return p.scratch_bytes(); }));
  }
}

void SweepRunner::run(Index lo, Index hi, void const* source, void* target, Mode const& mode,
                      std::byte* scratch) const {
  auto const run = [&](Region const& region) {
    for (Stage const& stage : stages_) {
      Mode const here{mode.backward, stage.scales ? mode.scale : 1,
                      stage.ends ? mode.table : nullptr};
      void const* const from = stage.from_scratch ? scratch : source;
      void* const to = stage.to_scratch ? scratch : target;
      with(stage.pass,
           [&](auto const& pass) { pass.run(from, to, region, here, scratch + between_bytes_); });
    }
  };
  Index const step = is_alone() ? hi - lo : window_;
  for (; lo < hi; lo += step) {
    layout::Window window;
    if (window_axis_ >= 0) window = {window_axis_, lo, std::min(lo + step, hi)};
    for_each(stacked_, Shape(box_.size(), 0), box_, [&](Shape const& at) {
      run({window, stacked_, at});
    });
  }
}

}  // namespace sixstep::sweep
