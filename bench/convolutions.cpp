// SPDX-License-Identifier: BSD-3-Clause
// What is not there, against arrays that have it: the zeros of a linear convolution and of
// Poisson's equation in free space, and the waves outside of a sphere. In turn, in one run.
//
//   mpiexec -n 2 convolutions --points 128
#include "sixstep/convolution.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include "harness.hpp"
#include "node/rounds.hpp"
#include "ranks.hpp"
#include "sixstep/open_poisson.hpp"
#include "sixstep/symbols.hpp"

namespace sixstep::bench {
namespace {

using Complex = std::complex<double>;

struct Arguments {
  Index points = 128;
  node::Patience patience = {.rounds = 9, .seconds = 3};
};

double value(Shape const& point) {
  return std::cos(static_cast<double>(point[0] + 3 * point[1] * point[2] % 17));
}

void print(char const* what, Trials const& trials, MPI_Comm comm) {
  if (cli::rank_of(comm) != 0) return;
  std::printf("%-22s %9.2f %9.2f   %6.2f\n", what, 1e3 * median(trials[0]), 1e3 * median(trials[1]),
              median_ratio(trials[0], trials[1]));
  std::fflush(stdout);
}

/// Two arrays of n^3 points to (2n - 1)^3, by our own plans of (2n)^3 with zeros.
void convolve(Arguments const& arguments, MPI_Comm comm) {
  Index const n = arguments.points;
  int const ranks = cli::ranks_of(comm), rank = cli::rank_of(comm);
  Layout const small = Layout::slab({n, n, n}, ranks);
  ConvolutionOptions options;
  options.kinds = {Kind::r2c};
  Convolution<double> convolution(small, small, comm, options);
  auto const signal = convolution.allocate<double>(), kernel = convolution.allocate<double>(),
             result = convolution.allocate<double>();
  for_each(small, rank, [&](Shape const& at, Index i) { signal[i] = kernel[i] = value(at); });

  Plan<double> plan(Layout::slab({2 * n, 2 * n, 2 * n}, ranks), comm, {.kinds = {Kind::r2c}});
  auto const a = plan.allocate<double>(), b = plan.allocate<double>();
  auto const x = plan.allocate<Complex>(), y = plan.allocate<Complex>();
  for_each(plan.input(), rank, [&](Shape const& at, Index i) {
    bool const inside = at[0] < n && at[1] < n && at[2] < n;
    a[i] = b[i] = inside ? value(at) : 0;
  });
  auto const made = plan.allocate<double>();
  auto const with_zeros = [&] {
    plan.forward(a.get(), x.get());
    plan.forward(b.get(), y.get());
    auto* const to = reinterpret_cast<double*>(x.get());
    auto const* const by = reinterpret_cast<double const*>(y.get());
    for (Index i = 0; i < 2 * plan.output_size(); i += 2) {
      double const re = to[i] * by[i] - to[i + 1] * by[i + 1];
      to[i + 1] = to[i] * by[i + 1] + to[i + 1] * by[i];
      to[i] = re;
    }
    plan.backward(x.get(), made.get(), Scale::by_n);
  };
  auto const without = [&] {
    convolution.set_kernel(kernel.get());
    convolution.apply(signal.get(), result.get());
  };
  with_zeros();
  without();
  double sums[2] = {0, 0};
  for (Index i = 0; i < convolution.output_size(); ++i) sums[0] += result[i] * result[i];
  for (Index i = 0; i < plan.input_size(); ++i) sums[1] += made[i] * made[i];
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, comm);
  require(std::abs(sums[0] - sums[1]) < 1e-9 * sums[1], "results differ");
  print("convolution", node::take_turns({without, with_zeros}, arguments.patience, comm), comm);
}

/// Free space around n^3 points, against a periodic operator of (2n)^3.
void solve(Arguments const& arguments, MPI_Comm comm) {
  Index const n = arguments.points;
  int const ranks = cli::ranks_of(comm), rank = cli::rank_of(comm);
  double const width = 1. / 16;  // of the side
  Layout const small = Layout::slab({n, n, n}, ranks);
  auto const radius = [n](Shape const& at) {
    double square = 0;
    for (Index j : at)
      square += std::pow(static_cast<double>(2 * j - n) / (2. * static_cast<double>(n)), 2);
    return std::sqrt(square);
  };
  double const pi = std::acos(-1.);
  OpenPoissonOptions options;
  options.spacing = {1 / static_cast<double>(n)};
  double error[2] = {0, 0};
  std::unique_ptr<OpenPoisson<double>> open;
  std::shared_ptr<double[]> f, u;
  for (GreensFunction const greens : {GreensFunction::integrated, GreensFunction::truncated}) {
    options.greens_function = greens;
    open = std::make_unique<OpenPoisson<double>>(small, comm, options);
    f = open->convolution().allocate<double>();
    u = open->convolution().allocate<double>();
    for_each(small, rank, [&](Shape const& at, Index i) {
      double const r = radius(at) / width;
      f[i] = std::exp(-r * r / 2) / std::pow(std::sqrt(2 * pi) * width, 3);
    });
    open->solve(f.get(), u.get());
    double const largest = std::sqrt(2 / pi) / (4 * pi * width);
    double& worst = error[greens == GreensFunction::truncated];
    for_each(small, rank, [&](Shape const& at, Index i) {
      double const r = radius(at);
      double const exact = r > 0 ? -std::erf(r / (std::sqrt(2.) * width)) / (4 * pi * r) : -largest;
      worst = std::max(worst, std::abs(u[i] - exact) / largest);
    });
  }
  MPI_Allreduce(MPI_IN_PLACE, error, 2, MPI_DOUBLE, MPI_MAX, comm);
  OperatorOptions periodic;
  periodic.kinds = {Kind::r2c};
  Operator<double> whole(Layout::slab({2 * n, 2 * n, 2 * n}, ranks), comm,
                         symbols::inverse_laplacian(), periodic);
  auto const g = whole.allocate<double>(), v = whole.allocate<double>();
  std::fill_n(g.get(), whole.input_size(), 1.);
  print("free space",
        node::take_turns(
            {[&] { open->solve(f.get(), u.get()); }, [&] { whole.apply(g.get(), v.get()); }},
            arguments.patience, comm),
        comm);
  if (rank == 0)
    std::printf("error of a Gaussian's potential: truncated %.1e, integrated %.1e\n", error[1],
                error[0]);
}

/// The waves within a sphere of radius n/4, against all.
template <class In>
void keep_sphere(Arguments const& arguments, std::vector<Kind> const& kinds, char const* what,
                 MPI_Comm comm) {
  Index const n = arguments.points;
  Layout const cube = Layout::slab({n, n, n}, cli::ranks_of(comm));
  Options options;
  options.kinds = kinds;
  Plan<double> whole(cube, comm, options);
  options.sphere = {static_cast<double>(n) / 4};
  Plan<double> sphere(cube, comm, options);
  auto const in = sphere.allocate<In>(), same = whole.allocate<In>();
  auto const packed = sphere.allocate<Complex>(), all = whole.allocate<Complex>();
  for_each(cube, cli::rank_of(comm),
           [&](Shape const& at, Index i) { in[i] = same[i] = value(at); });
  print(text(what, " forward").c_str(),
        node::take_turns({[&] { sphere.forward(in.get(), packed.get()); },
                          [&] { whole.forward(same.get(), all.get()); }},
                         arguments.patience, comm),
        comm);
  print(text(what, " backward").c_str(),
        node::take_turns({[&] { sphere.backward(packed.get(), in.get(), Scale::by_n); },
                          [&] { whole.backward(all.get(), same.get(), Scale::by_n); }},
                         arguments.patience, comm),
        comm);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Transforms without zeros and dropped waves, against whole ones", "convolutions");
  app.add_option("--points", arguments.points, "Along each of three axes [128]")
      ->check(CLI::Range(2, 1 << 12));
  add_rounds(app, arguments.patience.rounds, "In which all run, at least [9]");
  add_seconds(app, arguments.patience.seconds, "For each comparison at least [3]");
  return run_on_ranks(app, argc, argv, [&](MPI_Comm comm) {
    if (cli::rank_of(comm) == 0)
      std::printf("%d ranks, milliseconds\n%-22s %9s %9s   %6s\n", cli::ranks_of(comm), "",
                  "without", "zeros", "ratio");
    convolve(arguments, comm);
    solve(arguments, comm);
    keep_sphere<Complex>(arguments, {}, "sphere", comm);
    keep_sphere<double>(arguments, {Kind::r2c}, "sphere r2c", comm);
  });
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
