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

/// Sums of rows whose weights are sums of cotangents, against cotangents one by one.
template <class Element>
void compare_cotangents(Index rows, Index elements, std::size_t terms, std::mt19937_64& engine) {
  constexpr std::size_t sets = local::sums_at_once;
  Index const step = elements + 3, middle = elements / 2;
  auto const data = random_numbers<Element>(rows * step, engine);
  std::uniform_real_distribution<double> anywhere(0.3, 2.8);
  constexpr double turn = 1e-6, next = 1e-3;
  std::vector<double> tangents(static_cast<std::size_t>(rows + 8));
  for (Index r = 0; r < rows; ++r)
    tangents[static_cast<std::size_t>(r)] = std::tan(static_cast<double>(r) * next);
  std::array<std::array<double, local::most_cotangents>, sets> begins{};
  local::CotangentRows<Element> all{data.data(), rows, elements, step, middle, terms, {}};
  for (std::size_t set = 0; set < sets; ++set)
    for (std::size_t i = 0; i < terms; ++i) {
      begins[set][i] = anywhere(engine);
      all.weights[set][i] = {1 / std::tan(begins[set][i]), nullptr, 0, tangents.data(), turn};
    }
  local::CotangentSums const found = local::cotangent_sums<Element>(local::chosen_target())(all);
  for (std::size_t set = 0; set < sets; ++set) {
    Wide wanted = 0;
    long double squares = 0;
    for (Index r = 0; r < rows; ++r)
      for (Index t = 0; t < elements; ++t) {
        Wide const x(data[static_cast<std::size_t>(r * step + t)]);
        long double c = 0;
        for (std::size_t i = 0; i < terms; ++i)
          c += 1 / std::tan(begins[set][i] + static_cast<long double>(r) * next +
                            static_cast<long double>(t - middle) * turn);
        squares += std::norm(x);
        wanted += local::is_complex<Element> ? c * x : c * (t % 2 == 0 ? x : Wide(0, x.real()));
      }
    EXPECT_LT(std::abs(Wide(found.turned[set]) - wanted), 1e-14L * std::sqrt(squares) * 10)
        << rows << " rows of " << elements;
    EXPECT_NEAR(found.squares, static_cast<double>(squares), 1e-12 * static_cast<double>(squares));
  }
}

TEST(Verify, sums_by_cotangents_are_those_of_their_elements) {
  std::mt19937_64 engine(9);
  for (Index const rows : {1, 2, 7, 8, 9, 30})
    for (Index const elements : {1, 2, 5, 16, 21, 63, 64})
      for (std::size_t const terms : {1u, 2u}) {
        compare_cotangents<double>(rows, elements, terms, engine);
        compare_cotangents<float>(rows, elements, terms, engine);
        compare_cotangents<std::complex<double>>(rows, elements, terms, engine);
        compare_cotangents<std::complex<float>>(rows, elements, terms, engine);
      }
}

/// The weights of long axes are powers, or affine in cotangents.
TEST(Verify, weights_of_long_axes_are_products_and_cotangents) {
  constexpr Index count = 300;
  for (Index const n : {100'000, 100'001})
    for (Kind const kind : {Kind::c2c, Kind::r2c})
      for (Direction const direction : {Direction::forward, Direction::backward}) {
        bool const is_c2r = kind == Kind::r2c && direction == Direction::backward;
        verify::AxisPair pair =
            verify::weights_of({kind, n, n, n}, direction,
                               is_c2r ? verify::Reals::of_result : verify::Reals::neither, 3);
        Index const end = is_c2r ? n / 2 + 1 : n;
        EXPECT_TRUE(pair.result.are_powers());
        int found = 0;
        for (Index const step : {1, 7}) {
          pair.source.prepare(step);
          std::vector<verify::Weight> buffer(count);
          verify::Weight const* const quotients = pair.result.quotients(step, count, buffer.data());
          for (Index t = 0; t < count; ++t)
            EXPECT_LT(std::abs(pair.result[5] * quotients[t] - pair.result[5 + t * step]), 1e-14);
          for (Index first = 0; first + step * count < end; first += 997)
            for (std::size_t i = 0; i < verify::AxisWeights::widths_of_rows.size(); ++i) {
              auto const row = pair.source.by_cotangents(first, step, count, i);
              if (!row) continue;
              ++found;
              Index const width = verify::AxisWeights::widths_of_rows[i];
              for (Index t = 0; t < count; ++t) {
                double c = 0;
                for (std::size_t term = 0; term < row->terms; ++term) {
                  local::Angles const& angles = row->angles[term];
                  c += 1 / std::tan(std::atan(1 / angles.cotangent) +
                                    std::atan(angles.tangents[t / width]) +
                                    static_cast<double>(t % width - width / 2) * angles.turn);
                }
                auto const& [constant, slope] = row->affine[static_cast<std::size_t>(t % 2)];
                verify::Weight const right = pair.source[first + t * step];
                EXPECT_LT(std::abs(constant + slope * c - right), 1e-12 * std::abs(right))
                    << n << " points, element " << t << " from " << first;
              }
            }
        }
        bool const has_end = kind == Kind::r2c && direction == Direction::forward && n % 2 != 0;
        EXPECT_EQ(found > 60, !has_end) << n << " points";
      }
}

}  // namespace
}  // namespace sixstep::verified
