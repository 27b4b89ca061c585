// SPDX-License-Identifier: BSD-3-Clause
// Columns of reals, one after another. Long ones that are not contiguous are copied to a block
// first, as many at once as a cache line has reals if there is room.
#include "local/long_reals.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/memory.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/constants.hpp"
#include "local/long_transform.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/one_column.hpp"
#include "local/real_blocks.hpp"
#include "local/real_core.hpp"
#include "local/two_level_reals.hpp"

namespace sixstep::local {

namespace {

/// Copies `rows` rows of columns; either side may be the one that is contiguous.
template <class Element>
void copy_columns(Columns<Element const> const& from, Columns<Element> const& to, Index rows,
                  Index columns) {
  for (Index k = 0; k < rows; ++k)
    for (Index c = 0; c < columns; ++c)
      to.data[to.row[k] + c * to.lane] = from.data[from.row[k] + c * from.lane];
}

/// Passes columns one by one to run(in, out, rest), contiguous and maybe in place, whose memory
/// `rest` follows the block.
template <class In, class Out>
class OneByOne {
  using Real = typename RealOf<In>::type;

 public:
  OneByOne(Index n, Index in_rows, Index out_rows, Tuning const& tuning)
      : in_rows_(in_rows),
        out_rows_(out_rows),
        pitch_bytes_((n / 2 + 1) * Index{sizeof(std::complex<Real>)}),
        columns_(std::clamp<Index>(tuning.most_real_block_bytes / pitch_bytes_, 1,
                                   line_bytes / Index{sizeof(Real)})) {}

  std::size_t block_bytes() const {
    return aligned(static_cast<std::size_t>(columns_ * pitch_bytes_));
  }

  template <class Run>
  void operator()(Batch<In, Out> const& batch, std::byte* scratch, Run const& run) const {
    std::byte* const rest = scratch + block_bytes();
    if (batch.in.row.step(in_rows_) == 1 && batch.out.row.step(out_rows_) == 1) {
      for (Index c = 0; c < batch.columns; ++c)
        run(batch.in.data + batch.in.row[0] + c * batch.in.lane,
            batch.out.data + batch.out.row[0] + c * batch.out.lane, rest);
      return;
    }
    Columns<In> const before{reinterpret_cast<In*>(scratch), RowMap::every(1),
                             pitch_bytes_ / Index{sizeof(In)}};
    Columns<Out> const after{reinterpret_cast<Out*>(scratch), RowMap::every(1),
                             pitch_bytes_ / Index{sizeof(Out)}};
    for (Index first = 0; first < batch.columns; first += columns_) {
      Index const columns = std::min(columns_, batch.columns - first);
      copy_columns<In>(from_column(batch.in, first), before, in_rows_, columns);
      for (Index c = 0; c < columns; ++c)
        run(before.data + c * before.lane, after.data + c * after.lane, rest);
      copy_columns<Out>(as_source(after), from_column(batch.out, first), out_rows_, columns);
    }
  }

 private:
  Index in_rows_, out_rows_;
  Index pitch_bytes_;  // between columns of the block
  Index columns_;      // of the block
};

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

/// Columns of odd n, as complex columns without imaginary parts, which `complex` transforms.
template <class In, class Out>
class OddReals final : public Transform<In, Out> {
  using Real = typename RealOf<In>::type;
  using Complex = std::complex<Real>;
  static constexpr bool is_forward = std::is_same_v<In, Real>;

 public:
  OddReals(std::shared_ptr<Transform<Complex> const> complex, Tuning const& tuning)
      : complex_(std::move(complex)),
        one_by_one_(n(), is_forward ? n() : n() / 2 + 1, is_forward ? n() / 2 + 1 : n(), tuning) {}

  Index n() const override { return complex_->n(); }
  Index lanes() const override { return 1; }
  std::size_t scratch_bytes() const override {
    return one_by_one_.block_bytes() + column_bytes() + complex_->scratch_bytes();
  }
  std::string describe() const override {
    return text(is_forward ? "r2c" : "c2r", " by ", complex_->describe());
  }

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    check(batch);
    one_by_one_(batch, scratch, [&](In const* in, Out* out, std::byte* rest) {
      auto* const z = reinterpret_cast<Complex*>(rest);
      Index const all = n(), last = all / 2;
      if constexpr (is_forward) {
        std::copy_n(in, all, z);
        transform(z, batch.scale, rest + column_bytes());
        z[0] = z[0].real();
        std::copy_n(z, last + 1, out);
      } else {
        // Reals: GCC 12 makes complex numbers of them by way of memory, which takes longer.
        auto const* const parts = reinterpret_cast<Real const*>(in);
        auto* const points = reinterpret_cast<Real*>(z);
        points[0] = parts[0];
        points[1] = 0;
        for (Index k = 1, mirrored = all - 1; k <= last; ++k, --mirrored) {
          points[2 * k] = points[2 * mirrored] = parts[2 * k];
          points[2 * k + 1] = parts[2 * k + 1];
          points[2 * mirrored + 1] = -parts[2 * k + 1];
        }
        transform(z, batch.scale, rest + column_bytes());
        for (Index j = 0; j < all; ++j) out[j] = points[2 * j];
      }
    });
  }

 private:
  std::size_t column_bytes() const {
    return aligned(static_cast<std::size_t>(n()) * sizeof(Complex));
  }
  void transform(Complex* z, Real scale, std::byte* scratch) const {
    complex_->run({.in = {z, RowMap::every(1), n()},
                   .out = {z, RowMap::every(1), n()},
                   .columns = 1,
                   .backward = !is_forward,
                   .scale = scale},
                  scratch);
  }

  std::shared_ptr<Transform<Complex> const> complex_;
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
  if (n % 2 == 1)
    return std::make_unique<OddReals<Real, std::complex<Real>>>(
        make_transform<Real>(n, whose, tuning), tuning);
  return std::make_unique<LongReals<Real, std::complex<Real>>>(n, whose, tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_long_c2r(Index n, Local whose,
                                                                   Tuning const& tuning) {
  if (n % 2 == 1)
    return std::make_unique<OddReals<std::complex<Real>, Real>>(
        make_transform<Real>(n, whose, tuning), tuning);
  return std::make_unique<LongReals<std::complex<Real>, Real>>(n, whose, tuning);
}

template <class Real>
std::unique_ptr<Transform<Real, std::complex<Real>>> make_r2c_alone(Index n) {
  if (n % 2 == 0) return make_even<Real, std::complex<Real>>(n);
  return std::make_unique<OddReals<Real, std::complex<Real>>>(shared_one_column<Real>(n), Tuning());
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>, Real>> make_c2r_alone(Index n) {
  if (n % 2 == 0) return make_even<std::complex<Real>, Real>(n);
  return std::make_unique<OddReals<std::complex<Real>, Real>>(shared_one_column<Real>(n), Tuning());
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
