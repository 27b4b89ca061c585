// SPDX-License-Identifier: BSD-3-Clause
// Runs sweeps: makes passes for each precision and each kind of elements.
#include "sweep/sweep_runner.hpp"

#include <algorithm>
#include <complex>
#include <type_traits>

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
auto with(AnyPass&& any, Use const& use) {
  return std::visit([&](auto& of_precision) { return std::visit(use, of_precision); }, any);
}

/// True for passes that give what they read and write while it is in cache. Cosine transforms of
/// complex numbers are passes over reals along one more axis, which blocks do not have.
template <class Pass>
constexpr bool gives_blocks = false;
template <class In, class Out>
constexpr bool gives_blocks<FftPass<In, Out>> = local::is_complex<In> || local::is_complex<Out>;

}  // namespace

SweepRunner::SweepRunner(program::Sweep const& sweep, Kernels& kernels, int real_bytes)
    : window_axis_(sweep.window_axis),
      stacked_(sweep.stacked),
      blocks_(sweep.passes[0].box.axes(), 1),
      window_(sweep.window),
      extent_(sweep.windows() == 0 ? 0
              : window_axis_ < 0   ? 1
                                   : sweep.passes[0].box.ranges[window_axis_].count()),
      between_bytes_(aligned(static_cast<std::size_t>(sweep.scratch_reals * real_bytes))) {
  Box const& box = sweep.passes[0].box;
  for (program::Stacked const& one : stacked_)
    blocks_[one.axis] = (box.ranges[one.axis].count() + one.counts - 1) / one.counts;
  for (program::Pass const& pass : sweep.passes) {
    auto const make = [&]() -> AnyPass {
      using Plain = std::variant<CopyPass, PointPass, GatherPass>;
      Index const element_bytes = real_bytes * layout::reals_of(pass.source_number);
      if (pass.at_points) return Plain(std::in_place_type<PointPass>, pass, sweep, element_bytes);
      if (pass.gather) return Plain(std::in_place_type<GatherPass>, pass, element_bytes);
      if (!pass.axis) return Plain(std::in_place_type<CopyPass>, pass, element_bytes);
      if (real_bytes == sizeof(float)) return make_pass<float>(pass, sweep, kernels);
      return make_pass<double>(pass, sweep, kernels);
    };
    links_.push_back(
        {make(), pass.from_scratch, pass.to_scratch, pass.scales, pass.ends, pass.undoes});
    bytes_ += sizeof(Link) + with(links_.back().pass, [](auto const& p) { return p.bytes(); });
    pass_bytes_ = std::max(
        pass_bytes_, with(links_.back().pass, [](auto const& p) { return p.scratch_bytes(); }));
  }
}

bool SweepRunner::give_read(BlockTaker to) {
  return with(links_.front().pass, [&](auto& pass) {
    if constexpr (gives_blocks<std::decay_t<decltype(pass)>>) pass.give_read(to);
    return gives_blocks<std::decay_t<decltype(pass)>>;
  });
}

bool SweepRunner::give_written(BlockTaker to) {
  return with(links_.back().pass, [&](auto& pass) {
    if constexpr (gives_blocks<std::decay_t<decltype(pass)>>) pass.give_written(to);
    return gives_blocks<std::decay_t<decltype(pass)>>;
  });
}

PointPass* SweepRunner::points(int operation) {
  for (Link& link : links_)
    if (auto* const plain = std::get_if<std::variant<CopyPass, PointPass, GatherPass>>(&link.pass))
      if (auto* const pass = std::get_if<PointPass>(plain); pass && pass->operation() == operation)
        return pass;
  return nullptr;
}

void SweepRunner::count(Tally* read, Tally* written) {
  read_ = give_read(BlockTaker(read)) ? nullptr : read;
  written_ = give_written(BlockTaker(written)) ? nullptr : written;
}

void SweepRunner::run(Index lo, Index hi, Index next, void const* source, void* target,
                      Mode const& mode, std::byte* scratch) const {
  auto const run = [&](Region const& region) {
    if (read_) read_->add(region, source);
    for (Link const& link : links_) {
      double const scale = link.undoes ? mode.back : mode.scale;
      Mode const here{.backward = mode.backward != link.undoes,
                      .scale = link.scales ? scale : 1,
                      .table = link.ends ? mode.table : nullptr,
                      .operations = mode.operations};
      void const* const from = link.from_scratch ? scratch : source;
      void* const to = link.to_scratch ? scratch : target;
      with(link.pass,
           [&](auto const& pass) { pass.run(from, to, region, here, scratch + between_bytes_); });
    }
    if (written_) written_->add(region, target);
  };
  Index const step = runs_as_a_whole() ? hi - lo : window_;
  PerAxis<int> axes;
  for (program::Stacked const& one : stacked_) axes.push_back(one.axis);
  int const fastest = stacked_.empty() ? -1 : stacked_[stacked_.size() - 1].axis;
  for (; lo < hi; lo += step) {
    layout::Window window;
    if (window_axis_ >= 0) window = {window_axis_, lo, std::min(lo + step, hi)};
    Index const after = lo + step < hi ? lo + step : next;
    for_each(axes, Shape(blocks_.size(), 0), blocks_, [&](Shape at) {
      Shape ahead;
      bool const is_last = fastest < 0 || at[fastest] + 1 == blocks_[fastest];
      if (!is_last || (window_axis_ >= 0 && after < extent_ && stacked_.size() < 2)) {
        ahead = Shape(blocks_.size(), 0);
        if (is_last) ahead[window_axis_] = after - lo;
        if (fastest >= 0)
          ahead[fastest] = (is_last ? -at[fastest] : 1) * stacked_[stacked_.size() - 1].counts;
      }
      for (program::Stacked const& one : stacked_) at[one.axis] *= one.counts;
      run({window, stacked_, at, ahead});
    });
  }
}

}  // namespace sixstep::sweep
