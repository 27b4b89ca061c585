// SPDX-License-Identifier: BSD-3-Clause
// Transforms of short columns of complex numbers side by side, in registers. Compiled once for each
// instruction set.
#include <memory>

#include "local/kernels/codelets.hpp"
#include "local/kernels/three_step_codelets-inl.hpp"

#if defined(SIXSTEP_LOCAL_COLUMNS_CODELETS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SIXSTEP_LOCAL_COLUMNS_CODELETS_INL
#undef SIXSTEP_LOCAL_COLUMNS_CODELETS_INL
#else
#define SIXSTEP_LOCAL_COLUMNS_CODELETS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

template <class Real, int R>
class ButterflyColumns final : public ColumnsCodelet<Real> {
  using Complex = std::complex<Real>;

 public:
  explicit ButterflyColumns(bool backward) : sign_(backward ? -1 : 1) {}

  void run(Complex const* in, Complex* out, Index columns) const override {
    constexpr int S = numbers<Real>;
    auto const* const from = reinterpret_cast<Real const*>(in);
    auto* const to = reinterpret_cast<Real*>(out);
    Spread const source(R, 2 * columns, sign_), target(R, 2 * columns, 1);
    Index c = 0;
    for (; c + S <= columns; c += S) step<S>(from + 2 * c, source, to + 2 * c, target);
    for (; c < columns; ++c) step<1>(from + 2 * c, source, to + 2 * c, target);
  }

 private:
  template <int S>
  HWY_INLINE static void step(Real const* from, Spread const& source, Real* to,
                              Spread const& target) {
    Interleaved<Real, S> x[R];
    load_butterfly<R>(from, source, x);
    for_places<R>(to, target, [&](int k, Real* place) HWY_ATTR { store_numbers(x[k], place); });
  }

  Index sign_;
};

/// Null for a length without a butterfly that the registers can hold.
template <class Real>
std::unique_ptr<ColumnsCodelet<Real> const> make_columns_codelet(Index n, bool backward) {
  std::unique_ptr<ColumnsCodelet<Real> const> codelet;
  if constexpr (has_all_kernels) {
    constexpr std::array radices{2, 3, 4, 5, 6, 7, 8, 9, 10, 12};
    for_indices<radices.size()>([&](auto i) {
      if (n == radices[i]) codelet = std::make_unique<ButterflyColumns<Real, radices[i]>>(backward);
    });
  }
  return codelet;
}

#else

template <class Real>
std::unique_ptr<ColumnsCodelet<Real> const> make_columns_codelet(Index, bool) {
  return nullptr;
}

#endif  // HWY_SCALAR

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // toggle
