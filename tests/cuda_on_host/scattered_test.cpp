// SPDX-License-Identifier: BSD-3-Clause
// Our kernels that transform scattered columns: against the definition. On a GPU, or on the host.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "cuda/scattered.hpp"
#include "device/backend.hpp"
#include "kernels.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using device::RowCode;
using device::Scattered;
using device::ScatteredSide;
using kernels::one_of;
using kernels::Random;
using kernels::set_roots;

/// A side whose elements have no place in common: rows at equal distances, or in random places of
/// two ranks, where some are missing. Returns the places that it takes of each rank.
Index choose_side(Random& random, Scattered const& columns, ScatteredSide& side,
                  std::vector<RowCode>& rows) {
  std::vector<int> order{0, 1, 2, 3};
  std::shuffle(order.begin(), order.end(), random);
  Index stride = one_of(random, {1, 1, 2});
  Index row_stride = 0;
  for (int const axis : order) {
    bool const is_rows = axis == Scattered::rows_axis;
    (is_rows ? row_stride : side.strides[axis]) = stride;
    stride *= (is_rows ? columns.n : columns.extents[axis]) + one_of(random, {0, 0, 1, 3});
  }
  side.has_rows_first = random() % 2 == 0;
  side.row_stride = row_stride;
  if (random() % 2 == 0) return stride;
  for (Index row = 0; row < columns.n; ++row) rows.push_back(RowCode::of(row * row_stride, 0));
  std::shuffle(rows.begin(), rows.end(), random);
  for (RowCode& row : rows) {
    if (random() % 3 == 0) row = RowCode::of(row.offset(), 2);
    if (random() % 5 == 0) row.code = RowCode::nowhere;
  }
  return stride;
}

template <class Real>
class ScatteredArray {
 public:
  std::vector<std::complex<Real>> here;

  /// Memory of two ranks, the second one numbered 2.
  ScatteredArray(Random& random, Scattered const& columns, ScatteredSide& side) {
    Index const places = choose_side(random, columns, side, rows_);
    for (Index i = 0; i < 2 * places; ++i) {
      auto const any = [&] { return static_cast<Real>(random() % 1000) / 500 - 1; };
      here.push_back({any(), any()});
    }
    device::Backend& backend = device::cuda_backend(0);
    there_ = backend.allocate(bytes());
    send();
    side.memory = there_.get();
    side.shifts[2] = places * static_cast<Index>(sizeof here[0]);
    if (rows_.empty()) return;
    table_ = backend.allocate(rows_.size() * sizeof(RowCode));
    sixstep::copy(Device::cuda, table_.get(), rows_.data(), rows_.size() * sizeof(RowCode));
    side.rows = reinterpret_cast<RowCode const*>(table_.get());
  }

  void send() { sixstep::copy(Device::cuda, there_.get(), here.data(), bytes()); }
  std::vector<std::complex<Real>> result() const {
    std::vector<std::complex<Real>> got(here.size());
    sixstep::copy(Device::cuda, got.data(), there_.get(), bytes());
    return got;
  }
  /// The number of an element in `here`; -1 if it lies nowhere. `in_table` is that in a table.
  Index find(ScatteredSide const& side, Index const* counts, Index row, Index& in_table) const {
    Index place = 0;
    for (int axis = 0; axis < ScatteredSide::most_axes; ++axis)
      place += counts[axis] * side.strides[axis];
    if (rows_.empty()) return in_table = place + row * side.row_stride;
    RowCode const code = rows_[static_cast<std::size_t>(row)];
    if (!code.is_there()) return -1;
    in_table = place + code.offset();
    return in_table + (code.rank() == 2 ? static_cast<Index>(here.size()) / 2 : 0);
  }

 private:
  std::size_t bytes() const { return here.size() * sizeof here[0]; }

  std::vector<RowCode> rows_;
  std::shared_ptr<std::byte> there_, table_;
};

template <class Real>
class ScatteredTrial {
 public:
  using Element = std::complex<Real>;
  using Wide = std::complex<double>;

  ScatteredTrial(Random& random, Index n)
      : columns_(drawn(random, n)),
        source_(random, columns_, columns_.source),
        target_(random, columns_, columns_.target),
        table_(random, columns_, columns_.in_table) {
    if (random() % 3 == 0) {
      roots_ = set_roots(columns_.phase, 35 * n);
      columns_.phase.row = {Scattered::rows_axis, 0, 1};
      columns_.phase.column = {static_cast<int>(random() % 3), 5, 2};
      columns_.phase.conjugate = random() % 2 == 0;
    }
    columns_.there_and_back = random() % 2 == 0;
    columns_.table.reals = random() % 2 == 0 ? 1 : 2;
    if (columns_.there_and_back || random() % 3 == 0)
      columns_.table.numbers = columns_.in_table.memory;
  }

  void run() const {
    std::unique_ptr<device::Planned> const planned =
        device::cuda_backend(0).plan_scattered(columns_.n, sizeof(Real));
    ASSERT_TRUE(planned) << columns_.n;
    auto const queue = device::cuda_backend(0).make_queue();
    queue->run(*planned, columns_);
    queue->finish();
  }

  void expect_result() const {
    std::vector<Wide> expected(target_.here.begin(), target_.here.end());
    for (Index number = 0; number < columns_.columns(); ++number) {
      Index const last = number / columns_.extents[2];
      Index const counts[] = {last / columns_.extents[1], last % columns_.extents[1],
                              number % columns_.extents[2]};
      expect_column(counts, expected);
    }
    std::vector<Element> const got = target_.result();
    double const all = static_cast<double>(columns_.n);
    double const error = (columns_.there_and_back ? all : std::sqrt(all)) *
                         (std::is_same_v<Real, float> ? 2e-6 : 4e-15);
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_LT(std::abs(Wide(got[i]) - expected[i]), error)
          << columns_.n << " points, place " << i << (columns_.there_and_back ? ", and back" : "");
  }

 private:
  static Scattered drawn(Random& random, Index n) {
    Scattered columns;
    columns.n = n;
    columns.real_bytes = sizeof(Real);
    for (Index& extent : columns.extents) extent = one_of(random, {1, 1, 2, 3, n < 50 ? 7 : 1});
    columns.backward = random() % 2 == 0;
    columns.scale = 0.5;
    return columns;
  }

  static std::vector<Wide> transformed(std::vector<Wide> const& points, double sign) {
    auto const n = static_cast<Index>(points.size());
    std::vector<Wide> sums(points.size());
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < n; ++j)
        sums[static_cast<std::size_t>(k)] +=
            points[static_cast<std::size_t>(j)] *
            std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                static_cast<double>(n));
    return sums;
  }

  /// The number of the table for a row; 0 if it is nowhere there.
  Wide factor(Index const* counts, Index row) const {
    Index at = 0;
    if (table_.find(columns_.in_table, counts, row, at) < 0) return 0;
    if (columns_.table.reals == 2) return table_.here[static_cast<std::size_t>(at)];
    return reinterpret_cast<Real const*>(table_.here.data())[at];
  }

  void expect_column(Index const* counts, std::vector<Wide>& expected) const {
    Index const n = columns_.n;
    Index unused = 0;
    std::vector<Wide> column(static_cast<std::size_t>(n));
    for (Index j = 0; j < n; ++j) {
      Index const from = source_.find(columns_.source, counts, j, unused);
      if (from >= 0)
        column[static_cast<std::size_t>(j)] = source_.here[static_cast<std::size_t>(from)];
    }
    double const sign = columns_.backward ? 1 : -1;
    column = transformed(column, sign);
    if (columns_.there_and_back) {
      for (Index k = 0; k < n; ++k) column[static_cast<std::size_t>(k)] *= factor(counts, k);
      column = transformed(column, -sign);
    }
    for (Index k = 0; k < n; ++k) {
      Index const place = target_.find(columns_.target, counts, k, unused);
      if (place < 0) continue;
      Wide value = 0.5 * column[static_cast<std::size_t>(k)];
      if (roots_) {
        Index const turned = k * (5 + 2 * counts[columns_.phase.column.axis]) % (35 * n);
        double const turns = static_cast<double>(turned) / static_cast<double>(35 * n);
        value *= std::polar(1.0, (columns_.phase.conjugate ? 2 : -2) * std::numbers::pi * turns);
      }
      if (columns_.table.numbers && !columns_.there_and_back) value *= factor(counts, k);
      expected[static_cast<std::size_t>(place)] = value;
    }
  }

  Scattered columns_;
  ScatteredArray<Real> source_, target_, table_;
  std::shared_ptr<std::byte> roots_;
};

template <class Real>
void expect_scattered(Random& random, Index n) {
  ScatteredTrial<Real> const trial(random, n);
  trial.run();
  trial.expect_result();
}

TEST(kernels, transform_scattered_columns) {
  Random random(13);
  for (Index n : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 20, 21, 32, 35, 36, 48, 49, 64, 81, 100, 120})
    for (int round = 0; round < 6; ++round) {
      expect_scattered<double>(random, n);
      expect_scattered<float>(random, n);
    }
  for (Index n : {128, 243, 343, 512, 625, 1000}) {
    expect_scattered<double>(random, n);
    expect_scattered<float>(random, n);
  }
}

TEST(kernels, know_which_lengths_they_have) {
  device::Backend& backend = device::cuda_backend(0);
  for (Index n : {1, 11, 26, 257}) EXPECT_FALSE(backend.plan_scattered(n, 8)) << n;
  EXPECT_TRUE(backend.plan_scattered(2048, 8));
  EXPECT_FALSE(backend.plan_scattered(Index{1} << 16, 8));  // a block has no room
}

}  // namespace
}  // namespace sixstep
