// SPDX-License-Identifier: BSD-3-Clause
// Contiguous transforms of lengths for which rows-inl.hpp has no radix, by Stockham's passes.
//
// A pass of radix R, of which s is the product of the radices before it and m = n / (s R), takes
//   y[q + s (R p + k)] = w_(n/s)^(p k) sum_j w_R^(j k) x[q + s (p + m j)],
// for q < s and p < m, from one array to another; after all passes the result is in order
// (Stockham, High-speed convolution and correlation, 1966). In the first pass s is 1, and lanes are
// neighbouring p; in all others lanes are neighbouring q. So one column fills the vectors, whatever
// its length. Where the last vector of a row would go beyond it, it begins earlier and computes
// some elements twice; rows shorter than a vector are written in ascending order, so that each
// overwrites what the one before left beyond its end. Compiled once for each instruction set.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "local/caches.hpp"
#include "local/kernels/butterflies-inl.hpp"
#include "local/kernels/columns.hpp"
#include "local/kernels/vector-inl.hpp"
#include "local/numbers/at.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/roots.hpp"
#include "tuning.hpp"

#if defined(SIXSTEP_LOCAL_STOCKHAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_STOCKHAM_INL
#undef SIXSTEP_LOCAL_STOCKHAM_INL
#else
#define SIXSTEP_LOCAL_STOCKHAM_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::SIXSTEP_KERNELS {

/// n complex numbers with real and imaginary parts in arrays of their own.
template <class Real>
struct SplitColumn {
  Real* re;
  Real* im;
};

/// One pass, and the twiddles w_(n/s)^(p k), k > 0. In the first pass those of all p lie side by
/// side, the real parts before the imaginary ones; in all others those of all k, as complex
/// numbers.
template <class Real>
struct StockhamPass {
  Index radix, m, s;
  std::vector<Real> twiddles;
};

/// Calls body(i) for vectors that begin at i = 0, L, 2 L, ... of `count` elements, the last one
/// earlier.
template <class Real, class Body>
HWY_INLINE void for_vectors(Index count, Body const& body) {
  constexpr Index L = lanes<Real>;
  Index i = 0;
  for (; i + L <= count; i += L) body(i);
  if (i < count) body(std::max<Index>(count - L, 0));
}

template <int R, class Real>
HWY_NOINLINE void first_stockham_pass(StockhamPass<Real> const& pass, Real const* x, bool backward,
                                      SplitColumn<Real> y) {
  constexpr Index L = lanes<Real>;
  Tag<Real> const d;
  Index const m = pass.m;
  for_vectors<Real>(m, [&](Index p) HWY_ATTR {
    Complex<Real> a[R];
    HWY_UNROLL(16)
    for (int j = 0; j < R; ++j) {
      hn::LoadInterleaved2(d, x + 2 * (p + m * j), a[j].re, a[j].im);
      if (backward) std::swap(a[j].re, a[j].im);
    }
    butterfly<R>(a);
    HWY_ALIGN Real re[R * L], im[R * L];
    hn::Store(a[0].re, d, re);
    hn::Store(a[0].im, d, im);
    Real const* w = pass.twiddles.data() + p;
    HWY_UNROLL(16)
    for (int k = 1; k < R; ++k, w += 2 * m) {
      Complex<Real> const b = a[k] * Complex<Real>{hn::LoadU(d, w), hn::LoadU(d, w + m)};
      hn::Store(b.re, d, re + k * L);
      hn::Store(b.im, d, im + k * L);
    }
    for (Index lane = 0; lane < L; ++lane)
      for (Index k = 0; k < R; ++k) {
        y.re[R * (p + lane) + k] = re[k * L + lane];
        y.im[R * (p + lane) + k] = im[k * L + lane];
      }
  });
}

template <int R, class Real>
HWY_NOINLINE void next_stockham_pass(StockhamPass<Real> const& pass, SplitColumn<Real> x,
                                     SplitColumn<Real> y) {
  Tag<Real> const d;
  Index const s = pass.s, jump = s * pass.m;
  Real const* w = pass.twiddles.data();
  for (Index p = 0; p < pass.m; ++p, w += 2 * (R - 1))
    for_vectors<Real>(s, [&](Index q) HWY_ATTR {
      Complex<Real> a[R];
      Index from = s * p + q, to = s * R * p + q;
      HWY_UNROLL(16)
      for (int j = 0; j < R; ++j, from += jump)
        a[j] = {hn::LoadU(d, x.re + from), hn::LoadU(d, x.im + from)};
      butterfly<R>(a);
      hn::StoreU(a[0].re, d, y.re + to);
      hn::StoreU(a[0].im, d, y.im + to);
      HWY_UNROLL(16)
      for (int k = 1; k < R; ++k) {
        to += s;
        Complex<Real> const b = a[k] * broadcast<Real>(w[2 * k - 2], w[2 * k - 1]);
        hn::StoreU(b.re, d, y.re + to);
        hn::StoreU(b.im, d, y.im + to);
      }
    });
}

template <class Real>
struct StockhamKernels {
  void (*first)(StockhamPass<Real> const&, Real const*, bool, SplitColumn<Real>) = nullptr;
  void (*next)(StockhamPass<Real> const&, SplitColumn<Real>, SplitColumn<Real>) = nullptr;

  template <int R>
  static StockhamKernels of() {
    return {first_stockham_pass<R, Real>, next_stockham_pass<R, Real>};
  }

  /// Null for a radix that only lengths have which a number of lanes divides.
  static StockhamKernels of(Index radix) {
    if constexpr (has_all_kernels) switch (radix) {
        case 2:
          return of<2>();
        case 3:
          return of<3>();
        case 4:
          return of<4>();
        case 5:
          return of<5>();
        case 6:
          return of<6>();
        case 7:
          return of<7>();
        case 9:
          return of<9>();
        case 10:
          return of<10>();
        case 11:
          return of<11>();
        case 12:
          return of<12>();
        case 13:
          return of<13>();
        case 14:
          return of<14>();
        case 15:
          return of<15>();
        default:;
      }
    return {};
  }
};

template <class Real>
class StockhamRows final : public ContiguousRows<Real> {
 public:
  /// Null for a length whose passes have no kernel, or whose first pass would not fill a vector.
  static std::unique_ptr<StockhamRows> make(Index n, Tuning const& tuning) {
    if (n * tuning.stockham_point_bytes > caches().second) return nullptr;
    std::vector<Index> factors = radices(n);
    std::sort(factors.rbegin(), factors.rend());
    bool const has_kernels = std::all_of(factors.begin(), factors.end(), [](Index radix) {
      return StockhamKernels<Real>::of(radix).first != nullptr;
    });
    if (factors.size() < 2 || !has_kernels || n / factors.front() < lanes<Real>) return nullptr;
    return std::make_unique<StockhamRows>(n, factors);
  }

  StockhamRows(Index n, std::vector<Index> const& factors) : n_(n) {
    Roots const roots(n);
    Index s = 1;
    for (Index const radix : factors) {
      StockhamPass<Real> pass{radix, n / (s * radix), s, {}};
      pass.twiddles.resize(at(2 * (radix - 1) * pass.m));
      for (Index p = 0; p < pass.m; ++p)
        for (Index k = 1; k < radix; ++k) {
          std::complex<Real> const w = roots.at<Real>(p * k * s);
          bool const first = s == 1;
          Index const place = first ? 2 * (k - 1) * pass.m + p : 2 * ((radix - 1) * p + k - 1);
          pass.twiddles[at(place)] = w.real();
          pass.twiddles[at(place + (first ? pass.m : 1))] = w.imag();
        }
      passes_.push_back(std::move(pass));
      kernels_.push_back(StockhamKernels<Real>::of(radix));
      s *= radix;
    }
  }

  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(4 * part_reals()) * sizeof(Real);
  }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    auto* const reals = reinterpret_cast<Real*>(scratch);
    Index const part = part_reals();
    SplitColumn<Real> x{reals, reals + part}, y{reals + 2 * part, reals + 3 * part};
    // Vectors of a short row read beyond the last element.
    for (Real* end : {x.re, x.im, y.re, y.im}) std::fill(end + n_, end + part, Real{0});
    for (Index c = 0; c < batch.columns; ++c) {
      auto const* const from = batch.in.data + batch.in.row[0] + c * batch.in.lane;
      auto* const to = batch.out.data + batch.out.row[0] + c * batch.out.lane;
      kernels_[0].first(passes_[0], reinterpret_cast<Real const*>(from), batch.backward, x);
      for (std::size_t i = 1; i < passes_.size(); ++i) {
        kernels_[i].next(passes_[i], x, y);
        std::swap(x, y);
      }
      put(x, batch.backward, batch.scale, reinterpret_cast<Real*>(to));
    }
  }

  std::string describe() const override {
    std::string words;
    for (auto const& pass : passes_)
      words += (words.empty() ? "" : " x ") + std::to_string(pass.radix);
    return words;
  }

 private:
  // A backward transform is a forward one with real and imaginary parts exchanged on both sides.
  HWY_NOINLINE void put(SplitColumn<Real> x, bool backward, Real scale, Real* to) const {
    Tag<Real> const d;
    Scale<Real> const scaled(scale);
    if (backward) std::swap(x.re, x.im);
    for_vectors<Real>(n_, [&](Index i) HWY_ATTR {
      Complex<Real> const z = scaled({hn::LoadU(d, x.re + i), hn::LoadU(d, x.im + i)});
      hn::StoreInterleaved2(z.re, z.im, d, to + 2 * i);
    });
  }

  // Reals of one part of a column, with a vector beyond its end, and aligned.
  Index part_reals() const {
    constexpr Index line = line_bytes / static_cast<Index>(sizeof(Real));
    return (n_ + lanes<Real> + line - 1) / line * line;
  }

  Index n_;
  std::vector<StockhamPass<Real>> passes_;
  std::vector<StockhamKernels<Real>> kernels_;
};

}  // namespace sixstep::local::SIXSTEP_KERNELS
HWY_AFTER_NAMESPACE();

#endif  // toggle
