// SPDX-License-Identifier: BSD-3-Clause
// `sixstep solve`: solves Poisson's or Helmholtz's equation for the right side in a file.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "domain.hpp"
#include "file_work.hpp"
#include "operated.hpp"
#include "ranks.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/symbols.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace sixstep::cli {
namespace {

namespace npy = files::npy;

constexpr char solve_examples[] = R"(Examples:
  mpiexec -n 4 sixstep solve poisson f.npy u.npy
      laplacian u = f in a periodic box of side 2 pi; the mean of u is 0
  mpiexec -n 4 sixstep solve poisson rho.h5:rho phi.h5:phi --sides 1,1,2.5 --mean 3
      another box, another mean, and files in HDF5
  mpiexec -n 4 sixstep solve poisson f.npy u.npy --walls dirichlet --sides 1,1,1
      u is 0 at all walls of a unit cube, whose cells have the values of f in their middles
  mpiexec -n 4 sixstep solve poisson f.npy p.npy --walls periodic,neumann,periodic
      a channel: du/dx is 0 at the two walls of axis 1
  mpiexec -n 4 sixstep solve poisson f.npy u.npy --walls dirichlet_neumann,periodic --at nodes
      u is 0 at the first wall of axis 0, and du/dx at the last
  mpiexec -n 4 sixstep solve helmholtz f.npy u.npy --alpha 100 --walls dirichlet
      an implicit step of diffusion: 100 u - laplacian u = f

poisson solves laplacian u = f, and helmholtz ALPHA u - laplacian u = f. The derivatives are exact for all
waves that the points can hold. With --accuracy they are differences of neighbours; the values behind a wall
are those before it, with the other sign where u is 0. n points along a side of length L are
  periodic                   x = L j/n
  cells                      x = L (j + 1/2)/n
  nodes, dirichlet           x = L (j + 1)/(n + 1)   without the walls, where u is 0
  nodes, neumann             x = L j/(n - 1)         with both walls
  nodes, dirichlet_neumann   x = L (j + 1)/n         with the last wall
  nodes, neumann_dirichlet   x = L j/n               with the first wall
for j = 0 to n - 1. Where all axes are periodic or neumann, Poisson's equation has a solution only if the
mean of f is 0, and any constant may be added to it. The mean of f is then subtracted, which is said on
stderr, and the mean of u is --mean. Points on neumann's walls count half in these means.
Files, types, orders and layouts are those of `sixstep fft`.)";

enum class Equation { poisson, helmholtz };
constexpr auto names_of(Equation) { return std::array{"poisson", "helmholtz"}; }

struct SolveArguments {
  Equation equation = Equation::poisson;
  FileArguments files = {};
  Domain domain = {};
  std::optional<double> alpha = {};
  std::optional<double> mean = {};
  bool residual = false;
  Options options = {};
  Differences differences = {};

  Symbol solution() const {
    return alpha ? symbols::helmholtz(*alpha, differences)
                 : symbols::inverse_laplacian(differences);
  }
  /// The operator that makes f of u.
  Symbol left_side() const {
    if (!alpha) return symbols::laplacian(differences);
    return [alpha = *alpha, by = differences](Wavevector const& k) {
      return alpha - symbols::sum_of_second(k, by);
    };
  }
  /// Whether any constant may be added to a solution.
  bool has_constants() const { return !alpha && domain.has_constants(); }
};

/// An array of which this rank has a part, as its reals: one or two for each element.
template <class Real>
struct Values {
  Real* reals;
  Index count;
  int each;

  void add(std::complex<double> constant) const {
    std::array const parts{static_cast<Real>(constant.real()), static_cast<Real>(constant.imag())};
    for (int part = 0; part < each; ++part)
      for (Index i = part; i < count; i += each) reals[i] += parts[static_cast<std::size_t>(part)];
  }
};

/// The mean of an array over its domain, and its largest part of an element.
struct Means {
  std::complex<double> mean;
  double largest;
};

template <class Real>
Means means_of(Values<Real> const& values, Layout const& layout, Domain const& domain,
               MPI_Comm comm) {
  std::array<double, 2> sums{};
  double largest = 0, points = 1;
  Shape walls(layout.axes(), 0);  // the last index along axes with points on both walls
  for (int axis = 0; axis < layout.axes(); ++axis) {
    auto const at = static_cast<std::size_t>(axis);
    Index const n = layout.shape()[axis];
    if (domain.walls[at] == Walls::neumann && domain.points[at] == Points::nodes)
      walls[axis] = n - 1;
    points *= static_cast<double>(walls[axis] > 0 ? n - 1 : n);
  }
  for_each(layout, rank_of(comm), [&](Shape const& point, Index place) {
    double weight = 1;
    for (int axis = 0; axis < walls.size(); ++axis)
      if (walls[axis] > 0 && (point[axis] == 0 || point[axis] == walls[axis])) weight /= 2;
    for (int part = 0; part < values.each; ++part) {
      double const value = values.reals[place * values.each + part];
      sums[static_cast<std::size_t>(part)] += weight * value;
      largest = std::max(largest, std::abs(value));
    }
  });
  mpi::reduce_to_all(comm, sums.data(), 2, MPI_DOUBLE, MPI_SUM);
  return {std::complex<double>(sums[0], sums[1]) / points, max_over(comm, largest)};
}

/// The sum of |values|^2 on all ranks.
template <class Real>
double norm_of(Values<Real> const& values, MPI_Comm comm) {
  double sum = 0;
  for (Index i = 0; i < values.count; ++i)
    sum += static_cast<double>(values.reals[i]) * static_cast<double>(values.reals[i]);
  mpi::reduce_to_all(comm, &sum, 1, MPI_DOUBLE, MPI_SUM);
  return sum;
}

std::string to_words(std::complex<double> number) {
  return text(number.real(), number.imag() == 0 ? "" : text(" + ", number.imag(), " i"));
}

/// Returns the mean of a right side, for which there is no solution, and says so unless the mean is
/// a rounding error.
template <class Real>
std::complex<double> unsolved_mean(Values<Real> const& right, Layout const& layout,
                                   Domain const& domain, bool of_single, MPI_Comm comm) {
  auto const [mean, largest] = means_of(right, layout, domain, comm);
  double const epsilon =
      of_single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  if (std::abs(mean) > 1000 * epsilon * largest && rank_of(comm) == 0)
    complain(text("the mean of the right side is ", to_words(mean),
                  "; only for 0 is there a solution, so it was subtracted"));
  return mean;
}

template <class Real>
void solve(SolveArguments const& arguments, ArrayFile const& file, MPI_Comm comm) {
  npy::Header const& header = file.header();
  bool const is_real = header.type.kind != npy::Type::Kind::complex;
  Domain const& domain = arguments.domain;
  Shape const shape = header.file_shape();
  std::vector<int> axes;
  for (int axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);

  Progress progress(rank_of(comm), 4);
  progress.step("plan");
  OperatorOptions options{arguments.options};
  options.kinds = domain.kinds(is_real);
  options.sides = domain.sides;
  Operated<Real> operated(
      layout_in_file(arguments.files.layout, shape, header.fortran, ranks_of(comm)), comm,
      arguments.solution(), options, is_real);
  Values<Real> const values{operated.reals(), operated.count_of_reals(), is_real ? 1 : 2};
  auto const right = arguments.residual ? operated.allocate() : nullptr;
  Values<Real> const wanted{reinterpret_cast<Real*>(right.get()), values.count, values.each};
  auto const action = [&] {
    bool const is_single = precision_of(Precision::automatic, header.type) == Precision::single;
    if (right) std::copy_n(values.reals, values.count, wanted.reals);
    if (arguments.has_constants()) {
      auto const mean = unsolved_mean(values, operated.layout(), domain, is_single, comm);
      if (right) wanted.add(-mean);
    }
    operated.apply();  // leaves out the mean
    if (arguments.mean) values.add(*arguments.mean);
  };
  run({.files = arguments.files,
       .input = file,
       .read = {operated.layout(), is_real},
       .written = {operated.layout(), is_real},
       .written_shape = header.shape,
       .verb = "solved",
       .gigaflop = 2 * gigaflop_of(shape, axes, is_real)},
      operated.array(), action, progress, comm);
  if (!right) return;
  operated.renew(arguments.left_side());
  operated.apply();
  for (Index i = 0; i < values.count; ++i) values.reals[i] -= wanted.reals[i];
  double const difference = norm_of(values, comm), norm = norm_of(wanted, comm);
  if (rank_of(comm) == 0)
    cli::print(formatted("residual %.2e of the right side, in root mean squares\n",
                         difference > 0 ? std::sqrt(difference / norm) : 0));
}

void solve(SolveArguments arguments, MPI_Comm comm) {
  ArrayFile const file = open(arguments.files, comm);
  npy::Header const& header = file.header();
  arguments.domain = arguments.domain.with_axes(header.shape.size());
  require(!arguments.mean || arguments.has_constants(),
          "--mean: this equation has only one solution, whose mean it determines");
  if (header.fortran) arguments.domain = arguments.domain.reversed();
  arguments.differences.spacing = arguments.domain.spacing(header.file_shape());
  in_precision(precision_of(arguments.files.precision, header.type),
               [&]<class Real>(Real) { solve<Real>(arguments, file, comm); });
}

void add_number(CLI::App& command, std::string const& name, std::optional<double>& value,
                std::string const& help) {
  add_read(
      command, name, value,
      [](std::string const& word) {
        auto const number = read_number<double>(word);
        require(number.has_value(), "a number is needed, '", shortened(word), "' was given");
        return number;
      },
      help)
      ->option_text("X");
}

}  // namespace

void add_solve(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<SolveArguments>();
  CLI::App& command = *app.add_subcommand(
      "solve", "Solve Poisson's or Helmholtz's equation for the right side in a file");
  add_named(command, "EQUATION", arguments->equation, all_values<Equation>,
            "poisson: laplacian u = f; helmholtz: alpha u - laplacian u = f");
  command.get_option("EQUATION")->required();
  add_files(command, arguments->files);
  add_walls(command, arguments->domain);
  add_sides(command, arguments->domain.sides,
            "The length of each axis, from wall to wall or of a period [2 pi, pi between walls]");
  add_number(command, "--alpha", arguments->alpha, "The number alpha of helmholtz");
  add_number(command, "--mean", arguments->mean,
             "The mean of u, where the equation leaves it open [0]");
  add_read(
      command, "--accuracy", arguments->differences.accuracy,
      [](std::string const& word) { return word == "2" ? 2 : 4; },
      "Replace the derivatives by central differences of this order of accuracy, as a grid code "
      "has them [exact derivatives]")
      ->option_text("2|4")
      ->check(CLI::IsMember({"2", "4"}));
  command.add_flag("--residual", arguments->residual,
                   "Also apply the left side to u, and print how far the result is from f; takes "
                   "memory for another array");
  add_layout(command, arguments->files.layout);
  add_precision(command, arguments->files.precision);
  add_options(command, arguments->options, {"exchange", "local"});
  command.footer(solve_examples);
  command.callback([arguments, &run] {
    bool const is_helmholtz = arguments->equation == Equation::helmholtz;
    if (is_helmholtz && !arguments->alpha) throw CLI::RequiredError("--alpha");
    if (!is_helmholtz && arguments->alpha)
      throw CLI::ValidationError("--alpha", "only helmholtz has it");
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { solve(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
