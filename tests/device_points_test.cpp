// SPDX-License-Identifier: BSD-3-Clause
// Pointwise work on a device: long axes that ranks cannot share as they are, compared with sums by
// the definition in long double.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"
#include "tested_device.hpp"

namespace sixstep {
namespace {

using oracle::at;
using Wide = oracle::Exact;
using Random = std::mt19937;

int all() { return ranks::count(); }

Options on_device() {
  take_gpu(ranks::rank());
  Options options;
  options.device = tested_device();
  return options;
}

/// X[k] = sum_j x[j] exp(-2 pi i jk/n) for 0 <= k < count. Rank r computes every all()-th number.
std::vector<Wide> transform_of(std::vector<Wide> const& x, Index count) {
  oracle::ExactRoots const roots(static_cast<Index>(x.size()));
  std::vector<Wide> sums(at(count));
  for (Index k = ranks::rank(); k < count; k += all())
    sums[at(k)] = oracle::coefficient(x, roots, k, false);
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(2 * count), MPI_LONG_DOUBLE, MPI_SUM,
                MPI_COMM_WORLD);
  return sums;
}

/// The same on all ranks.
std::vector<Wide> random_points(Random& random, Index n, bool are_real) {
  std::vector<Wide> x(at(n));
  auto const any = [&] { return static_cast<long double>(random() % 2000) / 1000 - 1; };
  for (Wide& value : x) value = {any(), are_real ? 0 : any()};
  return x;
}

/// An array of the device with room for `elements`, and the same on the host.
template <class Element>
struct Both {
  std::shared_ptr<void> there;
  std::vector<Element> here;

  template <class AnyPlan>
  Both(AnyPlan& plan, Index elements) : there(plan.allocate()), here(at(elements)) {}
  Element* data() { return static_cast<Element*>(there.get()); }
  void send() {
    if (!here.empty())
      copy(tested_device(), there.get(), here.data(), here.size() * sizeof here[0]);
  }
  void fetch() {
    if (!here.empty())
      copy(tested_device(), here.data(), there.get(), here.size() * sizeof here[0]);
  }
};

template <class Element>
Element as(Wide const& value) {
  if constexpr (std::is_floating_point_v<Element>)
    return static_cast<Element>(value.real());
  else
    return Element(value);
}

template <class Element>
void fill(Both<Element>& array, Box const& box, Shape const& strides, std::vector<Wide> const& x) {
  std::fill(array.here.begin(), array.here.end(), Element(NAN));
  for_each(box, strides,
           [&](Shape const& j, Index i) { array.here[at(i)] = as<Element>(x[at(j[0])]); });
  array.send();
}

template <class Element>
void expect(Both<Element>& array, Box const& box, Shape const& strides,
            std::vector<Wide> const& expected, double tolerance, std::string const& what) {
  array.fetch();
  double worst = 0;
  for_each(box, strides, [&](Shape const& k, Index i) {
    Wide const got(std::complex<double>(array.here[at(i)]));
    worst = ranks::worse(worst, static_cast<double>(std::abs(got - expected[at(k[0])])));
  });
  EXPECT_LT(ranks::largest(worst), tolerance) << what;
}

Layout random_layout(Random& random, Index n) {
  switch (random() % 4) {
    case 0:
      return Layout::grid({n}, {all()}, {Distribution::cyclic});
    case 1: {  // blocks of any size
      std::vector<Index> cuts{0, n};
      for (int i = 1; i < all(); ++i)
        cuts.push_back(static_cast<Index>(random() % static_cast<unsigned>(n + 1)));
      std::sort(cuts.begin(), cuts.end());
      std::vector<Box> boxes;
      for (int i = 0; i < all(); ++i) boxes.push_back({{{cuts[at(i)], cuts[at(i + 1)]}}});
      return Layout::boxes({n}, boxes);
    }
    default:
      return Layout::slab({n}, all());
  }
}

template <class Real, bool are_real>
void expect_line(Random& random, Index n, std::string& seen) {
  using Complex = std::complex<Real>;
  using Element = std::conditional_t<are_real, Real, Complex>;
  Options options = on_device();
  options.kinds = {are_real ? Kind::r2c : Kind::c2c};
  options.exchange = random() % 2 == 0 ? Exchange::shared : Exchange::pairwise;
  options.own_workspace = random() % 4 != 0;
  Index const count = are_real ? n / 2 + 1 : n;
  Layout const input = random_layout(random, n), output = random_layout(random, count);
  Plan<Real> plan(input, output, MPI_COMM_WORLD, options);
  std::string const what = text(n, are_real ? " reals: " : " points: ", plan.describe());
  seen += plan.describe();
  std::shared_ptr<void> const lent =
      options.own_workspace ? nullptr : allocate(tested_device(), plan.workspace_bytes());
  if (lent) plan.set_workspace(lent.get(), plan.workspace_bytes());
  Both<Element> in(plan, plan.input_size());
  Both<Complex> out(plan, plan.output_size());
  std::vector<Wide> const x = random_points(random, n, are_real), X = transform_of(x, count);
  fill(in, plan.input_box(), plan.input_strides(), x);
  double const tolerance =
      (std::is_same_v<Real, float> ? 3e-5 : 5e-14) * std::sqrt(static_cast<double>(n));
  bool const early = random() % 2 == 0;
  auto const run = [&](auto const* from, auto* to, Scale scale) {
    if (early)
      plan.execute_async(from, to, scale);
    else
      plan.execute(from, to, scale);
  };
  if constexpr (are_real)
    run(in.data(), out.data(), Scale::none);
  else if (early)
    plan.execute_async(in.data(), out.data());
  else
    plan.forward(in.data(), out.data());
  plan.wait();
  expect(out, plan.output_box(), plan.output_strides(), X, tolerance, what);
  expect(in, plan.input_box(), plan.input_strides(), x, tolerance, what);
  std::vector<Wide> given = X;
  if (are_real) {  // the imaginary parts of what must be real are not read
    given[0] += Wide(0, 1);
    if (n % 2 == 0) given[at(n / 2)] += Wide(0, 2);
  }
  fill(out, plan.output_box(), plan.output_strides(), given);
  std::fill(in.here.begin(), in.here.end(), Element(NAN));
  in.send();
  if constexpr (are_real)
    run(out.data(), in.data(), Scale::by_n);
  else if (early)
    plan.execute_async(out.data(), in.data(), Direction::backward, Scale::by_n);
  else
    plan.backward(out.data(), in.data(), Scale::by_n);
  plan.wait();
  expect(in, plan.input_box(), plan.input_strides(), x, tolerance / 10, what + "back");
  expect(out, plan.output_box(), plan.output_strides(), given, tolerance, what + "back");
  if constexpr (!are_real) {  // the other sign, forward
    plan.execute(in.data(), out.data(), Direction::forward, Sign::plus);
    std::vector<Wide> conjugates = x;
    for (Wide& value : conjugates) value = std::conj(value);
    std::vector<Wide> expected = transform_of(conjugates, n);
    for (Wide& value : expected) value = std::conj(value);
    expect(out, plan.output_box(), plan.output_strides(), expected, tolerance, what + "plus");
  }
}

Index prime_from(Index n) {
  auto const is_prime = [](Index p) {
    for (Index d = 2; d * d <= p; ++d)
      if (p % d == 0) return false;
    return true;
  };
  while (!is_prime(n)) ++n;
  return n;
}

TEST(device_points, long_axes_are_those_of_the_definition) {
  Random random(17);
  std::string seen;
  for (int round = 0; round < 3 * ranks::rounds(8); ++round) {
    if (testing::Test::HasFailure()) return;
    Index const n = prime_from(300 + static_cast<Index>(random() % 700));
    expect_line<double, false>(random, n, seen);
    expect_line<float, false>(random, n, seen);
    expect_line<double, true>(random, n, seen);
    expect_line<float, true>(random, n, seen);
    expect_line<double, true>(random, 2 * n, seen);
    expect_line<float, true>(random, 2 * n, seen);
    if (round == 0) expect_line<double, true>(random, 6007, seen);
    expect_line<double, true>(random, 512 + 4 * static_cast<Index>(random() % 100), seen);
  }
  if (all() == 1) return;
  for (char const* work : {"times chirp", "coefficients of reals", "reals to complex numbers"})
    EXPECT_NE(seen.find(work), std::string::npos) << work;
}

/// Small ones, some of which are one schedule.
TEST(device_points, short_axes_are_those_of_the_definition) {
  Random random(18);
  std::string seen;
  for (Index n : {1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 26, 31, 62, 64, 101, 128, 202}) {
    expect_line<double, false>(random, n, seen);
    expect_line<double, true>(random, n, seen);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace sixstep
