// SPDX-License-Identifier: BSD-3-Clause
// Products of small matrices of all shapes, with every instruction set.
#include "local/kernels/matrix_product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "local/instruction_sets.hpp"

namespace sixstep::local {
namespace {

/// A matrix of random numbers, with a gap behind each row.
template <class Real>
struct Matrix {
  Matrix(Index rows, Index columns, std::mt19937& random) : row(columns + 3) {
    std::uniform_real_distribution<Real> number(-1, 1);
    for (Index i = 0; i < rows * row; ++i) values.push_back(number(random));
  }
  Real at(Index i, Index j) const { return values[static_cast<std::size_t>(i * row + j)]; }

  Index row;
  std::vector<Real> values;
};

template <class Real>
void expect_product(MultiplyMatrices<Real> multiply, Index rows, Index depth, Index columns,
                    std::mt19937& random) {
  SCOPED_TRACE(testing::Message() << rows << " x " << depth << " x " << columns);
  Matrix<Real> const a(rows, depth, random), b(depth, columns, random);
  Matrix<Real> c(rows, columns, random);
  Matrix<Real> const before = c;
  multiply({a.values.data(), b.values.data(), c.values.data(), a.row, b.row, c.row, rows, depth,
            columns});
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < columns; ++j) {
      long double wanted = 0;
      for (Index k = 0; k < depth; ++k)
        wanted += static_cast<long double>(a.at(i, k)) * static_cast<long double>(b.at(k, j));
      long double const bound = std::numeric_limits<Real>::epsilon() * static_cast<Real>(depth);
      EXPECT_LE(std::abs(wanted - static_cast<long double>(c.at(i, j))), bound);
    }
    for (Index j = columns; j < c.row; ++j) EXPECT_EQ(c.at(i, j), before.at(i, j)) << "gap";
  }
}

template <class Real>
void expect_column(MultiplyColumn<Real> multiply, Index points, Index results,
                   std::mt19937& random) {
  SCOPED_TRACE(testing::Message() << points << " to " << results);
  std::uniform_real_distribution<Real> number(-1, 1);
  std::vector<Real> elements(static_cast<std::size_t>(points * results));
  std::vector<Real> in(static_cast<std::size_t>(points));
  std::vector<Real> out(static_cast<std::size_t>(results + 1), 7);
  for (Real& x : elements) x = number(random);
  for (Real& x : in) x = number(random);
  multiply(in.data(), points, elements.data(), out.data());
  EXPECT_EQ(out.back(), Real{7});
  out.pop_back();
  for (std::size_t k = 0; k < out.size(); ++k) {
    long double wanted = 0;
    for (std::size_t j = 0; j < in.size(); ++j)
      wanted +=
          static_cast<long double>(in[j]) * static_cast<long double>(elements[j * out.size() + k]);
    long double const bound = std::numeric_limits<Real>::epsilon() * static_cast<Real>(points);
    EXPECT_LE(std::abs(wanted - static_cast<long double>(out[k])), bound);
  }
  in.resize(std::max(in.size(), out.size()));
  multiply(in.data(), points, elements.data(), in.data());
  in.resize(out.size());
  EXPECT_EQ(in, out);
}

template <class Real>
class MatrixProductTest : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(MatrixProductTest, Precisions);

TYPED_TEST(MatrixProductTest, sums_products_for_all_small_shapes) {
  std::mt19937 random(1);
  for (std::string const& isa : available()) {
    SCOPED_TRACE(isa);
    Environment const environment(isa.c_str());
    auto const multiply = matrix_multiplier<TypeParam>(chosen_target());
    if (multiply == nullptr) continue;
    for (Index rows : {1, 2, 3, 4, 5, 7, 8, 11})
      for (Index depth : {1, 2, 5, 8})
        for (Index columns = 1; columns <= 35; ++columns)
          expect_product<TypeParam>(multiply, rows, depth, columns, random);
  }
}

TYPED_TEST(MatrixProductTest, multiplies_a_column_in_place_and_out_of_place) {
  std::mt19937 random(2);
  for (std::string const& isa : available()) {
    SCOPED_TRACE(isa);
    Environment const environment(isa.c_str());
    bool const has_vectors = matrix_multiplier<TypeParam>(chosen_target()) != nullptr;
    for (Index results = 0; results <= most_column_results + 1; ++results)
      for (Index points : {1, 2, 3, 8, 17, 24}) {
        auto const multiply = column_multiplier<TypeParam>(results, chosen_target());
        bool const has_length = results >= 2 && results <= most_column_results;
        ASSERT_EQ(multiply != nullptr, has_length && has_vectors);
        if (multiply != nullptr) expect_column(multiply, points, results, random);
      }
  }
}

}  // namespace
}  // namespace sixstep::local
