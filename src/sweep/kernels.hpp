// SPDX-License-Identifier: BSD-3-Clause
// Kernels: the transforms and roots of unity that the passes of a plan use.
#pragma once

#include <complex>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "local/numbers/roots.hpp"
#include "local/shared_transforms.hpp"
#include "local/staged.hpp"
#include "local/truncated.hpp"

namespace sixstep::sweep {

/// A transform along an axis: of `points` points, from `source` rows to `target` rows. There may be
/// fewer rows of coefficients than it has.
struct Along {
  Kind kind;
  Index points;
  Index source;
  Index target;

  auto operator<=>(Along const&) const = default;
};

/// The rows that a side has, if it has only `rows` of `all`.
inline local::Kept kept_of(Kind kind, Index rows, Index all) {
  Index const last = kind == Kind::c2c && rows < all ? rows / 2 : 0;
  return {all, rows - last, last};
}

/// The transforms and roots of unity that the passes of a plan use; other plans share them.
class Kernels {
 public:
  /// The kernels of one of `sharers` ranks that share a last-level cache.
  explicit Kernels(Local whose = Local::own, Tuning const& tuning = {}, int sharers = 1)
      : whose_(whose), tuning_(tuning), pass_tuning_(local::of_sharer(tuning, sharers)) {}

  /// The tuning of passes. Transforms are shared by plans and have a tuning that knows nothing
  /// about sharers.
  Tuning const& tuning() const { return pass_tuning_; }

  /// The transform from elements In to elements Out.
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
    made = local::shared_transform<In, Out>(kind, n, whose_, tuning_);
    table_bytes_ += local::table_bytes(kind, n);
    return *made;
  }
  /// An estimate of the bytes of all tables, including those that other plans share.
  std::size_t table_bytes() const { return table_bytes_; }

  local::Roots const& roots(Index n) {
    auto& roots = roots_[n];
    if (!roots) roots = local::shared_roots(n);
    return *roots;
  }

 private:
  template <class In, class Out>
  using Made = std::map<Along, std::shared_ptr<local::Transform<In, Out> const>>;

  template <class Real, class Complex = std::complex<Real>>
  using AllMade = std::tuple<Made<Complex, Complex>, Made<Real, Complex>, Made<Complex, Real>,
                             Made<Real, Real>>;

  Local whose_;
  Tuning tuning_;
  Tuning pass_tuning_;
  decltype(std::tuple_cat(AllMade<float>(), AllMade<double>())) made_;
  std::map<Index, std::shared_ptr<local::Roots const>> roots_;
  std::size_t table_bytes_ = 0;
};

}  // namespace sixstep::sweep
