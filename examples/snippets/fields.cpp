// SPDX-License-Identifier: BSD-3-Clause
// The code of docs/fields-and-solvers.md and docs/one-axis.md: several fields at once, fewer modes
// than points, wave numbers, one long axis.
//
//   mpiexec -n 4 fields
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <sixstep/sixstep.hpp>
#include <vector>

namespace {

using Complex = std::complex<double>;
using sixstep::Index;

// Transforms reals and inverts the transform, by a plan of several fields.
double there_and_back(sixstep::Plan<double>& plan) {
  std::vector<double> fields(plan.input_size());
  for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = static_cast<double>(i % 11);
  std::vector<double> const before = fields;
  std::vector<Complex> modes(plan.output_size());
  plan.forward(fields.data(), modes.data());
  plan.backward(modes.data(), fields.data(), sixstep::Scale::by_n);
  double error = 0;
  for (std::size_t i = 0; i < fields.size(); ++i)
    error = std::max(error, std::abs(fields[i] - before[i]));
  return error;
}

double many(MPI_Comm comm, int ranks) {
  auto const slab = sixstep::Layout::slab({16, 12, 10}, ranks);
  // [fields]
  using sixstep::Kind;
  sixstep::Plan<double> behind(slab, comm, {.kinds = {Kind::r2c}, .fields = 3});
  sixstep::Plan<double> tuples(slab, comm,
                               {.kinds = {Kind::r2c}, .fields = 3, .interleaved = true});
  // [fields]
  return std::max(there_and_back(behind), there_and_back(tuples));
}

// The square of cos x, formed at 3/2 times as many points as modes are kept: cos 2x / 2 + 1/2.
double fewer_modes(MPI_Comm comm, int ranks) {
  // [modes]
  sixstep::Plan<double> plan(sixstep::Layout::slab({24, 24, 24}, ranks), comm,
                             {.kinds = {sixstep::Kind::r2c}, .modes = {16, 16, 16}});
  std::vector<double> points(plan.input_size());   // 24 x 24 x 24 in all
  std::vector<Complex> modes(plan.output_size());  // 16 x 16 x 9
  // [modes]
  sixstep::for_each(plan.output_box(), plan.output_strides(), [&](auto const& k, Index i) {
    auto const wave = plan.wavenumber(k);
    modes[i] = std::abs(wave[0]) == 1 && wave[1] == 0 && wave[2] == 0 ? 0.5 : 0;
  });
  // [product]
  plan.backward(modes.data(), points.data());  // dropped modes are zero
  for (double& value : points) value *= value;
  plan.forward(points.data(), modes.data(), sixstep::Scale::by_n);  // only kept modes
  // [product]
  double error = 0;
  sixstep::for_each(plan.output_box(), plan.output_strides(), [&](auto const& k, Index i) {
    auto const wave = plan.wavenumber(k);
    bool const along = wave[1] == 0 && wave[2] == 0;
    double const right = !along ? 0 : wave[0] == 0 ? 0.5 : std::abs(wave[0]) == 2 ? 0.25 : 0;
    error = std::max(error, std::abs(modes[i] - right));
  });
  return error;
}

// A plane wave below the cutoff comes back alone.
double sphere(MPI_Comm comm, int ranks) {
  // [sphere]
  sixstep::Plan<double> waves(sixstep::Layout::slab({24, 24, 24}, ranks), comm, {.sphere = {6}});
  std::vector<Complex> density(waves.input_size()), packed(waves.output_size());
  // [sphere]
  sixstep::for_each(waves.input_box(), waves.input_strides(), [&](auto const& j, Index i) {
    auto const phase = static_cast<double>(2 * j[0] - 3 * j[1] + 4 * j[2]) / 24;
    density[i] = std::polar(1., 2 * std::numbers::pi * phase);
  });
  // [packed]
  waves.forward(density.data(), packed.data());         // 895 waves with |k| < 6, of 13824
  std::vector<double> const kx = waves.wavenumbers(2);  // of the waves that this rank has
  // [packed]
  double error = waves.output().shape()[0] == 895 ? 0 : 1;
  Index const first = waves.output_box().ranges[0].lo;
  for (Index i = 0; i < waves.output_size(); ++i) {
    auto const k = waves.wavenumber({first + i});
    bool const is_it = k[0] == 2 && k[1] == -3 && k[2] == 4;
    error =
        std::max({error, std::abs(packed[i] / 13824. - (is_it ? 1. : 0.)), std::abs(kx[i] - k[2])});
  }
  return error;
}

double columns(MPI_Comm comm, int ranks) {
  // [columns]
  // Columns along the first axis: the waves along the others, the lowest and the highest wave.
  sixstep::Plan<double> listed(sixstep::Layout::slab({24, 24, 24}, ranks), comm,
                               {.columns = {0, 0, -4, 6,     //
                                            0, 1, -3, 5,     //
                                            -2, 1, 1, 3}});  // 23 waves
  // [columns]
  return listed.output().shape()[0] == 23 ? 0 : 1;
}

// Poisson's equation in a box of sides 2, 3 and 4.
double operators(MPI_Comm comm, int ranks) {
  auto const slab = sixstep::Layout::slab({16, 12, 10}, ranks);
  // [operator]
  sixstep::OperatorOptions options;
  options.kinds = {sixstep::Kind::r2c};
  options.sides = {2, 3, 4};
  sixstep::Operator<double> solve(slab, comm, sixstep::symbols::inverse_laplacian(), options);
  std::vector<double> f(solve.input_size()), u(solve.output_size());
  // [operator]
  double const k = 2 * std::numbers::pi / 3;
  auto const at_points = [&](auto const& visit) {
    sixstep::for_each(solve.input_box(), solve.input_strides(), [&](auto const& at, Index i) {
      visit(std::cos(k * 3 * static_cast<double>(at[1]) / 12), i);
    });
  };
  at_points([&](double wave, Index i) { f[i] = -k * k * wave; });
  // [apply]
  solve.apply(f.data(), u.data());  // laplacian u = f
  // [apply]
  double error = 0;
  at_points([&](double wave, Index i) { error = std::max(error, std::abs(u[i] - wave)); });
  return error;
}

// The part of a vector field that has no divergence on a staggered grid.
double staggered(MPI_Comm comm, int ranks) {
  auto const slab = sixstep::Layout::slab({16, 12, 10}, ranks);
  // [faces]
  sixstep::OperatorOptions options;
  options.kinds = {sixstep::Kind::r2c};
  options.fields = 3;
  options.sides = {16 * 0.1, 12 * 0.1, 10 * 0.2};
  sixstep::Differences const by{
      .accuracy = 2, .spacing = {0.1, 0.1, 0.2}, .faces = sixstep::Faces::below};
  sixstep::Operator<double> project(slab, comm, sixstep::symbols::project(3, by), options);
  // [faces]
  sixstep::Operator<double> divergence(slab, comm, sixstep::symbols::divergence(3, by), options);
  std::vector<double> u(project.input_size()), left(divergence.output_size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<double>(i % 11) / 100;
  project.apply(u.data(), u.data());
  divergence.apply(u.data(), left.data());
  double error = 0;
  for (double value : left) error = std::max(error, std::abs(value));
  return error;
}

// Between a wall where u is 1 and one where it is 0, all else insulated or periodic: u = 1 - x.
double between_walls(MPI_Comm comm, int ranks) {
  auto const slab = sixstep::Layout::slab({16, 12, 10}, ranks);
  // [walls]
  using sixstep::Walls;
  sixstep::PoissonOptions options;
  options.walls = {Walls::dirichlet, Walls::periodic, Walls::neumann};
  options.sides = {1, 2, 0.5};
  options.accuracy = 2;  // finite differences
  sixstep::Poisson<double> poisson(slab, comm, options);
  std::vector<double> f(poisson.inverse().input_size()), u(poisson.inverse().in_place_size());
  // [walls]
  // [values]
  auto const given = [](sixstep::Wall const& wall, sixstep::PerAxis<double> const& x) {
    return wall.axis == 0 ? 1 - x[0] : 0;  // u at the walls of axis 0, du/dz at those of axis 2
  };
  poisson.solve(f.data(), u.data(), given);
  // [values]
  double error = 0;
  auto const& inverse = poisson.inverse();
  sixstep::for_each(inverse.input_box(), inverse.input_strides(), [&](auto const& at, Index i) {
    error = std::max(error, std::abs(u[i] - (1 - poisson.x(at)[0])));
  });
  return error;
}

// The mean of 5^3 neighbours of a constant, where all of them are points.
double convolutions(MPI_Comm comm, int ranks, int rank) {
  auto const slab = sixstep::Layout::slab({16, 12, 10}, ranks);
  // [convolution]
  sixstep::Layout const small = sixstep::Layout::slab({5, 5, 5}, ranks);
  sixstep::ConvolutionOptions options;
  options.kinds = {sixstep::Kind::r2c};
  options.mode = sixstep::ConvolutionMode::same;
  sixstep::Convolution<double> convolution(slab, small, comm, options);
  std::vector<double> kernel(small.local_size(rank), 1. / 125);
  std::vector<double> signal(convolution.input_size()), smooth(convolution.output_size());
  // [convolution]
  std::fill(signal.begin(), signal.end(), 3);
  // [convolve]
  convolution.set_kernel(kernel.data());
  convolution.apply(signal.data(), smooth.data());
  // [convolve]
  double error = 0;
  sixstep::for_each(convolution.output(), rank, [&](auto const& at, Index i) {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis)
      inside = inside && at[axis] >= 2 && at[axis] + 2 < slab.shape()[axis];
    if (inside) error = std::max(error, std::abs(smooth[i] - 3));
  });
  return error;
}

// Two charges of opposite sign have no potential between them.
double free_space(MPI_Comm comm, int ranks, int rank) {
  auto const slab = sixstep::Layout::slab({17, 12, 10}, ranks);
  // [open_poisson]
  sixstep::OpenPoissonOptions options;
  options.spacing = {0.1, 0.1, 0.2};
  sixstep::OpenPoisson<double> open(slab, comm, options);
  std::vector<double> charge(open.convolution().input_size()), potential(charge.size());
  // [open_poisson]
  sixstep::for_each(slab, rank, [&](auto const& at, Index i) {
    if (at[1] == 6 && at[2] == 5) charge[i] = at[0] == 4 ? 1 : at[0] == 12 ? -1 : 0;
  });
  // [solve_open]
  open.solve(charge.data(), potential.data());
  // [solve_open]
  double error = 0;
  sixstep::for_each(slab, rank, [&](auto const& at, Index i) {
    if (at[0] == 8) error = std::max(error, std::abs(potential[i]));
  });
  return error;
}

// Points behind which the transform goes on with zeros.
double longer(MPI_Comm comm, int ranks) {
  auto const slab = sixstep::Layout::slab({16, 12, 10}, ranks);
  std::vector<double> points(slab.local_size(0) + slab.local_size(ranks - 1), 1);
  // [lengths]
  sixstep::Plan<double> fine(slab, comm, {.kinds = {sixstep::Kind::r2c}, .lengths = {32, 24, 20}});
  std::vector<Complex> spectrum(fine.output_size());  // 32 x 24 x 11
  fine.forward(points.data(), spectrum.data());       // of points followed by zeros
  fine.backward(spectrum.data(), points.data(), sixstep::Scale::by_n);  // the first points
  // [lengths]
  double error = 0;
  for (Index i = 0; i < fine.input_size(); ++i) error = std::max(error, std::abs(points[i] - 1));
  return error;
}

// u x w for u = (0, 0, 1) and w = (cos x, 0, 0): (0, cos x, 0).
double maps(MPI_Comm comm, int ranks) {
  auto const slab = sixstep::Layout::slab({16, 12, 10}, ranks);
  // [map]
  auto const cross = [](auto const& v, auto& result) {  // v: u and the vorticity w
    for (int i = 0; i < 3; ++i) {
      int const j = (i + 1) % 3, k = (i + 2) % 3;
      result[i] = v[j] * v[3 + k] - v[k] * v[3 + j];
    }
  };
  sixstep::MapOptions options;
  options.kinds = {sixstep::Kind::r2c};
  options.fields = 6;
  sixstep::Map<double> map(
      slab, comm, {.at_points = {sixstep::at_each_point<double, 6, 3>(cross), 3}}, options);
  std::vector<Complex> fields(map.input_size()), product(map.output_size());
  // [map]
  sixstep::Plan<double> plan(slab, map.input(), comm, {.kinds = {sixstep::Kind::r2c}});
  Index const stride = plan.output_size();
  double const points = 16 * 12 * 10;
  auto const wave = [&](auto const& visit) {
    sixstep::for_each(plan.output_box(), plan.output_strides(), [&](auto const& k, Index i) {
      auto const w = plan.wavenumber(k);
      visit(w[1] != 0 || w[2] != 0 ? 0
            : w[0] == 0            ? points
                                   : 0,
            w[1] == 0 && w[2] == 0 && std::abs(w[0]) == 1 ? points / 2 : 0, i);
    });
  };
  wave([&](double one, double cosine, Index i) {
    fields[2 * stride + i] = one;
    fields[3 * stride + i] = cosine;
  });
  // [product_map]
  map.apply(fields.data(), product.data());  // the coefficients of u x w
  // [product_map]
  double error = 0;
  wave([&](double, double cosine, Index i) {
    error = std::max(error, std::abs(product[stride + i] - cosine) / points);
    error = std::max(error, (std::abs(product[i]) + std::abs(product[2 * stride + i])) / points);
  });
  return error;
}

// The derivative of sin x along the first axis of a box of length 2 pi.
double derivative(MPI_Comm comm, int ranks) {
  auto const slab = sixstep::Layout::slab({16, 12}, ranks);
  sixstep::Plan<double> plan(slab, comm, {.kinds = {sixstep::Kind::r2c}});
  std::vector<double> u(plan.input_size());
  std::vector<Complex> modes(plan.output_size());
  double const step = 2 * std::numbers::pi / 16;
  sixstep::for_each(plan.input_box(), plan.input_strides(), [&](auto const& at, Index i) {
    u[i] = std::sin(step * static_cast<double>(at[0]));
  });
  plan.forward(u.data(), modes.data());
  // [derivative]
  sixstep::for_each(plan.output_box(), plan.output_strides(), plan.threads(),
                    [&](sixstep::Shape const& k, Index i) {
                      double const w = plan.wavenumber(k)[0];  // periods along axis 0
                      modes[i] *= 2 * std::abs(w) == 16 ? Complex(0) : Complex(0, w);
                    });
  // [derivative]
  plan.backward(modes.data(), u.data(), sixstep::Scale::by_n);
  double error = 0;
  sixstep::for_each(plan.input_box(), plan.input_strides(), [&](auto const& at, Index i) {
    error = std::max(error, std::abs(u[i] - std::cos(step * static_cast<double>(at[0]))));
  });
  return error;
}

// An impulse at 1: X[k] = exp(-2 pi i k/N), in any order that the plan chooses.
double one_axis(MPI_Comm comm, int ranks) {
  // [one_axis]
  Index const N = 10'000;
  sixstep::Plan<double> plan(sixstep::Layout::slab({N}, ranks), comm);
  std::vector<Complex> x(plan.input_size()), X(plan.output_size());
  // [one_axis]
  sixstep::for_each(plan.input_box(), plan.input_strides(),
                    [&](auto const& j, Index i) { x[i] = j[0] == 1 ? 1 : 0; });
  plan.forward(x.data(), X.data());
  double error = 0;
  sixstep::for_each(plan.output_box(), plan.output_strides(), [&](auto const& k, Index i) {
    double const angle = 2 * std::numbers::pi * plan.wavenumber(k)[0] / static_cast<double>(N);
    error = std::max(error, std::abs(X[i] - std::polar(1.0, -angle)));
    if (plan.output().axes() == 2) {
      Index const n1 = plan.output().shape()[1];
      Index const natural = k[1] + n1 * k[0];
      if (plan.wavenumber(0, natural) != plan.wavenumber(k)[0]) error = 1;
    }
  });
  return error;
}

// On P ranks with P^2 | N, cyclic layouts exchange once.
double cyclic(MPI_Comm comm, int ranks) {
  // [dealt_out]
  auto const dealt = sixstep::Layout::grid({144 * 100}, {ranks}, {sixstep::Distribution::cyclic});
  sixstep::Plan<double> plan(dealt, dealt, comm);  // natural order in and out
  // [dealt_out]
  return ranks > 1 && plan.exchanges() != 1 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double errors[] = {many(MPI_COMM_WORLD, ranks),
                     fewer_modes(MPI_COMM_WORLD, ranks),
                     derivative(MPI_COMM_WORLD, ranks),
                     one_axis(MPI_COMM_WORLD, ranks),
                     cyclic(MPI_COMM_WORLD, ranks),
                     operators(MPI_COMM_WORLD, ranks),
                     staggered(MPI_COMM_WORLD, ranks),
                     between_walls(MPI_COMM_WORLD, ranks),
                     maps(MPI_COMM_WORLD, ranks),
                     convolutions(MPI_COMM_WORLD, ranks, rank),
                     free_space(MPI_COMM_WORLD, ranks, rank),
                     longer(MPI_COMM_WORLD, ranks),
                     sphere(MPI_COMM_WORLD, ranks),
                     columns(MPI_COMM_WORLD, ranks)};
  MPI_Allreduce(MPI_IN_PLACE, errors, 13, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf(
        "fields %.1e, modes %.1e, derivative %.1e, one axis %.1e, cyclic %.1e, operators %.1e, "
        "staggered %.1e, walls %.1e, maps %.1e, convolutions %.1e, free space %.1e, longer %.1e, "
        "sphere %.1e\n",
        errors[0], errors[1], errors[2], errors[3], errors[4], errors[5], errors[6], errors[7],
        errors[8], errors[9], errors[10], errors[11], errors[12]);
  MPI_Finalize();
  return *std::max_element(errors, errors + 13) < 1e-12 ? 0 : 1;
}
