// SPDX-License-Identifier: BSD-3-Clause
// The Taylor-Green vortex: a flow in a periodic box that breaks up into turbulence, its energy and
// enstrophy over time, checked, and a picture of its vorticity.
//
//   mpiexec -n 2 build/examples/taylor_green
//   mpiexec -n 2 build/examples/taylor_green 128 --reynolds 400 --until 8 --plot vortex.gp
//   gnuplot vortex.gp    # draws vortex.png
//
//   du/dt = -div(u u) - grad p + viscosity laplace u,  div u = 0,  in [0, 2 pi)^3
//   u(0) = (sin x cos y cos z, -cos x sin y cos z, 0)
//
// A map forms products of the velocity at the points, and makes forces of their coefficients. Two
// thirds of the modes along each axis are kept, so that products do not alias into them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numbers>
#include <sixstep/sixstep.hpp>
#include <string>
#include <vector>

namespace {

using sixstep::Index;
using Complex = std::complex<double>;

/// uu - ww, vv - ww, uv, uw and vw at a point. The pressure absorbs a term that is added to all
/// three squares, so five products are enough instead of six (Basdevant 1983).
constexpr auto multiply = [](std::array<double, 3> const& velocity,
                             std::array<double, 5>& products) {
  auto const [u, v, w] = velocity;
  products = {u * u - w * w, v * v - w * w, u * v, u * w, v * w};
};

/// The coefficients of -div(u u) - grad p from those of the products: the pressure removes the
/// component along k.
void make_force(sixstep::Batch<Complex> const& modes) {
  for (Index i = 0; i < modes.count; ++i) {
    double const kx = modes.k[0][i], ky = modes.k[1][i], kz = modes.k[2][i];
    Complex const uu_ww = modes.in[0][i], vv_ww = modes.in[1][i], uv = modes.in[2][i],
                  uw = modes.in[3][i], vw = modes.in[4][i];
    Complex const x = kx * uu_ww + ky * uv + kz * uw, y = kx * uv + ky * vv_ww + kz * vw,
                  z = kx * uw + ky * vw;
    Complex const along = (kx * x + ky * y + kz * z) / std::max(kx * kx + ky * ky + kz * kz, 1.);
    Complex const minus_i(0, -1);
    modes.out[0][i] = minus_i * (x - kx * along);
    modes.out[1][i] = minus_i * (y - ky * along);
    modes.out[2][i] = minus_i * (z - kz * along);
  }
}

/// Means over the box: of |u|^2 / 2 and of |rot u|^2 / 2. In unit time the first changes by
/// -2 viscosity times the second.
struct Totals {
  double energy, enstrophy;
};

/// The flow on n^3 points, distributed over the ranks in slabs. All calls are collective.
class Flow {
 public:
  Flow(Index n, double viscosity, MPI_Comm comm) : viscosity_(viscosity), comm_(comm) {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    auto const points = sixstep::Layout::slab({n, n, n}, ranks);
    Index const kept = 2 * ((n - 1) / 3) + 1;
    sixstep::MapOptions options{
        {.kinds = {sixstep::Kind::r2c}, .modes = {kept, kept, kept}, .fields = 3}};
    options.backward = sixstep::Scale::none;  // modes are amplitudes
    options.forward = sixstep::Scale::by_n;
    transform_ = sixstep::Plan<double>(points, comm, options);
    to_force_ =
        sixstep::Map<double>(points, comm,
                             {.at_points = {sixstep::at_each_point<double, 3, 5>(multiply), 5},
                              .after = {make_force, 3}},
                             options);
    velocity_ = transform_.allocate();
    force_ = to_force_.allocate();
    modes_ = transform_.output_size() / 3;
    change_.reset(new Complex[static_cast<std::size_t>(3 * modes_)]());
    squared_.reset(new double[static_cast<std::size_t>(modes_)]());
    sixstep::for_each(transform_.output_box(), transform_.output_strides(),
                      [&](sixstep::Shape const& mode, Index i) {
                        for (double const k : transform_.wavenumber(mode)) squared_[i] += k * k;
                      });
    begin(2 * std::numbers::pi / static_cast<double>(n));
  }

  /// Advances the flow by dt, in three stages (Williamson 1980), each of them in place:
  /// change = keep change + dt du/dt, u += add change.
  void step(double dt) {
    struct Stage {
      double keep, add;
    };
    for (Stage const stage : {Stage{0, 1. / 3}, {-5. / 9, 15. / 16}, {-153. / 128, 8. / 15}}) {
      to_force_.apply(velocity_.get(), force_.get());
      int const threads = transform_.threads();
      sixstep::on_threads(threads, [&](int thread) {
        for (Index first = 0; first < 3 * modes_; first += modes_)  // of a field
          for (Index i = modes_ * thread / threads; i < modes_ * (thread + 1) / threads; ++i) {
            Index const at = first + i;
            Complex const rate = force_[at] - viscosity_ * squared_[i] * velocity_[at];
            change_[at] = stage.keep * change_[at] + dt * rate;
            velocity_[at] += stage.add * change_[at];
          }
      });
    }
  }

  Totals totals() const {
    Totals sums{};
    sixstep::for_each(transform_.output_box(), transform_.output_strides(),
                      [&](sixstep::Shape const& mode, Index i) {
                        double square = mode[2] == 0 ? 0.5 : 1;  // all others also stand for -k
                        square *= std::norm(velocity_[i]) + std::norm(velocity_[modes_ + i]) +
                                  std::norm(velocity_[2 * modes_ + i]);
                        sums.energy += square;
                        sums.enstrophy += squared_[i] * square;
                      });
    MPI_Allreduce(MPI_IN_PLACE, &sums, 2, MPI_DOUBLE, MPI_SUM, comm_);
    return sums;
  }

  /// |rot u| at the points of the planes that this rank has, in C order.
  std::vector<double> vorticity() {
    sixstep::OperatorOptions options{{.kinds = {sixstep::Kind::r2c}, .fields = 3}};
    sixstep::Operator<double> curl(transform_.input(), comm_, sixstep::symbols::curl(), options);
    auto const u = curl.allocate<double>();
    transform_.backward(velocity_.get(), u.get());
    curl.apply(u.get(), u.get());
    Index const points = transform_.input_size() / 3;
    std::vector<double> found;
    for (Index i = 0; i < points; ++i)
      found.push_back(std::hypot(u[i], u[points + i], u[2 * points + i]));
    return found;
  }

 private:
  void begin(double spacing) {
    auto const u = transform_.allocate<double>();
    Index const points = transform_.input_size() / 3;
    auto const fill = [&](sixstep::Shape const& point, Index i) {
      auto const along = [&](int axis) { return spacing * static_cast<double>(point[axis]); };
      double const x = along(0), y = along(1), cosine = std::cos(along(2));
      u[i] = std::sin(x) * std::cos(y) * cosine;
      u[points + i] = -std::cos(x) * std::sin(y) * cosine;
      u[2 * points + i] = 0;
    };
    sixstep::for_each(transform_.input_box(), transform_.input_strides(), fill);
    transform_.forward(u.get(), velocity_.get(), sixstep::Scale::by_n);
  }

  double viscosity_;
  MPI_Comm comm_;
  sixstep::Plan<double> transform_;
  sixstep::Map<double> to_force_;
  Index modes_ = 0;
  std::shared_ptr<Complex[]> velocity_, force_;  // modes of three fields, one behind the other
  std::shared_ptr<Complex[]> change_;
  std::shared_ptr<double[]> squared_;  // |k|^2 of each mode
};

struct Arguments {
  Index points = 32;
  double reynolds = 400;
  double until = 4;
  std::string plot;
};

struct Sample {
  double time;
  Totals totals;
};
using History = std::vector<Sample>;

/// Enstrophy for short times, Taylor and Green (1937). The neglected terms begin with time^6.
double short_time_enstrophy(double t, double reynolds) {
  double const v = 1 / reynolds, v2 = v * v, v4 = v2 * v2;
  double const terms[] = {1,
                          -6 * v,
                          5. / 48 + 18 * v2,
                          -(5. / 3 + 36 * v2) * v,
                          50. / (99 * 64) + 1835. / (9 * 16) * v2 + 54 * v4,
                          -(361. / (44 * 32) + 761. / 12 * v2 + 324. / 5 * v4) * v};
  double sum = 0;
  for (int power = 5; power >= 0; --power) sum = sum * t + terms[power];
  return 3. / 8 * sum;
}

/// A multiple of ten. In one step nothing moves more than a sixth of the grid spacing.
int step_count(Arguments const& arguments) {
  return 10 *
         static_cast<int>(std::ceil(arguments.until * static_cast<double>(arguments.points) / 10));
}

History run(Flow& flow, Arguments const& arguments, bool speaks) {
  int const steps = step_count(arguments);
  double const dt = arguments.until / steps;
  History history{{0, flow.totals()}};
  if (speaks) std::printf("%8s %14s %14s %14s\n", "time", "energy", "enstrophy", "series");
  for (int step = 0;; ++step) {
    auto const& [time, totals] = history.back();
    if (speaks && step % (steps / 10) == 0)
      std::printf("%8.3f %14.10f %14.10f %14.10f\n", time, totals.energy, totals.enstrophy,
                  short_time_enstrophy(time, arguments.reynolds));
    if (step == steps) return history;
    flow.step(dt);
    history.push_back({(step + 1) * dt, flow.totals()});
  }
}

/// The lost energy minus the energy that viscosity took: 2 / Reynolds number times the integral of
/// the enstrophy, by Simpson's rule.
double imbalance(History const& history, double reynolds) {
  double const dt = history[1].time - history[0].time;
  double integral = 0;
  for (std::size_t i = 2; i < history.size(); i += 2)
    integral += dt / 3 *
                (history[i - 2].totals.enstrophy + 4 * history[i - 1].totals.enstrophy +
                 history[i].totals.enstrophy);
  return history.front().totals.energy - history.back().totals.energy - 2 / reynolds * integral;
}

/// The largest difference from the series, for times for which it is accurate.
double series_error(History const& history, double reynolds) {
  constexpr double short_time = 0.25;
  double worst = 0;
  for (auto const& [time, totals] : history)
    if (time <= short_time)
      worst = std::max(worst, std::abs(totals.enstrophy - short_time_enstrophy(time, reynolds)));
  return worst;
}

bool check(History const& history, double reynolds) {
  // The error of the time steps. Aliasing products would be far worse: 2e-3 at time 4.
  double const tolerance = 1e-6 * std::max(history.back().time, 1.);
  auto const [energy, enstrophy] = history.front().totals;
  double const begin = std::max(std::abs(energy - 1. / 8), std::abs(enstrophy - 3. / 8));
  double const balance = std::abs(imbalance(history, reynolds));
  double const series = series_error(history, reynolds);
  std::printf("at time 0: off by %.1e; energy: %.1e unaccounted for; off the series: %.1e\n", begin,
              balance, series);
  return begin < 1e-14 && balance < tolerance && series < 1e-7;
}

/// Writes a script for gnuplot that draws the vorticity in a quarter of the plane x = 0, which is
/// symmetric, beside the enstrophy over time.
void write_plot(Arguments const& arguments, std::vector<double> const& vorticity,
                History const& history) {
  std::filesystem::path const file(arguments.plot);
  Index const n = arguments.points;
  double const spacing = 2 * std::numbers::pi / static_cast<double>(n);
  std::ofstream out(file);
  out << "set terminal pngcairo size 1100,480\nset output '"
      << std::filesystem::path(file).replace_extension("png").string()
      << "'\nset multiplot layout 1,2\n$vorticity << EOD\n";
  for (Index y = 0; y <= n / 2; ++y, out << '\n')
    for (Index z = 0; z <= n / 2; ++z)
      out << spacing * static_cast<double>(y) << ' ' << spacing * static_cast<double>(z) << ' '
          << vorticity[static_cast<std::size_t>(y * n + z)] << '\n';
  out << "EOD\n$history << EOD\n";
  for (auto const& [time, totals] : history)
    out << time << ' ' << totals.enstrophy << ' ' << short_time_enstrophy(time, arguments.reynolds)
        << '\n';
  out << "EOD\nset title '|rot u| at x = 0, time " << arguments.until << "'\n"
      << "set size ratio -1\nset xlabel 'y'\nset ylabel 'z'\nset palette rgbformulae 34,35,36\n"
      << "plot [0:pi][0:pi] $vorticity using 1:2:3 with image notitle\n"
      << "set title 'Enstrophy, Reynolds number " << arguments.reynolds << "'\n"
      << "set size noratio\nset xlabel 'time'\nset ylabel ''\nset key bottom right\n"
      << "set yrange [0:*]\n"
      << "plot $history using 1:2 with lines linewidth 2 linecolor '#3b6fb6' title 'computed', "
      << "$history using 1:($1 < 2.5 ? $3 : NaN) with lines linewidth 2 dashtype 2 "
      << "linecolor '#b2182b' title 'Taylor and Green (1937)'\n";
  if (!out.flush()) throw std::runtime_error(arguments.plot + " cannot be written");
}

int solve(Arguments const& arguments, int rank) {
  Flow flow(arguments.points, 1 / arguments.reynolds, MPI_COMM_WORLD);
  History const history = run(flow, arguments, rank == 0);
  int good = 1;
  if (rank == 0) good = check(history, arguments.reynolds) ? 1 : 0;
  MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (!arguments.plot.empty()) {
    std::vector<double> const vorticity = flow.vorticity();
    if (rank == 0) write_plot(arguments, vorticity, history);  // the plane x = 0 is rank 0's first
  }
  return good == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Arguments arguments;
  CLI::App app("The Taylor-Green vortex, its energy and enstrophy over time", "taylor_green");
  app.add_option("points", arguments.points, "Points along each axis [32]")
      ->check(CLI::Range(4, 8192));
  app.add_option("--reynolds", arguments.reynolds, "Reynolds number [400]")
      ->check(CLI::PositiveNumber);
  app.add_option("--until", arguments.until, "Time to reach [4]")->check(CLI::PositiveNumber);
  app.add_option("--plot", arguments.plot, "Write a script for gnuplot, a .gp, that draws a .png")
      ->check([](std::string const& name) {
        // gnuplot would not take these characters as a part of a name.
        bool const is_plain = name.find_first_of("'|\n") == std::string::npos;
        return std::string(is_plain && name.ends_with(".gp") ? "" : "a file named .gp is needed");
      });
  int status = 0;
  try {
    app.parse(argc, argv);
    status = solve(arguments, rank);
  } catch (CLI::ParseError const& error) {
    status = rank == 0 ? app.exit(error) : error.get_exit_code();
  } catch (std::exception const& error) {
    std::fprintf(stderr, "taylor_green: %s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
