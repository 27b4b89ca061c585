// SPDX-License-Identifier: BSD-3-Clause
// Columns of reals, one after another.
#include "local/long_reals.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/memory.hpp"
#include "local/kernels/codelets.hpp"
#include "local/long_transform.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/odd_reals.hpp"
#include "local/one_by_one.hpp"
#include "local/one_column.hpp"
#include "local/real_blocks.hpp"
#include "local/real_core.hpp"
#include "local/targets.hpp"
#include "local/two_level_reals.hpp"

namespace sixstep::local {

namespace {

template <class In, class Out>
class LongReals final : public Transform<In, Out> {
  using Real = typename RealOf<In>::type;
  static constexpr bool is_forward = std::is_same_v<In, Real>;

 public:
  LongReals(Index n, Local whose, Tuning const& tuning)
      : levels_(n, whose, tuning),
        n_(n),
        one_by_one_(n, is_forward ? n : n / 2 + 1, is_forward ? n / 2 + 1 : n, tuning) {}

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override {
    return one_by_one_.block_bytes() + levels_.workspace_bytes(false, 1);
  }
  std::string describe() const override {
    return text(is_forward ? "r2c" : "c2r", " by ", levels_.describe());
  }

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    check(batch);
    one_by_one_(batch, scratch, [&](In const* in, Out* out, std::byte* rest) {
      if constexpr (is_forward)
        levels_.forward(in, out, batch.scale, 1, rest);
      else
        levels_.backward(in, out, batch.scale, false, 1, rest);
    });
  }

 private:
  TwoLevelReals<Real> levels_;
  Index n_;
  OneByOne<In, Out> one_by_one_;
};

/// Contiguous columns of even n, each as one complex column of n/2 points.
template <class In, class Out>
class EvenReals final : public Transform<In, Out> {
  using Real = typename RealOf<In>::type;
  static constexpr bool is_forward = std::is_same_v<In, Real>;

 public:
  EvenReals(Index n, std::unique_ptr<Transform<std::complex<Real>>> half)
      : n_(n), halves_(n, std::move(half), Tuning()) {}
  /// Uses the kernels that make_real_rows() has for n/2 points.
  explicit EvenReals(Index n) : n_(n), halves_(n, !is_forward, Local::own, Tuning()) {}

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override { return halves_.scratch_bytes(); }
  std::string describe() const override { return halves_.describe(); }

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    check(batch);
    for (Index c = 0; c < batch.columns; ++c) {
      Batch<In, Out> column = batch;  // the distance of columns may be odd
      column.in = from_column(batch.in, c);
      column.out = from_column(batch.out, c);
      column.columns = 1;
      if constexpr (is_forward)
        halves_.forward(column, scratch);
      else
        halves_.backward(column, scratch);
    }
  }

 private:
  Index n_;
  HalfCore<Real> halves_;
};

/// Null where kernels take n/2 points by rows, or n has a codelet.
template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_even(Index n) {
  using Real = typename RealOf<In>::type;
  Index const half = n / 2;
  if (half < 2 || n <= most_codelet_points || prime_factors(half).back() <= largest_butterfly)
    return nullptr;
  return std::make_unique<EvenReals<In, Out>>(n, make_one_column<Real>(half));
}

template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_one_even(Index n) {
  using Real = typename RealOf<In>::type;
  bool const backward = std::is_same_v<Out, Real>;
  if (make_real_rows<Real>(n / 2, backward, chosen_target(), Tuning()) != nullptr)
    return std::make_unique<EvenReals<In, Out>>(n);
  return std::make_unique<EvenReals<In, Out>>(n, make_one_column<Real>(n / 2));
}

template <class Real>
class LongCosines final : public Transform<Real> {
 public:
  LongCosines(Kind kind, Index n, Local whose, Tuning const& tuning)
      : name_(to_string(kind)),
        is_forward_(kind == Kind::dct2 || kind == Kind::dst2),
        halves_(n, kind == Kind::dst2 || kind == Kind::dst3, whose, tuning),
        n_(n),
        one_by_one_(n, n, n, tuning) {}

  Index n() const override { return n_; }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override {
    return one_by_one_.block_bytes() + halves_.scratch_bytes();
  }
  std::string describe() const override { return name_ + " by " + halves_.describe(); }

  void run(Batch<Real> const& batch, std::byte* scratch) const override {
    check(batch);
    one_by_one_(batch, scratch, [&](Real const* in, Real* out, std::byte* rest) {
      Batch<Real> const column{.in = {in, RowMap::every(1), n_},
                               .out = {out, RowMap::every(1), n_},
                               .columns = 1,
                               .scale = batch.scale};
      if (is_forward_)
        halves_.forward(column, rest);
      else
        halves_.backward(column, rest);
    });
  }

 private:
  std::string name_;
  bool is_forward_;
  HalfCosineCore<Real> halves_;
  Index n_;
  OneByOne<Real, Real> one_by_one_;
};

}  // namespace

bool are_long_reals(Index n, Tuning const& tuning) {
  return n >= std::max<Index>(tuning.least_two_level_reals, 4) && !is_reproducible(tuning);
}

template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_long_r2c(Index n, Local whose,
                                                                   Tuning const& tuning) {
  if (n % 2 == 1) return make_long_odd_reals<Real, std::complex<Real>>(n, whose, tuning);
  return std::make_unique<LongReals<Real, std::complex<Real>>>(n, whose, tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_long_c2r(Index n, Local whose,
                                                                   Tuning const& tuning) {
  if (n % 2 == 1) return make_long_odd_reals<std::complex<Real>, Real>(n, whose, tuning);
  return std::make_unique<LongReals<std::complex<Real>, Real>>(n, whose, tuning);
}

template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c_alone(Index n) {
  if (n % 2 == 0) return make_even<Real, std::complex<Real>>(n);
  return make_odd_reals<Real, std::complex<Real>>(n, Tuning());
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r_alone(Index n) {
  if (n % 2 == 0) return make_even<std::complex<Real>, Real>(n);
  return make_odd_reals<std::complex<Real>, Real>(n, Tuning());
}

template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c_one_column(Index n) {
  if (n % 2 == 1) return make_r2c_alone<Real>(n);
  if (are_long_reals(n, {}) || n <= most_codelet_points) return nullptr;
  return make_one_even<Real, std::complex<Real>>(n);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r_one_column(Index n) {
  if (n % 2 == 1) return make_c2r_alone<Real>(n);
  if (are_long_reals(n, {}) || n <= most_codelet_points) return nullptr;
  return make_one_even<std::complex<Real>, Real>(n);
}

template <class Real>
std::unique_ptr<Transform<Real>> make_long_cosines(Kind kind, Index n, Local whose,
                                                   Tuning const& tuning) {
  return std::make_unique<LongCosines<Real>>(kind, n, whose, tuning);
}

template std::unique_ptr<Transform<float, std::complex<float>>> make_r2c_alone(Index);
template std::unique_ptr<Transform<double, std::complex<double>>> make_r2c_alone(Index);
template std::unique_ptr<Transform<std::complex<float>, float>> make_c2r_alone(Index);
template std::unique_ptr<Transform<std::complex<double>, double>> make_c2r_alone(Index);
template std::unique_ptr<Transform<float, std::complex<float>>> make_r2c_one_column(Index);
template std::unique_ptr<Transform<double, std::complex<double>>> make_r2c_one_column(Index);
template std::unique_ptr<Transform<std::complex<float>, float>> make_c2r_one_column(Index);
template std::unique_ptr<Transform<std::complex<double>, double>> make_c2r_one_column(Index);
template std::unique_ptr<Transform<float>> make_long_cosines(Kind, Index, Local, Tuning const&);
template std::unique_ptr<Transform<double>> make_long_cosines(Kind, Index, Local, Tuning const&);
template std::unique_ptr<Transform<float, std::complex<float>>> make_long_r2c(Index, Local,
                                                                              Tuning const&);
template std::unique_ptr<Transform<double, std::complex<double>>> make_long_r2c(Index, Local,
                                                                                Tuning const&);
template std::unique_ptr<Transform<std::complex<float>, float>> make_long_c2r(Index, Local,
                                                                              Tuning const&);
template std::unique_ptr<Transform<std::complex<double>, double>> make_long_c2r(Index, Local,
                                                                                Tuning const&);

}  // namespace sixstep::local
