// SPDX-License-Identifier: BSD-3-Clause
// Transforms with fewer rows on one side, in strips, against the whole transform of zeros.
#include "local/truncated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "base/memory.hpp"
#include "local/numbers/at.hpp"
#include "local/numbers/roots.hpp"

namespace sixstep::local {
namespace {

template <class Real>
using Numbers = std::vector<std::complex<Real>>;

template <class Real>
Numbers<Real> numbers(Index count) {
  Numbers<Real> made;
  for (Index i = 0; i < count; ++i) {
    auto const phase = static_cast<Real>(i % 97);
    made.emplace_back(std::sin(3 * phase + 1), std::cos(5 * phase));
  }
  return made;
}

/// Columns side by side, with a factor w^(k (3 + c)) on row k of column c.
template <class Real>
void run(Transform<std::complex<Real>> const& transform, Numbers<Real> const& in,
         Numbers<Real>& out, Index columns, Roots const& roots) {
  Memory const scratch = allocate(transform.scratch_bytes());
  RowMap const row = RowMap::every(columns);
  transform.run({.in = {in.data(), row, 1},
                 .out = {out.data(), row, 1},
                 .columns = columns,
                 .twist = {&roots, 3, 1}},
                scratch.get());
}

/// The largest difference that dropping or adding rows makes.
template <class Real>
double difference(Index n, Kept const& kept, Index columns, bool fills) {
  Tuning tuning;
  tuning.strip_row_bytes = 256;
  auto const whole = make_transform<Real>(n);
  Kept const all{.all = n, .first = n};
  auto const part =
      fills ? make_truncated(*whole, kept, all, tuning) : make_truncated(*whole, all, kept, tuning);
  Roots const roots(n * (columns + 3));
  auto const row_of = [&](Index k) { return at(kept.row(k) * columns); };

  Numbers<Real> long_in = numbers<Real>(n * columns), long_out(long_in.size());
  Numbers<Real> short_in = numbers<Real>(kept.rows() * columns), short_out(short_in.size());
  if (fills) {
    std::fill(long_in.begin(), long_in.end(), 0);
    for (Index k = 0; k < kept.rows(); ++k)
      std::copy_n(short_in.data() + k * columns, columns, long_in.data() + row_of(k));
    short_out.resize(long_out.size());
  }
  run(*whole, long_in, long_out, columns, roots);
  run(*part, fills ? short_in : long_in, short_out, columns, roots);
  double most = 0;
  for (Index k = 0; k < (fills ? n : kept.rows()); ++k)
    for (Index c = 0; c < columns; ++c) {
      auto const expected = long_out[(fills ? at(k * columns) : row_of(k)) + at(c)];
      most = std::max<double>(most, std::abs(expected - short_out[at(k * columns + c)]));
    }
  return most;
}

TEST(truncated, strips_have_the_factors_of_their_columns) {
  for (Index n : {12, 60, 101})
    for (Kept const& kept :
         {Kept{.all = n, .first = n / 3}, Kept{.all = n, .first = 2, .last = n / 2}})
      for (Index columns : {5, 16, 77})
        for (bool fills : {false, true}) {
          SCOPED_TRACE(testing::Message() << n << " points, " << kept.first << " + " << kept.last
                                          << " kept, " << columns << " columns, fills " << fills);
          double const size = static_cast<double>(n);
          EXPECT_LE(difference<double>(n, kept, columns, fills), 1e-15 * size);
          EXPECT_LE(difference<float>(n, kept, columns, fills), 1e-6 * size);
        }
}

}  // namespace
}  // namespace sixstep::local
