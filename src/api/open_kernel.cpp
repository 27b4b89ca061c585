// SPDX-License-Identifier: BSD-3-Clause
// Kernels, from tables.
#include "api/open_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <memory>
#include <numbers>
#include <utility>

#include "api/greens.hpp"
#include "api/kernel_tables.hpp"
#include "layout/counting.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/good_size.hpp"
#include "sixstep/indices.hpp"

namespace sixstep {

namespace {

using std::numbers::pi;

/// Transforms of truncated functions, by waves of the axes that are not open.
class TruncatedFunctions {
 public:
  explicit TruncatedFunctions(OpenDomain const& domain)
      : radius_(domain.radius()), dimensions_(domain.dimensions()) {}

  double operator()(double k, double kappa) {
    auto const [found, is_new] =
        made_.try_emplace(kappa, greens::Truncated(radius_, kappa, dimensions_));
    return found->second(k);
  }

 private:
  double radius_;
  int dimensions_;
  std::map<double, greens::Truncated> made_;
};

/// The rows of the table that each rank needs for its rows of the kernel: those that are there
/// themselves, and those that are there as mirror images. Each list fills the table.
std::vector<std::vector<Box>> parts_of(Layout const& kernel, OpenDomain const& domain) {
  TableAxis const& first = domain.axes[0];
  Index const n = first.entries, period = first.period;
  bool const has_mirror_images = n > 1 && period - n + 1 < first.length;
  std::vector<std::vector<Box>> parts;
  for (bool const mirrored : {false, true}) {
    if (mirrored && !has_mirror_images) continue;
    std::vector<Box>& boxes = parts.emplace_back();
    for (int rank = 0; rank < kernel.ranks(); ++rank) {
      Range const rows = kernel.box(rank).ranges[first.axis];
      Box box;
      for (Index entries : domain.entries()) box.ranges.push_back({0, entries});
      Range& needed = box.ranges[0];
      needed = mirrored
                   ? Range{period - rows.hi + 1, period - std::max(rows.lo, period - n + 1) + 1}
                   : Range{std::min(rows.lo, n), std::min(rows.hi, n)};
      if (rows.empty() || needed.lo >= needed.hi) needed = {0, 0};
      // Entry 0 has no mirror image; somebody takes it.
      if (mirrored && needed.lo == 1) needed.lo = 0;
      boxes.push_back(box);
    }
  }
  return parts;
}

/// A rank's array of the kernel, from the entries of a table.
std::vector<double> mirrored(Layout const& kernel, OpenDomain const& domain,
                             KernelTable const& table, int rank) {
  std::vector<double> values(static_cast<std::size_t>(kernel.local_size(rank)));
  std::map<Index, std::vector<double>> rows;
  for_each(kernel, rank, [&](Shape const& point, Index place) {
    Index in_row = 0;
    for (std::size_t i = 0; i < domain.axes.size(); ++i) {
      TableAxis const& axis = domain.axes[i];
      Index const entry = axis.entry(point);
      if (entry >= axis.entries) return;  // no two points are so far apart
      if (i > 0) in_row = in_row * axis.entries + entry;
    }
    Index const row = domain.axes[0].entry(point);
    auto found = rows.find(row);
    if (found == rows.end()) {
      rows.clear();
      found = rows.emplace(row, table.row(row)).first;
    }
    values[static_cast<std::size_t>(place)] = found->second[static_cast<std::size_t>(in_row)];
  });
  return values;
}

/// Numbers for the places of a table: those of a function, or those of the caller's array.
struct TableNumbers {
  KernelFunction function;
  GreensNumbers const* numbers;  // null: the function is called
};

/// A rank's array of the kernel, from the numbers of its table.
std::vector<double> kernel_from(TableNumbers const& source, Layout const& kernel,
                                OpenDomain const& domain, mpi::Communicator const& comm) {
  std::unique_ptr<KernelTable> const table =
      source.numbers ? fetched_table(source.numbers->layout, source.numbers->numbers,
                                     parts_of(kernel, domain), comm)
                     : function_table(domain, source.function);
  std::vector<double> values;
  mpi::together(comm, [&] { values = mirrored(kernel, domain, *table, comm.rank()); });
  return values;
}

/// Places along an open axis at the wave numbers 0, pi/(m step) ... pi/step.
TableAxis in_waves(TableAxis axis, Index m) {
  axis.length = axis.entries = m + 1;
  axis.period = 2 * axis.length;
  axis.begin = 0;
  axis.step = pi / (static_cast<double>(m) * axis.step);
  return axis;
}

/// The largest wave of an open axis that a table has, in waves of the axis that it is sampled with:
/// those of the caller's array, or so many that images are at `reach` spacings.
Index largest_wave(TableNumbers const& source, int i, double reach) {
  if (source.numbers) return source.numbers->layout.shape()[i] - 1;
  return good_size(static_cast<Index>(std::ceil(reach / 2)));
}

/// The table of distances of a Green's function, from its transform, a function of k along open
/// axes and of waves along the others: the sums over all k are cosine transforms, as it is even.
/// The table's axes are those of the domain.
std::vector<double> distances_from(TableNumbers const& source, Layout const& values,
                                   OpenDomain const& domain, Bits bits,
                                   mpi::Communicator const& comm) {
  Options options;
  options.reproducible = bits;
  options.kinds = {Kind::dct1};
  Shape shape = domain.entries();
  OpenDomain waves = domain;
  for (int i = 0; i < shape.size(); ++i) {
    TableAxis& axis = waves.axes[static_cast<std::size_t>(i)];
    axis.axis = i;
    axis.length = axis.entries;
    axis.period = 2 * axis.length;
    if (!axis.is_open) continue;
    double const reach = static_cast<double>(axis.points) + domain.radius() / axis.step;
    axis = in_waves(axis, largest_wave(source, i, reach));
    shape[i] = axis.entries;
    options.axes.push_back(i);
    options.modes.push_back(domain.axes[static_cast<std::size_t>(i)].entries);
  }
  Plan<double> plan(Layout::slab(shape, comm.size()), values, comm, options);
  std::vector<double> transform = kernel_from(source, plan.input(), waves, comm);
  transform.resize(static_cast<std::size_t>(plan.input_size()));
  std::vector<double> octant(static_cast<std::size_t>(plan.output_size()));
  plan.forward(transform.data(), octant.data(), Scale::by_n);
  return octant;
}

/// A factor of the transform of a function at points from `begin` on, for wave number m of n: half
/// of the wave n/2 is that of -n/2.
std::complex<double> from_begin(double m, Index n, TableAxis const& axis) {
  auto const length = static_cast<double>(n);
  double const angle = 2 * pi * (std::fmod(m * (axis.begin / axis.step), length) / length);
  return 2 * std::abs(m) == length ? std::complex<double>(std::cos(angle)) : std::polar(1., angle);
}

/// The kernel of such a function whose distances begin anywhere: no octant, but the transform of
/// all distances.
std::vector<double> all_distances_from(TableNumbers const& source, Layout const& kernel,
                                       OpenDomain const& domain, Bits bits,
                                       mpi::Communicator const& comm) {
  Options options;
  options.reproducible = bits;
  Shape shape = kernel.shape();
  OpenDomain waves = domain;
  for (std::size_t i = 0; i < domain.axes.size(); ++i) {
    TableAxis const& axis = domain.axes[i];
    if (!axis.is_open) continue;
    double const reach =
        std::max(std::abs(axis.begin), std::abs(axis.at(axis.entries - 1))) + domain.radius();
    Index const least =
        std::max(static_cast<Index>(std::ceil(reach / axis.step)) + 1, axis.entries);
    Index const m = largest_wave(source, static_cast<int>(i), static_cast<double>(least));
    TableAxis& there = waves.axes[i] = in_waves(axis, m);
    if (axis.kind == Kind::c2c) there.length = there.period = 2 * m;
    shape[axis.axis] = there.length;
    options.axes.push_back(axis.axis);
    options.kinds.push_back(axis.kind);
    options.lengths.push_back(2 * m);
  }
  Plan<double> plan(kernel, Layout::slab(shape, comm.size(), domain.axes[0].axis), comm, options);
  std::vector<double> const numbers = kernel_from(source, plan.output(), waves, comm);
  auto const transform = plan.template allocate<std::complex<double>>();
  for_each(plan.output(), comm.rank(), [&](Shape const& index, Index place) {
    PerAxis<double> const waves_of = plan.wavenumber(index);
    std::complex<double> factor = numbers[static_cast<std::size_t>(place)];
    std::size_t i = 0;  // of the open axes
    for (TableAxis const& axis : domain.axes)
      if (axis.is_open) factor *= from_begin(waves_of[axis.axis], options.lengths[i++], axis);
    transform[place] = factor;
  });
  std::vector<double> values(static_cast<std::size_t>(plan.input_size()));
  plan.backward(transform.get(), values.data(), Scale::by_n);
  return values;
}

/// The caller's function for components of either sign.
KernelFunction function_of(Greens const& greens) {
  return [&](PerAxis<double> x) {
    for (double& each : x) each = std::abs(each);
    return greens.function(x);
  };
}

/// The laplacian's function of distances, times the volume of a cell.
KernelFunction in_distances(OpenDomain const& domain) {
  return [&](PerAxis<double> const& x) {
    return domain.volume() *
           greens::at_distance(domain.along_open(x), domain.wave(x), domain.dimensions());
  };
}

/// The transform of the laplacian's function, truncated.
KernelFunction transformed(OpenDomain const& domain) {
  auto const functions = std::make_shared<TruncatedFunctions>(domain);
  return [&, functions](PerAxis<double> const& x) {
    return (*functions)(domain.along_open(x), domain.wave(x));
  };
}

/// Throws Error unless the caller's array has a number for each place.
void check(GreensNumbers const& given, GreensSpace space, OpenDomain const& domain, int ranks,
           int rank) {
  Shape const entries = domain.entries();
  Shape const shape = given.layout.shape();
  auto const words = [](Shape const& of) { return text("(", list(of, ", "), ")"); };
  bool fits = shape.size() == entries.size();
  Shape least = entries;
  for (int i = 0; i < entries.size(); ++i) {
    TableAxis const& axis = domain.axes[static_cast<std::size_t>(i)];
    bool const may_be_more = space == GreensSpace::waves && axis.is_open;
    if (may_be_more) least[i] = axis.points + 1;
    fits = fits && (may_be_more ? shape[i] >= least[i] : shape[i] == least[i]);
  }
  require(
      fits, "numbers: an array of shape ", [&] { return words(least); },
      space == GreensSpace::waves ? " or more along open axes" : "", " is needed, ",
      [&] { return words(shape); }, " was given");
  require(given.layout.ranks() == ranks, "numbers: a layout for ", ranks,
          " ranks is needed, this one is for ", given.layout.ranks());
  Index const needed = given.layout.array_size(rank);
  require(given.numbers != nullptr || given.layout.box(rank).empty(),
          "numbers: a pointer to numbers is needed, null was given");
  require(given.size < 0 || given.size >= needed, "numbers: an array of ", needed,
          " numbers is needed on rank ", rank, ", ", given.size, " were given");
  for_each(given.layout, rank, [&](Shape const& index, Index place) {
    double const number = given.numbers[place];
    require(
        std::isfinite(number), "numbers: finite numbers are needed, for the entry ",
        [&] { return point_words(index); }, " it is ", number);
  });
}

}  // namespace

std::vector<double> kernel_of(Layout const& kernel, OpenDomain const& domain, Greens const& greens,
                              Bits bits, mpi::Communicator const& comm) {
  bool const is_given = greens.function || greens.numbers;
  // No truncated function is needed where no distance is 0.
  bool const is_integrated = !is_given && greens.greens_function == GreensFunction::integrated;
  bool const of_waves =
      is_given ? greens.space == GreensSpace::waves : !is_integrated && !domain.is_far();
  TableNumbers source{{}, greens.numbers ? &*greens.numbers : nullptr};
  if (source.numbers)
    mpi::together(comm,
                  [&] { check(*source.numbers, greens.space, domain, comm.size(), comm.rank()); });
  else if (greens.function)
    source.function = function_of(greens);
  else
    source.function = of_waves ? transformed(domain) : in_distances(domain);
  if (is_integrated) {
    std::vector<double> values;
    mpi::together(
        comm, [&] { values = mirrored(kernel, domain, *integrated_table(domain), comm.rank()); });
    return values;
  }
  if (!of_waves) return kernel_from(source, kernel, domain, comm);
  if (!domain.shift.empty()) return all_distances_from(source, kernel, domain, bits, comm);
  Layout const octant = Layout::slab(domain.entries(), comm.size());
  std::vector<double> const distances = distances_from(source, octant, domain, bits, comm);
  GreensNumbers const made{octant, distances.data()};
  return kernel_from({{}, &made}, kernel, domain, comm);
}

}  // namespace sixstep
