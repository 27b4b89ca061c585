// SPDX-License-Identifier: BSD-3-Clause
// References: computed on one rank in more precision than is tested, and sent to the others.
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "exact.hpp"

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

Index points_along_r2c(Job const& job) {
  for (AxisKind const& one : kinds_of(job))
    if (one.kind == Kind::r2c) return one.points;
  return 0;
}

template <class Real>
Values output_of(Job const& job, Direction direction, Values const& input, Shape const& shape) {
  Whole<Real> x{shape, {input.begin(), input.end()}};
  std::vector<AxisKind> const kinds = kinds_of(job);
  bool const forward = direction == Direction::forward;
  x = forward ? followed_by_zeros(std::move(x), kinds) : among_zeros(std::move(x), kinds);
  Whole<Real> y = transformed(std::move(x), kinds, direction, points_along_r2c(job));
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
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int const root = static_cast<int>(seed % static_cast<std::uint64_t>(ranks));
  Reference made{random_whole<double>(from, is_real, seed).values, {}, 0};
  made.output.resize(static_cast<std::size_t>(sixstep::volume(to)));
  if (rank == root)
    made.output = job.single ? output_of<double>(job, direction, made.input, from)
                             : output_of<long double>(job, direction, made.input, from);
  MPI_Bcast(made.output.data(), static_cast<int>(2 * made.output.size()), MPI_DOUBLE, root, comm);
  double const points = static_cast<double>(logical_points(job));
  double const size = std::max(root_of_mean_square(made.input), root_of_mean_square(made.output));
  made.rounding = 24 * (1 + std::log2(points)) * size;
  return made;
}

}  // namespace soak
