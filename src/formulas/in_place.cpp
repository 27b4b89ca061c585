// SPDX-License-Identifier: BSD-3-Clause
// Transforms a long axis in place: its columns, its rows, and the transposition of a square.
#include "formulas/in_place.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <utility>

#include "base/memory.hpp"
#include "base/run_team.hpp"
#include "formulas/pointwise.hpp"
#include "local/numbers/roots.hpp"
#include "local/transform.hpp"
#include "schedule/line.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

/// The square of n points with the smallest items, so the longest side; empty if there is none.
std::optional<redistribution::Square> square_of(Index n, int ranks, Index most_item) {
  for (Index item = 1; item <= std::min(most_item, n / 4); ++item) {
    if (n % item != 0) continue;
    auto side = static_cast<Index>(std::sqrt(static_cast<double>(n / item)));
    while (side * side > n / item) --side;
    while ((side + 1) * (side + 1) <= n / item) ++side;
    if (side * side == n / item && side % ranks == 0)
      return redistribution::Square{side, item, ranks};
  }
  return std::nullopt;
}

/// copy: copies the array unless it is in place; transform_rows: transforms rows.
enum RowsWork : int { copy, transform_rows };

/// Transforms of one rank's rows.
template <class Real>
class Rows final : public Pointwise {
 public:
  /// Throws Error if a local library cannot be loaded.
  Rows(redistribution::Square const& square, int rank, Local local);

  std::size_t scratch_bytes() const override;
  /// source and target must be the same for transform_rows.
  void apply(int work, Operands const& on) override;

 private:
  using Complex = std::complex<Real>;

  struct Scratch {
    std::byte* transform;
    Complex* items;  // m rows
    Complex* fine;   // roots w_N^(k1 j2) of a row, j2 < width
  };
  Scratch scratch_of(std::byte* memory) const;
  void twist(Complex* row, Index k1, bool plus, Scratch const& scratch) const;
  /// How rows are transformed: exp(+) or exp(-), and the factor of the result.
  struct Call {
    bool plus;
    Real factor;
  };
  void forward(Complex* rows, Index i, Call const& call, Scratch const& scratch) const;
  void backward(Complex* rows, Index i, Call const& call, Scratch const& scratch) const;

  redistribution::Square square_;
  Index first_;      // i of the first rows
  Index width_ = 1;  // of the table of fine roots
  local::Roots roots_;
  std::unique_ptr<local::Transform<Complex>> transform_;
};

template <class Real>
Rows<Real>::Rows(redistribution::Square const& square, int rank, Local local)
    : square_(square),
      first_(rank * square_.block()),
      roots_(square_.points()),
      transform_(local::make_transform<Real>(square_.side, local)) {
  while (width_ * width_ < square_.side) width_ *= 2;
}

template <class Real>
std::size_t Rows<Real>::scratch_bytes() const {
  auto const bytes = [](Index points) {
    return aligned(static_cast<std::size_t>(points) * sizeof(Complex));
  };
  return aligned(transform_->scratch_bytes()) + bytes(square_.item * square_.side) + bytes(width_);
}

template <class Real>
auto Rows<Real>::scratch_of(std::byte* memory) const -> Scratch {
  auto const take = [&](std::size_t bytes) {
    return std::exchange(memory, memory + aligned(bytes));
  };
  auto const numbers = [&](Index count) {
    return reinterpret_cast<Complex*>(take(static_cast<std::size_t>(count) * sizeof(Complex)));
  };
  Scratch scratch{};
  scratch.transform = take(transform_->scratch_bytes());
  scratch.items = numbers(square_.item * square_.side);
  scratch.fine = numbers(width_);
  return scratch;
}

/// Multiplies a row by w_N^(k1 j2), or by the conjugate for exp(+).
template <class Real>
void Rows<Real>::twist(Complex* row, Index k1, bool plus, Scratch const& scratch) const {
  if (k1 == 0) return;
  auto const root = [&](Index j) {
    Complex const w = roots_.at<Real>(k1 * j);
    return plus ? std::conj(w) : w;
  };
  for (Index j = 0; j < width_; ++j) scratch.fine[j] = root(j);
  for (Index j = 0; j < square_.side; j += width_) {
    Complex const coarse = root(j);
    Index const end = std::min(width_, square_.side - j);
    for (Index k = 0; k < end; ++k) row[j + k] = times(row[j + k], times(coarse, scratch.fine[k]));
  }
}

template <class Real>
void Rows<Real>::forward(Complex* rows, Index i, Call const& call, Scratch const& scratch) const {
  Index const m = square_.item, s = square_.side;
  for (Index e = 0; e < m; ++e) twist(rows + e * s, m * (first_ + i) + e, call.plus, scratch);
  Complex* const out = m == 1 ? rows : scratch.items;
  transform_->run({.in = {rows, local::RowMap::every(1), s},
                   .out = {out, local::RowMap::every(m), 1},
                   .columns = m,
                   .backward = call.plus,
                   .scale = call.factor},
                  scratch.transform);
  if (m > 1) std::copy_n(out, m * s, rows);
}

template <class Real>
void Rows<Real>::backward(Complex* rows, Index i, Call const& call, Scratch const& scratch) const {
  Index const m = square_.item, s = square_.side;
  Complex* const out = m == 1 ? rows : scratch.items;
  transform_->run({.in = {rows, local::RowMap::every(m), 1},
                   .out = {out, local::RowMap::every(1), s},
                   .columns = m,
                   .backward = call.plus,
                   .scale = call.factor},
                  scratch.transform);
  for (Index e = 0; e < m; ++e) twist(out + e * s, m * (first_ + i) + e, call.plus, scratch);
  if (m > 1) std::copy_n(out, m * s, rows);
}

template <class Real>
void Rows<Real>::apply(int work, Operands const& on) {
  auto const* const source = static_cast<Complex const*>(on.source);
  auto* const target = static_cast<Complex*>(on.target);
  Index const stride = square_.item * square_.side;
  if (work == copy) {
    if (source == target) return;
    for_each(square_.block() * stride, on.threads, [&](Index i) { target[i] = source[i]; });
    return;
  }
  Call const call{on.backward != on.conjugate, static_cast<Real>(on.factor)};
  share_in_stretches(square_.block(), on.threads, [&](Index i, int thread) {
    Scratch const scratch =
        scratch_of(on.scratch + static_cast<std::size_t>(thread) * scratch_bytes());
    if (on.backward)
      backward(target + i * stride, i, call, scratch);
    else
      forward(target + i * stride, i, call, scratch);
  });
}

class InPlace final : public Formula {
 public:
  explicit InPlace(redistribution::Square const& square) : square_(square) {}

  std::string name() const override {
    return text(square_.item * square_.side, " rows of ", square_.side, " points, in place");
  }
  std::string name(int work) const override {
    return work == copy ? "copy, unless in place" : "twiddle, rows";
  }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local local) const override {
    return in_precision<Rows>(real_bytes, square_, rank, local);
  }

 private:
  redistribution::Square square_;
};

}  // namespace

std::optional<Composition> in_place(schedule::Problem const& line,
                                    schedule::Choices const& choices) {
  Index const n = line.input.shape()[0];
  int const ranks = line.input.ranks();
  std::optional<redistribution::Square> const square =
      square_of(n, ranks, choices.tuning.most_item_points);
  Layout const blocks = Layout::slab({n}, ranks);
  if (!square || !(line.input == blocks && *line.output == blocks)) return std::nullopt;
  // The last axis is left alone, so the columns can be exchanged and returned window by window
  // along it.
  Layout const columns =
      Layout::slab({square->item * square->side, ranks, square->block()}, ranks, 0);
  Composition made{.input = layout::place(line.input),
                   .output = layout::place(*line.output),
                   .points = static_cast<double>(n)};
  std::size_t const formula = made.add(std::make_shared<InPlace>(*square));
  schedule::Choices splitting = choices;
  splitting.split_untransformed = true;
  std::size_t const fft = made.add(schedule::schedule(
      {.input = columns, .output = columns, .axes = {0}, .real_bytes = line.real_bytes},
      splitting));
  // Exchanges would copy the columns first anyway. If the schedule never runs out of place, it
  // needs half the tables.
  if (ranks > 1) made.forward.push_back({Apply{formula, copy}, given, result});
  made.forward.push_back({Run{fft}, ranks > 1 ? result : given, result});
  made.forward.push_back({Apply{formula, transform_rows}, result, result, true});
  made.forward.push_back({Turn{*square}, result, result});
  made.backward = {{Turn{*square}, given, result},
                   {Apply{formula, transform_rows, true}, result, result, true},
                   {Run{fft, true}, result, result}};
  return made;
}

}  // namespace sixstep::formulas
