// SPDX-License-Identifier: BSD-3-Clause
// Shared objects are found by the arguments they were made from. They are made without a lock: if
// two threads make the same one, both keep the one that was ready first.
#include "local/shared_transforms.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <utility>

#include "base/fork.hpp"
#include "local/kernels/codelets.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/primes.hpp"
#include "local/one_column.hpp"
#include "local/targets.hpp"

namespace sixstep::local {

namespace {

/// Objects by key, while others keep them alive.
template <class Key, class Object>
class Registry {
 public:
  template <class Make>
  std::shared_ptr<Object const> get(Key const& key, Make const& make) {
    if (auto found = find(key)) return found;
    std::shared_ptr<Object const> const made = make();
    std::lock_guard const lock(mutex_of(Shared::transforms));
    drop_expired();
    std::weak_ptr<Object const>& kept = objects_[key];
    if (auto others = kept.lock()) return others;
    kept = made;
    return made;
  }

 private:
  std::shared_ptr<Object const> find(Key const& key) const {
    std::lock_guard const lock(mutex_of(Shared::transforms));
    auto const found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second.lock();
  }
  /// Runs when the number of entries has doubled since the last time.
  void drop_expired() {
    if (objects_.size() < check_at_) return;
    std::erase_if(objects_, [](auto const& entry) { return entry.second.expired(); });
    check_at_ = std::max<std::size_t>(64, 2 * objects_.size());
  }

  std::map<Key, std::weak_ptr<Object const>> objects_;
  std::size_t check_at_ = 64;
};

/// Never destroyed, because plans may be static objects that are made and destroyed at any time.
template <class Key, class Object>
Registry<Key, Object>& registry() {
  static auto& only = *new Registry<Key, Object>;
  return only;
}

template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make(Kind kind, Index n, Local whose, Tuning const& tuning) {
  using Real = typename RealOf<In>::type;
  if constexpr (std::is_same_v<In, Real> && std::is_same_v<Out, Real>)
    return make_r2r<Real>(kind, n, whose, tuning);
  else if constexpr (std::is_same_v<In, Real>)
    return make_r2c<Real>(n, whose, tuning);
  else if constexpr (std::is_same_v<Out, Real>)
    return make_c2r<Real>(n, whose, tuning);
  else
    return make_transform<Real>(n, whose, tuning);
}

}  // namespace

template <class In, class Out>
std::shared_ptr<Transform<In, Out> const> shared_transform(Kind kind, Index n, Local whose,
                                                           Tuning const& tuning) {
  using Key = std::tuple<Kind, Index, Local, Target, Tuning>;
  return registry<Key, Transform<In, Out>>().get({kind, n, whose, chosen_target(), tuning}, [&] {
    return make<In, Out>(kind, n, whose, tuning);
  });
}

template <class Real>
std::shared_ptr<Transform<std::complex<Real>> const> shared_one_column(Index n) {
  using Key = std::pair<Index, Target>;
  return registry<Key, Transform<std::complex<Real>>>().get(
      {n, chosen_target()}, [&] { return make_one_column<Real>(n); });
}

std::shared_ptr<Roots const> shared_roots(Index n) {
  return registry<Index, Roots>().get(n, [&] { return std::make_shared<Roots const>(n); });
}

namespace {

bool has_large_prime(Index n, Index most_points, Index most_prime = 13) {
  return n >= 2 && n <= most_points && prime_factors(n).back() > most_prime;
}

// The matrices and chirps of one short column of reals whose length has a large prime factor.
// Matrices are as large as this factor, or for a few points as the length.
Index matrix_bytes(Index n) {
  constexpr Index an_element = 48, most_rows = 64, of_chirp = 320, most_points = 2048;
  if (!has_large_prime(n, most_points)) return 0;
  Index const largest = prime_factors(n).back();
  Index const rows = n < 2 * most_rows ? most_rows : std::min(largest, most_rows);
  return an_element * rows * rows + of_chirp * n;
}

}  // namespace

std::size_t table_bytes(Kind kind, Index n) {
  // Bytes a point in either precision, from measurements. A long complex transform is made of short
  // ones, unless a large prime factor needs a convolution. Cosines and sines of type I have a
  // period of 2 (n - 1) or 2 (n + 1) points.
  constexpr Index few = 4096, few_of_reals = 4864, of_reals = 484, of_short_complex = 288,
                  of_complex = 256, of_long_complex = 8, of_large_prime = 20480,
                  of_codelets = 320;  // with a convolution, in both directions
  constexpr Index most_short_points = 512, long_points = 1 << 17;
  if (kind != Kind::c2c) {
    Index const period = kind == Kind::dct1 ? n - 1 : kind == Kind::dst1 ? n + 1 : n;
    Index const matrices = std::max(matrix_bytes(n), matrix_bytes(period));
    auto const of_blocks = static_cast<std::size_t>(few_of_reals + matrices + of_reals * n);
    // Few contiguous columns have transforms of their own inside (cosines_alone.hpp).
    if (kind == Kind::r2c) return of_blocks + (n % 2 == 1 ? table_bytes(Kind::c2c, n) : 0);
    bool const has_period = period != n;
    return of_blocks + table_bytes(Kind::r2c, has_period ? 2 * std::max<Index>(period, 1) : n);
  }
  bool const is_made_of_short_ones = n > long_points && is_smooth(n);
  Index const a_point = n <= most_short_points  ? of_short_complex
                        : is_made_of_short_ones ? of_long_complex
                                                : of_complex;
  Index const matrices = has_large_prime(n, most_short_points) ? of_large_prime : 0;
  bool const convolves = has_large_prime(n, most_codelet_points, largest_direct);
  Index const codelets = convolves ? of_codelets * n : 0;
  return static_cast<std::size_t>(few + matrices + codelets + a_point * n);
}

template std::shared_ptr<Transform<std::complex<float>> const> shared_one_column(Index);
template std::shared_ptr<Transform<std::complex<double>> const> shared_one_column(Index);
SIXSTEP_SHARED(, float)
SIXSTEP_SHARED(, double)

}  // namespace sixstep::local
