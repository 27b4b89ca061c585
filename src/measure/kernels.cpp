// SPDX-License-Identifier: BSD-3-Clause
// Measures kernels: contiguous columns, columns side by side in strips, and reals, as in the passes
// of a plan.
#include "measure/kernels.hpp"

#include <cmath>
#include <complex>
#include <vector>

#include "base/memory.hpp"
#include "local/caches.hpp"
#include "local/real_transform.hpp"
#include "local/transform.hpp"

namespace sixstep::measure {

namespace {

using local::RowMap;

// Powers of two, and common lengths between them.
constexpr Index lengths[] = {8,   16,  32,  48,   64,   96,   100,  128,  192,  240,  256,   384,
                             500, 512, 768, 1000, 1024, 1536, 2048, 3072, 4096, 8192, 16384, 65536};

/// Layout of columns of n elements in input and output: distances between rows and between columns.
struct Shape {
  Index columns, in_row, in_lane, out_row, out_lane;
};

template <class Real>
class Gflops {
 public:
  using Complex = std::complex<Real>;

  Gflops(Team const& team, double seconds)
      : team_(team), seconds_(seconds / static_cast<double>(5 * std::size(lengths))) {}

  model::Rates all() const {
    model::Curve::Points rows, columns, strips, twiddled, reals;
    for (Index n : lengths) {
      auto const transform = local::make_transform<Real>(n);
      local::Roots const roots(n * n);
      rows[n] = of<Complex>(*transform, contiguous(n, n, sizeof(Complex)), 5);
      columns[n] = of<Complex>(*transform, window(n), 5);
      strips[n] = of<Complex>(*transform, strip(), 5);
      twiddled[n] = of<Complex>(*transform, strip(), 5, {&roots, 0, 1});
      reals[n] = of<Real>(*local::make_r2c<Real>(n), contiguous(n, n / 2 + 1, sizeof(Real)), 2.5);
    }
    return {rows, columns, strips, twiddled, reals};
  }

 private:
  static Shape contiguous(Index n, Index results, std::size_t element) {
    return {window_columns(n, static_cast<Index>(element)), 1, n, 1, results};
  }
  static Shape side_by_side(Index columns) {
    Index const pitch = columns + Tuning().strip_pad_bytes / Index{sizeof(Complex)};
    return {columns, pitch, 1, pitch, 1};
  }
  static Shape strip() { return side_by_side(Tuning().strip_row_bytes / Index{sizeof(Complex)}); }
  /// Columns of a plane of n columns, at most as many as fit the cache.
  static Shape window(Index n) {
    return side_by_side(
        std::max<Index>(std::min(n, window_columns(n, sizeof(Complex))), Tuning().window_elements));
  }
  /// The number of columns in a window of a sweep.
  static Index window_columns(Index n, Index element_bytes) {
    return std::max<Index>(1, local::caches().second / (n * element_bytes));
  }

  template <class In>
  double of(local::Transform<In, Complex> const& transform, Shape const& shape,
            double flops_a_point, local::Twist const& twist = {}) const {
    Index const n = transform.n();
    auto const bytes = [&](Index row, Index lane, std::size_t element) {
      return static_cast<std::size_t>((n + 1) * row + shape.columns * lane) * element;
    };
    struct Place {
      Memory in, out, scratch;
    };
    std::vector<Place> places;
    mpi::together(team_.comm(), [&] {
      for (int thread = 0; thread < team_.threads(); ++thread) {
        std::size_t const in = bytes(shape.in_row, shape.in_lane, sizeof(In));
        std::size_t const out = bytes(shape.out_row, shape.out_lane, sizeof(Complex));
        places.push_back({allocate(in), allocate(out), allocate(transform.scratch_bytes())});
        std::fill_n(places.back().in.get(), in, std::byte{0});
        std::fill_n(places.back().out.get(), out, std::byte{0});
      }
    });
    double const times = team_.per_second(seconds_, Working::together, [&](int thread) {
      Place const& place = places[static_cast<std::size_t>(thread)];
      local::Batch<In, Complex> batch{};
      batch.in = {reinterpret_cast<In*>(place.in.get()), RowMap::every(shape.in_row),
                  shape.in_lane};
      batch.out = {reinterpret_cast<Complex*>(place.out.get()), RowMap::every(shape.out_row),
                   shape.out_lane};
      batch.columns = shape.columns;
      batch.twist = twist;
      transform.run(batch, place.scratch.get());
    });
    double const points = static_cast<double>(n * shape.columns);
    double const threads_a_core =
        static_cast<double>(team_.threads() * team_.node_ranks()) / team_.cores();
    return 1e-9 * times / team_.threads() * threads_a_core * flops_a_point * points *
           std::log2(static_cast<double>(n));
  }

  Team const& team_;
  double seconds_;
};

}  // namespace

model::Rates double_gflops(Team const& team, double seconds) {
  return Gflops<double>(team, seconds).all();
}
model::Rates single_gflops(Team const& team, double seconds) {
  return Gflops<float>(team, seconds).all();
}

}  // namespace sixstep::measure
