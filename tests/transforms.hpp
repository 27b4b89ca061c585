// SPDX-License-Identifier: BSD-3-Clause
// Complex plans against the definition of the transform, in any way to call them.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "cases.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::transforms {

inline int mine() { return ranks::rank(); }
inline int all() { return ranks::count(); }

inline int sign(Direction direction) { return direction == Direction::forward ? -1 : +1; }
inline int sign(Sign of) { return of == Sign::minus ? -1 : +1; }

struct Case {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
  Scale scale = Scale::none;
};

inline std::string describe(Case const& given) {
  Options const& options = given.options;
  std::string axes;
  for (int axis : options.axes) axes += text(" ", axis);
  return text("input ", cases::describe(given.input), "\noutput ",
              given.output ? cases::describe(*given.output) : "open", "\naxes",
              options.transform ? axes : ": none", ", exchange ",
              static_cast<int>(options.exchange), options.preserve_input ? "" : ", input given up",
              options.low_memory ? ", low memory" : "", options.regrid ? ", regrid" : "",
              options.own_workspace ? "" : ", lent workspace", ", local ",
              static_cast<int>(options.local), ", threads ", options.threads, ", scale ",
              static_cast<int>(given.scale));
}

/// Memory of exactly the size a plan asks for, with a guard before and behind.
class Workspace {
 public:
  explicit Workspace(std::size_t bytes) : bytes_(bytes), memory_(bytes + 3 * guard, mark) {
    auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
    start_ = guard + (64 - address % 64) % 64;
  }
  std::byte* data() { return memory_.data() + start_; }
  bool guards_are_intact() const {
    auto const is_mark = [](std::byte b) { return b == mark; };
    auto const first = memory_.begin();
    return std::all_of(first, first + static_cast<std::ptrdiff_t>(start_), is_mark) &&
           std::all_of(first + static_cast<std::ptrdiff_t>(start_ + bytes_), memory_.end(),
                       is_mark);
  }

 private:
  static constexpr std::size_t guard = 256;
  static constexpr std::byte mark{0x5a};
  std::size_t bytes_;
  std::vector<std::byte> memory_;
  std::size_t start_;
};

/// Input and output of a plan, filled with what is not a number.
template <class Real>
struct Arrays {
  using Complex = std::complex<Real>;
  enum Whose { ours, of_plan, input_of_plan, output_of_plan, of_odd_ranks, of_even_ranks };
  static constexpr Whose all[] = {ours,           of_plan,      input_of_plan,
                                  output_of_plan, of_odd_ranks, of_even_ranks};

  Arrays(Plan<Real>& plan, Whose whose) : of_plan_{plan.allocate(), plan.allocate()} {
    bool const odd = mine() % 2 == 1;
    for (int i = 0; i < 2; ++i) {
      bool const is_plans = whose == of_plan || whose == (odd ? of_odd_ranks : of_even_ranks) ||
                            whose == (i == 0 ? input_of_plan : output_of_plan);
      ours_[i] = arrays::unset<Real>(plan.in_place_size());
      if (is_plans) std::copy(ours_[i].begin(), ours_[i].end(), of_plan_[i].get());
      (i == 0 ? in : out) = is_plans ? of_plan_[i].get() : ours_[i].data();
    }
  }

  Complex* in;
  Complex* out;

 private:
  std::shared_ptr<Complex[]> of_plan_[2];
  std::vector<Complex> ours_[2];
};

template <class Real>
Plan<Real> make(Case const& given) {
  return given.output ? Plan<Real>(given.input, *given.output, MPI_COMM_WORLD, given.options)
                      : Plan<Real>(given.input, MPI_COMM_WORLD, given.options);
}

inline long double factor(Scale scale, Case const& given) {
  long double points = 1;
  for (int axis = 0; axis < given.input.axes(); ++axis) {
    std::vector<int> const& axes = given.options.axes;
    if (given.options.transform && (axes.empty() || std::count(axes.begin(), axes.end(), axis) > 0))
      points *= static_cast<long double>(given.input.shape()[axis]);
  }
  return scale == Scale::none ? 1 : scale == Scale::by_n ? 1 / points : 1 / std::sqrt(points);
}

/// The transform by the definition; of many points one rank computes it.
inline std::vector<oracle::Exact> exact_transform(std::vector<oracle::Exact> whole,
                                                  Case const& given, Sign of) {
  auto const compute = [&] {
    oracle::transform_along(whole, given.input.shape(), given.options.axes, sign(of));
  };
  if (whole.size() > 1000)
    ranks::compute_once(whole, compute);
  else
    compute();
  return whole;
}

/// Both directions with both signs, out of place and in place, against the definition.
template <class Real>
void expect_transforms(Case const& given) {
  SCOPED_TRACE(describe(given));
  using Complex = std::complex<Real>;
  Plan<Real> plan = make<Real>(given);
  std::optional<Workspace> workspace;
  if (!given.options.own_workspace) {
    workspace.emplace(plan.workspace_bytes());
    plan.set_workspace(workspace->data(), plan.workspace_bytes());
  }
  ASSERT_TRUE(plan.input() == given.input);
  if (given.output) {
    ASSERT_TRUE(plan.output() == *given.output);
  }
  ASSERT_EQ(plan.input_size(), plan.input().local_size(mine()));
  ASSERT_EQ(plan.output_size(), plan.output().local_size(mine()));
  ASSERT_EQ(plan.in_place_size(), std::max(plan.input_size(), plan.output_size()));

  Index const points = oracle::points_of(given.input.shape());
  long double const scale = factor(given.scale, given);
  double const bound = arrays::rounding<Real>(points, scale);
  for (auto const& [direction, sign] : {std::pair{Direction::forward, Sign::minus},
                                        {Direction::forward, Sign::plus},
                                        {Direction::backward, Sign::plus},
                                        {Direction::backward, Sign::minus}}) {
    bool const by_direction = transforms::sign(sign) == transforms::sign(direction);
    auto const execute = [&, to = direction, plus = sign](Complex const* in, Complex* out) {
      if (by_direction) return plan.execute(in, out, to, given.scale);
      plan.execute(in, out, to, plus, given.scale);
    };
    bool const forward = direction == Direction::forward;
    Layout const& from = forward ? plan.input() : plan.output();
    Layout const& to = forward ? plan.output() : plan.input();
    std::vector<oracle::Exact> const whole = oracle::values(points, forward ? 1 : 2);
    std::vector<oracle::Exact> const expected =
        given.options.transform ? exact_transform(whole, given, sign) : whole;

    std::vector<Complex> in = arrays::unset<Real>(from.local_size(mine()));
    arrays::fill(in, from, mine(), whole);
    for (auto const whose : Arrays<Real>::all) {
      if (given.options.exchange != Exchange::shared && whose > Arrays<Real>::of_plan) break;
      if (!by_direction && whose > Arrays<Real>::ours) break;
      SCOPED_TRACE(text(forward ? "forward" : "backward", by_direction ? "" : ", the other sign",
                        ", arrays ", static_cast<int>(whose), "\n", plan.describe()));
      Arrays<Real> const at(plan, whose);
      std::copy(in.begin(), in.end(), at.in);
      execute(at.in, at.out);
      std::vector<Complex> const out(at.out, at.out + to.local_size(mine()));
      EXPECT_LT(ranks::largest(arrays::difference(out, to, mine(), expected, scale)), bound);
      if (given.options.preserve_input) {
        EXPECT_TRUE(std::equal(in.begin(), in.end(), at.in)) << "the input was changed";
      }

      std::copy(in.begin(), in.end(), at.out);
      execute(at.out, at.out);
      std::vector<Complex> const array(at.out, at.out + to.local_size(mine()));
      EXPECT_LT(ranks::largest(arrays::difference(array, to, mine(), expected, scale)), bound)
          << "in place";
    }
    if (workspace) {
      EXPECT_TRUE(workspace->guards_are_intact());
    }
  }
}

inline Options random_options(cases::Random& random, int axes) {
  bool const transform = !random.once_in(8);
  return {.axes = transform ? cases::random_axes(random, axes) : std::vector<int>{},
          .transform = transform,
          .preserve_input = !random.once_in(3),
          .low_memory = random.once_in(3),
          .exchange = static_cast<Exchange>(random.between(0, 2)),
          .threads = random.between(1, 2),
          .regrid = random.once_in(3),
          .split_untransformed = random.once_in(2),
          .own_workspace = !random.once_in(3)};
}

inline Case random_case(cases::Random& random, int axes, Index points) {
  Shape const shape = cases::random_shape(random, axes, points);
  Case given{.input = cases::random_layout(random, shape, all()),
             .options = random_options(random, axes),
             .scale = static_cast<Scale>(random.between(0, 2))};
  if (!random.once_in(3)) given.output = cases::random_layout(random, shape, all());
  return given;
}

}  // namespace sixstep::transforms
