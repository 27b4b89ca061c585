// SPDX-License-Identifier: BSD-3-Clause
// Kernels: the transforms and roots of unity that the passes of a plan use.
#pragma once

#include <complex>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "local/numbers/reproducible.hpp"
#include "local/numbers/roots.hpp"
#include "local/one_column.hpp"
#include "local/shared_transforms.hpp"
#include "local/staged.hpp"
#include "local/truncated.hpp"

namespace sixstep::sweep {

/// A transform along an axis: of `points` points, from `source` rows to `target` rows. Either side
/// may have fewer rows than it has: points from `first` on, or the lowest waves.
struct Along {
  Kind kind;
  Index points;
  Index source;
  Index target;
  Index first = 0;
  bool to_points = false;  // the target has points, the source coefficients
  bool splits = false;     // the highest wave kept stands for two
  Index columns = 0;       // all that there are; 0: many

  auto operator<=>(Along const&) const = default;
};

/// The lowest waves, if a side has only `rows` of `all` coefficients.
inline local::Kept kept_waves(Kind kind, Index rows, Index all, bool splits = false) {
  Index const last = kind == Kind::c2c && rows < all ? rows / 2 : 0;
  return {.all = all, .first = rows - last, .last = last, .splits = splits};
}

/// The points from `first` on, which go on at 0 behind the last, if a side has only `rows` of
/// `all`.
inline local::Kept kept_points(Index rows, Index all, Index first) {
  Index const before_end = std::min(rows, all - first);
  return {all, before_end, rows - before_end, first};
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
  local::Transform<In, Out> const& transform(Along along) {
    using Real = typename local::RealOf<In>::type;
    Index const columns = std::exchange(along.columns, 0);
    bool const one_by_one = columns > 0 && local::suits_one_by_one<Real>(along.points, columns);
    Kind const kind = along.kind;
    Index const n = along.points;
    auto const all = [&](bool is_real) { return is_real || kind != Kind::r2c ? n : n / 2 + 1; };
    auto const kept = [&](Index rows, bool is_real, bool are_points) {
      return are_points ? kept_points(rows, all(is_real), along.first)
                        : kept_waves(kind, rows, all(is_real), along.splits);
    };
    local::Kept const in = kept(along.source, std::is_same_v<In, Real>, !along.to_points);
    local::Kept const out = kept(along.target, std::is_same_v<Out, Real>, along.to_points);
    bool const is_part = in.is_part() || out.is_part();
    auto& made = std::get<Made<In, Out>>(made_)[is_part ? along
                                                        : Along{.kind = kind,
                                                                .points = n,
                                                                .source = in.all,
                                                                .target = out.all,
                                                                .columns = one_by_one ? 1 : 0}];
    if (made) return *made;
    if (is_part) {
      Along whole = along;  // on one side more
      whole.columns = columns;
      (in.is_part() ? whole.source : whole.target) = in.is_part() ? in.all : out.all;
      if (in.is_part() == along.to_points)
        whole.splits = false;
      else
        whole.first = 0;
      made = local::make_truncated(transform<In, Out>(whole), in, out, tuning_);
      return *made;
    }
    made = make<In, Out>(kind, n, one_by_one);
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
  std::shared_ptr<local::Transform<In, Out> const> make(Kind kind, Index n, bool one_by_one) const {
    if constexpr (!std::is_same_v<In, typename local::RealOf<In>::type> && std::is_same_v<In, Out>)
      if (one_by_one && whose_ == Local::own && !local::is_reproducible(tuning_))
        return local::shared_one_column<typename local::RealOf<In>::type>(n);
    return local::shared_transform<In, Out>(kind, n, whose_, tuning_);
  }

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
