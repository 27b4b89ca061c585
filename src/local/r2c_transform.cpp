// SPDX-License-Identifier: BSD-3-Clause
// Reals to complex numbers and back: chooses a core for each batch, and moves data around it.
#include "local/real_transform.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "local/beside.hpp"
#include "local/caches.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/columns.hpp"
#include "local/kernels/real_kernels.hpp"
#include "local/kernels/short_real_columns.hpp"
#include "local/long_reals.hpp"
#include "local/numbers/real_factors.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/odd_reals.hpp"
#include "local/radix_core.hpp"
#include "local/real_blocks.hpp"
#include "local/real_core.hpp"
#include "local/targets.hpp"

namespace sixstep::local {
namespace {

/// The common part of r2c and c2r: HalfCore for contiguous reals, another core for all others.
template <class Real>
class Fourier {
 public:
  using Complex = std::complex<Real>;

  Fourier(Index points, bool backward, Local whose, Tuning const& tuning)
      : n(points),
        core(local::make_core<Real>({in_order<Real>(points), &Way<Real>::from},
                                    {points / 2 + 1, true}, whose, tuning)),
        kernels_(real_kernels<Real>(tuning.bits)),
        coefficients_(straight<Real>(n / 2 + 1)),
        spectrum_lane_(n / 2 + 1 + tuning.real_pad_bytes / static_cast<Index>(sizeof(Complex))),
        most_alone_(most_long_columns(points, tuning)),
        fill_wide_vectors_(fill_wide_vectors()),
        are_alone_(are_odd_reals_alone<Real>(points)) {
    if (is_reproducible(tuning) ? has_same_halves() : goes_by_halves(n, lanes()))
      halves_.emplace(n, backward, whose, tuning);
  }

  std::size_t scratch_bytes() const {
    return std::max(
        std::visit([](auto const& any) { return any.scratch_bytes(); }, core),
        halves_ ? halves_->scratch_bytes() + Scratch::bytes<Complex>(spectrum_size()) : 0);
  }
  Index lanes() const {
    return std::visit([](auto const& any) { return any.lanes(); }, core);
  }
  std::string describe() const {
    return halves_ ? halves_->describe()
                   : std::visit([](auto const& any) { return any.describe(); }, core);
  }

  /// Whether HalfCore computes the bits that the core does, two sequences of n/2 points. A half of
  /// the coefficients then fills a vector.
  bool has_same_halves() const {
    return kernels_.split_halves != nullptr && n % 2 == 0 && n >= 4 * vector_lanes<Real>();
  }
  /// Whether HalfCore takes `count` such columns: not if they fill wide vectors side by side, and
  /// are short or have a half that no kernel takes by rows.
  bool has_halves(Columns<Real const> const& columns, Index count) const {
    return halves_ && halves_->fits(columns) && !(fill_wide_vectors_ && count >= lanes());
  }
  /// Whether codelets are faster for `count` contiguous columns: if they fill no vector side by
  /// side, or have an odd number of points with a large prime factor, or are short and even and
  /// vectors hold few, as they do of doubles.
  bool has_codelets(Index count) const {
    Index const most = lanes() <= 4 ? 30 : sizeof(Real) == sizeof(double) ? 24 : 0;
    return count < lanes() || are_alone_ || (n <= most && n % 2 == 0);
  }
  /// Whether `count` contiguous columns are faster one after another, as vectors along a column: if
  /// they fill no vector side by side, or have an odd number of points with a large prime factor,
  /// or if they are long and in cache. Side by side, columns out of cache are prefetched.
  bool goes_alone(Index count, bool far) const {
    return !fills_vectors(core, count) || are_alone_ || (!far && count <= most_alone_);
  }
  /// Transforms by HalfCore. If the coefficients of a column are not contiguous in the user's
  /// array, they are made so in a block, and moved.
  void forward(Batch<Real, Complex> const& batch, std::byte* memory) const;
  void backward(Batch<Complex, Real> const& batch, std::byte* memory) const;

  Index const n;
  /// How many contiguous columns are worth a ShortTransform: a vector of them. Not measured for an
  /// even number of points, which have codelets, where a vector fills a cache line.
  Index const least_short = n % 2 == 1 || !vectors_fill_lines<Real>()
                                ? vector_lanes<Real>()
                                : std::numeric_limits<Index>::max();
  RealCore<Real> const core;

 private:
  /// How many columns that go one by one, although they fill vectors, stay in cache: columns of odd
  /// n without large prime factors, of which those of a vector leave the first-level cache.
  static Index most_long_columns(Index n, Tuning const& tuning) {
    constexpr Index least_bytes = 9 << 10;
    Index const bytes = n * static_cast<Index>(sizeof(Real));
    if (n % 2 == 0 || bytes < least_bytes || real_radices(n).empty()) return 0;
    return tuning.resident_of_second.of(caches().second) / bytes;
  }
  bool fill_wide_vectors() const {
    bool const by_radices = n < 32 || (n <= 16 * lanes() && !suits_rows(n / 2, lanes()));
    return by_radices && lanes() >= 8 && std::holds_alternative<RadixCore<Real>>(core);
  }
  Index spectrum_size() const { return halves_->columns() * spectrum_lane_; }

  RealKernels<Real> kernels_;
  std::vector<Way<Real>> coefficients_;
  std::optional<HalfCore<Real>> halves_;
  Index spectrum_lane_;  // of contiguous coefficients in a block
  Index most_alone_;
  bool fill_wide_vectors_;  // as many columns as lanes are faster side by side than by halves
  bool are_alone_;
};

template <class Real>
void Fourier<Real>::forward(Batch<Real, Complex> const& batch, std::byte* memory) const {
  bool const straight_out = batch.out.row.step(n / 2 + 1) == 1;
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
      kernels_.move_complex(coefficients_, as_source(part.out), from_column(batch.out, first),
                            part.columns);
  }
}

template <class Real>
void Fourier<Real>::backward(Batch<Complex, Real> const& batch, std::byte* memory) const {
  bool const straight_in = batch.in.row.step(n / 2 + 1) == 1;
  Index const most = straight_in ? batch.columns : halves_->columns();
  Scratch scratch(memory);
  Complex* const block = scratch.template take<Complex>(spectrum_size());
  for (Index first = 0; first < batch.columns; first += most) {
    Batch<Complex, Real> part = batch;
    part.columns = std::min(most, batch.columns - first);
    part.out = from_column(batch.out, first);
    if (!straight_in) {
      Columns<Complex> const spectrum{block, RowMap::every(1), spectrum_lane_};
      kernels_.move_complex(coefficients_, from_column(batch.in, first), spectrum, part.columns);
      part.in = as_source(spectrum);
    }
    halves_->backward(part, scratch.rest());
  }
}

template <class Real>
class RealToComplex final : public Transform<Real, std::complex<Real>> {
 public:
  RealToComplex(Index n, Local whose, Tuning const& tuning) : tools_(n, false, whose, tuning) {
    if (whose != Local::own || is_reproducible(tuning)) return;
    short_ = short_transform<Real>(Kind::r2c, false, n, chosen_target());
    codelet_ = codelet_makers<Real>(chosen_target()).r2c(n, false);
    if (!codelet_) alone_ = make_r2c_alone<Real>(n);
  }

  Index n() const override { return tools_.n; }
  Index lanes() const override { return tools_.lanes(); }
  std::size_t scratch_bytes() const override {
    return std::max(tools_.scratch_bytes(), alone_ ? alone_->scratch_bytes() : 0);
  }
  std::string describe() const override { return "r2c by " + tools_.describe(); }

  void run(Batch<Real, std::complex<Real>> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    bool const are_contiguous =
        contiguous.in.row.step(n()) == 1 && contiguous.out.row.step(n() / 2 + 1) == 1;
    if (short_ && batch.columns >= tools_.least_short && are_contiguous) {
      short_({batch.in.data + batch.in.row[0],
              reinterpret_cast<Real*>(batch.out.data + batch.out.row[0]), batch.in.lane,
              2 * batch.out.lane, batch.columns, batch.scale, nullptr});
      return;
    }
    if (codelet_ && tools_.has_codelets(batch.columns) && are_contiguous) {
      run_columns(*codelet_, contiguous, n() / 2 + 1);
      return;
    }
    if (alone_ && tools_.goes_alone(batch.columns, batch.far) && are_contiguous) {
      alone_->run(contiguous, scratch);
      return;
    }
    if (tools_.has_halves(contiguous.in, batch.columns)) {
      tools_.forward(contiguous, scratch);
      return;
    }
    std::visit(
        [&](auto const& core) {
          for_each_block(batch, core, [&](auto const& in, auto const& out, Index columns) {
            auto const block = core.block(scratch, columns, batch.scale, batch.far);
            core.analyse(in, block);
            core.put(block, out);
          });
        },
        tools_.core);
  }

 private:
  Fourier<Real> tools_;
  ShortTransform<Real> short_ = nullptr;  // of contiguous columns that fill vectors
  std::unique_ptr<Codelet<Real, std::complex<Real>> const> codelet_;  // of contiguous columns
  std::unique_ptr<Transform<Real, std::complex<Real>>> alone_;        // of few or long ones
};

template <class Real>
class ComplexToReal final : public Transform<std::complex<Real>, Real> {
 public:
  ComplexToReal(Index n, Local whose, Tuning const& tuning) : tools_(n, true, whose, tuning) {
    if (whose != Local::own || is_reproducible(tuning)) return;
    short_ = short_transform<Real>(Kind::r2c, true, n, chosen_target());
    codelet_ = codelet_makers<Real>(chosen_target()).c2r(n, true);
    if (!codelet_) alone_ = make_c2r_alone<Real>(n);
  }

  Index n() const override { return tools_.n; }
  Index lanes() const override { return tools_.lanes(); }
  std::size_t scratch_bytes() const override {
    return std::max(tools_.scratch_bytes(), alone_ ? alone_->scratch_bytes() : 0);
  }
  std::string describe() const override { return "c2r by " + tools_.describe(); }

  void run(Batch<std::complex<Real>, Real> const& batch, std::byte* scratch) const override {
    check(batch);
    auto const contiguous = with_free_lanes(batch, n());
    bool const are_contiguous =
        contiguous.in.row.step(n() / 2 + 1) == 1 && contiguous.out.row.step(n()) == 1;
    if (short_ && batch.columns >= tools_.least_short && are_contiguous) {
      short_({reinterpret_cast<Real const*>(batch.in.data + batch.in.row[0]),
              batch.out.data + batch.out.row[0], 2 * batch.in.lane, batch.out.lane, batch.columns,
              batch.scale, nullptr});
      return;
    }
    if (codelet_ && tools_.has_codelets(batch.columns) && are_contiguous) {
      run_columns(*codelet_, contiguous, n());
      return;
    }
    if (alone_ && tools_.goes_alone(batch.columns, batch.far) && are_contiguous) {
      alone_->run(contiguous, scratch);
      return;
    }
    if (tools_.has_halves(as_source(contiguous.out), batch.columns)) {
      tools_.backward(contiguous, scratch);
      return;
    }
    std::visit(
        [&](auto const& core) {
          for_each_block(batch, core, [&](auto const& in, auto const& out, Index columns) {
            auto const block = core.block(scratch, columns, batch.scale, batch.far);
            core.get(in, block);
            core.synthesise(block, out);
          });
        },
        tools_.core);
  }

 private:
  Fourier<Real> tools_;
  ShortTransform<Real> short_ = nullptr;
  std::unique_ptr<Codelet<std::complex<Real>, Real> const> codelet_;
  std::unique_ptr<Transform<std::complex<Real>, Real>> alone_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c(Index n, Local whose,
                                                              Tuning const& tuning) {
  if (are_long_reals(n, tuning)) return make_long_r2c<Real>(n, whose, tuning);
  return beside_if_faster<Real, std::complex<Real>>(
      std::make_unique<RealToComplex<Real>>(n, whose, tuning), n, n / 2 + 1, whose, tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r(Index n, Local whose,
                                                              Tuning const& tuning) {
  if (are_long_reals(n, tuning)) return make_long_c2r<Real>(n, whose, tuning);
  return beside_if_faster<std::complex<Real>, Real>(
      std::make_unique<ComplexToReal<Real>>(n, whose, tuning), n / 2 + 1, n, whose, tuning);
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
