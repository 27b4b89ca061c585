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

namespace sixstep::plan {

/// Transforms and roots of unity, each made once per length and shared by the passes of a plan.
class Kernels {
 public:
  explicit Kernels(Local whose = Local::own, Tuning const& tuning = {})
      : whose_(whose), tuning_(tuning) {}

  Tuning const& tuning() const { return tuning_; }

  /// One of this kind with n points, or n reals, from such elements to such elements.
  template <class In, class Out>
  local::Transform<In, Out> const& transform(Kind kind, Index n) {
    using Real = typename local::RealOf<In>::type;
    auto& made = std::get<Made<In, Out>>(made_)[{kind, n}];
    if (made) return *made;
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
  using Made = std::map<std::pair<Kind, Index>, std::unique_ptr<local::Transform<In, Out>>>;

  template <class Real, class Complex = std::complex<Real>>
  using AllMade = std::tuple<Made<Complex, Complex>, Made<Real, Complex>, Made<Complex, Real>,
                             Made<Real, Real>>;

  Local whose_;
  Tuning tuning_;
  decltype(std::tuple_cat(AllMade<float>(), AllMade<double>())) made_;
  std::map<Index, std::unique_ptr<local::Roots>> roots_;
};

}  // namespace sixstep::plan
