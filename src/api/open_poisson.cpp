// SPDX-License-Identifier: BSD-3-Clause
// OpenPoisson: Green's functions as kernels of a convolution.
//
// A kernel is even along each axis, so it is known at offsets of 0 and more: its octant. Rank by
// rank and plane by plane the octant is made or fetched, and mirrored to the points of the kernel.
#include "sixstep/open_poisson.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "api/alike.hpp"
#include "runtime/communicator.hpp"
#include "runtime/mpi.hpp"
#include "schedule/problem.hpp"
#include "sixstep/good_size.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep {

namespace {

using std::numbers::pi;

/// The box of an equation: its axes, with points, spacings, and lengths of transforms.
struct Domain {
  std::vector<int> axes;
  Shape points;
  PerAxis<double> spacing;
  Shape lengths;

  int dimensions() const { return points.size(); }
};

Domain domain_of(Layout const& layout, OpenPoissonOptions const& options) {
  require(options.kinds.empty(), "kinds: the equation is one of reals along all of `axes`");
  require(options.lengths.empty(), "lengths: twice the points are transformed");
  require(options.sphere.empty(), "sphere: the equation has all modes");
  require(options.columns.empty(), "columns: the equation has all modes");
  schedule::Problem problem{.input = layout};
  problem.axes = options.axes;
  Domain domain{schedule::checked(problem).axes, {}, {}, {}};
  std::size_t const axes = domain.axes.size(), given = options.spacing.size();
  require(given == 1 || given == axes, "spacing: one for each of the ", axes,
          " axes or one for all is needed, ", given, " were given");
  require(axes <= 3 || options.function, "axes: at most 3 are possible without a function, ", axes,
          " were given");
  require(has_name(options.greens_function), "greens_function: ", names_in_words<GreensFunction>(),
          " is needed, ", to_string(options.greens_function), " was given");
  for (std::size_t i = 0; i < axes; ++i) {
    double const spacing = options.spacing[given == 1 ? 0 : i];
    require(std::isfinite(spacing) && spacing > 0, "spacing: distances above 0 are needed, ",
            spacing, " was given");
    Index const n = layout.shape()[domain.axes[i]];
    domain.points.push_back(n);
    domain.spacing.push_back(spacing);
    domain.lengths.push_back(good_size(2 * n - 1, 2));
  }
  return domain;
}

/// The kernel at offsets of 0 and more.
class Octant {
 public:
  virtual ~Octant() = default;
  /// The values at this offset along the first axis and at all others along the other axes, the
  /// last one fastest.
  virtual std::vector<double> plane(Index offset) const = 0;
};

/// Calls visit(indices along the axes but the first) in the order of a plane with these extents.
template <class Visit>
void for_each_in_plane(Shape const& extents, Visit const& visit) {
  Box box;
  for (int axis = 1; axis < extents.size(); ++axis) box.ranges.push_back({0, extents[axis]});
  if (box.axes() == 0) return visit(Shape{});
  Shape strides(box.axes(), 1);
  for (int axis = box.axes() - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * box.ranges[axis + 1].count();
  for_each(box, strides, [&](Shape const& point, Index) { visit(point); });
}

/// A function of the caller's.
class FunctionOctant : public Octant {
 public:
  FunctionOctant(Domain const& domain,
                 std::function<double(PerAxis<double> const&)> const& function)
      : domain_(domain), function_(function) {}

  std::vector<double> plane(Index offset) const override {
    std::vector<double> values;
    PerAxis<double> x(domain_.dimensions(), static_cast<double>(offset) * domain_.spacing[0]);
    for_each_in_plane(domain_.points, [&](Shape const& point) {
      for (int axis = 1; axis < x.size(); ++axis)
        x[axis] = static_cast<double>(point[axis - 1]) * domain_.spacing[axis];
      values.push_back(function_(x));
    });
    return values;
  }

 private:
  Domain const& domain_;
  std::function<double(PerAxis<double> const&)> const& function_;
};

/// The integral of the Green's function over the box from the origin to x, but for functions that
/// do not depend on all components.
double integral(PerAxis<double> const& x) {
  if (x.size() == 1) return x[0] * std::abs(x[0]) / 4;
  if (x.size() == 2) {
    double const product = x[0] * x[1];
    return (product * (std::log(std::hypot(x[0], x[1])) - 1.5) +
            (x[0] * x[0] * std::atan(x[1] / x[0]) + x[1] * x[1] * std::atan(x[0] / x[1])) / 2) /
           (2 * pi);
  }
  double const r = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    double const a = x[axis], product = x[(axis + 1) % 3] * x[(axis + 2) % 3];
    sum += product * std::log(a + r) - a * a / 2 * std::atan(product / (a * r));
  }
  return -sum / (4 * pi);
}

/// The Green's function integrated over the cells around points.
class IntegratedOctant : public Octant {
 public:
  explicit IntegratedOctant(Domain const& domain) : domain_(domain) {}

  std::vector<double> plane(Index offset) const override {
    Shape corners = domain_.points;
    for (Index& count : corners) ++count;
    std::vector<double> values;
    PerAxis<double> x(domain_.dimensions(), 0.0);
    for_each_in_plane(corners, [&](Shape const& point) {
      for (int axis = 1; axis < x.size(); ++axis)
        x[axis] = (static_cast<double>(point[axis - 1]) - 0.5) * domain_.spacing[axis];
      double difference = 0;
      for (int const side : {-1, 1}) {
        x[0] = (static_cast<double>(offset) + 0.5 * side) * domain_.spacing[0];
        difference += side * integral(x);
      }
      values.push_back(difference);
    });
    for (int axis = 1; axis < x.size(); ++axis) values = differences(values, corners, axis);
    return values;
  }

 private:
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

  Domain const& domain_;
};

/// The transform of the Green's function that is cut off at distance `radius`.
double truncated(double radius, double k, int dimensions) {
  double const kr = k * radius;
  if (dimensions == 1) {
    if (k == 0) return radius * radius / 2;
    double const half = std::sin(kr / 2);
    return (kr * std::sin(kr) - 2 * half * half) / (k * k);
  }
  if (dimensions == 2) {
    if (k == 0) return radius * radius * (std::log(radius) / 2 - 0.25);
    return radius * std::log(radius) * ::j1(kr) / k - (1 - ::j0(kr)) / (k * k);
  }
  if (k == 0) return -radius * radius / 2;
  double const half = std::sin(kr / 2) / k;
  return -2 * half * half;
}

/// The Green's function that is cut off at the diameter of the box. Its transform is sampled so
/// finely that the images of the box are out of its reach; the sums over all k are cosine
/// transforms, as it is even.
class TruncatedOctant : public Octant {
 public:
  /// `parts` are lists of boxes, one a rank, of the values that ranks need.
  TruncatedOctant(Domain const& domain, MPI_Comm comm, int rank,
                  std::vector<std::vector<Box>> const& parts) {
    double squares = 0;
    for (int axis = 0; axis < domain.dimensions(); ++axis) {
      double const side = static_cast<double>(domain.points[axis]) * domain.spacing[axis];
      squares += side * side;
    }
    double const radius = std::sqrt(squares);
    Shape shape;
    for (int axis = 0; axis < domain.dimensions(); ++axis) {
      double const reach = static_cast<double>(domain.points[axis]) + radius / domain.spacing[axis];
      shape.push_back(good_size(static_cast<Index>(std::ceil(reach / 2))) + 1);
    }
    int const ranks = static_cast<int>(parts[0].size());
    Layout const values = Layout::slab(domain.points, ranks);
    Options options;
    options.kinds = {Kind::dct1};
    options.modes.assign(domain.points.begin(), domain.points.end());
    Plan<double> plan(Layout::slab(shape, ranks), values, comm, options);
    auto const transform = plan.template allocate<double>();
    for_each(plan.input(), rank, [&](Shape const& wave, Index place) {
      double square = 0;
      for (int axis = 0; axis < wave.size(); ++axis) {
        double const k = pi * static_cast<double>(wave[axis]) /
                         (static_cast<double>(shape[axis] - 1) * domain.spacing[axis]);
        square += k * k;
      }
      transform[place] = truncated(radius, std::sqrt(square), domain.dimensions());
    });
    auto const octant = plan.template allocate<double>();
    plan.forward(transform.get(), octant.get(), Scale::by_n);
    for (std::vector<Box> const& boxes : parts) {
      Layout const to = Layout::boxes(domain.points, boxes);
      Redistribution<double> fetch(values, to, comm);
      Part& part = parts_.emplace_back();
      part.rows = boxes[static_cast<std::size_t>(rank)].ranges[0];
      part.values.resize(static_cast<std::size_t>(fetch.to_size()));
      fetch.forward(octant.get(), part.values.data());
    }
  }

  std::vector<double> plane(Index offset) const override {
    for (Part const& part : parts_) {
      if (offset < part.rows.lo || offset >= part.rows.hi) continue;
      auto const size = static_cast<std::ptrdiff_t>(part.values.size()) / part.rows.count();
      auto const begin = part.values.begin() + (offset - part.rows.lo) * size;
      return {begin, begin + size};
    }
    throw Error("internal: a plane of another rank", ErrorCode::internal);
  }

 private:
  struct Part {
    Range rows;
    std::vector<double> values;
  };

  std::vector<Part> parts_;
};

/// The rows of the octant that each rank needs for the rows of a kernel of `length` rows, which are
/// dealt out as `kernel` says: those that are there themselves, and those that are there as mirror
/// images. Each list fills the octant.
std::vector<std::vector<Box>> parts_of(Layout const& kernel, int axis, Domain const& domain) {
  Index const n = domain.points[0], length = domain.lengths[0];
  std::vector<std::vector<Box>> parts;
  for (bool const mirrored : {false, true}) {
    if (mirrored && n == 1) continue;
    std::vector<Box>& boxes = parts.emplace_back();
    for (int rank = 0; rank < kernel.ranks(); ++rank) {
      Range const rows = kernel.box(rank).ranges[axis];
      Box box;
      for (Index points : domain.points) box.ranges.push_back({0, points});
      Range& needed = box.ranges[0];
      needed = mirrored
                   ? Range{length - rows.hi + 1, length - std::max(rows.lo, length - n + 1) + 1}
                   : Range{std::min(rows.lo, n), std::min(rows.hi, n)};
      if (rows.empty() || needed.lo >= needed.hi) needed = {0, 0};
      // Offset 0 has no mirror image; somebody takes it.
      if (mirrored && needed.lo == 1) needed.lo = 0;
      boxes.push_back(box);
    }
  }
  return parts;
}

/// A rank's array of the kernel.
template <class Real>
std::vector<Real> kernel_of(Layout const& kernel, Domain const& domain, Octant const& octant,
                            int rank) {
  std::vector<Real> values(static_cast<std::size_t>(kernel.local_size(rank)));
  std::map<Index, std::vector<double>> planes;
  auto const offset_of = [&](Shape const& point, int i) {
    Index const j = point[domain.axes[static_cast<std::size_t>(i)]];
    return std::min(j, domain.lengths[i] - j);
  };
  for_each(kernel, rank, [&](Shape const& point, Index place) {
    Index in_plane = 0;
    for (int i = 0; i < domain.dimensions(); ++i) {
      Index const offset = offset_of(point, i);
      if (offset >= domain.points[i]) return;  // no two points are so far apart
      if (i > 0) in_plane = in_plane * domain.points[i] + offset;
    }
    Index const row = offset_of(point, 0);
    auto found = planes.find(row);
    if (found == planes.end()) {
      planes.clear();
      found = planes.emplace(row, octant.plane(row)).first;
    }
    values[static_cast<std::size_t>(place)] =
        static_cast<Real>(found->second[static_cast<std::size_t>(in_plane)]);
  });
  return values;
}

}  // namespace

template <class Real>
OpenPoisson<Real>::OpenPoisson(Layout const& layout, MPI_Comm user_comm,
                               OpenPoissonOptions const& options) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  Domain domain;
  mpi::together(comm, [&] { domain = domain_of(layout, options); });
  AlikeArguments()
      .add("spacing", options.spacing)
      .add("greens_function", options.greens_function)
      .add("function", static_cast<bool>(options.function))
      .require(comm);
  ConvolutionOptions inner{options};
  inner.axes = domain.axes;
  inner.kinds = {Kind::r2c};
  inner.mode = ConvolutionMode::periodic;
  inner.lengths.assign(domain.lengths.begin(), domain.lengths.end());
  inner.even = true;
  Shape shape = layout.shape();
  for (int i = 0; i < domain.dimensions(); ++i)
    shape[domain.axes[static_cast<std::size_t>(i)]] = domain.lengths[i];
  int const first = domain.axes[0];
  Layout const kernel = Layout::slab(shape, comm.size(), first);
  convolution_ = Convolution<Real>::made(layout, kernel, nullptr, comm, inner, true);
  std::unique_ptr<Octant> octant;
  if (options.function)
    octant = std::make_unique<FunctionOctant>(domain, options.function);
  else if (options.greens_function == GreensFunction::integrated)
    octant = std::make_unique<IntegratedOctant>(domain);
  else
    octant = std::make_unique<TruncatedOctant>(domain, comm, comm.rank(),
                                               parts_of(kernel, first, domain));
  std::vector<Real> values;
  mpi::together(comm, [&] { values = kernel_of<Real>(kernel, domain, *octant, comm.rank()); });
  convolution_.set_kernel(values.data());
}

template class OpenPoisson<float>;
template class OpenPoisson<double>;

}  // namespace sixstep
