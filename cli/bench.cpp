// SPDX-License-Identifier: BSD-3-Clause
// `sixstep bench`: measures a transform, and checks its result.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "apart.hpp"
#include "bench_report.hpp"
#include "binding.hpp"
#include "commands.hpp"
#include "gnuplot.hpp"
#include "local_array.hpp"
#include "memory.hpp"
#include "named_symbols.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "rival.hpp"
#include "schedule/schedule.hpp"
#include "sixstep/device.hpp"
#include "sixstep/operator.hpp"

namespace sixstep::cli {
namespace {

constexpr char bench_examples[] = R"(Examples:
  mpiexec -n 4 sixstep bench 256 256 256
  mpiexec -n 4 sixstep bench 256 256 256 --output transposed --precision single
      half the exchanges or fewer, as the output lies in the cheapest layout
  mpiexec -n 4 sixstep bench 256 256 256 --kind r2c
      real numbers: half the data
  mpiexec -n 4 sixstep bench 64 512 512 --axes 1,2
      a stack of 64 planes, each transformed by itself
  mpiexec -n 4 sixstep bench 10000000 --verify --json result.json
      one dimension; the result is checked, and the figures are kept
  mpiexec -n 2 sixstep bench 256 256 256 --plan-arrays --predict --breakdown
      also the predicted time, by the measurements of `sixstep tune --machine`
  mpiexec -n 4 sixstep bench 256 256 256 --exchange pairwise --trace trace.json
      a trace of all threads, for ui.perfetto.dev or bench/plot_trace.py
  mpiexec -n 4 sixstep bench --sizes 64x64x64,100x100x100,128x128x128 --against fftw --plot sizes.png
      a line for each size, with FFTW-MPI in turn, and a picture
  mpiexec -n 2 sixstep bench 256 256 256 --kind r2c --operator inverse_laplacian
      an operator, and in turn a transform, a loop that multiplies and the transform back
  mpiexec -n 2 sixstep bench 128 128 128 --kind r2c --operator project
      the part without divergence of a vector field, whose three components are transformed together

The output has the cheapest layout, the default of plans; with --output natural it has that of the input.
Each forward transform is timed separately, from a barrier to its end on the slowest rank, after two that
are not timed. A few outputs are compared with sums over all points in long double (the error is divided
by sqrt(N)), and a few inputs with sums over all outputs. The results of an operator and of its parts one
after another are compared, too.)";

Layout layout_of(BenchArguments const& arguments, MPI_Comm comm) {
  return layout_of(arguments.layout, arguments.shape, ranks_of(comm));
}

Options options_of(BenchArguments const& arguments) {
  Options options = arguments.options;
  options.axes = axes_of(arguments.axes, arguments.shape.size());
  options.kinds = arguments.kinds;
  options.modes = arguments.modes;
  return options;
}

Symbol symbol_of(BenchArguments const& arguments) {
  return operator_symbol(arguments.operator_words, arguments.shape.size());
}

template <class Real>
std::unique_ptr<Apart<Real>> make_apart(BenchArguments const& arguments, MPI_Comm comm) {
  Options options = options_of(arguments);
  options.trace = {};  // that of the operator
  return std::make_unique<Apart<Real>>(ApartProblem{.layout = layout_of(arguments, comm),
                                                    .options = options,
                                                    .symbol = symbol_of(arguments),
                                                    .in_place = arguments.in_place,
                                                    .plan_arrays = arguments.plan_arrays},
                                       comm);
}

// Input and output, which may be the same; and an array of the host to which those of a device are
// copied.
template <class Real>
struct Arrays {
  std::complex<Real>* in;
  std::complex<Real>* out;
  std::complex<Real>* seen;
};

template <class Real>
Real* reals(std::complex<Real>* array) {
  return reinterpret_cast<Real*>(array);
}

template <class Plan, class Real>
void fill_input(Plan const& plan, BenchArguments const& arguments, MPI_Comm comm,
                Arrays<Real> const& arrays) {
  Device const device = arguments.options.device;
  std::complex<Real>* const in = device == Device::none ? arrays.in : arrays.seen;
  bool const are_reals = is_real_input(arguments.kinds);
  int const fields = arguments.options.fields;
  if (are_reals)
    fill_fields(plan.input(), fields, rank_of(comm), plan.threads(), reals(in));
  else
    fill_fields(plan.input(), fields, rank_of(comm), plan.threads(), in);
  if (device == Device::none) return;
  auto const size = static_cast<std::size_t>(plan.input_size());
  copy(device, arrays.in, in, size * (are_reals ? sizeof(Real) : sizeof(std::complex<Real>)));
}

// The output, copied to the host if it is on a device.
template <class Plan, class Real>
std::complex<Real> const* seen_output(Plan const& plan, Device device, Arrays<Real> const& arrays) {
  if (device == Device::none) return arrays.out;
  copy(device, arrays.seen, arrays.out,
       static_cast<std::size_t>(plan.output_size()) * sizeof(std::complex<Real>));
  return arrays.seen;
}

template <class Real>
void forward(Plan<Real>& plan, std::vector<Kind> const& kinds, Arrays<Real> const& arrays) {
  if (!is_real_input(kinds))
    plan.forward(arrays.in, arrays.out);
  else if (std::find(kinds.begin(), kinds.end(), Kind::r2c) != kinds.end())
    plan.forward(reals(arrays.in), arrays.out);
  else
    plan.forward(reals(arrays.in), reals(arrays.out));
}

template <class Real>
void forward(Operator<Real>& plan, std::vector<Kind> const& kinds, Arrays<Real> const& arrays) {
  if (is_real_input(kinds))
    plan.apply(reals(arrays.in), reals(arrays.out));
  else
    plan.apply(arrays.in, arrays.out);
}

template <class Plan, class Real>
Times measure(Plan& plan, Arrays<Real> const& arrays, BenchArguments const& arguments, Rival* rival,
              MPI_Comm comm) {
  constexpr int warm_ups = 2;
  int const repeats = arguments.repeats;
  Progress progress(rank_of(comm), warm_ups + repeats);
  Times times;
  std::vector<sixstep::Part> before;
  for (int repeat = -warm_ups; repeat < repeats; ++repeat) {
    progress.step(repeat < 0 ? "warming up" : "measuring");
    // In place, the values would grow by sqrt(N) from transform to transform.
    if (repeat == -warm_ups || arrays.in == arrays.out || !arguments.options.preserve_input)
      fill_input(plan, arguments, comm, arrays);
    if (repeat == 0) before = plan.breakdown();
    double const comm_begin = plan.communication_seconds();
    double const seconds = seconds_of(comm, [&] { forward(plan, arguments.kinds, arrays); });
    double const comm_seconds = max_over(comm, plan.communication_seconds() - comm_begin);
    double rival_seconds = 0;
    if (rival != nullptr) {
      if (arguments.in_place || !arguments.options.preserve_input) rival->fill();
      rival_seconds = seconds_of(comm, [&] { rival->forward(); });
    }
    if (repeat < 0) continue;
    if (rival != nullptr) times.rival_seconds.push_back(rival_seconds);
    times.seconds.push_back(seconds);
    times.comm_seconds += comm_seconds / repeats;
  }
  times.parts = breakdown(before, plan.breakdown(), repeats, comm);
  return times;
}

// Makes a plan of FFTW-MPI for the same transform. Errors: FFTW-MPI has no such transform.
template <class Real>
std::unique_ptr<Rival> make_rival(BenchArguments const& arguments, int threads, MPI_Comm comm) {
  std::string const kind = to_words(arguments.kinds);
  require(arguments.axes.empty() && arguments.modes.empty() && (kind == "c2c" || kind == "r2c"),
          "--against fftw: c2c and r2c along all axes, with all modes, can be compared");
  return make_fftw<Real>({.shape = arguments.shape,
                          .r2c = kind == "r2c",
                          .natural_output = arguments.options.output == Output::as_input,
                          .in_place = arguments.in_place,
                          .preserve_input = arguments.options.preserve_input,
                          .threads = threads},
                         comm);
}

template <class Real>
void require_small(Report const& report) {
  // Rounding errors are a few epsilon; a fault in moves or transforms makes errors that are larger
  // by many orders.
  double const points = static_cast<double>(volume(report.input.shape()));
  double const bound = 20 * std::numeric_limits<Real>::epsilon() * (1 + std::log2(points));
  require(report.errors->worst() <= bound, "verify: the transform is wrong: its error is ",
          report.errors->worst(), "; rounding errors are at most ", bound);
}

void check(BenchArguments const& arguments, MPI_Comm comm) {
  require(arguments.options.trace.empty() || arguments.sizes.empty(),
          "--trace: one size is needed, several were given");
  require(arguments.plot.empty() || !arguments.sizes.empty(),
          "--plot: several sizes are needed, given by --sizes, one was given");
  if (!arguments.json.empty()) require_writable(arguments.json, comm);
  mpi::together(comm, [&] {
    if (rank_of(comm) == 0 && !arguments.plot.empty()) require_drawable(arguments.plot);
  });
  std::string const kind = to_words(arguments.kinds);
  require(!arguments.verify || kind == "c2c" || kind == "r2c",
          "--verify: c2c and r2c can be checked, --kind ", kind, " cannot");
  require(!arguments.verify || arguments.modes.empty(),
          "--verify: transforms that keep all modes can be checked, --modes was given");
  require(!arguments.verify || arguments.axes.empty(),
          "--verify: transforms along all axes can be checked, --axes was given");
}

/// A plan or an operator, which was made since `begin`.
template <class Real, class Plan>
Report bench_made(Plan plan, double begin, BenchArguments const& arguments, MPI_Comm comm) {
  Report report{arguments, plan.input(), plan.output(), plan.describe()};
  if (arguments.machine) report.prediction = plan.predict(*arguments.machine);
  report.planning_seconds = max_over(comm, MPI_Wtime() - begin);
  report.threads = plan.threads();
  report.binding = bind_threads(comm, plan.threads());
  report.passes = plan.passes();
  report.exchanges = plan.exchanges();

  // A size may count reals; the arrays are then twice as large as needed.
  using Complex = std::complex<Real>;
  bool const on_device = arguments.options.device != Device::none, one = arguments.in_place;
  bool const own_arrays = !arguments.plan_arrays && !on_device;
  LocalArray<Complex> const in(!own_arrays ? 0
                               : one       ? plan.in_place_size()
                                           : plan.input_size(),
                               comm);
  LocalArray<Complex> const out(!own_arrays || one ? 0 : plan.output_size(), comm);
  LocalArray<Complex> const seen(on_device ? plan.in_place_size() : 0, comm);
  auto const plans_in = own_arrays ? nullptr : plan.allocate();
  auto const plans_out = own_arrays || one ? nullptr : plan.allocate();
  Complex* const source = own_arrays ? in.data() : plans_in.get();
  Arrays<Real> const arrays{source,
                            one          ? source
                            : own_arrays ? out.data()
                                         : plans_out.get(),
                            seen.data()};
  std::unique_ptr<Rival> rival;
  Apart<Real>* apart = nullptr;
  if (!arguments.operator_words.empty()) {
    auto made = make_apart<Real>(arguments, comm);
    apart = made.get();
    report.transforms = apart->transforms();
    rival = std::move(made);
    report.rival = text(rival->name(), ", ", apart->passes(), " passes");
  }
  if (arguments.against_fftw) {
    rival = make_rival<Real>(arguments, plan.threads(), comm);
    report.rival = rival->name();
  }
  report.times = measure(plan, arrays, arguments, rival.get(), comm);
  report.peak_bytes = max_over(comm, peak_bytes());
  if (!arguments.options.trace.empty()) plan.write_trace();
  if (arguments.verify) {
    Complex const* const made = seen_output(plan, arguments.options.device, arrays);
    report.errors = to_words(arguments.kinds) == "r2c"
                        ? verify_r2c(plan.input(), plan.output(), comm, made)
                        : verify(plan.input(), plan.output(), comm, made);
  }
  if (apart) {
    report.difference = apart->difference(arrays.out);
    require(*report.difference <= std::sqrt(std::numeric_limits<Real>::epsilon()),
            "operator: its result differs by ", *report.difference,
            " from that of a transform, a loop and a transform back; rounding errors are smaller");
  }
  return report;
}

/// An operator takes the wave at half of an even number of modes for both signs, its parts for one.
void require_comparable(BenchArguments const& arguments) {
  std::vector<Kind> const& kinds = arguments.kinds;
  std::vector<Index> const& modes = arguments.modes;
  std::vector<int> axes = axes_of(arguments.axes, arguments.shape.size());
  for (int axis = 0; arguments.axes.empty() && axis < arguments.shape.size(); ++axis)
    axes.push_back(axis);
  for (std::size_t i = 0; i < std::min(modes.size(), axes.size()); ++i) {
    Kind const kind = kinds.empty() ? Kind::c2c : kinds[std::min(i, kinds.size() - 1)];
    require((kind != Kind::c2c && kind != Kind::r2c) || modes[i] % 2 != 0 ||
                modes[i] == arguments.shape[axes[i]],
            "--modes: odd numbers are needed along periodic axes with --operator, ", modes[i],
            " was given");
  }
}

template <class Real>
Report bench_one(BenchArguments arguments, MPI_Comm comm) {
  if (!arguments.domain.walls.empty())
    arguments.kinds = arguments.domain.with_axes(arguments.shape.size()).kinds(true);
  double const begin = MPI_Wtime();
  Layout const layout = layout_of(arguments, comm);
  if (arguments.operator_words.empty())
    return bench_made<Real>(Plan<Real>(layout, comm, options_of(arguments)), begin, arguments,
                            comm);
  require_comparable(arguments);
  Symbol const symbol = symbol_of(arguments);
  arguments.options.fields = symbol.fields();
  Operator<Real> op(layout, comm, symbol, {options_of(arguments)});
  return bench_made<Real>(std::move(op), begin, arguments, comm);
}

template <class Real>
void bench_sizes(BenchArguments arguments, MPI_Comm comm) {
  bool const speaks = rank_of(comm) == 0;
  std::vector<Report> reports;
  auto json = nlohmann::ordered_json::array();
  char const* const rival = arguments.against_fftw             ? "fftw"
                            : arguments.operator_words.empty() ? ""
                                                               : "apart";
  if (speaks) print_heading(rival);
  for (Shape const& shape : arguments.sizes) {
    arguments.shape = shape;
    Report const& report = reports.emplace_back(bench_one<Real>(arguments, comm));
    if (speaks) print_line(report);
    json.push_back(to_json(report));
    if (arguments.verify) require_small<Real>(report);
  }
  if (!arguments.json.empty()) write_json(arguments.json, json, comm);
  mpi::together(comm, [&] {
    if (speaks && !arguments.plot.empty()) plot(reports, arguments.plot);
  });
}

template <class Real>
void bench(BenchArguments const& arguments, MPI_Comm comm) {
  check(arguments, comm);
  if (!arguments.sizes.empty()) return bench_sizes<Real>(arguments, comm);
  Report const report = bench_one<Real>(arguments, comm);
  if (rank_of(comm) == 0) print(report);
  if (!arguments.json.empty()) write_json(arguments.json, to_json(report), comm);
  if (arguments.verify) require_small<Real>(report);
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<BenchArguments>();
  CLI::App& command = *app.add_subcommand("bench", "Measure how fast a transform is");
  CLI::Option* const shape = add_shape(command, arguments->shape)->required(false);
  add_read(command, "--sizes", arguments->sizes, read_shapes,
           "Several sizes in place of a shape, with a line for each")
      ->option_text("N0xN1x...,...")
      ->excludes(shape);
  add_axes(command, arguments->axes);
  add_kinds(command, arguments->kinds);
  add_modes(command, arguments->modes);
  add_precision(command, arguments->precision);
  add_layout(command, arguments->layout);
  add_repeats(command, arguments->repeats);
  add_options(command, arguments->options,
              {"output", "exchange", "local", "reproducible", "device", "gpu", "wire", "threads",
               "preserve_input", "low_memory", "windows", "driver", "pipelines",
               "split_untransformed", "tuning", "tuning_seconds", "trace"});
  command.add_flag("--in-place", arguments->in_place, "One array for input and output");
  command.add_flag("--plan-arrays", arguments->plan_arrays,
                   "Arrays from the plan, which ranks of a node can read and write directly");
  command.add_flag("--breakdown", arguments->breakdown,
                   "Also print seconds, bytes and GB/s of each pass and exchange");
  command
      .add_option(
          "--predict", arguments->machine,
          "Also print the predicted seconds of a plan with --plan-arrays, by a machine file "
          "[that of `sixstep tune --machine`]")
      ->option_text("[FILE]")
      ->expected(0, 1);
  command.add_option("--against", "Also time FFTW-MPI, in turn, if it is installed for this MPI")
      ->option_text("fftw")
      ->check(CLI::IsMember({"fftw"}))
      ->each([arguments](std::string const&) { arguments->against_fftw = true; });
  command.add_option("--plot", arguments->plot, "Draw the figures of --sizes, by gnuplot")
      ->option_text("FILE");
  command.add_flag("--verify", arguments->verify, "Check the result against sums without an FFT");
  add_json(command, arguments->json);
  CLI::Option* const operator_option = add_operator(command, arguments->operator_words);
  operator_option->description(operator_option->get_description() +
                               "; with --modes, these are odd along periodic axes");
  for (char const* other : {"--output", "--against", "--verify", "--device"})
    operator_option->excludes(other);
  add_walls(command, arguments->domain)->needs(operator_option)->excludes("--kind", "--axes");
  command.footer(bench_examples);
  command.callback([arguments, &run] {
    if (arguments->shape.empty() && arguments->sizes.empty()) throw CLI::RequiredError("shape");
    run = [arguments] {
      return with_mpi([&](MPI_Comm comm) {
        in_precision(arguments->precision,
                     [&]<class Real>(Real) { bench<Real>(*arguments, comm); });
      });
    };
  });
}

}  // namespace sixstep::cli
