// SPDX-License-Identifier: BSD-3-Clause
// Options::verify finds flipped bits in the arrays at both ends of a plan.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <limits>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "ranks.hpp"
#include "schedule/problem.hpp"
#include "sixstep/plan.hpp"
#include "verified_plans.hpp"
#include "verify/result_check.hpp"

namespace sixstep::verified {
namespace {

/// A plan of one rank with its check, whose arrays a test may change between the sums.
template <class Real>
struct Checked {
  using Complex = std::complex<Real>;

  explicit Checked(Task const& task)
      : plan(task.input, *task.output, MPI_COMM_SELF, plain(task.options)),
        check(schedule::checked({.input = task.input,
                                 .axes = task.options.axes,
                                 .kinds = task.options.kinds,
                                 .lengths = task.options.lengths,
                                 .modes = task.options.modes,
                                 .real_bytes = sizeof(Real)}),
              layout::place(task.input, schedule::numbers_of(task.options.kinds).input),
              layout::place(*task.output, schedule::numbers_of(task.options.kinds).output), 0, 0) {}

  static Options plain(Options options) {
    options.verify = Verify::none;
    options.wire = {};
    options.fields = 1;
    return options;
  }

  Plan<Real> plan;
  verify::ResultCheck check;
};

template <class Real>
double norm_of(std::vector<Real> const& array) {
  double sum = 0;
  for (Real const& x : array) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

/// Flips of one end by the error that they cause in the result, in units of its rounding error:
/// below 100, 300, 1000, 10,000, and above.
struct Classes {
  static constexpr std::array<double, 4> limits{100, 300, 1000, 10000};
  std::array<int, limits.size() + 1> found{}, missed{};

  void add(double error, bool is_found) {
    auto const number = static_cast<std::size_t>(
        std::upper_bound(limits.begin(), limits.end(), error) - limits.begin());
    ++(is_found ? found : missed)[number];
  }
  void print(char const* where) const {
    for (std::size_t i = 0; i < found.size(); ++i)
      std::cout << where << (i == 0 ? ", below " : ", above ") << limits[i == 0 ? 0 : i - 1] << ": "
                << found[i] << " found, " << missed[i] << " missed\n";
  }
};

/// Counts of flips. Those in single precision are classified: double precision tells the rounding
/// error of their results.
struct Count {
  int flips = 0, large = 0, found = 0;
  Classes of_source, of_result;

  void print() const {
    if (ranks::rank() != 0) return;
    of_source.print("source");
    of_result.print("result");
  }
};

/// The arrays of one direction of a plan.
template <class Real>
struct Way {
  Plan<Real>& plan;
  Task const& task;
  Direction direction;

  Index reals(bool of_source) const {
    bool const of_input = of_source == (direction == Direction::forward);
    return of_input ? plan.input_size() * (task.real_input ? 1 : 2)
                    : plan.output_size() * (task.real_output ? 1 : 2);
  }
  std::vector<Real> result(std::vector<Real> const& in) const {
    using Complex = std::complex<Real>;
    std::vector<Real> out(at(reals(false)));
    auto const* const from = reinterpret_cast<Complex const*>(in.data());
    auto* const to = reinterpret_cast<Complex*>(out.data());
    if (task.real_output)
      plan.execute(in.data(), out.data(), direction);
    else if (!task.real_input)
      plan.execute(from, to, direction);
    else if (direction == Direction::forward)
      plan.forward(in.data(), to);
    else
      plan.backward(from, out.data());
    return out;
  }
};

/// The error of one result, over the norm of another.
template <class Real, class Other>
double error_of(std::vector<Real> const& result, std::vector<Other> const& right) {
  std::vector<double> errors(right.size()), all(right.begin(), right.end());
  for (std::size_t i = 0; i < right.size(); ++i)
    errors[i] = static_cast<double>(result[i]) - static_cast<double>(right[i]);
  return norm_of(errors) / norm_of(all);
}

/// Flips a bit of the input after it was summed up, or of the result before, and compares what this
/// changes with what the check says. Errors of more than `large` epsilons have to be found.
template <class Real>
void flip_and_check(Task const& task, Random& random, Count& count, double large) {
  constexpr bool is_single = std::is_same_v<Real, float>;
  Checked<Real> checked(task);
  Direction const direction = random.once_in(2) ? Direction::backward : Direction::forward;
  Way<Real> const way{checked.plan, task, direction};
  std::vector<Real> const in = random_array<Real>(random, way.reals(true));
  std::vector<Real> const out = way.result(in);
  double rounding = 0;
  if constexpr (is_single) {
    Checked<double> exact(task);
    rounding = error_of(out, Way<double>{exact.plan, task, direction}.result(
                                 std::vector<double>(in.begin(), in.end())));
  }
  auto const source = checked.check.source(direction, in.data(), false, 1);
  for (int round = 0; round < 20; ++round) {
    bool const in_source = random.once_in(2);
    std::vector<Real> changed = in, wrong = out;
    std::vector<Real>& where = in_source ? changed : wrong;
    auto const real = at(random.between(Index{0}, static_cast<Index>(where.size()) - 1));
    int const bit = random.between(0, 8 * static_cast<int>(sizeof(Real)) - 1);
    flip_bit(where.data(), sizeof(Real), real, bit);
    if (in_source) wrong = way.result(changed);
    double const error = error_of(wrong, out);
    auto const result = checked.check.result(direction, wrong.data(), false, 1);
    verify::Finding const found = checked.check.compare(direction, source, result, {});
    ++count.flips;
    if (is_single && rounding > 0)
      (in_source ? count.of_source : count.of_result).add(error / rounding, found.is_wrong());
    if (error > large * std::numeric_limits<Real>::epsilon() || !std::isfinite(error)) {
      ++count.large;
      EXPECT_TRUE(found.is_wrong())
          << describe(task) << ": real " << real << ", bit " << bit << ", error " << error
          << (direction == Direction::backward ? ", backward" : "");
    }
    if (found.is_wrong()) ++count.found;
  }
}

/// The task between slabs on one rank, with an input that stays as it is.
Task alone(Task task) {
  Options& options = task.options;
  options.low_memory = false;
  options.preserve_input = true;
  task.input = Layout::slab(task.input.shape(), 1);
  task.output = Layout::slab(schedule::output_shape(schedule::checked({.input = task.input,
                                                                       .axes = options.axes,
                                                                       .kinds = options.kinds,
                                                                       .lengths = options.lengths,
                                                                       .modes = options.modes})),
                             1);
  return task;
}

void flip_and_check(Task const& task, Random& random, Count& count, double large) {
  if (random.once_in(2))
    flip_and_check<float>(task, random, count, large);
  else
    flip_and_check<double>(task, random, count, large);
}

TEST(Verify, flipped_bits_are_found) {
  Count count;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases::rounds(200)); ++seed) {
    Random random(seed + 7000 * static_cast<std::uint64_t>(ranks::rank()));
    Task const task = alone(random_task(random));
    if (volume(task.input.shape()) > 20000) continue;
    // A random sum is smaller than an error by a factor of 30 once in a thousand times.
    flip_and_check(task, random, count, 3e5);
  }
  EXPECT_GT(count.large, count.flips / 4);
  EXPECT_GE(count.found, count.large);
  count.print();
}

TEST(Verify, flipped_bits_are_found_along_long_axes) {
  Count count;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases::rounds(4)); ++seed) {
    Random random(seed + 7000 * static_cast<std::uint64_t>(ranks::rank()));
    Index const length = random.between(Index{65537}, Index{200000});
    int const rows = random.once_in(2) ? 1 : random.between(2, 3);
    Task task{.input = Layout::slab(rows == 1 ? Shape{length} : Shape{rows, length}, 1)};
    task.options.axes = {rows == 1 ? 0 : 1};
    task.options.kinds = {random.once_in(2) ? Kind::r2c : Kind::c2c};
    task.real_input = task.options.kinds[0] == Kind::r2c;
    // The weights of a source are sqrt(n) times smaller than their peak.
    flip_and_check(alone(task), random, count, 3e5 * std::sqrt(static_cast<double>(length)));
  }
  EXPECT_GT(count.large, 0);
  EXPECT_GE(count.found, count.large);
  count.print();
}

}  // namespace
}  // namespace sixstep::verified
