// SPDX-License-Identifier: BSD-3-Clause
// Our kernels that copy boxes, and change what they move: against loops over the boxes' counts. On
// a GPU, or on the host.
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

#include "cuda/copies.hpp"
#include "device/backend.hpp"
#include "kernels.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep {
namespace {

using device::Copy;
using kernels::one_of;
using kernels::Random;
using kernels::set_roots;

/// Strides with which no two elements have a place in common, in random order of axes.
Index choose_strides(Random& random, Copy const& copy, Index* strides) {
  std::vector<int> order;
  for (int axis = 0; axis < copy.axes; ++axis) order.push_back(axis);
  std::shuffle(order.begin(), order.end(), random);
  Index stride = one_of(random, {1, 1, 2, 3});
  for (int const axis : order) {
    strides[axis] = stride;
    stride *= copy.extent[axis] + one_of(random, {0, 0, 1, 5});
  }
  return stride;
}

struct Side {
  Index places;
  std::size_t element_bytes;
  std::shared_ptr<std::byte> there;
  std::vector<std::byte> here;

  Side(Index count, std::size_t bytes, Random& random)
      : places(count), element_bytes(bytes), here(static_cast<std::size_t>(count) * bytes) {
    there = device::cuda_backend(0).allocate(here.size());
    for (std::byte& byte : here) byte = static_cast<std::byte>(random());
  }
  std::byte* at(Index place) {
    return here.data() + static_cast<std::size_t>(place) * element_bytes;
  }
};

template <class Use>
void for_each_count(Copy const& copy, Use const& use) {
  Index counts[Copy::most_axes] = {};
  for (Index number = 0; number < copy.elements(); ++number) {
    Index rest = number, from = 0, to = 0;
    for (int axis = copy.axes - 1; axis >= 0; --axis) {
      counts[axis] = rest % copy.extent[axis];
      rest /= copy.extent[axis];
      from += counts[axis] * copy.from[axis];
      to += counts[axis] * copy.to[axis];
    }
    use(counts, from, to);
  }
}

Copy random_box(Random& random) {
  Copy copy;
  copy.axes = static_cast<int>(random() % 5);
  for (int axis = 0; axis < copy.axes; ++axis)
    copy.extent[axis] =
        one_of(random, {1, 2, 3, 5, 8, 9, copy.axes < 4 ? 33 : 7, copy.axes < 3 ? 70 : 4});
  return copy;
}

/// In the current stream of GPU 0, in launches of so many elements at most.
void put_all(Copy const& copy, Index most) {
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(device::put(copy, nullptr, most), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
}

TEST(kernels, move_boxes) {
  Random random(7);
  for (int round = 0; round < 300; ++round) {
    Copy copy = random_box(random);
    copy.real_bytes = static_cast<int>(one_of(random, {1, 2, 4, 8, 16}));
    copy.from_reals = copy.to_reals = static_cast<int>(one_of(random, {1, 2}));
    auto const bytes = static_cast<std::size_t>(copy.real_bytes * copy.from_reals);
    Side source(choose_strides(random, copy, copy.from), bytes, random);
    Side target(choose_strides(random, copy, copy.to), bytes, random);
    sixstep::copy(Device::cuda, source.there.get(), source.here.data(), source.here.size());
    sixstep::copy(Device::cuda, target.there.get(), target.here.data(), target.here.size());
    copy.target = target.there.get();
    bool const is_zeros = round % 7 == 0;
    if (!is_zeros) copy.source = source.there.get();
    put_all(copy, one_of(random, {Index{1} << 30, 100, 1}) * (round % 3 == 0 ? 1 : 1 << 20));
    for_each_count(copy, [&](Index const*, Index from, Index to) {
      if (is_zeros)
        std::memset(target.at(to), 0, bytes);
      else
        std::memcpy(target.at(to), source.at(from), bytes);
    });
    std::vector<std::byte> result(target.here.size());
    sixstep::copy(Device::cuda, result.data(), target.there.get(), result.size());
    ASSERT_EQ(std::memcmp(result.data(), target.here.data(), result.size()), 0)
        << "round " << round;
  }
}

template <class Real>
void expect_changes(Random& random) {
  Copy copy = random_box(random);
  copy.real_bytes = sizeof(Real);
  copy.from_reals = static_cast<int>(one_of(random, {1, 2}));
  copy.to_reals = static_cast<int>(one_of(random, {1, 2}));
  copy.changes = true;
  copy.scale = 0.25;
  copy.take = random() % 2 == 0 ? device::Take::real : device::Take::minus_imaginary;
  auto const along = [&] {
    int const axis =
        copy.axes == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(copy.axes + 1)) - 1;
    return device::Along{axis, one_of(random, {0, 1, 7}), one_of(random, {1, 2, 3})};
  };
  copy.row = along();
  copy.halved[0] = 0, copy.real[0] = 4;
  copy.conjugates = random() % 3 == 0;
  copy.conjugates_table = random() % 2 == 0;
  copy.adds = random() % 3 == 0;
  std::shared_ptr<std::byte> tables;
  if (random() % 2 == 0) {
    tables = set_roots(copy.phase, one_of(random, {1, 12, 35, 1000}));
    copy.phase.row = along(), copy.phase.column = along();
    copy.phase.conjugate = random() % 2 == 0;
  }
  Side source(choose_strides(random, copy, copy.from),
              sizeof(Real) * static_cast<std::size_t>(copy.from_reals), random);
  Side target(choose_strides(random, copy, copy.to),
              sizeof(Real) * static_cast<std::size_t>(copy.to_reals), random);
  auto* const reals = reinterpret_cast<Real*>(source.here.data());
  for (std::size_t i = 0; i < source.here.size() / sizeof(Real); ++i)
    reals[i] = static_cast<Real>(random() % 1000) / 500 - 1;
  copy.table.reals = random() % 2 == 0 ? 1 : 2;
  Side factors(choose_strides(random, copy, copy.in_table),
               sizeof(Real) * static_cast<std::size_t>(copy.table.reals), random);
  auto* const before = reinterpret_cast<Real*>(target.here.data());
  for (std::size_t i = 0; i < target.here.size() / sizeof(Real); ++i)
    before[i] = static_cast<Real>(random() % 1000) / 500 - 1;
  auto* const of_factors = reinterpret_cast<Real*>(factors.here.data());
  for (Index i = 0; i < copy.table.reals * factors.places; ++i)
    of_factors[i] = static_cast<Real>(random() % 1000) / 500 - 1;
  sixstep::copy(Device::cuda, source.there.get(), source.here.data(), source.here.size());
  sixstep::copy(Device::cuda, target.there.get(), target.here.data(), target.here.size());
  sixstep::copy(Device::cuda, factors.there.get(), factors.here.data(), factors.here.size());
  copy.source = source.there.get(), copy.target = target.there.get();
  if (random() % 2 == 0) copy.table.numbers = factors.there.get();
  put_all(copy, one_of(random, {Index{1} << 30, 100, 1}));
  std::vector<std::byte> result(target.here.size());
  sixstep::copy(Device::cuda, result.data(), target.there.get(), result.size());
  auto const* const results = reinterpret_cast<Real const*>(result.data());
  for_each_count(copy, [&](Index const* counts, Index from, Index to) {
    auto const index = [&](device::Along const& it) {
      return it.axis < 0 ? it.first : it.first + it.step * counts[it.axis];
    };
    Real const* const place = reals + from * copy.from_reals;
    std::complex<double> value(place[0], copy.from_reals == 2 ? place[1] : 0);
    if (index(copy.row) == 4) value = value.real();
    if (copy.conjugates) value = std::conj(value);
    value *= index(copy.row) == 0 ? 0.125 : 0.25;
    if (copy.phase.fine) {
      Index const k = index(copy.phase.row) * index(copy.phase.column) % copy.phase.n;
      double const turns = static_cast<double>(k) / static_cast<double>(copy.phase.n);
      value *= std::polar(1.0, (copy.phase.conjugate ? 2 : -2) * std::numbers::pi * turns);
    }
    if (copy.table.numbers) {
      Index at = 0;
      for (int axis = 0; axis < copy.axes; ++axis) at += counts[axis] * copy.in_table[axis];
      Real const* const number = of_factors + at * copy.table.reals;
      std::complex<double> const factor(number[0], copy.table.reals == 2 ? number[1] : 0);
      value *= copy.conjugates_table ? std::conj(factor) : factor;
    }
    Real const* const was = before + to * copy.to_reals;
    double const error = std::is_same_v<Real, float> ? 1e-6 : 1e-12;
    Real const* const got = results + to * copy.to_reals;
    if (copy.to_reals == 2) {
      if (copy.adds) value += std::complex<double>(was[0], was[1]);
      EXPECT_LT(std::abs(std::complex<double>(got[0], got[1]) - value), error);
    } else {
      bool const is_real = copy.take == device::Take::real;
      double const added = copy.adds ? was[0] : 0;
      EXPECT_NEAR(got[0], (is_real ? value.real() : -value.imag()) + added, error);
    }
  });
}

TEST(kernels, change_what_they_move) {
  Random random(11);
  for (int round = 0; round < 100; ++round) {
    expect_changes<double>(random);
    expect_changes<float>(random);
  }
}

}  // namespace
}  // namespace sixstep
