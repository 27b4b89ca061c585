// SPDX-License-Identifier: BSD-3-Clause
// Reals to complex numbers and back: the choice of a way for each batch, and the moves around it.
#include "local/real_transform.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/real_blocks.hpp"
#include "local/real_core.hpp"

namespace sixstep::local {
namespace {

/// What r2c and c2r share: HalfCore for contiguous reals, SequenceCore for all others.
template <class Real>
class Fourier {
 public:
  using Complex = std::complex<Real>;

  Fourier(Index n, Local whose, Tuning const& tuning)
      : sequences({in_order<Real>(n), &Way<Real>::from}, whose, tuning),
        kernels(real_kernels<Real>()),
        coefficients(straight<Real>(n / 2 + 1)),
        spectrum_lane_(n / 2 + 1 + tuning.real_pad_bytes / static_cast<Index>(sizeof(Complex))) {
    if (goes_by_halves(n, sequences.lanes())) halves_.emplace(n, whose, tuning);
  }

  std::size_t scratch_bytes() const {
    return std::max(
        sequences.scratch_bytes(),
        halves_ ? halves_->scratch_bytes() + Scratch::bytes<Complex>(spectrum_size()) : 0);
  }
  std::string describe() const { return halves_ ? halves_->describe() : sequences.describe(); }

  /// Whether columns go by halves.
  bool has_halves(Columns<Real const> const& columns) const {
    return halves_ && halves_->fits(columns);
  }
  /// Transforms of such columns. Coefficients of a column that do not follow each other in the
  /// user's array do so in a block, and are moved.
  void forward(Batch<Real, Complex> const& batch, std::byte* memory) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* memory) const;

  SequenceCore<Real> sequences;
  RealKernels<Real> kernels;
  std::vector<Way<Real>> coefficients;

 private:
  Index spectrum_size() const { return halves_->columns() * spectrum_lane_; }

  std::optional<HalfCore<Real>> halves_;
  Index spectrum_lane_;  // of contiguous coefficients in a block
};

template <class Real>
void Fourier<Real>::forward(Batch<Real, Complex> const& batch, std::byte* memory) const {
  bool const straight_out = batch.out.row.step(sequences.n() / 2 + 1) == 1;
  Index const most = straight_out ? batch.columns : halves_->columns();
  Scratch scratch(memory);
  Complex* const block = scratch.template take<Complex>(spectrum_size());
  for (Index first = 0; first < batch.columns; first += most) {
    Batch<Real, Complex> part = batch;
    part.columns = std::min(most, batch.columns - first);
    part.in = from_column(batch.in, first);
    if (!straight_out) part.out = {block, RowMap::every(1), spectrum_lane_};
    halves_->forward(part, scratch.rest());
    if (!straight_out)
      kernels.move_complex(coefficients, as_source(part.out), from_column(batch.out, first),
                           part.columns);
  }
}

template <class Real>
void Fourier<Real>::backward(Batch<Complex, Real> const& batch, std::byte* memory) const {
  bool const straight_in = batch.in.row.step(sequences.n() / 2 + 1) == 1;
  Index const most = straight_in ? batch.columns : halves_->columns();
  Scratch scratch(memory);
  Complex* const block = scratch.template take<Complex>(spectrum_size());
  for (Index first = 0; first < batch.columns; first += most) {
    Batch<Complex, Real> part = batch;
    part.columns = std::min(most, batch.columns - first);
    part.out = from_column(batch.out, first);
    if (!straight_in) {
      Columns<Complex> const spectrum{block, RowMap::every(1), spectrum_lane_};
      kernels.move_complex(coefficients, from_column(batch.in, first), spectrum, part.columns);
      part.in = as_source(spectrum);
    }
    halves_->backward(part, scratch.rest());
  }
}

template <class Real>
class RealToComplex final : public Transform<Real, std::complex<Real>> {
 public:
  RealToComplex(Index n, Local whose, Tuning const& tuning) : tools_(n, whose, tuning) {}

  Index n() const override { return tools_.sequences.n(); }
  Index lanes() const override { return tools_.sequences.lanes(); }
  std::size_t scratch_bytes() const override { return tools_.scratch_bytes(); }
  std::string describe() const override { return "r2c by " + tools_.describe(); }

  void run(Batch<Real, std::complex<Real>> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    if (tools_.has_halves(contiguous.in)) {
      tools_.forward(contiguous, scratch);
      return;
    }
    SequenceCore<Real> const& core = tools_.sequences;
    for_each_block(batch, core, [&](auto const& in, auto const& out, Index columns) {
      auto const block = core.block(scratch, columns);
      core.forward(in, block);
      bool const direct = out.lane == 1;
      auto const spectrum = core.coefficients(block.before);
      tools_.kernels.split(block.after, core.factors(), batch.scale, direct ? out : spectrum);
      if (!direct)
        tools_.kernels.move_complex(tools_.coefficients, as_source(spectrum), out, columns);
    });
  }

 private:
  Fourier<Real> tools_;
};

template <class Real>
class ComplexToReal final : public Transform<std::complex<Real>, Real> {
 public:
  ComplexToReal(Index n, Local whose, Tuning const& tuning) : tools_(n, whose, tuning) {}

  Index n() const override { return tools_.sequences.n(); }
  Index lanes() const override { return tools_.sequences.lanes(); }
  std::size_t scratch_bytes() const override { return tools_.scratch_bytes(); }
  std::string describe() const override { return "c2r by " + tools_.describe(); }

  void run(Batch<std::complex<Real>, Real> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    if (tools_.has_halves(as_source(contiguous.out))) {
      tools_.backward(contiguous, scratch);
      return;
    }
    SequenceCore<Real> const& core = tools_.sequences;
    for_each_block(batch, core, [&](auto const& in, auto const& out, Index columns) {
      auto const block = core.block(scratch, columns);
      bool const direct = in.lane == 1;
      auto const spectrum = core.coefficients(block.after);
      if (!direct) tools_.kernels.move_complex(tools_.coefficients, in, spectrum, columns);
      tools_.kernels.join(direct ? in : as_source(spectrum), core.factors(), batch.scale,
                          block.before);
      core.backward(block, out);
    });
  }

 private:
  Fourier<Real> tools_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c(Index n, Local whose,
                                                              Tuning const& tuning) {
  return std::make_unique<RealToComplex<Real>>(n, whose, tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r(Index n, Local whose,
                                                              Tuning const& tuning) {
  return std::make_unique<ComplexToReal<Real>>(n, whose, tuning);
}

template std::unique_ptr<Transform<float, std::complex<float>>> make_r2c(Index, Local,
                                                                         Tuning const&);
template std::unique_ptr<Transform<double, std::complex<double>>> make_r2c(Index, Local,
                                                                           Tuning const&);
template std::unique_ptr<Transform<std::complex<float>, float>> make_c2r(Index, Local,
                                                                         Tuning const&);
template std::unique_ptr<Transform<std::complex<double>, double>> make_c2r(Index, Local,
                                                                           Tuning const&);

}  // namespace sixstep::local
