// SPDX-License-Identifier: BSD-3-Clause
// Kernels: what the passes of a plan compute with.
#pragma once

#include <complex>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "local/numbers/roots.hpp"
#include "local/real_transform.hpp"
#include "local/transform.hpp"
#include "local/truncated.hpp"

namespace sixstep::plan {

/// What is done along an axis: a transform of so many points, from so many rows to so many; rows of
/// coefficients may be fewer than it has.
struct Along {
  Kind kind;
  Index points;
  Index source;
  Index target;

  auto operator<=>(Along const&) const = default;
};

/// Which rows a side has, if it has so many of them all.
inline local::Kept kept_of(Kind kind, Index rows, Index all) {
  Index const last = kind == Kind::c2c && rows < all ? rows / 2 : 0;
  return {all, rows - last, last};
}

/// Transforms and roots of unity, each made once per length and shared by the passes of a plan.
class Kernels {
 public:
  explicit Kernels(Local whose = Local::own, Tuning const& tuning = {})
      : whose_(whose), tuning_(tuning) {}

  Tuning const& tuning() const { return tuning_; }

  /// From such elements to such elements.
  template <class In, class Out>
  local::Transform<In, Out> const& transform(Along const& along) {
    using Real = typename local::RealOf<In>::type;
    Kind const kind = along.kind;
    Index const n = along.points;
    auto const all = [&](bool is_real) { return is_real || kind != Kind::r2c ? n : n / 2 + 1; };
    local::Kept const in = kept_of(kind, along.source, all(std::is_same_v<In, Real>));
    local::Kept const out = kept_of(kind, along.target, all(std::is_same_v<Out, Real>));
    auto& made = std::get<Made<In, Out>>(made_)[along];
    if (made) return *made;
    if (in.rows() < in.all || out.rows() < out.all) {
      auto const& whole = transform<In, Out>({kind, n, in.all, out.all});
      made = local::make_truncated(whole, in, out, tuning_);
      return *made;
    }
    if constexpr (std::is_same_v<In, Real> && std::is_same_v<Out, Real>)
      made = local::make_r2r<Real>(kind, n, whose_, tuning_);
    else if constexpr (std::is_same_v<In, Real>)
      made = local::make_r2c<Real>(n, whose_, tuning_);
    else if constexpr (std::is_same_v<Out, Real>)
      made = local::make_c2r<Real>(n, whose_, tuning_);
    else
      made = local::make_transform<Real>(n, whose_, tuning_);
    return *made;
  }
  local::Roots const& roots(Index n) {
    auto& roots = roots_[n];
    if (!roots) roots = std::make_unique<local::Roots>(n);
    return *roots;
  }

 private:
  template <class In, class Out>
  using Made = std::map<Along, std::unique_ptr<local::Transform<In, Out>>>;

  template <class Real, class Complex = std::complex<Real>>
  using AllMade = std::tuple<Made<Complex, Complex>, Made<Real, Complex>, Made<Complex, Real>,
                             Made<Real, Real>>;

  Local whose_;
  Tuning tuning_;
  decltype(std::tuple_cat(AllMade<float>(), AllMade<double>())) made_;
  std::map<Index, std::unique_ptr<local::Roots>> roots_;
};

}  // namespace sixstep::plan
