// SPDX-License-Identifier: BSD-3-Clause
// `sixstep fft`: transforms an array in a file.
//
// An array in Fortran order is treated as an array in C order with reversed axes: plans and layouts
// count axes as they lie in the file, slowest first.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <numbers>
#include <optional>

#include "arguments.hpp"
#include "array_file.hpp"
#include "commands.hpp"
#include "files/element_type.hpp"
#include "filter.hpp"
#include "local_array.hpp"
#include "measure.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "sixstep/device.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace sixstep::cli {
namespace {

namespace npy = files::npy;

constexpr char fft_examples[] = R"(Examples:
  mpiexec -n 4 sixstep fft field.npy spectrum.npy
      what numpy.fft.fftn gives, each of 4 ranks reading and writing a quarter
  mpiexec -n 4 sixstep fft spectrum.npy field.npy --inverse
      what numpy.fft.ifftn gives
  mpiexec -n 64 sixstep fft field.npy spectrum.npy --axes 0,2 --layout 8x8
      two axes of a volume, the volume split 8 by 8 along its first two axes
  mpiexec -n 4 sixstep fft field.npy spectrum.npy --kind r2c
      what numpy.fft.rfftn gives: n/2 + 1 outputs along the last axis
  mpiexec -n 4 sixstep fft spectrum.npy field.npy --kind r2c --inverse --points 181
      what numpy.fft.irfftn gives for an odd number of points; an even one is the default
  mpiexec -n 4 sixstep fft field.npy modes.npy --kind dct2 --axes 0
      what scipy.fft.dct(field, axis=0) gives
  mpiexec -n 4 sixstep fft field.npy smooth.npy --filter lowpass=20
      the array without waves that have more than 20 periods in it
  mpiexec -n 4 sixstep fft density.h5:rho potential.h5:phi --filter inverse-laplacian --sides 1,1,2
      the solution of Poisson's equation in a periodic box of these sides, in HDF5 files
  mpiexec -n 4 sixstep fft volume.raw smooth.raw --raw 256x256x128:float32 --filter 'exp(-(k/30)^2)'
      raw files, which hold only numbers

Files are FILE.npy, FILE.h5:DATASET, or FILE.raw (.bin, .dat), elements without a header.
A filter multiplies the transform at wave vector k, where k is 2 pi/side times the periods in the box;
several filters are multiplied, and a real array stays real. derivative=A is i k along axis A. In formulas
k is |k|, and k0, k1 ... are its components; "k > 0 ? 1/k : 0" and muParser's functions are possible.
The command reads bool, integers, float32, float64, complex64 and complex128 in either byte order, in C or
Fortran order. It writes complex64 or float32 if the input is float32 or complex64, else complex128 or
float64, in the order of the input.
A layout splits the first axes of the array; slabs split the axis that is slowest in the file.)";

struct FftArguments {
  ArrayName input;
  std::optional<RawArray> raw;
  ArrayName output;
  bool inverse = false;
  std::vector<std::string> filters;
  std::vector<double> sides;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  Index points = 0;  // along the r2c axis of the inverse's result; 0: the even one of two numbers
  LayoutChoice layout;
  Precision precision = Precision::automatic;
  Options options = {};
};

/// The shapes of a plan's arrays, its axes, and the shape in the output's file.
struct Task {
  Shape field;     // of the plan's input
  Shape spectrum;  // of the plan's output
  std::vector<int> axes;
  Shape written;
};

std::vector<int> array_axes(FftArguments const& arguments, npy::Header const& header) {
  std::vector<int> axes = axes_of(arguments.axes, header.shape.size());
  if (axes.empty())
    for (int axis = 0; axis < header.shape.size(); ++axis) axes.push_back(axis);
  return axes;
}

Shape reversed(Shape shape) {
  std::reverse(shape.begin(), shape.end());
  return shape;
}

Task task_of(FftArguments const& arguments, npy::Header const& header) {
  Task task{header.shape, header.shape, array_axes(arguments, header), header.shape};
  int const real = real_axis_of(arguments.kinds, task.axes);
  require(arguments.points == 0 || (arguments.inverse && real >= 0),
          "--points: it is possible only with --inverse --kind r2c");
  if (real >= 0 && arguments.inverse) {
    Index const width = header.shape[real];
    Index const points =
        arguments.points > 0 ? arguments.points : std::max<Index>(1, 2 * width - 2);
    require(points / 2 + 1 == width, "--points: ", 2 * width - 2, " or ", 2 * width - 1,
            " is needed, as ", arguments.input.words(), " has ", width, " coefficients along axis ",
            real, ", ", points, " was given");
    task.field[real] = points;
  } else if (real >= 0) {
    task.spectrum[real] = header.shape[real] / 2 + 1;
  }
  bool const is_field = arguments.inverse || !arguments.filters.empty();
  task.written = is_field ? task.field : task.spectrum;
  if (header.fortran) {
    task.field = reversed(task.field);
    task.spectrum = reversed(task.spectrum);
    for (int& axis : task.axes) axis = header.shape.size() - 1 - axis;
  }
  return task;
}

Layout field_layout(LayoutChoice const& choice, Task const& task, npy::Header const& header,
                    int ranks) {
  if (!header.fortran || choice.name != LayoutChoice::Name::grid)
    return layout_of(choice, task.field, ranks);
  Grid grid = layout_of(choice, reversed(task.field), ranks).grid();
  std::reverse(grid.begin(), grid.end());
  return Layout::grid(task.field, grid);
}

// The file takes the output from any layout, so the plan may choose it. But if the array has a
// single long axis, the plan could choose a layout with two indices for it, so the input's layout
// is used.
template <class Real>
Plan<Real> make_plan(Layout const& input, MPI_Comm comm, Options options) {
  auto const long_axes =
      std::count_if(input.shape().begin(), input.shape().end(), [](Index n) { return n > 1; });
  if (long_axes <= 1) options.output = Output::as_input;
  return Plan<Real>(input, comm, options);
}

/// One array in memory, of reals or of complex numbers.
template <class Real>
struct Array {
  std::complex<Real>* complex;
  Real* real() const { return reinterpret_cast<Real*>(complex); }
};

template <class Real>
void run(Plan<Real>& plan, Array<Real> const& array, std::vector<Kind> const& kinds, bool inverse) {
  bool const crosses = std::find(kinds.begin(), kinds.end(), Kind::r2c) != kinds.end();
  bool const from_reals = is_real_input(kinds);
  if (crosses && inverse)
    plan.backward(array.complex, array.real(), Scale::by_n);
  else if (crosses)
    plan.forward(array.real(), array.complex);
  else if (from_reals && inverse)
    plan.backward(array.real(), array.real(), Scale::by_n);
  else if (from_reals)
    plan.forward(array.real(), array.real());
  else if (inverse)
    plan.backward(array.complex, array.complex, Scale::by_n);
  else
    plan.forward(array.complex, array.complex);
}

/// Measures the seconds of successive steps on the slowest rank.
class Stopwatch {
 public:
  explicit Stopwatch(MPI_Comm comm) : comm_(comm), begin_(MPI_Wtime()) {}
  double lap() {
    double const seconds = max_over(comm_, MPI_Wtime() - begin_);
    begin_ = MPI_Wtime();
    return seconds;
  }

 private:
  MPI_Comm comm_;
  double begin_;
};

/// The times that the command reports.
struct Told {
  double read_s, transform_s, write_s;
  double gigaflop;  // by the usual convention

  void print(FftArguments const& arguments, npy::Header const& read, npy::Header const& written,
             Layout const& layout) const {
    auto const side = [](ArrayName const& file, npy::Header const& header, double seconds) {
      double const bytes = static_cast<double>(volume(header.shape) * header.type.bytes);
      return text(file.words(), " (", to_string(header.shape), ", ",
                  to_string(files::element_type_of(header.type)), ", ", bytes_text(bytes), ") in ",
                  seconds_text(seconds));
    };
    cli::print(text("read ", side(arguments.input, read, read_s), "; ",
                    arguments.filters.empty() ? "transformed" : "filtered", " on ", layout.ranks(),
                    layout.ranks() == 1 ? " rank" : " ranks", " in ", seconds_text(transform_s),
                    formatted(", %.3g GFLOP/s", gigaflop / transform_s), "; wrote ",
                    side(arguments.output, written, write_s), '\n'));
  }
};

/// The operations of a transform, in units of 1e9, counted as bench does.
double gigaflop_of(Task const& task, std::vector<Kind> const& kinds) {
  double levels = 0;
  for (int axis : task.axes) levels += std::log2(static_cast<double>(task.field[axis]));
  return 1e-9 * (is_real_input(kinds) ? 2.5 : 5) * static_cast<double>(volume(task.field)) * levels;
}

/// Multiplies a spectrum by the factors of --filter.
template <class Real>
class Filters {
 public:
  Filters(FftArguments const& arguments, npy::Header const& header, bool of_reals)
      : of_reals_(of_reals), reversed_(header.fortran) {
    Shape const& shape = header.shape;
    Domain domain{shape, PerAxis<double>(shape.size(), 2 * std::numbers::pi),
                  array_axes(arguments, header)};
    if (!arguments.sides.empty()) {
      require(static_cast<int>(arguments.sides.size()) == shape.size(), "--sides: ", shape.size(),
              " numbers are needed, one for each axis, ", arguments.sides.size(), " were given");
      domain.sides = PerAxis<double>(arguments.sides);
    }
    for (std::string const& words : arguments.filters) filters_.emplace_back(words, domain);
  }

  /// Errors may occur on one rank only.
  void multiply(Plan<Real> const& plan, std::complex<Real>* spectrum) {
    for_each(plan.output_box(), plan.output_strides(), [&](Shape const& k, Index place) {
      PerAxis<double> waves = plan.wavenumber(k);
      if (reversed_) std::reverse(waves.begin(), waves.end());
      std::complex<double> factor = 1;
      for (Filter const& filter : filters_) factor *= filter(waves, of_reals_);
      spectrum[place] *= std::complex<Real>(factor);
    });
  }

 private:
  bool of_reals_;
  bool reversed_;
  std::vector<Filter> filters_;
};

/// Runs action(array) on a copy in the memory of the plan's device, if it has one, and copies back.
template <class Real, class Action>
void on_device(Plan<Real>& plan, Device device, Array<Real> const& array, std::size_t bytes,
               Action const& action) {
  if (device == Device::none) {
    action(array);
    return;
  }
  auto const there = plan.allocate();
  copy(device, there.get(), array.complex, bytes);
  action(Array<Real>{there.get()});
  copy(device, array.complex, there.get(), bytes);
}

template <class Real>
void transform(FftArguments const& arguments, ArrayFile const& file, MPI_Comm comm) {
  npy::Header const& header = file.header();
  bool const filters = !arguments.filters.empty();
  Progress progress(rank_of(comm), 4);
  auto const watch = [&](double share) { progress.within(share); };
  Task const task = task_of(arguments, header);
  Layout const layout = field_layout(arguments.layout, task, header, ranks_of(comm));

  progress.step("plan");
  Options options = arguments.options;
  options.axes = task.axes;
  options.kinds = arguments.kinds;
  Plan<Real> plan = make_plan<Real>(layout, comm, options);
  // The inverse is a plan's backward transform, from its output to its input.
  bool const real_field = is_real_input(arguments.kinds);
  bool const real_spectrum = real_field && real_axis_of(arguments.kinds, task.axes) < 0;
  Index const size = plan.in_place_size();  // in elements of the spectrum
  LocalArray<std::complex<Real>> const memory(real_spectrum ? (size + 1) / 2 : size, comm);
  Array<Real> const array{memory.data()};
  Layout const& read_layout = arguments.inverse ? plan.output() : plan.input();
  Layout const& written_layout = arguments.inverse || filters ? plan.input() : plan.output();
  bool const reads_reals = arguments.inverse ? real_spectrum : real_field;
  bool const writes_reals = arguments.inverse || filters ? real_field : real_spectrum;
  require(!reads_reals || header.type.kind != npy::Type::Kind::complex, arguments.input.words(),
          ": --kind ", to_words(arguments.kinds), " needs real numbers, the file has complex ones");
  Filters<Real> factors(arguments, header, real_field);

  Stopwatch stopwatch(comm);
  Told told{};
  progress.step("read " + arguments.input.words());
  if (reads_reals)
    file.read(comm, watch, read_layout, array.real());
  else
    file.read(comm, watch, read_layout, array.complex);

  told.read_s = stopwatch.lap();
  progress.step("transform");
  auto const bytes =
      static_cast<std::size_t>(size) * (real_spectrum ? sizeof(Real) : sizeof(std::complex<Real>));
  auto const run_there = [&](bool inverse) {
    on_device(plan, options.device, array, bytes,
              [&](Array<Real> const& there) { run(plan, there, arguments.kinds, inverse); });
  };
  run_there(arguments.inverse);
  if (filters) {
    mpi::together(comm, [&] { factors.multiply(plan, array.complex); });
    run_there(true);
  }

  told.transform_s = stopwatch.lap();
  progress.step("write " + arguments.output.words());
  npy::Type const type = writes_reals ? npy::type_of<Real>() : npy::type_of<std::complex<Real>>();
  auto const written = npy::make_header(type, task.written, header.fortran);
  write(arguments.output, written, comm, watch, written_layout, array.complex);
  told.write_s = stopwatch.lap();
  told.gigaflop = (filters ? 2 : 1) * gigaflop_of(task, arguments.kinds);
  if (rank_of(comm) == 0) told.print(arguments, header, written, layout);
}

bool single_precision(npy::Type const& type) {
  return (type.kind == npy::Type::Kind::real && type.bytes == 4) ||
         (type.kind == npy::Type::Kind::complex && type.bytes == 8);
}

void fft(FftArguments arguments, MPI_Comm comm) {
  ArrayFile const file(arguments.input, arguments.raw, comm);
  npy::Header const& header = file.header();
  arguments.input = file.name();
  require_writable(arguments.output, arguments.input, comm);
  if (!arguments.filters.empty()) {
    require(!arguments.inverse && arguments.kinds.empty(),
            "--filter: it transforms the array and back, by r2c if it is real; leave out --inverse "
            "and --kind");
    if (header.type.kind != npy::Type::Kind::complex) arguments.kinds = {Kind::r2c};
  }
  bool const single = arguments.precision == Precision::automatic
                          ? single_precision(header.type)
                          : arguments.precision == Precision::single;
  if (single)
    transform<float>(arguments, file, comm);
  else
    transform<double>(arguments, file, comm);
}

}  // namespace

void add_fft(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<FftArguments>();
  CLI::App& command = *app.add_subcommand("fft", "Transform or filter the array in a file");
  add_read(command, "IN", arguments->input, read_array_name, "The file to read")
      ->option_text(" ")
      ->required();
  add_read(command, "OUT", arguments->output, read_array_name, "The file to write")
      ->option_text(" ")
      ->required();
  add_raw(command, arguments->raw);
  command.add_flag("--inverse", arguments->inverse,
                   "The inverse transform, divided by the number of points transformed");
  command
      .add_option("--points", arguments->points,
                  "Points along the r2c axis of the inverse's result [an even number]")
      ->option_text("N")
      ->transform(number_in(Index{1}, std::numeric_limits<Index>::max()));
  add_axes(command, arguments->axes);
  add_kinds(command, arguments->kinds);
  command
      .add_option("--filter", arguments->filters,
                  "Transform, multiply by a filter and transform back: lowpass=K, highpass=K, "
                  "derivative=A, laplacian, inverse-laplacian, or a formula of k, k0, k1 ...")
      ->option_text("FILTER ...");
  add_read(command, "--sides", arguments->sides, read_sides,
           "Sides of the periodic box along all axes, for --filter [2 pi: k counts periods]")
      ->option_text("L,L,...");
  add_layout(command, arguments->layout);
  add_precision(command, arguments->precision);
  add_options(command, arguments->options, {"exchange", "local", "device", "gpu"});
  command.footer(fft_examples);
  command.callback([arguments, &run] {
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { fft(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
