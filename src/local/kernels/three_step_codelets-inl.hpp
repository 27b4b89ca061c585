// SPDX-License-Identifier: BSD-3-Clause
// Transforms of one contiguous column of n = A B C complex numbers in three steps.
//
// The steps are those of ComplexCodelet, whose second transform is itself one of B C elements. The
// first step and the later two are functions of their own, which know only their radices: nine
// functions of A and one for each pair of B and C serve all lengths. Vectors hold S neighbouring
// numbers. Where S does not divide A or B C, the last vector overlaps the one before it. Compiled
// once for each instruction set.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "local/kernels/codelets-inl.hpp"
#include "local/kernels/codelets.hpp"
#include "local/numbers/roots.hpp"

#if defined(SIXSTEP_LOCAL_THREE_STEP_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_THREE_STEP_CODELETS_INL
#undef SIXSTEP_LOCAL_THREE_STEP_CODELETS_INL
#else
#define SIXSTEP_LOCAL_THREE_STEP_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// The most points. Convolutions within codelets have up to twice as many as codelets, or the next
/// length that there is.
inline constexpr Index most_step_points = 2160;
/// The numbers in a vector: at most the least A.
inline constexpr int least_first_radix = 4;
template <class Real>
inline constexpr int step_numbers = fitting_numbers<Real>(least_first_radix);

template <class Real>
using StepFactors = NumberFactors<Real, step_numbers<Real>>;

/// The transform of R vectors.
template <int R, class Real, int S>
HWY_INLINE void load_butterfly(Real const* from, Spread const& source, Interleaved<Real, S>* x) {
  for_places<R>(from, source,
                [&](int i, Real const* place) HWY_ATTR { x[i] = load_some_numbers<S>(place); });
  butterfly<R, Eighths::last>(x);
}

/// Stores R vectors one after another.
template <int R, class Real, int S>
HWY_INLINE void store_vectors(Interleaved<Real, S> const* x, Real* to) {
  HWY_UNROLL(16)
  for (int i = 0; i < R; ++i) store_numbers(x[i], to + 2 * S * i);
}

/// The numbers of A elements in whole vectors.
template <class Real>
constexpr int padded(int a) {
  return vectors_over<step_numbers<Real>>(a) * step_numbers<Real>;
}

/// Transforms of A elements, which are `rows` apart, and twiddles. Result a of transform b goes to
/// number b padded(A) + a.
template <class Real>
struct FirstStep {
  Real const* from;
  Spread source;
  Real* to;
  StepFactors<Real> const* factors;  // [vector of rows][A - 1]
  Index rows;
};

template <class Real, int A>
void first_step(FirstStep<Real> const& step) {
  constexpr int S = step_numbers<Real>;
  StepFactors<Real> const* factors = step.factors;
  for (Index next = 0; next < step.rows; next += S, factors += A - 1) {
    Index const b = std::min(next, step.rows - S);
    Interleaved<Real, S> x[A];
    load_butterfly<A>(step.from + 2 * b, step.source, x);
    HWY_UNROLL(32)
    for (int a = 1; a < A; ++a) x[a] = times(x[a], factors[a - 1]);
    for_indices<vectors_over<S>(A)>([&](auto w) HWY_ATTR {
      constexpr int first = w() * S, row = 2 * padded<Real>(A);
      Interleaved<Real, S> square[S];
      take_square<first, A>(x, square);
      HWY_UNROLL(8)
      for (int i = 0; i < S; ++i) store_numbers(square[i], step.to + row * (b + i) + 2 * first);
    });
  }
}

/// Transforms of B C rows of numbers, in vectors along the rows.
template <class Real>
struct LaterSteps {
  Real const* from;
  Real* to;
  Spread source;     // B rows that are C apart
  Spread target;     // C rows that are B apart
  Index source_row;  // Reals in a row
  Index target_row;
  StepFactors<Real> const* factors;  // [C - 1][B - 1]
  Index vectors;
  AdjacentColumns<Real const> next = {nullptr, 0};  // rows that are prefetched
};

template <class Real, int B, int C>
void later_steps(LaterSteps<Real> const& steps) {
  constexpr int S = step_numbers<Real>;
  using Number = Interleaved<Real, S>;
  HWY_ALIGN Real between[2 * S * B * C];  // [c][b]
  Spread const source = steps.source, target = steps.target;
  Spread const next_rows(C, B * steps.next.row, 1);
  Index const source_row = steps.source_row, target_row = steps.target_row;
  for (Index v = 0; v < steps.vectors; ++v) {
    Real const* from = steps.from + 2 * S * v;
    Real* middle = between;
    Number first[B];
    load_butterfly<B>(from, source, first);
    store_vectors<B>(first, middle);
    StepFactors<Real> const* factors = steps.factors;
    for (int c = 1; c < C; ++c, factors += B - 1) {
      Number x[B];
      load_butterfly<B>(from += source_row, source, x);
      HWY_UNROLL(16)
      for (int b = 1; b < B; ++b) x[b] = times(x[b], factors[b - 1]);
      store_vectors<B>(x, middle += 2 * S * B);
    }
    Real* to = steps.to + 2 * S * v;
    Real const* const next = steps.next.data;
    for (int b = 0; b < B; ++b, to += target_row) {
      if (next != nullptr) fetch_places<C>(next + b * steps.next.row + 2 * S * v, next_rows, 1);
      Number x[C];
      HWY_UNROLL(16)
      for (int c = 0; c < C; ++c) x[c] = load_some_numbers<S>(between + 2 * S * (c * B + b));
      butterfly<C, Eighths::last>(x);
      for_places<C>(to, target, [&](int c, Real* place) HWY_ATTR { store_numbers(x[c], place); });
    }
  }
}

/// The radices of n = a b c.
struct ThreeRadices {
  int a, b, c;
};

/// 16 registers hold only the shorter ones.
inline constexpr int most_short_radix = 10;
inline constexpr std::array first_radices{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 25};
inline constexpr std::array later_radices{3, 4, 5, 6, 7, 8, 9, 10, 12};

/// The time of a number in a step of radix R, in instructions: those of the butterfly, a load and a
/// store. With 16 registers, radices take longer than that, above all those that these do not hold.
template <class Real>
constexpr double time_of_radix(int r) {
  constexpr double of_25 = 14;
  constexpr std::array instructions{0.,  2.,   3.5, 5.3, 4.5,  8.4, 6.3, 10.6, 6.5,
                                    9.8, 11.5, 13., 7.8, 14.5, 12., 12., 9.3};
  if (!has_512_bits<Real>) return r > most_short_radix ? 2 * r : r;
  return r == 25 ? of_25 : instructions[static_cast<std::size_t>(r)];
}

/// Radices with b >= c whose steps take the least time. The later steps do too much where their
/// last vector is not full. Nothing if n is no such product.
template <class Real>
std::optional<ThreeRadices> three_radices(Index n) {
  constexpr int S = step_numbers<Real>;
  constexpr double twiddles = has_512_bits<Real> ? 5 : 0, last_vector = 1.15;
  std::optional<ThreeRadices> best;
  double least = 0;
  auto const consider = [&](int a, int b, int c) {
    if (n != Index{a} * b * c) return;
    double const waste = static_cast<double>(vectors_over<S>(a) * S) / a;
    double const later = time_of_radix<Real>(b) + twiddles + time_of_radix<Real>(c);
    double const cost =
        (time_of_radix<Real>(a) + 2 * twiddles + waste * later) * (a % S == 0 ? 1 : last_vector);
    if (best && cost > least) return;
    best = ThreeRadices{a, b, c};
    least = cost;
  };
  for (int a : first_radices)
    for (int b : later_radices)
      for (int c : later_radices)
        if (c <= b) consider(a, b, c);
  // The instructions do not foretell these, which were measured.
  if constexpr (has_512_bits<Real>)
    for (ThreeRadices const& measured : {ThreeRadices{4, 10, 5}, ThreeRadices{4, 10, 10}})
      if (n == Index{measured.a} * measured.b * measured.c) best = measured;
  return best;
}

/// Whether n is a product of radices that the 16 registers of AVX2 hold.
template <class Real>
bool has_short_radices(Index n) {
  auto const radices = three_radices<Real>(n);
  return has_256_bits<Real> && radices && radices->a <= most_short_radix &&
         radices->b <= most_short_radix;
}

template <class Real>
using FirstStepFunction = void (*)(FirstStep<Real> const&);
template <class Real>
using LaterStepsFunction = void (*)(LaterSteps<Real> const&);

template <class Real>
FirstStepFunction<Real> first_step_of(int a) {
  FirstStepFunction<Real> found = nullptr;
  for_indices<first_radices.size()>([&](auto i) {
    if (a == first_radices[i]) found = first_step<Real, first_radices[i]>;
  });
  return found;
}

template <class Real>
LaterStepsFunction<Real> later_steps_of(int b, int c) {
  LaterStepsFunction<Real> found = nullptr;
  for_indices<later_radices.size()>([&](auto i) {
    for_indices<i() + 1>([&](auto j) {
      if (b == later_radices[i] && c == later_radices[j])
        found = later_steps<Real, later_radices[i], later_radices[j]>;
    });
  });
  return found;
}

template <class Real>
class ThreeStepCodelet final : public Codelet<std::complex<Real>, std::complex<Real>> {
  static constexpr int S = step_numbers<Real>;

 public:
  ThreeStepCodelet(ThreeRadices radices, bool backward)
      : a_(radices.a),
        rows_(radices.b * radices.c),
        backward_(backward),
        first_(first_step_of<Real>(radices.a)),
        later_(later_steps_of<Real>(radices.b, radices.c)),
        source_(a_, 2 * rows_, sign()),
        middle_(radices.b, 2 * padded<Real>(radices.a) * radices.c, sign()),
        target_(radices.c, 2 * a_ * radices.b, sign()),
        block_target_(radices.c, 2 * S * radices.b, sign()) {
    Roots const roots(a_ * rows_);
    for (Index row = 0; row < rows_; row += S)
      for (Index a = 1; a < a_; ++a) add_factors(roots, std::min(row, rows_ - S) * a, a);
    later_factors_ = factors_.size();
    for (Index c = 1; c < radices.c; ++c)
      for (Index b = 1; b < radices.b; ++b) add_factors(roots, a_ * b * c, 0);
  }

  void run(std::complex<Real> const* in, std::complex<Real>* out) const override {
    HWY_ALIGN Real buffer[most_padded_reals];  // [row][padded a]
    first_({reinterpret_cast<Real const*>(in), source_, buffer, factors_.data(), rows_});
    auto* const to = reinterpret_cast<Real*>(out);
    StepFactors<Real> const* const factors = factors_.data() + later_factors_;
    Index const whole = a_ / S * S, row = 2 * padded<Real>(static_cast<int>(a_));
    later_({buffer, to, middle_, target_, row, 2 * a_, factors, whole / S});
    if (whole < a_) {
      HWY_ALIGN Real block[2 * S * most_rows];
      later_({buffer + 2 * whole, block, middle_, block_target_, row, 2 * S, factors, 1});
      copy_first_numbers<S - 1>(block, to + 2 * whole);
    }
  }

 private:
  static constexpr Index most_rows = most_step_points / least_first_radix;
  static constexpr Index most_padded_reals = 2 * 8 * most_step_points / 5;

  Index sign() const { return backward_ ? -1 : 1; }

  // The first numbers of each row of S numbers: a % S of them, which are at most `most`.
  template <int most>
  HWY_INLINE void copy_first_numbers(Real const* from, Real* to) const {
    if constexpr (most > 1)
      if (a_ % S < most) return copy_first_numbers<most - 1>(from, to);
    if constexpr (most > 0)
      for (Index row = 0; row < rows_; ++row)
        store_first_numbers<most>(load_some_numbers<S>(from + 2 * S * row), to + 2 * a_ * row);
  }

  // Those of power, power + step, ...
  void add_factors(Roots const& roots, Index power, Index step) {
    factors_.emplace_back();
    for (int i = 0; i < S; ++i) {
      auto const root = roots.template at<Real>(power + i * step);
      factors_.back().set(i, backward_ ? std::conj(root) : root);
    }
  }

  Index a_;
  Index rows_;
  bool backward_;
  FirstStepFunction<Real> first_;
  LaterStepsFunction<Real> later_;
  Spread source_;
  Spread middle_;
  Spread target_;
  Spread block_target_;
  std::vector<StepFactors<Real>> factors_;  // of the first step, then of the later ones
  std::size_t later_factors_ = 0;
};

/// The codelet of n complex points in two or three steps; null if there is none.
template <class Real>
std::unique_ptr<AnyComplexCodelet<Real> const> make_steps_codelet(Index n, bool backward) {
  if constexpr (has_all_kernels) {
    if (auto listed = make_listed_codelet<Real>(n, backward)) return listed;
    if (n <= most_step_points)
      if (auto const radices = three_radices<Real>(n))
        return std::make_unique<ThreeStepCodelet<Real>>(*radices, backward);
  }
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
