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
#include "runtime/communicator.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/good_size.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep {

namespace {

using std::numbers::pi;

/// A function of a place along each axis.
using Function = std::function<double(PerAxis<double> const&)>;

/// Values of the Green's function, times the volume of a cell, at distances and waves.
class KernelTable {
 public:
  virtual ~KernelTable() = default;
  /// The values of this entry along the first axis and of all others along the other axes, the last
  /// one fastest.
  virtual std::vector<double> row(Index entry) const = 0;
};

/// Calls visit(entries along the axes but the first) in the order of a row with these extents.
template <class Visit>
void for_each_in_row(Shape const& extents, Visit const& visit) {
  Box box;
  for (int axis = 1; axis < extents.size(); ++axis) box.ranges.push_back({0, extents[axis]});
  if (box.axes() == 0) return visit(Shape{});
  Shape strides(box.axes(), 1);
  for (int axis = box.axes() - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * box.ranges[axis + 1].count();
  for_each(box, strides, [&](Shape const& point, Index) { visit(point); });
}

/// The values of a function at the places of entries.
class FunctionTable : public KernelTable {
 public:
  FunctionTable(OpenDomain const& domain, Function function)
      : domain_(domain), function_(std::move(function)) {}

  std::vector<double> row(Index entry) const override {
    std::vector<double> values;
    auto const& axes = domain_.axes;
    PerAxis<double> x(static_cast<int>(axes.size()), axes[0].at(entry));
    for_each_in_row(domain_.entries(), [&](Shape const& point) {
      for (int i = 1; i < x.size(); ++i) x[i] = axes[static_cast<std::size_t>(i)].at(point[i - 1]);
      values.push_back(function_(x));
    });
    return values;
  }

 private:
  OpenDomain const& domain_;
  Function function_;
};

/// The Green's function integrated over the cells around points.
class IntegratedTable : public KernelTable {
 public:
  explicit IntegratedTable(OpenDomain const& domain) : domain_(domain) {}

  std::vector<double> row(Index entry) const override {
    TableAxis const& first = domain_.axes[0];
    if (!first.is_open) return cells_at(first.at(entry));
    std::vector<double> values = cells_at(first.at(entry) + first.step / 2);
    std::vector<double> const below = cells_at(first.at(entry) - first.step / 2);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= below[i];
    return values;
  }

 private:
  /// Integrals at this place along the first axis and over cells of the other open axes.
  std::vector<double> cells_at(double place) const {
    Shape corners = domain_.entries();
    auto const& axes = domain_.axes;
    for (int i = 1; i < corners.size(); ++i)
      if (axes[static_cast<std::size_t>(i)].is_open) ++corners[i];
    std::vector<double> values;
    PerAxis<double> x(corners.size(), place);
    for_each_in_row(corners, [&](Shape const& point) {
      for (int i = 1; i < x.size(); ++i) {
        TableAxis const& axis = axes[static_cast<std::size_t>(i)];
        x[i] = axis.at(point[i - 1]) - (axis.is_open ? axis.step / 2 : 0);
      }
      values.push_back(greens::integral(domain_.distances(x), domain_.wave(x)));
    });
    for (int i = 1; i < x.size(); ++i)
      if (axes[static_cast<std::size_t>(i)].is_open) values = differences(values, corners, i);
    return values;
  }

  /// The differences of neighbours along an axis, which then has a point less.
  static std::vector<double> differences(std::vector<double> const& from, Shape& extents,
                                         int axis) {
    Index inner = 1, outer = 1;
    for (int i = axis + 1; i < extents.size(); ++i) inner *= extents[i];
    for (int i = 1; i < axis; ++i) outer *= extents[i];
    Index const count = extents[axis]--;
    std::vector<double> made;
    for (Index o = 0; o < outer; ++o)
      for (Index k = 0; k + 1 < count; ++k)
        for (Index i = 0; i < inner; ++i) {
          auto const at = static_cast<std::size_t>((o * count + k) * inner + i);
          made.push_back(from[at + static_cast<std::size_t>(inner)] - from[at]);
        }
    return made;
  }

  OpenDomain const& domain_;
};

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

/// A Green's function that is 0 beyond the diameter of the box, from its transform, a function of k
/// along open axes and of waves along the others. This is sampled so finely that the images of the
/// box are out of reach; the sums over all k are cosine transforms, as it is even.
class TruncatedTable : public KernelTable {
 public:
  /// `parts` are lists of boxes, one a rank, of the entries that ranks need.
  TruncatedTable(OpenDomain const& domain, Function const& transformed,
                 mpi::Communicator const& comm, std::vector<std::vector<Box>> const& parts) {
    int const rank = comm.rank();
    int const ranks = static_cast<int>(parts[0].size());
    Shape const entries = domain.entries();
    Layout const values = Layout::slab(entries, ranks);
    Shape shape = entries;
    Options options;
    options.kinds = {Kind::dct1};
    for (int i = 0; i < shape.size(); ++i) {
      TableAxis const& axis = domain.axes[static_cast<std::size_t>(i)];
      if (!axis.is_open) continue;
      double const reach = static_cast<double>(axis.points) + domain.radius() / axis.step;
      shape[i] = good_size(static_cast<Index>(std::ceil(reach / 2))) + 1;
      options.axes.push_back(i);
      options.modes.push_back(entries[i]);
    }
    Plan<double> plan(Layout::slab(shape, ranks), values, comm, options);
    auto const transform = plan.template allocate<double>();
    mpi::together(comm, [&] {
      for_each(plan.input(), rank, [&](Shape const& wave, Index place) {
        PerAxis<double> x;
        for (int i = 0; i < wave.size(); ++i) {
          TableAxis const& axis = domain.axes[static_cast<std::size_t>(i)];
          double const span = static_cast<double>(shape[i] - 1) * axis.step;
          x.push_back(axis.is_open ? pi * static_cast<double>(wave[i]) / span : axis.at(wave[i]));
        }
        transform[place] = transformed(x);
      });
    });
    auto const octant = plan.template allocate<double>();
    plan.forward(transform.get(), octant.get(), Scale::by_n);
    for (std::vector<Box> const& boxes : parts) {
      Layout const to = Layout::boxes(entries, boxes);
      Redistribution<double> fetch(values, to, comm);
      Part& part = parts_.emplace_back();
      part.rows = boxes[static_cast<std::size_t>(rank)].ranges[0];
      part.values.resize(static_cast<std::size_t>(fetch.to_size()));
      fetch.forward(octant.get(), part.values.data());
    }
  }

  std::vector<double> row(Index entry) const override {
    for (Part const& part : parts_) {
      if (entry < part.rows.lo || entry >= part.rows.hi) continue;
      auto const size = static_cast<std::ptrdiff_t>(part.values.size()) / part.rows.count();
      auto const begin = part.values.begin() + (entry - part.rows.lo) * size;
      return {begin, begin + size};
    }
    throw Error("internal: a row of another rank", ErrorCode::internal);
  }

 private:
  struct Part {
    Range rows;
    std::vector<double> values;
  };

  std::vector<Part> parts_;
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

/// A factor of the transform of a function at points from `begin` on, for wave number m of n: half
/// of the wave n/2 is that of -n/2.
std::complex<double> from_begin(double m, Index n, TableAxis const& axis) {
  double const angle = 2 * pi * m * axis.begin / (static_cast<double>(n) * axis.step);
  return 2 * std::abs(m) == static_cast<double>(n) ? std::complex<double>(std::cos(angle))
                                                   : std::polar(1., angle);
}

/// The kernel of such a function whose distances begin anywhere: no octant, but the transform of
/// all distances.
std::vector<double> truncated_from_begin(Layout const& kernel, OpenDomain const& domain,
                                         Function const& transformed,
                                         mpi::Communicator const& comm) {
  Options options;
  options.output = Output::natural_axes;
  for (TableAxis const& axis : domain.axes) {
    if (!axis.is_open) continue;
    double const reach = std::max(std::abs(axis.begin), std::abs(axis.at(axis.entries - 1)));
    auto const length = static_cast<Index>(std::ceil((reach + domain.radius()) / axis.step)) + 1;
    options.axes.push_back(axis.axis);
    options.kinds.push_back(axis.kind);
    options.lengths.push_back(good_size(std::max(length, axis.entries), 2));
  }
  Plan<double> plan(kernel, comm, options);
  auto const waves = plan.template allocate<std::complex<double>>();
  auto const value_at = [&](Shape const& index) {
    PerAxis<double> const numbers = plan.wavenumber(index);
    std::complex<double> factor = 1;
    PerAxis<double> x;
    std::size_t i = 0;  // of the open axes
    for (TableAxis const& axis : domain.axes) {
      if (!axis.is_open) {
        x.push_back(axis.at(axis.entry(index)));
        continue;
      }
      Index const length = options.lengths[i++];
      double const m = numbers[axis.axis];
      x.push_back(2 * pi * m / (static_cast<double>(length) * axis.step));
      factor *= from_begin(m, length, axis);
    }
    return factor * transformed(x);
  };
  mpi::together(comm, [&] {
    for_each(plan.output(), comm.rank(),
             [&](Shape const& index, Index place) { waves[place] = value_at(index); });
  });
  std::vector<double> values(static_cast<std::size_t>(plan.input_size()));
  plan.backward(waves.get(), values.data(), Scale::by_n);
  return values;
}

/// The caller's function for components of either sign.
Function function_of(OpenPoissonOptions const& options) {
  return [&](PerAxis<double> x) {
    for (double& each : x) each = std::abs(each);
    return options.function(x);
  };
}

/// The laplacian's function of distances, times the volume of a cell.
Function in_distances(OpenDomain const& domain) {
  return [&](PerAxis<double> const& x) {
    return domain.volume() *
           greens::at_distance(domain.along_open(x), domain.wave(x), domain.dimensions());
  };
}

/// The transform of the laplacian's function, truncated.
Function in_waves(OpenDomain const& domain) {
  auto const functions = std::make_shared<TruncatedFunctions>(domain);
  return [&, functions](PerAxis<double> const& x) {
    return (*functions)(domain.along_open(x), domain.wave(x));
  };
}

}  // namespace

std::vector<double> kernel_of(Layout const& kernel, OpenDomain const& domain,
                              OpenPoissonOptions const& options, MPI_Comm user_comm) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  // No truncated function is needed where no distance is 0.
  bool const is_integrated = options.greens_function == GreensFunction::integrated;
  bool const of_waves =
      options.function ? options.space == GreensSpace::waves : !is_integrated && !domain.is_far();
  std::unique_ptr<KernelTable> table;
  if (of_waves) {
    Function const transformed = options.function ? function_of(options) : in_waves(domain);
    if (!domain.shift.empty()) return truncated_from_begin(kernel, domain, transformed, comm);
    table = std::make_unique<TruncatedTable>(domain, transformed, comm, parts_of(kernel, domain));
  } else if (options.function || !is_integrated) {
    table = std::make_unique<FunctionTable>(
        domain, options.function ? function_of(options) : in_distances(domain));
  } else {
    table = std::make_unique<IntegratedTable>(domain);
  }
  std::vector<double> values;
  mpi::together(comm, [&] { values = mirrored(kernel, domain, *table, comm.rank()); });
  return values;
}

}  // namespace sixstep
