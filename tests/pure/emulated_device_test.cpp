// SPDX-License-Identifier: BSD-3-Clause
// The emulated device is as strict as a GPU: its memory is not the host's, what nothing orders may
// come in any order, and what it does to elements is what the definition says.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <random>
#include <set>
#include <vector>

#include "device/backend.hpp"
#include "sixstep/device.hpp"

namespace sixstep::device {
namespace {

using Complex = std::complex<double>;

Backend& here() { return backend(Device::emulated, 0); }

/// An array on the device.
template <class Element>
class There {
 public:
  explicit There(std::vector<Element> const& values)
      : size_(values.size()), memory_(here().allocate(size_ * sizeof(Element))) {
    copy(Device::emulated, data(), values.data(), size_ * sizeof(Element));
  }
  Element* data() const { return reinterpret_cast<Element*>(memory_.get()); }
  std::vector<Element> values() const {
    std::vector<Element> found(size_);
    copy(Device::emulated, found.data(), data(), size_ * sizeof(Element));
    return found;
  }

 private:
  std::size_t size_;
  std::shared_ptr<std::byte> memory_;
};

TEST(emulated_device, its_memory_cannot_be_touched_by_the_host) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  There<double> const array({1, 2, 3});
  EXPECT_TRUE(here().reaches(array.data()));
  EXPECT_TRUE(here().reaches(array.data() + 2));
  double outside = 0;
  EXPECT_FALSE(here().reaches(&outside));
  EXPECT_DEATH(*const_cast<double volatile*>(array.data()) = 4, "");
  EXPECT_DEATH(outside = *const_cast<double volatile*>(array.data()), "");
  EXPECT_EQ(array.values(), (std::vector<double>{1, 2, 3}));
}

TEST(emulated_device, the_host_may_be_let_in) {
  There<double> const array({1, 2, 3});
  {
    std::shared_ptr<void> const visit = here().let_host_in();
    array.data()[1] = 5;
  }
  EXPECT_EQ(array.values(), (std::vector<double>{1, 5, 3}));
}

TEST(emulated_device, memory_is_opened_by_its_handle) {
  There<int> const array({7, 8});
  auto const again = here().open(here().handle_of(reinterpret_cast<std::byte*>(array.data())));
  EXPECT_NE(again.get(), reinterpret_cast<std::byte*>(array.data()));
  EXPECT_TRUE(here().reaches(again.get()));
  std::array<int, 2> seen{};
  copy(Device::emulated, seen.data(), again.get(), sizeof seen);
  EXPECT_EQ(seen, (std::array{7, 8}));
}

/// Two queues write into one place; the second one's copy behind the first one's, or not.
double last_written(bool in_order) {
  There<double> const one({1}), two({2}), place({0});
  auto const first = here().make_queue(), second = here().make_queue();
  auto const event = here().make_event();
  first->copy(place.data(), one.data(), sizeof(double));
  first->record(*event);
  if (in_order) second->wait_for(*event);
  second->copy(place.data(), two.data(), sizeof(double));
  first->finish();
  second->finish();
  EXPECT_TRUE(event->has_come());
  return place.values()[0];
}

TEST(emulated_device, queues_run_in_any_order_that_events_allow) {
  std::set<double> found;
  for (int round = 0; round < 100; ++round) {
    EXPECT_EQ(last_written(true), 2);
    found.insert(last_written(false));
  }
  EXPECT_EQ(found, (std::set<double>{1, 2}));
}

TEST(emulated_device, nothing_is_done_before_somebody_waits) {
  There<double> const one({1}), place({0});
  auto const queue = here().make_queue();
  auto const event = here().make_event();
  EXPECT_TRUE(event->has_come()) << "it was never recorded";
  queue->copy(place.data(), one.data(), sizeof(double));
  queue->record(*event);
  int looks = 1;
  while (!event->has_come()) ++looks;
  EXPECT_EQ(place.values()[0], 1);
  // It may take none, one or two steps each time.
  EXPECT_LE(looks, 1000);
}

/// exp(-2 pi i k / n), by the definition.
Complex root(Index k, Index n) {
  return std::polar(1.0,
                    -2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n));
}

TEST(emulated_device, copies_change_elements_by_their_indices) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    auto const below = [&](int n) {
      return static_cast<Index>(random() % static_cast<unsigned>(n));
    };
    // A box of rows and columns, somewhere in an array on either side.
    Index const rows = 1 + below(6), columns = 1 + below(6);
    Index const n = rows * columns + below(50) + 16, fine = 4;
    Index const from_row = columns + below(3), to_column = rows + below(3);
    bool const from_complex = below(2) == 0, to_complex = below(2) == 0;
    auto const size = static_cast<std::size_t>(2 * 10 * 10);
    std::vector<double> source(size), target(size, 0.5);
    for (double& value : source) value = static_cast<double>(below(1000)) / 500 - 1;
    std::vector<Complex> table;
    for (Index k = 0; k < fine; ++k) table.push_back(root(k, n));
    for (Index k = 0; k * fine < n; ++k) table.push_back(root(k * fine, n));
    std::vector<Complex> factors(size);
    for (Complex& factor : factors) factor = root(below(100), 100);
    There<double> const in(source), out(target);
    There<Complex> const roots(table), many(factors);

    Copy copied;
    copied.axes = 2;
    copied.extent[0] = rows, copied.extent[1] = columns;
    copied.from[0] = from_row, copied.from[1] = 1;
    copied.to[0] = 1, copied.to[1] = to_column;
    copied.source = below(8) == 0 ? nullptr : in.data();
    copied.target = out.data();
    copied.from_reals = from_complex ? 2 : 1;
    copied.to_reals = to_complex ? 2 : 1;
    copied.changes = true;
    copied.scale = static_cast<double>(1 + below(4));
    Index const first = below(5), step = 1 + below(2);
    bool const has_phase = below(2) == 0;
    if (has_phase) {
      auto const* const there = reinterpret_cast<Pair<double> const*>(roots.data());
      copied.phase = {there, there + fine, 2, n, {0, first, step}, {1, 0, 1}, below(2) == 0};
    }
    copied.row = {0, 0, 1};
    copied.halved[0] = below(8);
    copied.real[1] = below(8);
    copied.take = below(2) == 0 ? Take::real : Take::minus_imaginary;
    bool const has_table = below(2) == 0;
    if (has_table) copied.table = {many.data(), below(2) == 0 ? 1 : 2};
    copied.in_table[0] = columns + below(3), copied.in_table[1] = 1;
    here().make_queue()->run(copied);

    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) {
        auto const at = static_cast<std::size_t>((i * from_row + j) * copied.from_reals);
        Complex value = 0;
        if (copied.source) value = {source[at], from_complex ? source[at + 1] : 0};
        if (i == copied.real[1]) value.imag(0);
        if (i == copied.halved[0]) value /= 2;
        value *= copied.scale;
        if (has_phase) {
          Complex const factor = root((first + step * i) * j, n);
          value *= copied.phase.conjugate ? std::conj(factor) : factor;
        }
        auto const place = static_cast<std::size_t>(i + j * to_column);
        auto const in_table = static_cast<std::size_t>(i * copied.in_table[0] + j);
        if (has_table && copied.table.reals == 2) value *= factors[in_table];
        if (has_table && copied.table.reals == 1)
          value *= reinterpret_cast<double const*>(factors.data())[in_table];
        auto const to = place * static_cast<std::size_t>(copied.to_reals);
        if (to_complex)
          target[to] = value.real(), target[to + 1] = value.imag();
        else
          target[to] = copied.take == Take::real ? value.real() : -value.imag();
      }
    std::vector<double> const made = out.values();
    for (std::size_t i = 0; i < size; ++i) ASSERT_NEAR(made[i], target[i], 1e-14) << round;
  }
}

TEST(emulated_device, columns_are_transformed_along_several_axes) {
  Index const rows = 6, width = 5, batch = 3;
  std::vector<Complex> values;
  for (Index i = 0; i < batch * rows * width; ++i)
    values.emplace_back(std::sin(static_cast<double>(3 * i)), std::cos(static_cast<double>(i * i)));
  There<Complex> const array(values);
  Columns const columns{Columns::Kind::c2c,         8,    {rows, width}, {{width, 1}, rows * width},
                        {{width, 1}, rows * width}, batch};
  auto const planned = here().plan(columns);
  ASSERT_NE(planned, nullptr);
  here().make_queue()->run(*planned, array.data(), array.data(), false, nullptr);
  std::vector<Complex> const made = array.values();
  for (Index b = 0; b < batch; ++b)
    for (Index k = 0; k < rows; ++k)
      for (Index l = 0; l < width; ++l) {
        Complex sum = 0;
        for (Index i = 0; i < rows; ++i)
          for (Index j = 0; j < width; ++j)
            sum += values[static_cast<std::size_t>((b * rows + i) * width + j)] *
                   root(i * k, rows) * root(j * l, width);
        EXPECT_LT(std::abs(made[static_cast<std::size_t>((b * rows + k) * width + l)] - sum),
                  1e-13);
      }
}

TEST(emulated_device, devices_are_told) {
  EXPECT_EQ(devices(Device::none), std::vector<std::string>{});
  EXPECT_EQ(devices(Device::emulated), std::vector<std::string>{"emulated device"});
  EXPECT_THROW(allocate(Device::none, 8), Error);
}

}  // namespace
}  // namespace sixstep::device
