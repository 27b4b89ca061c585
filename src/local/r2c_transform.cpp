// SPDX-License-Identifier: BSD-3-Clause
// Reals to complex numbers and back: the choice of a way for each batch, and the moves around it.
#include "local/real_transform.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "local/kernels/real_kernels.hpp"
#include "local/real_blocks.hpp"
#include "local/real_core.hpp"

namespace sixstep::local {
namespace {

// 0, 1 ... n - 1.
std::vector<Index> counted(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

/// What r2c and c2r share: HalfCore or PairedRows for contiguous reals, PairCore for all others.
template <class Real>
class Fourier {
 public:
  using Complex = std::complex<Real>;

  Fourier(Index n, Local whose, Tuning const& tuning)
      : pairs(n, whose, tuning),
        kernels(real_kernels<Real>()),
        order(counted(n)),
        reals(straight<Real>(n)),
        coefficients(straight<Real>(n / 2 + 1)),
        contiguous_(goes_by_halves(n, pairs.complex_lanes())
                        ? Contiguous(std::in_place_type<HalfCore<Real>>, n, whose, tuning)
                        : Contiguous(std::in_place_type<PairedRows<Real>>, n, whose, tuning)),
        spectrum_stride_(pairs.columns() + (pairs.columns() > 2 ? pad(tuning) : 0)),
        spectrum_lane_(n / 2 + 1 + pad(tuning)) {
    for (Index k = 0; k <= n / 2; ++k) spectrum_rows_.push_back(k * spectrum_stride_);
  }

  std::size_t scratch_bytes() const {
    std::size_t const contiguous = visit([](auto const& way) { return way.scratch_bytes(); }) +
                                   Scratch::bytes<Complex>(most_contiguous() * spectrum_lane_);
    return std::max(contiguous, pairs.scratch_bytes() + Scratch::bytes<Complex>(spectrum_size()));
  }
  std::string describe() const {
    return visit([](auto const& way) { return way.describe(); });
  }

  bool is_contiguous(Columns<Real const> const& columns) const {
    return visit([&](auto const& way) { return way.fits(columns); });
  }
  /// Transforms of contiguous reals. Coefficients of a column that do not follow each other in the
  /// user's array do so in a block, and are moved.
  void forward(Batch<Real, Complex> const& batch, std::byte* memory) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* memory) const;

  /// A block of pairs, and rows for its coefficients where the user's do not lie side by side.
  struct Memory {
    typename PairCore<Real>::Block block;
    Columns<Complex> spectrum;
  };
  Memory memory(std::byte* first) const {
    Scratch scratch(first);
    auto block = pairs.block(scratch);
    Columns<Complex> const spectrum{scratch.template take<Complex>(spectrum_size()),
                                    spectrum_rows_.data(), 1};
    block.rest = scratch.rest();
    return {block, spectrum};
  }

  PairCore<Real> pairs;
  RealKernels<Real> kernels;
  std::vector<Index> order;
  std::vector<Way<Real>> reals;
  std::vector<Way<Real>> coefficients;

 private:
  using Contiguous = std::variant<HalfCore<Real>, PairedRows<Real>>;

  static Index pad(Tuning const& tuning) {
    return tuning.real_pad_bytes / static_cast<Index>(sizeof(Complex));
  }

  template <class Body>
  auto visit(Body const& body) const {
    return std::visit(body, contiguous_);
  }
  Index most_contiguous() const {
    return visit([](auto const& way) { return way.columns(); });
  }
  Index spectrum_size() const {
    return static_cast<Index>(spectrum_rows_.size()) * spectrum_stride_;
  }

  Contiguous contiguous_;
  Index spectrum_stride_;
  Index spectrum_lane_;  // of contiguous coefficients in a block
  std::vector<Index> spectrum_rows_;
};

template <class Real>
void Fourier<Real>::forward(Batch<Real, Complex> const& batch, std::byte* memory) const {
  bool const straight_out = batch.out.row.step(pairs.n() / 2 + 1) == 1;
  Index const most = straight_out ? batch.columns : most_contiguous();
  Scratch scratch(memory);
  Complex* const block = scratch.template take<Complex>(most_contiguous() * spectrum_lane_);
  for (Index first = 0; first < batch.columns; first += most) {
    Batch<Real, Complex> part = batch;
    part.columns = std::min(most, batch.columns - first);
    part.in = from_column(batch.in, first);
    if (!straight_out) part.out = {block, order.data(), spectrum_lane_};
    visit([&](auto const& way) { way.forward(part, scratch.rest()); });
    if (!straight_out)
      kernels.move_complex(coefficients, as_source(part.out), from_column(batch.out, first),
                           part.columns);
  }
}

template <class Real>
void Fourier<Real>::backward(Batch<Complex, Real> const& batch, std::byte* memory) const {
  bool const straight_in = batch.in.row.step(pairs.n() / 2 + 1) == 1;
  Index const most = straight_in ? batch.columns : most_contiguous();
  Scratch scratch(memory);
  Complex* const block = scratch.template take<Complex>(most_contiguous() * spectrum_lane_);
  for (Index first = 0; first < batch.columns; first += most) {
    Batch<Complex, Real> part = batch;
    part.columns = std::min(most, batch.columns - first);
    part.out = from_column(batch.out, first);
    if (!straight_in) {
      Columns<Complex> const spectrum{block, order.data(), spectrum_lane_};
      kernels.move_complex(coefficients, from_column(batch.in, first), spectrum, part.columns);
      part.in = as_source(spectrum);
    }
    visit([&](auto const& way) { way.backward(part, scratch.rest()); });
  }
}

template <class Real>
class RealToComplex final : public Transform<Real, std::complex<Real>> {
 public:
  RealToComplex(Index n, Local whose, Tuning const& tuning) : tools_(n, whose, tuning) {}

  Index n() const override { return tools_.pairs.n(); }
  Index lanes() const override { return tools_.pairs.lanes(); }
  std::size_t scratch_bytes() const override { return tools_.scratch_bytes(); }
  std::string describe() const override { return "r2c by " + tools_.describe(); }

  void run(Batch<Real, std::complex<Real>> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    if (tools_.is_contiguous(contiguous.in)) {
      tools_.forward(contiguous, scratch);
      return;
    }
    PairCore<Real> const& pairs = tools_.pairs;
    auto memory = tools_.memory(scratch);
    auto& block = memory.block;
    Columns<std::complex<Real>> const& spectrum = memory.spectrum;
    bool const in_pairs =
        pairs.lie_in_pairs(batch.in.row, batch.in.lane, tools_.order, block.users_row);
    for_each_block(batch, pairs, in_pairs, [&](Index first, Index columns) {
      auto const in = from_column(batch.in, first);
      auto const out = from_column(batch.out, first);
      block.z.columns = columns;
      if (in_pairs && columns > 1) {
        pairs.forward_from(in, block);
      } else {
        tools_.kernels.move(tools_.reals, in, pairs.rows(block.z.data), columns);
        pairs.forward(block);
      }
      tools_.kernels.split_pairs(block.z, batch.scale / 2, out.lane == 1 ? out : spectrum);
      if (out.lane != 1)
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

  Index n() const override { return tools_.pairs.n(); }
  Index lanes() const override { return tools_.pairs.lanes(); }
  std::size_t scratch_bytes() const override { return tools_.scratch_bytes(); }
  std::string describe() const override { return "c2r by " + tools_.describe(); }

  void run(Batch<std::complex<Real>, Real> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    if (tools_.is_contiguous(as_source(contiguous.out))) {
      tools_.backward(contiguous, scratch);
      return;
    }
    PairCore<Real> const& pairs = tools_.pairs;
    auto memory = tools_.memory(scratch);
    auto& block = memory.block;
    Columns<std::complex<Real>> const& spectrum = memory.spectrum;
    bool const in_pairs =
        pairs.lie_in_pairs(batch.out.row, batch.out.lane, tools_.order, block.users_row);
    for_each_block(batch, pairs, in_pairs, [&](Index first, Index columns) {
      auto const in = from_column(batch.in, first);
      auto const out = from_column(batch.out, first);
      block.z.columns = columns;
      if (in.lane != 1) tools_.kernels.move_complex(tools_.coefficients, in, spectrum, columns);
      tools_.kernels.join_pairs(in.lane == 1 ? in : as_source(spectrum), block.z);
      if (in_pairs && columns > 1) {
        pairs.backward_to(block, batch.scale, out);
      } else {
        pairs.backward(block, batch.scale);
        tools_.kernels.move(tools_.reals, as_source(pairs.rows(block.z.data)), out, columns);
      }
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
