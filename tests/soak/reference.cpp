// SPDX-License-Identifier: BSD-3-Clause
// References: computed on one rank in more precision than is tested, and sent to the others.
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "comm.hpp"
#include "exact.hpp"
#include "kept_waves.hpp"
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

bool is_real_input(Job const& job) {
  return job.make == Make::open_poisson || has_r2c(job) || !has_c2c(job);
}
bool is_real_output(Job const& job) {
  return job.make == Make::open_poisson || (!has_r2c(job) && !has_c2c(job));
}

namespace {

/// A side of a problem, with the fields along the last axis: its array, and the box if that is
/// packed.
struct WholeSide {
  Shape box;
  std::vector<Index> packing;  // empty: the array is the box

  Index fields() const { return box.back(); }
  Shape shape() const {
    return packing.empty() ? box : Shape{static_cast<Index>(packing.size()), fields()};
  }
  Values to_box(Values const& array) const {
    return packing.empty() ? array : unpacked(array, packing, fields(), sixstep::volume(box));
  }
  Values from_box(Values const& whole) const {
    return packing.empty() ? whole : packed(whole, packing, fields());
  }
};

/// The reference whose output compute(the input's box, the reference) makes as a box on one rank.
template <class Compute>
Reference made_by(WholeSide const& from, WholeSide const& to, bool is_real, std::uint64_t seed,
                  MPI_Comm comm, Compute const& compute) {
  int const root = root_of(seed, comm);
  Reference made{random_whole<double>(from.shape(), is_real, seed).values, {}, 0};
  made.output.resize(static_cast<std::size_t>(sixstep::volume(to.shape())));
  if (rank_in(comm) == root) made.output = to.from_box(compute(from.to_box(made.input), made));
  broadcast(made, root, comm);
  return made;
}

}  // namespace

Reference reference(Job const& one_field, Direction direction, std::vector<Index> const& packing,
                    std::uint64_t seed, MPI_Comm comm) {
  Job const job = of_all_fields(one_field);
  bool const forward = direction == Direction::forward;
  WholeSide const points{job.shape, {}}, coefficients{result_shape(job), packing};
  WholeSide const &from = forward ? points : coefficients, &to = forward ? coefficients : points;
  bool const is_real = forward ? is_real_input(job) : is_real_output(job);
  return made_by(from, to, is_real, seed, comm, [&](Values const& input, Reference& made) {
    Values output = job.single ? output_of<double>(job, direction, input, from.box)
                               : output_of<long double>(job, direction, input, from.box);
    made.rounding =
        rounding_of(job, std::max(root_of_mean_square(input), root_of_mean_square(output)));
    return output;
  });
}

Reference solver_reference(Job const& job, std::vector<Index> const& packing, std::uint64_t seed,
                           int variant, MPI_Comm comm) {
  bool const is_map = job.make == Make::map;
  WholeSide from{is_map ? result_shape(job) : job.shape, packing};
  WholeSide to{is_map ? from.box : output_shape_of(job), packing};
  from.box.push_back(job.options.fields);
  to.box.push_back(output_fields(job));
  bool const is_real = is_map ? is_real_output(job) : is_real_input(job);
  return made_by(from, to, is_real, seed, comm, [&](Values const& input, Reference& made) {
    Solved const found = solved(job, {from.box, {input.begin(), input.end()}}, seed, variant);
    made.rounding = rounding_of(job, found.size);
    Values output;
    for (auto const& value : found.output.values) output.emplace_back(value);
    return output;
  });
}

}  // namespace soak
