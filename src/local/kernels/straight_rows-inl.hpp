// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms of some lengths: short ones in registers, others in straight loops.
//
// The tables and options of the kernels in butterfly_rows-inl.hpp, short_rows-inl.hpp and
// straight_passes-inl.hpp, and the choice of a kernel for a length. Compiled once for each
// instruction set.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "local/kernels/butterfly_rows-inl.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/columns.hpp"
#include "local/kernels/half_passes-inl.hpp"
#include "local/kernels/row_groups-inl.hpp"
#include "local/kernels/row_tables-inl.hpp"
#include "local/kernels/short_rows-inl.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/root_progressions.hpp"
#include "local/numbers/roots.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_STRAIGHT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_STRAIGHT_ROWS_INL
#undef SIXSTEP_LOCAL_STRAIGHT_ROWS_INL
#else
#define SIXSTEP_LOCAL_STRAIGHT_ROWS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

#if HWY_TARGET != HWY_SCALAR

/// The transforms of short_rows-inl.hpp.
template <class Real>
class ShortRowsWay final : public ContiguousRows<Real> {
 public:
  ShortRowsWay(Index n, ShortRows<Real> const& kernel, Tuning const& tuning)
      : kernel_(kernel), fetching_(tuning) {
    Roots const roots(n);
    for (int c = 0; c < kernel.b; c += numbers<Real>)
      for (int a = 1; a < kernel.a; ++a) twiddles_.forward.push_back(twiddle(roots, c, a));
    twiddles_.conjugate();
  }

  std::size_t scratch_bytes() const override { return 0; }
  std::string describe() const override {
    return std::to_string(kernel_.a) + " x " + std::to_string(kernel_.b);
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte*) const override {
    run_in_groups<Real>(batch, kernel_.transforms, [&](auto from, auto to, Index groups) {
      kernel_.run(from, to, groups, twiddles_.of(batch.backward), batch.backward ? -1 : 1,
                  batch.scale, fetching_.ahead(batch, from, to, groups));
    });
  }

 private:
  // The twiddles of neighbours from c on, in the form that times() needs.
  TwiddleRow<Real> twiddle(Roots const& roots, Index c, Index a) const {
    TwiddleRow<Real> row;
    for (int lane = 0; lane < lanes<Real>; ++lane) {
      auto const root = roots.template at<Real>((c + lane / 2) * a);
      row.parts[lane] = root.real();
      row.parts[lanes<Real> + lane] = lane % 2 == 0 ? -root.imag() : root.imag();
    }
    return row;
  }

  ShortRows<Real> kernel_;
  Fetching fetching_;
  TwiddleTable<Real> twiddles_;
};

/// Transforms of length R1 R2 R3 R4, one group after another: of complex numbers or, with factors
/// for them, of reals.
template <int R1, int R2, int R3, int R4, class Real>
HWY_NOINLINE void straight_rows(RowPlaces<Real const> from, RowPlaces<Real> to, Index groups,
                                StraightWork<Real> const& work) {
  using Shape = StraightShape<Real, R1, R2, R3, R4>;
  Spread const source(R1, 2 * Shape::m, work.sign);
  Spread const target(Shape::last, 2 * Shape::n / Shape::last, work.sign);
  while (groups > 0) {
    Index const some = std::min(groups, Shape::groups);
    Real* rows = work.rows;
    for (Index g = 0; g < some; ++g, rows += Shape::group, from.first += from.group)
      for (int t = 0; t < Shape::transforms; ++t) {
        Real const* const first = from.first + t * from.half;
        Following<Real> const next(work.ahead, from, to, g, t);
        if constexpr (Shape::joins) {
          if (work.join != nullptr) {
            half_first<Shape, R1>(first, next, work.join, work.scale, rows + 2 * R1 * t);
            continue;
          }
        }
        straight_first<Shape, R1>(first, next, source, work.scale, rows + 2 * R1 * t);
      }
    rows = work.rows;
    for (Index g = 0; g < some; ++g, rows += Shape::group, to.first += to.group) {
      StraightResults<Real> const results{to.first, to.half, target};
      bool const splits = Shape::splits && work.split != nullptr;
      if (R3 > 1 || !splits) straight_second<Shape, R2>(rows, work, results);
      if constexpr (Shape::splits) {
        if (splits) {
          half_last<Shape, Shape::last, R3 == 1>(rows, R3 > 1 ? work.third : work.second,
                                                 work.split, results);
          continue;
        }
      }
      if constexpr (R3 > 1)
        for (Index j = 0; j < R2; ++j) {
          straight_third<Shape, R3, R4>(j, rows, work, results);
          if constexpr (R4 > 1) straight_fourth<Shape, R4, R2, R3>(j, rows, work, results);
        }
    }
    groups -= some;
  }
}

/// The kernel for one length, and what its tables depend on.
template <class Real>
struct StraightKernel {
  void (*run)(RowPlaces<Real const>, RowPlaces<Real>, Index, StraightWork<Real> const&) = nullptr;
  StraightRadices radices{};
  // These are of StraightShape:
  Index transforms = 1;
  Index parts = 1;
  Index width = 1;
  Index scratch_reals = 0;
  bool splits = false;
  bool joins = false;

  /// The kernel for complex numbers or, if `halves`, for reals. `run` is null if there is none.
  static StraightKernel of(Index n, bool halves = false) {
    StraightKernel kernel;
    [&]<std::size_t... i>(std::index_sequence<i...>) { (kernel.template take<i>(n, halves), ...); }
    (std::make_index_sequence<straight_radices<Real>.size()>());
    return kernel;
  }

 private:
  template <std::size_t i>
  void take(Index n, bool halves) {
    if constexpr (is_used<Real>(i, false) || is_used<Real>(i, true)) {
      constexpr StraightRadices of = straight_radices<Real>[i];
      using Shape = StraightShape<Real, of.r1, of.r2, of.r3, of.r4>;
      if (n == of.n() && is_used<Real>(i, halves))
        *this = {straight_rows<of.r1, of.r2, of.r3, of.r4, Real>,
                 of,
                 Shape::transforms,
                 Shape::parts,
                 Shape::width,
                 Shape::groups * Shape::group,
                 Shape::splits,
                 Shape::joins};
    }
  }
};

/// The transforms of straight_passes-inl.hpp or, with `halves`, of half_passes-inl.hpp.
template <class Real>
class StraightRowsWay final : public ContiguousRows<Real> {
 public:
  StraightRowsWay(StraightKernel<Real> const& kernel, bool halves, Tuning const& tuning)
      : kernel_(kernel), fetching_(tuning) {
    Index const r2 = kernel.radices.r2, r3 = kernel.radices.r3, r4 = kernel.radices.r4;
    Roots const roots(kernel.radices.n());
    fill(second_, roots, {1, 1}, r2, r3 * r4);
    fill(third_, roots, {r2, 1}, r3, r4);
    fill(fourth_, roots, {r2, r3}, r4, 1);
    if (!halves) return;
    Roots const half_roots(2 * kernel.radices.n());
    add_splits(half_roots);
    if (kernel.joins) add_joins(half_roots);
  }

  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(kernel_.scratch_reals) * sizeof(Real);
  }

  std::string describe() const override {
    std::string text = std::to_string(kernel_.radices.r1);
    for (int radix : {kernel_.radices.r2, kernel_.radices.r3, kernel_.radices.r4})
      if (radix > 1) text += " x " + std::to_string(radix);
    return text;
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    bool const backward = batch.backward;
    run_in_groups<Real>(batch, kernel_.transforms, [&](auto from, auto to, Index groups) {
      kernel_.run(from, to, groups,
                  {.rows = reinterpret_cast<Real*>(scratch),
                   .second = second_.of(backward),
                   .third = third_.of(backward),
                   .fourth = fourth_.of(backward),
                   .sign = backward ? -1 : 1,
                   .scale = batch.scale,
                   .ahead = fetching_.ahead(batch, from, to, groups),
                   .split = backward || split_.empty() ? nullptr : split_.data(),
                   .join = backward && !join_.empty() ? join_.data() : nullptr});
    });
  }

 private:
  // The factors u_k / 2 of r2c.
  void add_splits(Roots const& roots) {
    StraightRadices const& r = kernel_.radices;
    Index const last = r.r3 > 1 ? r.r3 : r.r2, step = r.n() / last;
    for (Index b = 0; 2 * b <= step / kernel_.width; ++b)
      for (Index q = 0; q < last; ++q) {
        TwiddleRow<Real>& row = split_.emplace_back();
        for (int lane = 0; lane < lanes<Real>; ++lane) {
          Index const column = lane_column<Real>(lane) % kernel_.width;
          auto const root = roots.template at<Real>(step * q + kernel_.width * b + column);
          row.parts[lane] = root.imag() / 2;
          row.parts[lanes<Real> + lane] = -root.real() / 2;
        }
      }
  }

  // The factors conj u_k of c2r, in the form that times() needs.
  void add_joins(Roots const& roots) {
    StraightRadices const& r = kernel_.radices;
    Index const m = r.n() / r.r1;
    for (Index p = 0; 2 * p <= m; p += numbers<Real>)
      for (Index a = 0; a < r.r1; ++a) {
        TwiddleRow<Real>& row = join_.emplace_back();
        for (int lane = 0; lane < lanes<Real>; ++lane) {
          auto const root = roots.template at<Real>(p + lane / 2 + m * a);
          row.parts[lane] = root.imag();
          row.parts[lanes<Real> + lane] = lane % 2 == 0 ? -root.real() : root.real();
        }
      }
  }

  // The twiddles of butterflies of columns c from r1 (j + js i) on, j < js, i < is: w_n^(k c
  // factor) as [j][i][part][k - 1].
  struct Butterflies {
    Index js, is;
  };
  void fill(TwiddleTable<Real>& table, Roots const& roots, Butterflies const& of, Index radix,
            Index factor) const {
    Index const r1 = kernel_.radices.r1, columns = r1 * of.js * of.is, parts = kernel_.parts;
    Index const rows = radix - 1;
    table.forward.resize(static_cast<std::size_t>(of.js * of.is * parts * rows));
    table.backward.resize(table.forward.size());
    LaneOrder<Real> const order(r1);
    std::vector<Real> re(static_cast<std::size_t>(columns + lanes<Real>)), im(re.size());
    for (Index k = 1; k < radix; ++k) {
      store_roots(roots, {0, k * factor, columns}, re.data(), im.data());
      auto row = static_cast<std::size_t>(k - 1);
      for (Index j = 0; j < of.js; ++j)
        for (Index i = 0; i < of.is; ++i)
          for (Index part = 0; part < parts; ++part, row += static_cast<std::size_t>(rows)) {
            Index const column = r1 * (j + of.js * i) + part * lanes<Real>;
            order.put(re.data() + column, im.data() + column, table.forward[row],
                      table.backward[row]);
          }
    }
  }

  StraightKernel<Real> kernel_;
  TwiddleTable<Real> second_;
  TwiddleTable<Real> third_;
  TwiddleTable<Real> fourth_;
  std::vector<TwiddleRow<Real>> split_;  // empty for complex transforms
  std::vector<TwiddleRow<Real>> join_;
  Fetching fetching_;
};

/// Codelets, one column after another.
template <class Real>
class CodeletRows final : public ContiguousRows<Real> {
  using Complex = std::complex<Real>;
  using OwnCodelet = std::unique_ptr<Codelet<Complex, Complex> const>;

 public:
  CodeletRows(Index n, OwnCodelet forward, OwnCodelet backward, Tuning const& tuning)
      : n_(n), forward_(std::move(forward)), backward_(std::move(backward)), fetching_(tuning) {}

  std::size_t scratch_bytes() const override { return 0; }
  std::string describe() const override { return std::to_string(n_); }
  void run(Batch<Complex> const& batch, std::byte*) const override {
    auto const& codelet = batch.backward ? *backward_ : *forward_;
    auto from = row_places<Real>(batch.in, 0, 1);
    auto to = row_places<Real>(batch.out, 0, 1);
    Ahead const ahead = fetching_.ahead(batch, from, to, batch.columns);
    for (Index c = 0; c < batch.columns; ++c, from.first += from.group, to.first += to.group) {
      fetch_ahead<1>(ahead, from, to, 2 * n_);
      run_column(codelet, reinterpret_cast<Complex const*>(from.first),
                 reinterpret_cast<Complex*>(to.first), batch.scale, n_);
    }
  }

 private:
  Index n_;
  OwnCodelet forward_, backward_;
  Fetching fetching_;
};

/// The transform for a length in cache; null if these kernels do not have it.
template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_straight_rows(Index n, Tuning const& tuning) {
  if constexpr (has_all_kernels) {
    if (ButterflyRows<Real> const kernel = ButterflyRows<Real>::of(n); kernel.forward != nullptr)
      return std::make_unique<ButterflyRowsWay<Real>>(n, kernel, tuning);
    if (ShortRows<Real> const kernel = ShortRows<Real>::of(n); kernel.run != nullptr)
      return std::make_unique<ShortRowsWay<Real>>(n, kernel, tuning);
    if (auto const kernel = StraightKernel<Real>::of(n); kernel.run != nullptr)
      return std::make_unique<StraightRowsWay<Real>>(kernel, false, tuning);
  }
  return nullptr;
}

/// The transform by codelets; null if there are none.
template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_codelet_rows(Index n, Tuning const& tuning) {
  auto const make = codelet_makers<Real>(HWY_TARGET).complex;
  auto forward = make(n, false);
  if (forward == nullptr) return nullptr;
  return std::make_unique<CodeletRows<Real>>(n, std::move(forward), make(n, true), tuning);
}

/// The transform of 2 m reals in cache; null if these kernels do not have it.
template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_half_rows(Index m, bool backward, Tuning const& tuning) {
  if constexpr (has_all_kernels)
    if (auto const kernel = StraightKernel<Real>::of(m, true);
        backward ? kernel.joins : kernel.splits)
      return std::make_unique<StraightRowsWay<Real>>(kernel, true, tuning);
  return nullptr;
}

#else

template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_straight_rows(Index, Tuning const&) {
  return nullptr;
}

template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_codelet_rows(Index, Tuning const&) {
  return nullptr;
}

template <class Real>
std::unique_ptr<ContiguousRows<Real>> make_half_rows(Index, bool, Tuning const&) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
