// SPDX-License-Identifier: BSD-3-Clause
// One long axis in little more than the memory of its array.
//
// N = m s^2 points are a matrix of N1 = m s rows and s columns, x[j1 s + j2], rows in even blocks
// over the ranks. Then (Bailey 1990)
//   X[k1 + N1 k2] = sum_j2 w_s^(j2 k2) w_N^(j2 k1) sum_j1 w_N1^(j1 k1) x[j1 s + j2].
// The columns are a transform of two axes, in blocks; a row is transformed where it is. With
// k1 = m i + e the result is the array [k2][i][e], and rows have made [i][e][k2]: if every m of
// them are interleaved, to [i][k2][e], what is left is to transpose a square of items of m numbers,
// which can be done in place.
#pragma once

#include <complex>
#include <memory>
#include <optional>

#include "local/transform.hpp"
#include "plan/composition.hpp"
#include "plan/pointwise.hpp"

namespace sixstep::plan {

/// The composition for a c2c along the only axis of `line`; none if its points do not form such a
/// square, m <= 64 and s a multiple of the ranks, or do not lie in even blocks.
std::optional<Composition> in_place(Problem const& line, Choices const& choices);

/// Transforms of one rank's rows.
template <class Real>
class Rows {
 public:
  /// Errors: a local library that cannot be loaded.
  Rows(InPlace const& formula, int rank, Local local);

  /// Bytes of Operands::scratch that each thread needs, a multiple of 64.
  std::size_t scratch_bytes() const;
  /// rows: source and target are the same.
  void apply(Map map, bool backward, Operands<Real> const& on);

 private:
  using Complex = std::complex<Real>;

  struct Scratch {
    std::byte* transform;
    Complex* items;  // m rows
    Complex* fine;   // roots w_N^(k1 j2) of a row, j2 < width
  };
  Scratch scratch_of(std::byte* memory) const;
  void twist(Complex* row, Index k1, bool is_backward, Scratch const& scratch) const;
  void forward(Complex* rows, Index i, Real factor, Scratch const& scratch) const;
  void backward(Complex* rows, Index i, Real factor, Scratch const& scratch) const;

  exchange::Square square_;
  Index first_;      // i of the first rows
  Index width_ = 1;  // of the table of fine roots
  local::Roots roots_;
  std::unique_ptr<local::Transform<Complex>> transform_;
};

extern template class Rows<float>;
extern template class Rows<double>;

}  // namespace sixstep::plan
