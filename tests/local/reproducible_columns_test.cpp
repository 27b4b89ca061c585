// SPDX-License-Identifier: BSD-3-Clause
// A column whose bits are to be the same everywhere has them wherever it lies, with any columns
// beside it, and with any instruction set.
//
// Contiguous columns go with lanes along them, and others with a column in each lane.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "local/instruction_sets.hpp"
#include "local/numbers/at.hpp"
#include "local/real_transform.hpp"
#include "tuning.hpp"

namespace sixstep::local {
namespace {

/// Where columns lie.
enum class Way { contiguous, padded, side_by_side, apart };

/// Columns of one side. Element k of column c is the same number in all ways.
template <class Element>
class Side {
 public:
  Side(Way way, Index rows, Index columns) : rows_(rows), columns_(columns) {
    bool const is_contiguous = way == Way::contiguous || way == Way::padded;
    lane_ = is_contiguous ? rows + (way == Way::padded ? 4 : 0) : way == Way::apart ? 2 : 1;
    step_ = is_contiguous ? 1 : columns * lane_ + 3;
    data_.resize(at((rows - 1) * step_ + (columns - 1) * lane_ + 1));
    for (Index c = 0; c < columns; ++c)
      for (Index k = 0; k < rows; ++k) (*this)(k, c) = number(k, c);
  }

  Element& operator()(Index k, Index c) { return data_[at(k * step_ + c * lane_)]; }
  Columns<Element> columns() { return {data_.data(), RowMap::every(step_), lane_}; }
  /// All elements, column by column.
  std::vector<Element> elements() {
    std::vector<Element> all;
    for (Index c = 0; c < columns_; ++c)
      for (Index k = 0; k < rows_; ++k) all.push_back((*this)(k, c));
    return all;
  }

 private:
  /// A third of the parts are zeros of either sign, and so is all of the second column.
  static Element number(Index k, Index c) {
    using Real = typename RealOf<Element>::type;
    auto const part = [&](std::uint64_t which) {
      auto mixed = (static_cast<std::uint64_t>(k) * 3 + which) * 0x9e3779b97f4a7c15u +
                   static_cast<std::uint64_t>(c + 1) * 0xd1b54a32d192ed03u;
      mixed = (mixed ^ (mixed >> 31)) * 0xbf58476d1ce4e5b9u;
      mixed ^= mixed >> 29;
      Real const sign = mixed % 2 == 0 ? Real{1} : Real{-1};
      if (c == 1 || mixed / 2 % 3 == 0) return sign * Real{0};
      return sign * static_cast<Real>(mixed >> 44) / Real{1 << 20};
    };
    if constexpr (std::is_same_v<Element, Real>)
      return part(0);
    else
      return {part(1), part(2)};
  }

  Index rows_, columns_, lane_ = 0, step_ = 0;
  std::vector<Element> data_;
};

/// Rows on both sides of a transform of n points.
struct Rows {
  Index in, out;
};

template <class In, class Out>
std::vector<Out> results(Transform<In, Out> const& transform, Rows rows, Way from, Way to,
                         Index columns, bool backward) {
  using Real = typename RealOf<In>::type;
  Side<In> in(from, rows.in, columns);
  Side<Out> out(to, rows.out, columns);
  Memory const scratch = allocate(transform.scratch_bytes() + 64);
  transform.run({.in = as_source(in.columns()),
                 .out = out.columns(),
                 .columns = columns,
                 .backward = backward,
                 .scale = columns % 2 == 0 ? static_cast<Real>(0.3) : 1},
                scratch.get());
  return out.elements();
}

/// Compares all ways and instruction sets with each column alone in the first of both.
template <class In, class Out, class Make>
void compare(Rows rows, bool backward, std::string const& about, Make const& make) {
  constexpr Way ways[] = {Way::side_by_side, Way::contiguous, Way::padded, Way::apart};
  for (Index const columns : {1, 4, 19}) {
    std::vector<Out> first;
    for (std::string const& isa : available()) {
      Environment const set(isa.c_str());
      auto const transform = make();
      for (Way const from : ways)
        for (Way const to : ways) {
          auto const made = results<In, Out>(*transform, rows, from, to, columns, backward);
          if (first.empty()) first = made;
          EXPECT_EQ(std::memcmp(first.data(), made.data(), made.size() * sizeof(Out)), 0)
              << about << ", " << columns << " columns, " << isa << ", ways "
              << static_cast<int>(from) << ' ' << static_cast<int>(to)
              << (backward ? ", backward" : "");
        }
    }
  }
}

Index const lengths[] = {1,   2,   4,   6,   8,    12,   16,   18,   24,   30,  32,  34,  36,
                         48,  50,  60,  64,  66,   96,   100,  120,  128,  130, 136, 144, 180,
                         192, 200, 208, 240, 250,  256,  272,  288,  320,  384, 480, 512, 600,
                         720, 768, 800, 960, 1000, 1024, 1152, 1536, 2048, 4096};

template <class Real>
class reproducible_columns : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(reproducible_columns, Reals);

TYPED_TEST(reproducible_columns, complex_ones_are_the_same_anywhere) {
  using Complex = std::complex<TypeParam>;
  Tuning tuning;
  tuning.bits = Bits::everywhere;
  for (Index const n : lengths)
    for (bool const backward : {false, true})
      compare<Complex, Complex>({n, n}, backward, std::to_string(n) + " points",
                                [&] { return make_transform<TypeParam>(n, Local::own, tuning); });
}

TYPED_TEST(reproducible_columns, reals_are_the_same_anywhere) {
  using Complex = std::complex<TypeParam>;
  Tuning tuning;
  tuning.bits = Bits::everywhere;
  for (Index const n : lengths) {
    compare<TypeParam, Complex>({n, n / 2 + 1}, false, std::to_string(n) + " reals",
                                [&] { return make_r2c<TypeParam>(n, Local::own, tuning); });
    compare<Complex, TypeParam>({n / 2 + 1, n}, false, "to " + std::to_string(n) + " reals",
                                [&] { return make_c2r<TypeParam>(n, Local::own, tuning); });
  }
}

}  // namespace
}  // namespace sixstep::local
