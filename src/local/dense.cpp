// SPDX-License-Identifier: BSD-3-Clause
// Passes blocks of columns through scratch memory and another library.
#include "local/dense.hpp"

#include <algorithm>
#include <array>

#include "base/memory.hpp"
#include "local/kernels/gather.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

/// An out-of-place plan of FFTW or MKL for `columns` columns.
template <class Real>
class ForeignPlan {
 public:
  using Complex = std::complex<Real>;

  struct Shape {
    Index n, columns, distance;
  };

  ForeignPlan(Library<Real> const& library, Shape const& shape, bool backward, Complex* in,
              Complex* out)
      : library_(library) {
    // Estimated, not measured, so that results have the same bits in every run.
    constexpr unsigned estimate = 1u << 6;
    constexpr unsigned destroy_input = 1u << 0;
    typename Library<Real>::Dimension const length{shape.n, 1, 1};
    typename Library<Real>::Dimension const many{shape.columns, shape.distance, shape.distance};
    std::lock_guard const lock(planner());
    plan_ =
        library.plan(1, &length, 1, &many, in, out, backward ? 1 : -1, estimate | destroy_input);
    require(plan_, "local: ", library.name, " has no plan for the length ", shape.n);
  }
  ~ForeignPlan() {
    std::lock_guard const lock(planner());
    library_.destroy(plan_);
  }
  ForeignPlan(ForeignPlan const&) = delete;
  ForeignPlan& operator=(ForeignPlan const&) = delete;

  void run(Complex* in, Complex* out) const { library_.execute(plan_, in, out); }

 private:
  Library<Real> const& library_;
  typename Library<Real>::Plan plan_;
};

/// Complex numbers in a cache line.
template <class Real>
constexpr Index line = static_cast<Index>(alignment / sizeof(std::complex<Real>));

/// The number of columns in a block: as many as fit in half of a small second-level cache, but at
/// least one cache line of each row, which is read together. Very long columns are taken one by
/// one.
template <class Real>
Index block_for(Index n, Tuning const& tuning) {
  constexpr Index element = sizeof(std::complex<Real>);
  if (n > tuning.library_line_bytes / (line<Real> * element)) return 1;
  Index const fits = tuning.library_block_bytes / (n * element);
  return std::clamp(fits / line<Real> * line<Real>, line<Real>,
                    tuning.library_block_lines * line<Real>);
}

/// The distance between columns of a block: whole cache lines, because plans are made for aligned
/// columns, and an odd number of them, because columns a power of two apart would compete for the
/// same cache sets.
template <class Real>
Index distance_for(Index n) {
  return ((n + line<Real> - 1) / line<Real> | 1) * line<Real>;
}

template <class Real>
class Dense final : public Transform<std::complex<Real>> {
 public:
  using Complex = std::complex<Real>;

  Dense(Index n, Library<Real> const& library, Tuning const& tuning)
      : n_(n),
        block_(block_for<Real>(n, tuning)),
        distance_(distance_for<Real>(n)),
        library_(library) {
    Memory const trial = allocate(scratch_bytes());
    auto* const in = reinterpret_cast<Complex*>(trial.get());
    for (bool backward : {false, true}) {
      Pair& pair = plans_[backward];
      pair.block = make_plan(block_, backward, in);
      pair.column = make_plan(1, backward, in);
    }
  }

  Index n() const override { return n_; }
  Index lanes() const override { return block_; }
  std::size_t scratch_bytes() const override {
    return static_cast<std::size_t>(2 * block_ * distance_) * sizeof(Complex);
  }
  std::string describe() const override { return library_.name; }

  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const override {
    auto* const in = reinterpret_cast<Complex*>(scratch);
    Complex* const out = in + block_ * distance_;
    Pair const& plans = plans_[batch.backward];
    for (Index first = 0; first < batch.columns; first += block_) {
      Index const columns = std::min(block_, batch.columns - first);
      gather<Real>(from_column(batch.in, first), n_, columns, in, distance_);
      if (columns == block_)
        plans.block->run(in, out);
      else
        for (Index c = 0; c < columns; ++c)
          plans.column->run(in + c * distance_, out + c * distance_);
      for (Index c = 0; c < columns; ++c) finish(batch, first + c, out + c * distance_);
      scatter<Real>(out, distance_, n_, columns, from_column(batch.out, first));
    }
  }

 private:
  using Plan = std::unique_ptr<ForeignPlan<Real>>;
  struct Pair {
    Plan block;
    Plan column;
  };

  Plan make_plan(Index columns, bool backward, Complex* in) const {
    typename ForeignPlan<Real>::Shape const shape{n_, columns, distance_};
    return std::make_unique<ForeignPlan<Real>>(library_, shape, backward, in,
                                               in + block_ * distance_);
  }

  /// Applies scale and twist, which the libraries do not support.
  void finish(Batch<std::complex<Real>> const& batch, Index column, Complex* data) const {
    if (batch.twist.roots) {
      // first and step may be any integers; their sum must not overflow.
      auto const step = batch.twist.first + static_cast<__int128>(column) * batch.twist.step;
      twist(*batch.twist.roots, step, batch.backward, batch.scale, data);
    } else if (batch.scale != 1) {
      for (Index k = 0; k < n_; ++k) data[k] *= batch.scale;
    }
  }

  /// Multiplies element k by scale * w^(k step). Exact roots are expensive, so it makes only those
  /// of the first chunk and one for each further chunk. The others are products in double
  /// precision.
  void twist(Roots const& roots, __int128 step, bool backward, Real scale, Complex* data) const {
    constexpr Index chunk = 32;
    auto const root = [&](Index k) {
      auto power = static_cast<Index>(k * (step % roots.n()) % roots.n());
      if (power < 0) power += roots.n();
      std::complex<double> const exact = roots.at<double>(power);
      return backward ? std::conj(exact) : exact;
    };
    std::array<std::complex<double>, chunk> fine;
    for (Index j = 0; j < std::min(chunk, n_); ++j)
      fine[static_cast<std::size_t>(j)] = root(j) * static_cast<double>(scale);
    for (Index begin = 0; begin < n_; begin += chunk) {
      std::complex<double> const coarse = root(begin);
      for (Index j = 0; j < std::min(chunk, n_ - begin); ++j)
        data[begin + j] =
            Complex(product(product(coarse, fine[static_cast<std::size_t>(j)]), data[begin + j]));
    }
  }

  /// A product in double precision, without the checks for infinities in std::complex.
  static std::complex<double> product(std::complex<double> const& a,
                                      std::complex<double> const& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  Index n_;
  Index block_;
  Index distance_;  // between columns of a block
  Library<Real> const& library_;
  std::array<Pair, 2> plans_;  // forward, backward
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_dense(Index n, Library<Real> const& library,
                                                          Tuning const& tuning) {
  require(n >= 1, "transform: the length is ", n, ", it must be positive");
  return std::make_unique<Dense<Real>>(n, library, tuning);
}

template std::unique_ptr<Transform<std::complex<float>>> make_dense(Index, Library<float> const&,
                                                                    Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_dense(Index, Library<double> const&,
                                                                     Tuning const&);

}  // namespace sixstep::local
