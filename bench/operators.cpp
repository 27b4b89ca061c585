// SPDX-License-Identifier: BSD-3-Clause
// The inverse Laplacian as an operator, against our own plans with a loop between them and against
// FFTW's MPI transforms with the same loop: in turn, in one run.
//
//   mpiexec -n 2 operators --shapes 256,256,256
//
// All must give the same result before anything is timed.
#include "sixstep/operator.hpp"

#include <fftw3-mpi.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness.hpp"
#include "node/rounds.hpp"
#include "ranks.hpp"

namespace sixstep::bench {
namespace {

using Complex = std::complex<double>;

struct Arguments {
  std::vector<Index> shape = {256, 256, 256};
  bool real = true;
  bool complex = true;
  bool fftw = true;
  node::Patience patience = {.rounds = 9, .seconds = 3};
};

double inverse_laplacian(Wavevector const& k) {
  double square = 0;
  for (double component : k) square += component * component;
  return square > 0 ? -1 / square : 0;
}

/// What any input is filled with.
double value(Index i) { return std::sin(0.37 * static_cast<double>(i % 1013)); }

/// spectrum[i] *= table[i]
void multiply(Complex* spectrum, double const* table, Index count) {
  auto* const parts = reinterpret_cast<double*>(spectrum);
  for (Index i = 0; i < count; ++i) {
    parts[2 * i] *= table[i];
    parts[2 * i + 1] *= table[i];
  }
}

/// An array of the plan's, or of one's own.
template <class Element, class Plan>
std::shared_ptr<Element[]> array(Plan& plan, bool allocated, Index elements) {
  if (allocated) return plan.template allocate<Element>();
  return std::shared_ptr<Element[]>(new Element[static_cast<std::size_t>(elements)]);
}

/// The operator.
template <class Element>
class Joined {
 public:
  Joined(Layout const& layout, OperatorOptions const& options, bool allocated, MPI_Comm comm)
      : operator_(layout, comm, inverse_laplacian, options),
        in_(array<Element>(operator_, allocated, operator_.in_place_size())),
        out_(array<Element>(operator_, allocated, operator_.in_place_size())) {
    for (Index i = 0; i < operator_.input_size(); ++i) in_[i] = value(i);
  }
  void run() { operator_.apply(in_.get(), out_.get()); }
  Element const* result() const { return out_.get(); }
  Index size() const { return operator_.output_size(); }
  std::string describe() const { return operator_.describe(); }

 private:
  Operator<double> operator_;
  std::shared_ptr<Element[]> in_, out_;
};

/// A plan, a loop over a table, and the plan back.
template <class Element>
class Apart {
 public:
  Apart(Layout const& layout, OperatorOptions const& options, bool allocated, MPI_Comm comm)
      : plan_(layout, comm, options),
        in_(array<Element>(plan_, allocated, plan_.in_place_size() * 2)),
        out_(array<Element>(plan_, allocated, plan_.in_place_size() * 2)),
        spectrum_(array<Complex>(plan_, allocated, plan_.in_place_size())) {
    for (Index i = 0; i < plan_.input_size(); ++i) in_[i] = value(i);
    double n = 1;
    for (Index extent : layout.shape()) n *= static_cast<double>(extent);
    table_.resize(static_cast<std::size_t>(plan_.output_size()));
    for_each(plan_.output_box(), plan_.output_strides(), [&](Shape const& k, Index offset) {
      table_[static_cast<std::size_t>(offset)] = inverse_laplacian(plan_.wavenumber(k)) / n;
    });
  }
  void run() {
    plan_.forward(in_.get(), spectrum_.get());
    multiply(spectrum_.get(), table_.data(), static_cast<Index>(table_.size()));
    plan_.backward(spectrum_.get(), out_.get());
  }
  Element const* result() const { return out_.get(); }

 private:
  Plan<double> plan_;
  std::shared_ptr<Element[]> in_, out_;
  std::shared_ptr<Complex[]> spectrum_;
  std::vector<double> table_;
};

/// FFTW's, measured, with transposed output: from the input to the spectrum, and back in place.
template <class Element>
class Fftw {
 public:
  Fftw(Layout const& layout, MPI_Comm comm) {
    bool const real = std::is_same_v<Element, double>;
    fftw_mpi_init();
    std::vector<ptrdiff_t> n(layout.shape().begin(), layout.shape().end()), m = n;
    auto const axes = static_cast<int>(n.size());
    if (real) m.back() = n.back() / 2 + 1;
    ptrdiff_t planes = 0, first = 0, columns = 0, first_column = 0;
    ptrdiff_t const size = fftw_mpi_local_size_transposed(axes, m.data(), comm, &planes, &first,
                                                          &columns, &first_column);
    data_ = fftw_alloc_complex(static_cast<std::size_t>(size));
    in_ = fftw_alloc_complex(static_cast<std::size_t>(size));
    auto* const reals = reinterpret_cast<double*>(data_);
    auto* const real_input = reinterpret_cast<double*>(in_);
    unsigned const flags = FFTW_MEASURE;
    if (real) {
      there_ = fftw_mpi_plan_dft_r2c(axes, n.data(), real_input, data_, comm,
                                     flags | FFTW_MPI_TRANSPOSED_OUT);
      back_ =
          fftw_mpi_plan_dft_c2r(axes, n.data(), data_, reals, comm, flags | FFTW_MPI_TRANSPOSED_IN);
    } else {
      there_ = fftw_mpi_plan_dft(axes, n.data(), in_, data_, comm, FFTW_FORWARD,
                                 flags | FFTW_MPI_TRANSPOSED_OUT);
      back_ = fftw_mpi_plan_dft(axes, n.data(), data_, data_, comm, FFTW_BACKWARD,
                                flags | FFTW_MPI_TRANSPOSED_IN);
    }
    double points = 1;
    for (Index extent : layout.shape()) points *= static_cast<double>(extent);
    // Transposed: axes 1, 0, 2, ...
    Shape shape = layout.shape();
    if (real) shape[axes - 1] = shape[axes - 1] / 2 + 1;
    std::swap(shape[0], shape[1]);
    shape[0] = columns;
    Box box;
    for (Index extent : shape) box.ranges.push_back({0, extent, 1});
    Shape strides(axes, 1);
    for (int axis = axes - 2; axis >= 0; --axis)
      strides[axis] = strides[axis + 1] * shape[axis + 1];
    table_.resize(static_cast<std::size_t>(volume(shape)));
    for_each(box, strides, [&](Shape const& at, Index offset) {
      Shape k = at;
      k[0] = at[1];
      k[1] = at[0] + first_column;
      Wavevector waves;
      for (int axis = 0; axis < axes; ++axis) {
        Index const extent = layout.shape()[axis];
        bool const half = real && axis == axes - 1;
        Index const wave = half || k[axis] <= (extent - 1) / 2 ? k[axis] : k[axis] - extent;
        waves.push_back(static_cast<double>(wave));
      }
      table_[static_cast<std::size_t>(offset)] = inverse_laplacian(waves) / points;
    });
    for (ptrdiff_t i = 0; i < 2 * size; ++i) real_input[i] = value(i);
  }
  Fftw(Fftw const&) = delete;
  ~Fftw() {
    fftw_destroy_plan(there_);
    fftw_destroy_plan(back_);
    fftw_free(data_);
    fftw_free(in_);
  }
  void run() {
    fftw_execute(there_);
    multiply(reinterpret_cast<Complex*>(data_), table_.data(), static_cast<Index>(table_.size()));
    fftw_execute(back_);
  }

 private:
  fftw_complex *data_, *in_;
  fftw_plan there_, back_;
  std::vector<double> table_;
};

template <class Element>
void compare(Arguments const& arguments, MPI_Comm comm) {
  bool const real = std::is_same_v<Element, double>;
  Shape const shape(arguments.shape);
  Layout const layout = Layout::slab(shape, cli::ranks_of(comm));
  OperatorOptions options;
  options.kinds = {real ? Kind::r2c : Kind::c2c};
  Joined<Element> own(layout, options, false, comm), lent(layout, options, true, comm);
  Apart<Element> own_apart(layout, options, false, comm), lent_apart(layout, options, true, comm);
  for (auto const& run :
       std::vector<std::function<void()>>{[&] { own.run(); }, [&] { lent.run(); },
                                          [&] { own_apart.run(); }, [&] { lent_apart.run(); }})
    run();
  double worst = 0;
  for (Index i = 0; i < own.size(); ++i)
    for (Element const* other : {lent.result(), own_apart.result(), lent_apart.result()})
      worst = std::max(worst, std::abs(own.result()[i] - other[i]));
  require(worst < 1e-12, "results differ by ", worst);
  std::unique_ptr<Fftw<Element>> fftw;
  std::vector<std::function<void()>> runs{[&] { own.run(); }, [&] { lent.run(); },
                                          [&] { own_apart.run(); }, [&] { lent_apart.run(); }};
  if (arguments.fftw) {
    fftw = std::make_unique<Fftw<Element>>(layout, comm);
    runs.emplace_back([&] { fftw->run(); });
  }
  Trials const trials = node::take_turns(runs, arguments.patience, comm);
  if (cli::rank_of(comm) != 0) return;
  std::printf("%-14s %s %9.2f %9.2f %9.2f %9.2f", to_string(shape).c_str(), real ? "r2c" : "c2c",
              1e3 * median(trials[0]), 1e3 * median(trials[1]), 1e3 * median(trials[2]),
              1e3 * median(trials[3]));
  if (fftw) std::printf(" %9.2f", 1e3 * median(trials[4]));
  std::printf("   %6.2f %6.2f", median_ratio(trials[0], trials[2]),
              median_ratio(trials[1], trials[3]));
  if (fftw) std::printf(" %6.2f", median_ratio(trials[1], trials[4]));
  std::printf("\n");
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("The inverse Laplacian: an operator, plans with a loop, FFTW with a loop",
               "operators");
  app.add_option("--shape", arguments.shape, "Of the array [256,256,256]")
      ->delimiter(',')
      ->check(CLI::Range(2, 1 << 28));
  app.add_flag("!--no-r2c", arguments.real, "Leave out reals");
  app.add_flag("!--no-c2c", arguments.complex, "Leave out complex numbers");
  app.add_flag("!--no-fftw", arguments.fftw, "Leave out FFTW");
  add_rounds(app, arguments.patience.rounds, "In which all run, at least [9]");
  add_seconds(app, arguments.patience.seconds, "For each comparison at least [3]");
  return run_on_ranks(app, argc, argv, [&](MPI_Comm comm) {
    if (cli::rank_of(comm) == 0)
      std::printf(
          "%d ranks, milliseconds; own arrays and the plan's\n%-18s %9s %9s %9s %9s %9s   %s\n",
          cli::ranks_of(comm), "", "operator", "plan's", "apart", "plan's", "FFTW",
          "ratios: own, plan's, FFTW");
    if (arguments.real) compare<double>(arguments, comm);
    if (arguments.complex) compare<Complex>(arguments, comm);
  });
}

}  // namespace
}  // namespace sixstep::bench

int main(int argc, char** argv) { return sixstep::bench::run(argc, argv); }
