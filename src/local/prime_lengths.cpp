// SPDX-License-Identifier: BSD-3-Clause
// Lengths with large prime factors: rows of that many points, and primes by convolution.
#include <algorithm>
#include <array>
#include <vector>

#include "base/memory.hpp"
#include "local/column_by_column.hpp"
#include "local/kernels/codelets.hpp"
#include "local/kernels/multiply.hpp"
#include "local/long_transform.hpp"
#include "local/numbers/primes.hpp"
#include "local/numbers/recipe.hpp"
#include "local/numbers/reproducible.hpp"
#include "local/targets.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {
namespace {

/// target = source times table: complex numbers. In place, too.
template <class Real>
void multiply(std::complex<Real> const* source, std::complex<Real>* target,
              std::vector<Real> const& table, Index first, Index count) {
  multiply_rows<Real, false>(
      reinterpret_cast<Real const*>(source), reinterpret_cast<Real*>(target),
      table.data() + 2 * first,
      {.rows = 1, .count = count, .source_row = 0, .target_row = 0, .table_row = 0});
}

/// Columns of `rest` points, then rows of a prime number, each by a codelet or, of more points than
/// codelets have, by a convolution: along the column, all vectors are full.
template <class Real>
class WithPrime final : public ColumnByColumn<Real> {
 public:
  using Complex = std::complex<Real>;
  using PrimeCodelet = std::unique_ptr<Codelet<Complex, Complex> const>;

  WithPrime(Index rest, Index prime, PrimeCodelet forward, PrimeCodelet backward,
            Tuning const& tuning)
      : ColumnByColumn<Real>(rest * prime),
        prime_(prime),
        columns_(make_transform<Real>(rest, Local::own, tuning)),
        forward_(std::move(forward)),
        backward_(std::move(backward)),
        convolved_(forward_ ? nullptr : make_convolved<Real>(prime, tuning)) {
    Roots const roots(rest * prime);
    for (Index k = 0; k < rest; ++k)
      for (Index j = 0; j < prime; ++j) {
        auto const root = roots.at<Real>(k * j);
        turns_[0].insert(turns_[0].end(), {root.real(), root.imag()});
        turns_[1].insert(turns_[1].end(), {root.real(), -root.imag()});
      }
  }

  std::string describe() const override {
    return text("(", columns_->describe(), ") x ",
                convolved_ ? convolved_->describe() : text(prime_, " (codelet)"));
  }

 private:
  static std::size_t bytes(Index points) {
    return aligned(static_cast<std::size_t>(points) * sizeof(Complex));
  }
  std::size_t column_scratch_bytes() const override {
    return bytes(this->n()) +
           std::max(columns_->scratch_bytes(),
                    bytes(prime_) + (convolved_ ? convolved_->scratch_bytes() : 0));
  }

  void run_column(Complex const* in, Complex* out, bool backward, Real scale,
                  std::byte* scratch) const override {
    auto* const work = reinterpret_cast<Complex*>(scratch);
    std::byte* const rest = scratch + bytes(this->n());
    columns_->run({.in = {in, RowMap::every(prime_), 1},
                   .out = {work, RowMap::every(prime_), 1},
                   .columns = prime_,
                   .backward = backward,
                   .scale = scale},
                  rest);
    auto* const row = reinterpret_cast<Complex*>(rest);
    Index const rows = columns_->n();
    for (Index k = 0; k < rows; ++k) {
      Complex* const mine = work + k * prime_;
      if (k > 0) multiply(mine, mine, turns_[backward], k * prime_, prime_);
      if (convolved_)
        convolved_->run({.in = {mine, RowMap::every(1), prime_},
                         .out = {row, RowMap::every(1), prime_},
                         .columns = 1,
                         .backward = backward},
                        rest + bytes(prime_));
      else
        (backward ? backward_ : forward_)->run(mine, row);
      for (Index j = 0; j < prime_; ++j) out[k + j * rows] = row[j];
    }
  }

  Index prime_;
  std::unique_ptr<Transform<Complex>> columns_;
  std::array<std::vector<Real>, 2> turns_;  // roots between columns and rows: there, and backward
  PrimeCodelet forward_, backward_;
  std::unique_ptr<Transform<Complex>> convolved_;  // null with codelets
};

/// The backward transform is that of the conjugate, conjugated.
template <class Real>
class Convolved final : public ColumnByColumn<Real> {
 public:
  using Complex = std::complex<Real>;

  Convolved(Index n, Tuning const& tuning)
      : ColumnByColumn<Real>(n),
        is_reproducible_(is_reproducible(tuning)),
        prime_(convolution_of<Real>(n, contiguous_multiple)),
        transform_(make_transform<Real>(prime_.length, Local::own, tuning)) {}

  std::string describe() const override {
    return text(prime_.rader ? "Rader " : "Bluestein ", prime_.length, " (", transform_->describe(),
                ")");
  }

 private:
  std::size_t operand_bytes() const {
    return aligned(static_cast<std::size_t>(prime_.length) * sizeof(Complex));
  }

  std::size_t column_scratch_bytes() const override {
    return operand_bytes() + transform_->scratch_bytes();
  }

  void run_column(Complex const* in, Complex* out, bool backward, Real scale,
                  std::byte* scratch) const override {
    auto* const operand = reinterpret_cast<Complex*>(scratch);
    std::byte* const rest = scratch + operand_bytes();
    if (prime_.rader)
      rader(in, out, backward, scale, operand, rest);
    else
      bluestein(in, out, backward, scale, operand, rest);
  }

  void transform(Complex* operand, bool backward, Real scale, std::byte* rest) const {
    transform_->run({.in = {operand, RowMap::every(1), 1},
                     .out = {operand, RowMap::every(1), 1},
                     .columns = 1,
                     .backward = backward,
                     .scale = scale,
                     .twist = {}},
                    rest);
  }

  /// Kernels round as each instruction set is fastest.
  void multiply_by(Complex const* source, Complex* target, std::vector<Real> const& table,
                   Index count) const {
    if (!is_reproducible_) return multiply(source, target, table, 0, count);
    for (Index i = 0; i < count; ++i) {
      Real const re = table[static_cast<std::size_t>(2 * i)];
      Real const im = table[static_cast<std::size_t>(2 * i + 1)];
      Complex const x = source[i];
      target[i] = {x.real() * re - x.imag() * im, x.real() * im + x.imag() * re};
    }
  }

  static Complex conjugated(Complex x, bool backward) { return backward ? std::conj(x) : x; }
  static void conjugate(Complex const* source, Complex* target, Index count) {
    auto const* const from = reinterpret_cast<Real const*>(source);
    auto* const to = reinterpret_cast<Real*>(target);
    for (Index i = 0; i < count; ++i) {
      to[2 * i] = from[2 * i];
      to[2 * i + 1] = -from[2 * i + 1];
    }
  }

  void rader(Complex const* in, Complex* out, bool backward, Real scale, Complex* operand,
             std::byte* rest) const {
    Index const length = prime_.length;
    Complex const x0 = conjugated(in[0], backward);
    for (Index q = 0; q < length; ++q) operand[q] = in[prime_.from[static_cast<std::size_t>(q)]];
    if (backward) conjugate(operand, operand, length);
    transform(operand, false, 1, rest);
    Complex const sum = x0 + operand[0];
    multiply_by(operand, operand, prime_.spectrum, length);
    operand[0] += x0;  // adds it to every row of the result
    transform(operand, true, scale, rest);
    if (backward) conjugate(operand, operand, length);
    out[0] = scale * conjugated(sum, backward);
    for (Index q = 0; q < length; ++q) out[prime_.to[static_cast<std::size_t>(q)]] = operand[q];
  }

  void bluestein(Complex const* in, Complex* out, bool backward, Real scale, Complex* operand,
                 std::byte* rest) const {
    Index const n = this->n();
    if (backward) conjugate(in, operand, n);
    multiply_by(backward ? operand : in, operand, prime_.chirp, n);
    std::fill(operand + n, operand + prime_.length, Complex{});
    transform(operand, false, 1, rest);
    multiply_by(operand, operand, prime_.spectrum, prime_.length);
    transform(operand, true, scale, rest);
    multiply_by(operand, out, prime_.chirp, n);
    if (backward) conjugate(out, out, n);
  }

  // The kernels of rows-inl.hpp suit multiples of it.
  static constexpr Index contiguous_multiple = 8;

  bool is_reproducible_;
  Convolution<Real> prime_;
  std::unique_ptr<Transform<Complex>> transform_;
};

}  // namespace

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_with_prime(Index n, Tuning const& tuning) {
  Index const prime = n == 1 ? 1 : prime_factors(n).back();
  if (n <= most_codelet_points || prime <= largest_butterfly) return nullptr;
  if (prime == n) return make_convolved<Real>(n, tuning);
  auto const make = codelet_makers<Real>(chosen_target()).complex;
  auto forward = make(prime, false), backward = make(prime, true);
  if (prime <= most_codelet_points && (!forward || !backward)) return nullptr;
  return std::make_unique<WithPrime<Real>>(n / prime, prime, std::move(forward),
                                           std::move(backward), tuning);
}

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_convolved(Index n, Tuning const& tuning) {
  return std::make_unique<Convolved<Real>>(n, tuning);
}

template std::unique_ptr<Transform<std::complex<float>>> make_with_prime(Index, Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_with_prime(Index, Tuning const&);
template std::unique_ptr<Transform<std::complex<float>>> make_convolved(Index, Tuning const&);
template std::unique_ptr<Transform<std::complex<double>>> make_convolved(Index, Tuning const&);

}  // namespace sixstep::local
