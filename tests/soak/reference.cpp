// SPDX-License-Identifier: BSD-3-Clause
// References: computed on one rank in more precision than is tested, and sent to the others.
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "comm.hpp"
#include "exact.hpp"
#include "solver_reference.hpp"

namespace soak {

namespace {

using Values = std::vector<std::complex<double>>;

bool has(Job const& job, bool (*is_one)(Kind)) {
  auto const kinds = kinds_of(job);
  return std::any_of(kinds.begin(), kinds.end(), [&](AxisKind a) { return is_one(a.kind); });
}
bool has_r2c(Job const& job) {
  return has(job, [](Kind kind) { return kind == Kind::r2c; });
}
bool has_c2c(Job const& job) {
  return has(job, [](Kind kind) { return kind == Kind::c2c; });
}

double root_of_mean_square(Values const& values) {
  double sum = 0;
  for (std::complex<double> const& value : values) sum += std::norm(value);
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, values.size())));
}

/// A rank's output on all ranks, and how near it is. Collective.
void broadcast(Reference& made, int root, MPI_Comm comm) {
  MPI_Bcast(made.output.data(), static_cast<int>(2 * made.output.size()), MPI_DOUBLE, root, comm);
  MPI_Bcast(&made.rounding, 1, MPI_DOUBLE, root, comm);
}

/// The rank that computes.
int root_of(std::uint64_t seed, MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return static_cast<int>(seed % static_cast<std::uint64_t>(ranks));
}

double rounding_of(Job const& job, double size) {
  return 24 * (1 + std::log2(static_cast<double>(logical_points(job)))) * size;
}

template <class Real>
Values output_of(Job const& job, Direction direction, Values const& input, Shape const& shape) {
  Whole<Real> x{shape, {input.begin(), input.end()}};
  std::vector<AxisKind> const kinds = kinds_of(job);
  bool const forward = direction == Direction::forward;
  x = forward ? followed_by_zeros(std::move(x), kinds) : among_zeros(std::move(x), kinds);
  Whole<Real> y = transformed(std::move(x), kinds, direction, points_along_r2c(kinds));
  y = forward ? kept_of(std::move(y), kinds) : first_points(std::move(y), job.shape);
  Values output;
  for (auto const& value : y.values)
    output.emplace_back(static_cast<double>(value.real()), static_cast<double>(value.imag()));
  return output;
}

}  // namespace

bool is_real_input(Job const& job) { return has_r2c(job) || !has_c2c(job); }
bool is_real_output(Job const& job) { return !has_r2c(job) && !has_c2c(job); }

Reference reference(Job const& job, Direction direction, std::uint64_t seed, MPI_Comm comm) {
  bool const forward = direction == Direction::forward;
  Shape const from = forward ? job.shape : result_shape(job);
  Shape const to = forward ? result_shape(job) : job.shape;
  bool const is_real = forward ? is_real_input(job) : is_real_output(job);
  int const root = root_of(seed, comm);
  Reference made{random_whole<double>(from, is_real, seed).values, {}, 0};
  made.output.resize(static_cast<std::size_t>(sixstep::volume(to)));
  if (rank_in(comm) == root) {
    made.output = job.single ? output_of<double>(job, direction, made.input, from)
                             : output_of<long double>(job, direction, made.input, from);
    made.rounding = rounding_of(
        job, std::max(root_of_mean_square(made.input), root_of_mean_square(made.output)));
  }
  broadcast(made, root, comm);
  return made;
}

Reference solver_reference(Job const& job, std::uint64_t seed, int variant, MPI_Comm comm) {
  bool const is_map = job.make == Make::map;
  Shape from = is_map ? result_shape(job) : job.shape, to = is_map ? from : output_shape_of(job);
  from.push_back(job.options.fields);
  to.push_back(output_fields(job));
  bool const is_real = is_map ? is_real_output(job) : is_real_input(job);
  int const root = root_of(seed, comm);
  Reference made{random_whole<double>(from, is_real, seed).values, {}, 0};
  made.output.resize(static_cast<std::size_t>(sixstep::volume(to)));
  if (rank_in(comm) == root) {
    Solved const found = solved(job, {from, {made.input.begin(), made.input.end()}}, seed, variant);
    for (std::size_t i = 0; i < made.output.size(); ++i)
      made.output[i] = std::complex<double>(found.output.values[i]);
    made.rounding = rounding_of(job, found.size);
  }
  broadcast(made, root, comm);
  return made;
}

}  // namespace soak
