// SPDX-License-Identifier: BSD-3-Clause
// The Taylor-Green vortex, a flow in a periodic box that breaks up into turbulence, with loops over
// rows of modes, in which forces are made and steps done in one walk. examples/taylor_green.cpp has
// the same flow in fewer lines.
//
//   du/dt = -div(u u) - grad p + viscosity laplace u,  div u = 0,  in [0, 2 pi)^3
//   u(0) = (sin x cos y cos z, -cos x sin y cos z, 0)
//
// The solver is pseudo-spectral: it forms products at the points, and derivatives of the
// coefficients. It keeps two thirds of the n modes along an axis, so that products do not alias
// into them (the 2/3 rule). The plans neither store nor send other modes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <numbers>
#include <sixstep/sixstep.hpp>
#include <utility>
#include <vector>

namespace taylor_green {

using sixstep::Index;
using Complex = std::complex<double>;

/// u, v and w.
template <class Element>
using Vector = std::array<Element*, 3>;

/// uu - ww, vv - ww, uv, uw and vw. The pressure absorbs a term that is added to all three squares,
/// so five products are enough instead of six (Basdevant 1983).
template <class Element>
using Products = std::array<Element*, 5>;

/// Pointers to fields that lie one behind the other in memory.
template <class Fields, class Element>
Fields fields_from(Element* first, Index stride) {
  Fields fields;
  for (auto& field : fields) field = std::exchange(first, first + stride);
  return fields;
}

/// The velocity at time 0.
inline std::array<double, 3> first_velocity(double x, double y, double z) {
  return {std::sin(x) * std::cos(y) * std::cos(z), -std::cos(x) * std::sin(y) * std::cos(z), 0};
}

/// The modes (kx, ky, 0), (kx, ky, 1), ... up to the last kept one. They are adjacent in memory;
/// the first is `at` elements behind the beginning of a field.
struct Row {
  double kx;
  double ky;
  Index at;
};

/// The last wave number that is kept along an axis of n points.
inline Index last_mode(Index n) { return (n - 1) / 3; }

/// A stage of a Runge-Kutta step in place: change = keep change + dt du/dt, u += add change.
struct Stage {
  double keep;
  double add;
};
/// The stages of a step of third order (Williamson 1980).
inline constexpr std::array<Stage, 3> stages{
    {{0, 1. / 3}, {-5. / 9, 15. / 16}, {-153. / 128, 8. / 15}}};

/// Computes uu - ww, vv - ww, uv, uw and vw at a point. The pressure absorbs a term that is added
/// to all three squares, so five products are enough instead of six (Basdevant 1983).
inline constexpr auto multiply = [](std::array<double, 3> const& velocity,
                                    std::array<double, 5>& products) {
  auto const [u, v, w] = velocity;
  products = {u * u - w * w, v * v - w * w, u * v, u * w, v * w};
};

/// Advances the modes of a row by a stage of a step.
struct Advance {
  Stage stage;
  double dt;
  double viscosity;
  double scale;  // factor of the products' modes, which makes them amplitudes
  Index last;    // last mode of a row

  void operator()(Row const& row, Products<Complex> const& products,
                  Vector<Complex> const& velocity, Vector<Complex> const& change) const {
    auto const [uu_ww, vv_ww, uv, uw, vw] = products;
    auto const [us, vs, ws] = velocity;
    auto const [dus, dvs, dws] = change;
    auto const [kx, ky, at] = row;
#pragma GCC ivdep
    for (Index i = at; i <= at + last; ++i) {
      auto const kz = static_cast<double>(i - at);
      double const squared = kx * kx + ky * ky + kz * kz;
      // div(u u) = i (fx, fy, fz); the pressure removes its component along k.
      Complex const fx = kx * uu_ww[i] + ky * uv[i] + kz * uw[i];
      Complex const fy = kx * uv[i] + ky * vv_ww[i] + kz * vw[i];
      Complex const fz = kx * uw[i] + ky * vw[i];
      Complex const along = (kx * fx + ky * fy + kz * fz) * (1 / std::max(squared, 1.0));
      auto const go = [&](Complex& u, Complex& du, Complex const& f) {
        Complex const minus_if(f.imag(), -f.real());
        du = stage.keep * du + dt * (scale * minus_if - viscosity * squared * u);
        u += stage.add * du;
      };
      go(us[i], dus[i], fx - kx * along);
      go(vs[i], dvs[i], fy - ky * along);
      go(ws[i], dws[i], fz - kz * along);
    }
  }
};

/// Means over the box: of |u|^2 / 2 and of |rot u|^2 / 2. In unit time the first changes by
/// -2 viscosity times the second.
struct Totals {
  double energy;
  double enstrophy;

  /// Adds the modes of a row.
  void add(Row const& row, Index last, Vector<Complex> const& velocity) {
    for (Index kz = 0; kz <= last; ++kz) {
      double square = 0;
      for (Complex const* const field : velocity) square += std::norm(field[row.at + kz]);
      if (kz == 0) square /= 2;  // all others also represent -k
      auto const z = static_cast<double>(kz);
      energy += square;
      enstrophy += square * (row.kx * row.kx + row.ky * row.ky + z * z);
    }
  }
};

/// The flow, distributed over the ranks of a communicator: points in slabs along x, modes along y.
class Flow {
 public:
  /// n^3 points, at time 0. Collective.
  Flow(Index n, double viscosity, MPI_Comm comm, int threads = 0)
      : n_(n), viscosity_(viscosity), comm_(comm) {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    auto const points = sixstep::Layout::slab({n, n, n}, ranks);
    Index const kept = 2 * last_mode(n) + 1;  // from -last_mode(); along z from 0
    Index const row = last_mode(n) + 1, to_next_line = (4 - row % 4) % 4;
    auto const modes = sixstep::Layout::slab({kept, kept, row}, ranks, 1)
                           .with_ghosts({0, 0, 0}, {0, 0, to_next_line});  // of cache
    sixstep::Options options{.kinds = {sixstep::Kind::r2c},
                             .modes = {kept, kept, kept},
                             .fields = 3,
                             .threads = threads};
    transform_ = sixstep::Plan<double>(points, modes, comm, options);
    sixstep::MapOptions map_options{options};
    map_options.backward = sixstep::Scale::none;  // modes are amplitudes
    map_options.forward = sixstep::Scale::by_n;
    to_products_ = sixstep::Map<double>(
        points, modes, comm, {.at_points = {sixstep::at_each_point<double, 3, 5>(multiply), 5}},
        map_options);
    allocate();
    find_rows();
    begin();
  }

  /// Advances the flow by dt. Collective, as are all calls below.
  void step(double dt) {
    for (Stage const& stage : stages) {
      to_products_.apply(modes_[0], product_modes_[0]);
      Advance const advance{stage, dt, viscosity_, 1, last_mode(n_)};
      for_each_row([&](Row const& row) { advance(row, product_modes_, modes_, change_); });
    }
  }

  Totals totals() const {
    Totals sums{};
    for (Row const& row : rows_) sums.add(row, last_mode(n_), modes_);
    MPI_Allreduce(MPI_IN_PLACE, &sums, 2, MPI_DOUBLE, MPI_SUM, comm_);
    return sums;
  }

  /// Seconds that this rank has spent on products and their transforms, waits for other ranks
  /// included.
  double seconds_in_transforms() const {
    double seconds = 0;
    for (sixstep::Part const& part : to_products_.breakdown()) seconds += part.seconds;
    return seconds;
  }

 private:
  void allocate() {
    modes_memory_ = transform_.allocate();
    product_modes_memory_ = to_products_.allocate();
    change_memory_.resize(static_cast<std::size_t>(transform_.output_size()));
    Index const to_next_modes = transform_.output_strides()[3];
    modes_ = fields_from<Vector<Complex>>(modes_memory_.get(), to_next_modes);
    product_modes_ = fields_from<Products<Complex>>(product_modes_memory_.get(), to_next_modes);
    change_ = fields_from<Vector<Complex>>(change_memory_.data(), to_next_modes);
  }

  Vector<double> points_from(double* memory) const {
    return fields_from<Vector<double>>(memory, transform_.input_strides()[3]);
  }

  void find_rows() {
    sixstep::Box firsts = transform_.output_box();
    firsts.ranges[2].hi = 1;  // kz = 0
    auto const add = [&](sixstep::Shape const& k, Index at) {
      auto const w = transform_.wavenumber(k);
      rows_.push_back({w[0], w[1], at});
    };
    sixstep::for_each(firsts, transform_.output_strides(), add);
  }

  void begin() {
    auto const memory = transform_.allocate<double>();
    auto const points = points_from(memory.get());
    double const spacing = 2 * std::numbers::pi / static_cast<double>(n_);
    auto const fill = [&](sixstep::Shape const& point, Index at) {
      auto const along = [&](int axis) { return spacing * static_cast<double>(point[axis]); };
      auto const velocity = first_velocity(along(0), along(1), along(2));
      for (std::size_t field = 0; field < 3; ++field) points[field][at] = velocity[field];
    };
    sixstep::for_each(transform_.input_box(), transform_.input_strides(), fill);
    transform_.forward(points[0], modes_[0], sixstep::Scale::by_n);
  }

  /// Calls work(first, last) for parts of [0, count), on all threads.
  template <class Work>
  void in_parts(Index count, Work const& work) const {
    int const threads = transform_.threads();
    sixstep::on_threads(threads, [&](int thread) {
      work(count * thread / threads, count * (thread + 1) / threads);
    });
  }

  template <class Visit>
  void for_each_row(Visit const& visit) const {
    in_parts(static_cast<Index>(rows_.size()), [&](Index first, Index last) {
      std::for_each(rows_.begin() + first, rows_.begin() + last, visit);
    });
  }

  Index n_;
  double viscosity_;
  MPI_Comm comm_;
  sixstep::Plan<double> transform_;
  sixstep::Map<double> to_products_;  // from a velocity
  std::shared_ptr<Complex[]> modes_memory_, product_modes_memory_;
  std::vector<Complex> change_memory_;
  Vector<Complex> modes_;
  Vector<Complex> change_;
  Products<Complex> product_modes_;
  std::vector<Row> rows_;  // in the order of memory
};

}  // namespace taylor_green
