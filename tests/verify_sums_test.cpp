// SPDX-License-Identifier: BSD-3-Clause
// Sums over bits and weighted sums are those of their elements, one by one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "local/kernels/bit_sums.hpp"
#include "local/kernels/geometric_sums.hpp"
#include "local/kernels/weighted_sums.hpp"
#include "local/numbers/complex.hpp"
#include "local/targets.hpp"
#include "verify/axis_pair.hpp"

namespace sixstep::verified {
namespace {

using Wide = std::complex<long double>;

TEST(Verify, sums_over_bits_are_those_of_their_elements) {
  std::mt19937_64 engine(5);
  for (Index const element_bytes : {1, 2, 4, 8, 16}) {
    local::BitSum const sum = local::bit_sum(local::chosen_target(), element_bytes);
    for (Index const rows : {1, 2, 7, 8, 9, 19})
      for (Index const elements : {1, 3, 8, 16, 21, 64}) {
        Index const row_bytes = (elements + 3) * element_bytes;
        std::vector<std::byte> data(static_cast<std::size_t>(rows * row_bytes));
        for (std::byte& byte : data) byte = static_cast<std::byte>(engine());
        local::WeightedRows const all{rows,         elements,       row_bytes,
                                      engine() | 1, engine() & ~1U, engine() & ~1U};
        std::uint64_t wanted = 0;
        for (Index r = 0; r < rows; ++r)
          for (Index i = 0; i < elements; ++i)
            wanted += sum(data.data() + r * row_bytes + i * element_bytes,
                          {1, 1, 0,
                           all.first + static_cast<std::uint64_t>(r) * all.of_row +
                               static_cast<std::uint64_t>(i) * all.of_element,
                           0, 0});
        EXPECT_EQ(sum(data.data(), all), wanted)
            << rows << " rows of " << elements << " elements of " << element_bytes << " bytes";
      }
  }
}

/// Numbers between -1 and 1.
template <class Element>
std::vector<Element> random_numbers(Index count, std::mt19937_64& engine) {
  std::uniform_real_distribution<double> distribution(-1, 1);
  std::vector<Element> made;
  for (Index i = 0; i < count; ++i) {
    double const re = distribution(engine), im = distribution(engine);
    if constexpr (local::is_complex<Element>)
      made.push_back({static_cast<typename Element::value_type>(re),
                      static_cast<typename Element::value_type>(im)});
    else
      made.push_back(static_cast<Element>(re));
  }
  return made;
}

/// Compares sums with weights of all kinds with those of `kernel`.
template <class Element>
void compare(local::BlockSums<Element> kernel, Index rows, Index elements,
             std::mt19937_64& engine) {
  using Weights = std::vector<std::complex<double>>;
  Index const step = elements + 2;
  auto const data = random_numbers<Element>(rows * step, engine);
  std::array<Weights, local::sums_at_once> of_rows, of_columns;
  for (bool const has_real_rows : {false, true})
    for (bool const conjugate : {false, true})
      for (bool const sizes : {false, true}) {
        local::BlockWeights weights{{}, {}, conjugate, has_real_rows, sizes};
        for (std::size_t set = 0; set < local::sums_at_once; ++set) {
          of_rows[set] = random_numbers<std::complex<double>>(rows, engine);
          of_columns[set] = random_numbers<std::complex<double>>(elements, engine);
          if (has_real_rows)
            for (auto& weight : of_rows[set]) weight = weight.real();
          weights.rows[set] = of_rows[set].data();
          weights.columns[set] = of_columns[set].data();
        }
        local::WeightedSums const found = kernel({data.data(), rows, elements, step}, weights);
        long double squares = 0;
        for (std::size_t set = 0; set < local::sums_at_once; ++set) {
          Wide wanted = 0;
          squares = 0;
          for (Index r = 0; r < rows; ++r)
            for (Index i = 0; i < elements; ++i) {
              Wide const x(data[static_cast<std::size_t>(r * step + i)]);
              Wide const w = Wide(of_rows[set][static_cast<std::size_t>(r)]) *
                             Wide(of_columns[set][static_cast<std::size_t>(i)]);
              wanted += (conjugate ? std::conj(w) : w) * x;
              squares += std::norm(x);
            }
          EXPECT_LT(std::abs(Wide(found.sums[set]) - wanted), 1e-12L)
              << rows << " rows of " << elements;
        }
        EXPECT_NEAR(found.squares, sizes ? static_cast<double>(squares) : 0, 1e-11);
      }
}

TEST(Verify, weighted_sums_are_those_of_their_elements) {
  std::mt19937_64 engine(6);
  local::Target const target = local::chosen_target();
  for (Index const rows : {1, 2, 5, 64, 70, 131})
    for (Index const elements : {1, 2, 3, 7, 8, 16, 37}) {
      compare(local::weighted_sum_kernels<double>(target).complex_numbers, rows, elements, engine);
      compare(local::weighted_sum_kernels<double>(target).reals, rows, elements, engine);
      compare(local::weighted_sum_kernels<float>(target).complex_numbers, rows, elements, engine);
      compare(local::weighted_sum_kernels<float>(target).reals, rows, elements, engine);
    }
}

/// The weights of long axes are powers and cotangents, of which sums are made without a table.
TEST(Verify, weights_of_long_axes_are_products_and_cotangents) {
  constexpr Index n = 100'000, count = 300;
  std::mt19937_64 engine(7);
  for (Direction const direction : {Direction::forward, Direction::backward}) {
    std::array<verify::AxisPair, 2> pairs{
        verify::weights_of({Kind::c2c, n, n, n}, direction, verify::Reals::neither, 3),
        verify::weights_of({Kind::c2c, n, n, n}, direction, verify::Reals::neither, 4)};
    for (Index const step : {1, 7})
      for (verify::AxisPair& pair : pairs) {
        pair.source.prepare(step);
        ASSERT_TRUE(pair.result.are_powers());
        std::vector<verify::Weight> buffer(count);
        verify::Weight const* const quotients = pair.result.quotients(step, count, buffer.data());
        for (Index t = 0; t < count; ++t)
          EXPECT_LT(std::abs(pair.result[5] * quotients[t] - pair.result[5 + t * step]), 1e-14);
      }
    auto const x = random_numbers<std::complex<double>>(count, engine);
    int found = 0;
    for (Index first = 0; first + 7 * count < n; first += 997)
      for (Index const step : {1, 7}) {
        auto const one = pairs[0].source.cotangents(first, step, count);
        auto const other = pairs[1].source.cotangents(first, step, count);
        if (!one || !other) continue;
        ++found;
        auto const sums = local::cotangent_sums<double>(local::chosen_target())(
            {x.data(), count, {one->first, other->first}, {one->tangents, other->tangents}});
        std::size_t set = 0;
        for (auto const& [pair, row] : {std::pair(&pairs[0], one), std::pair(&pairs[1], other)}) {
          Wide wanted = 0;
          long double size = 0;
          for (Index t = 0; t < count; ++t) {
            Wide const w(pair->source[first + t * step]);
            wanted += w * Wide(x[static_cast<std::size_t>(t)]);
            size += std::abs(w);
          }
          auto const made = row->factor * (sums.plain + verify::Weight(0, 1) * sums.turned[set]);
          EXPECT_LT(std::abs(Wide(made) - wanted), 1e-14L * size);
          ++set;
        }
      }
    EXPECT_GT(found, 150);
  }
}

}  // namespace
}  // namespace sixstep::verified
