// SPDX-License-Identifier: BSD-3-Clause
// Transforms of short columns of complex numbers side by side: in registers, or in two steps.
// Compiled once for each instruction set.
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "local/kernels/codelets.hpp"
#include "local/kernels/partial_vectors-inl.hpp"
#include "local/kernels/three_step_codelets-inl.hpp"

#if defined(SIXSTEP_LOCAL_COLUMNS_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_COLUMNS_CODELETS_INL
#undef SIXSTEP_LOCAL_COLUMNS_CODELETS_INL
#else
#define SIXSTEP_LOCAL_COLUMNS_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// The first `rest` < S numbers of a vector, and zeros. Nothing is read behind them.
template <int S, class Real>
HWY_INLINE Interleaved<Real, S> load_rest(Real const* from, Index rest) {
  NumbersTag<Real, S> const d;
  if constexpr (2 * S * sizeof(Real) <= 16)  // a mask would be made by reading what lies behind
    return {hn::ZeroExtendVector(d, hn::LoadU(hn::Half<decltype(d)>(), from))};
  else
    return {hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(2 * rest)), d, from)};
}
template <class Real, int S>
HWY_INLINE void store_rest(Interleaved<Real, S> x, Index rest, Real* to) {
  put_first(NumbersTag<Real, S>(), x.parts, to, 2 * rest);
}

template <class Real>
AdjacentColumns<Real const> reals_of(AdjacentColumns<std::complex<Real> const> of) {
  return {reinterpret_cast<Real const*>(of.data), 2 * of.row};
}
template <class Real>
AdjacentColumns<Real> reals_of(AdjacentColumns<std::complex<Real>> of) {
  return {reinterpret_cast<Real*>(of.data), 2 * of.row};
}

template <class Real, int R>
class ButterflyColumns final : public ColumnsCodelet<Real> {
  using Complex = std::complex<Real>;
  static constexpr int S = numbers<Real>;

 public:
  explicit ButterflyColumns(bool backward) : sign_(backward ? -1 : 1) {}

  using ColumnsCodelet<Real>::run;
  void run(AdjacentColumns<Complex const> in, AdjacentColumns<Complex> out, Index columns,
           AdjacentColumns<Complex const>) const override {
    auto const [from, in_row] = reals_of(in);
    auto const [to, out_row] = reals_of(out);
    Spread const source(R, in_row, sign_), target(R, out_row, 1);
    Index c = 0;
    for (; c + S <= columns; c += S) step<S>(from + 2 * c, source, to + 2 * c, target);
    if (c + 1 == columns) return step<1>(from + 2 * c, source, to + 2 * c, target);
    if constexpr (S > 2)
      if (c < columns) step_of_rest(from + 2 * c, source, to + 2 * c, target, columns - c);
  }

 private:
  template <int numbers>
  HWY_INLINE static void step(Real const* from, Spread const& source, Real* to,
                              Spread const& target) {
    Interleaved<Real, numbers> x[R];
    load_butterfly<R>(from, source, x);
    for_places<R>(to, target, [&](int k, Real* place) HWY_ATTR { store_numbers(x[k], place); });
  }

  // Fewer columns than a vector has.
  HWY_INLINE static void step_of_rest(Real const* from, Spread const& source, Real* to,
                                      Spread const& target, Index rest) {
    Interleaved<Real, S> x[R];
    for_places<R>(from, source,
                  [&](int k, Real const* place) HWY_ATTR { x[k] = load_rest<S>(place, rest); });
    butterfly<R, Eighths::last>(x);
    for_places<R>(to, target, [&](int k, Real* place) HWY_ATTR { store_rest(x[k], rest, place); });
  }

  Index sign_;
};

/// Columns of n = b c numbers by the later two steps of longer codelets.
template <class Real>
class TwoStepColumns final : public ColumnsCodelet<Real> {
  using Complex = std::complex<Real>;
  static constexpr int S = step_numbers<Real>;
  static constexpr Index reals_together = 128 / sizeof(Real);
  static constexpr int most = later_radices.back() * later_radices.back();

 public:
  TwoStepColumns(int b, int c, bool backward)
      : b_(b), c_(c), sign_(backward ? -1 : 1), steps_(later_steps_of<Real>(b, c)) {
    Roots const roots(b * c);
    for (Index j = 1; j < c; ++j)
      for (Index k = 1; k < b; ++k) {
        auto const root = roots.template at<Real>(j * k);
        factors_.emplace_back();
        for (int i = 0; i < S; ++i) factors_.back().set(i, backward ? std::conj(root) : root);
      }
  }

  using ColumnsCodelet<Real>::run;
  void run(AdjacentColumns<Complex const> in, AdjacentColumns<Complex> out, Index columns,
           AdjacentColumns<Complex const> next) const override {
    auto const from = reals_of(in);
    auto const to = reals_of(out);
    if constexpr (S > 1)
      if (columns < S) return transform_few(from, to, columns);
    Index const rest = columns % S, last = 2 * (columns - S);
    if (rest > 0 && in.data == out.data)
      return transform_in_place(from, to, columns, reals_of(next));
    transform_vectors(from, to, columns - rest, reals_of(next));
    if (rest > 0) transform({from.data + last, from.row}, {to.data + last, to.row}, 1);
  }

 private:
  void transform_vectors(AdjacentColumns<Real const> from, AdjacentColumns<Real> to, Index columns,
                         AdjacentColumns<Real const> next) const {
    bool const by_lines = rows_compete(from.row) || rows_compete(to.row);
    Index const in_lines = by_lines ? 2 * columns / reals_together * reals_together : 0;
    if (in_lines > 0) transform_by_lines(from, to, in_lines);
    transform({from.data + in_lines, from.row}, {to.data + in_lines, to.row},
              (columns - in_lines / 2) / S, next);
  }

  void transform(AdjacentColumns<Real const> from, AdjacentColumns<Real> to, Index vectors,
                 AdjacentColumns<Real const> next = {nullptr, 0}) const {
    Spread const source(b_, from.row * c_, sign_), target(c_, to.row * b_, sign_);
    steps_({from.data, to.data, source, target, from.row, to.row, factors_.data(), vectors, next});
  }

  // Whether all rows begin in one set of the first-level cache, which would lose the line of a row
  // before the second vector of it is wanted.
  bool rows_compete(Index row) const {
    constexpr Index bytes_of_sets = 4096;
    return row * Index{sizeof(Real)} % bytes_of_sets == 0 && b_ * c_ > 8;
  }

  // Some lines of each row at a time, in a block.
  HWY_NOINLINE void transform_by_lines(AdjacentColumns<Real const> from, AdjacentColumns<Real> to,
                                       Index reals) const {
    HWY_ALIGN Real block[reals_together * most];
    Index const n = b_ * c_;
    for (Index begin = 0; begin < reals; begin += reals_together) {
      for (Index k = 0; k < n; ++k)
        std::copy_n(from.data + k * from.row + begin, reals_together, block + k * reals_together);
      transform({block, reals_together}, {block, reals_together}, reals_together / (2 * S));
      for (Index k = 0; k < n; ++k)
        std::copy_n(block + k * reals_together, reals_together, to.data + k * to.row + begin);
    }
  }

  // The last vector begins with columns that another one has, too, and is copied before.
  HWY_NOINLINE void transform_in_place(AdjacentColumns<Real const> from, AdjacentColumns<Real> to,
                                       Index columns, AdjacentColumns<Real const> next) const {
    HWY_ALIGN Real block[2 * S * most];
    Index const last = 2 * (columns - S);
    for (Index k = 0; k < b_ * c_; ++k)
      store_numbers(load_some_numbers<S>(from.data + last + k * from.row), block + 2 * S * k);
    transform_vectors(from, to, columns - columns % S, next);
    transform({block, 2 * S}, {to.data + last, to.row}, 1);
  }

  // Fewer columns than a vector has, in a block.
  HWY_NOINLINE void transform_few(AdjacentColumns<Real const> from, AdjacentColumns<Real> to,
                                  Index columns) const {
    HWY_ALIGN Real block[2 * S * most];
    for (Index k = 0; k < b_ * c_; ++k)
      store_numbers(load_rest<S>(from.data + k * from.row, columns), block + 2 * S * k);
    transform({block, 2 * S}, {block, 2 * S}, 1);
    for (Index k = 0; k < b_ * c_; ++k)
      store_rest(load_some_numbers<S>(block + 2 * S * k), columns, to.data + k * to.row);
  }

  Index b_;
  Index c_;
  Index sign_;
  LaterStepsFunction<Real> steps_;
  std::vector<StepFactors<Real>> factors_;  // [c - 1][b - 1]
};

/// The factors b >= c that differ least. A butterfly of 9 has larger errors than one of 12, so 72
/// is 12 x 6.
template <class Real>
std::unique_ptr<ColumnsCodelet<Real> const> make_two_step_columns(Index n, bool backward) {
  for (auto c = later_radices.rbegin(); c != later_radices.rend(); ++c)
    for (int b : later_radices)
      if (b >= *c && n == Index{b} * *c && !(b == 9 && *c == 8))
        return std::make_unique<TwoStepColumns<Real>>(b, *c, backward);
  return nullptr;
}

/// Null for a length without a butterfly that the registers hold, and without two such factors.
template <class Real>
std::unique_ptr<ColumnsCodelet<Real> const> make_columns_codelet(Index n, bool backward) {
  std::unique_ptr<ColumnsCodelet<Real> const> codelet;
  if constexpr (has_all_kernels) {
    constexpr std::array radices{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 11, 13, 14, 15, 16};
    constexpr int held_by_16_registers = 13;
    constexpr int count = has_512_bits<Real> ? radices.size() : held_by_16_registers;
    for_indices<count>([&](auto i) {
      if (n == radices[i]) codelet = std::make_unique<ButterflyColumns<Real, radices[i]>>(backward);
    });
    if (codelet == nullptr) codelet = make_two_step_columns<Real>(n, backward);
  }
  return codelet;
}

#else

template <class Real>
std::unique_ptr<ColumnsCodelet<Real> const> make_columns_codelet(Index, bool) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
