// SPDX-License-Identifier: BSD-3-Clause
// `sixstep fft`: transforms an array in a file.
#include <algorithm>
#include <limits>
#include <memory>

#include "commands.hpp"
#include "domain.hpp"
#include "file_work.hpp"
#include "local_array.hpp"
#include "named_symbols.hpp"
#include "numbers.hpp"
#include "operated.hpp"
#include "ranks.hpp"
#include "sixstep/device.hpp"

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
      the solution of Poisson's equation in a periodic box of these sides, in HDF5 files; `sixstep solve`
      has walls, too
  mpiexec -n 4 sixstep fft volume.raw smooth.raw --raw 256x256x128:float32 --filter 'exp(-(k/30)^2)'
      raw files, which hold only numbers

Files are FILE.npy, FILE.h5:DATASET, or FILE.raw (.bin, .dat), elements without a header.
A filter multiplies the transform at wave vector k, where k is 2 pi/side times the periods in the box;
several filters are multiplied, and a real array stays real. derivative=A is i k along axis A, gaussian=SIGMA
exp(-(k SIGMA)^2/2), helmholtz=ALPHA 1/(ALPHA + k^2). In formulas k is |k|, and k0, k1 ... are its components;
"k > 0 ? 1/k : 0" and muParser's functions are possible. Where an even axis of n points has the wave n/2, the
filter's mean at n/2 and -n/2 counts.
The command reads bool, integers, float32, float64, complex64 and complex128 in either byte order, in C or
Fortran order. It writes complex64 or float32 if the input is float32 or complex64, else complex128 or
float64, in the order of the input.
A layout splits the first axes of the array; slabs split the axis that is slowest in the file.)";

struct FftArguments {
  FileArguments files = {};
  bool inverse = false;
  std::vector<std::string> filters;
  std::vector<double> sides;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  Index points = 0;  // along the r2c axis of the inverse's result; 0: the even one of two numbers
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
            " is needed, as ", arguments.files.input.words(), " has ", width,
            " coefficients along axis ", real, ", ", points, " was given");
    task.field[real] = points;
  } else if (real >= 0) {
    task.spectrum[real] = header.shape[real] / 2 + 1;
  }
  task.written = arguments.inverse ? task.field : task.spectrum;
  if (header.fortran) {
    task.field = reversed(task.field);
    task.spectrum = reversed(task.spectrum);
    for (int& axis : task.axes) axis = header.shape.size() - 1 - axis;
  }
  return task;
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
  Progress progress(rank_of(comm), 4);
  Task const task = task_of(arguments, header);
  Layout const layout =
      layout_in_file(arguments.files.layout, task.field, header.fortran, ranks_of(comm));

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
  End const field{plan.input(), real_field}, spectrum{plan.output(), real_spectrum};
  End const& read = arguments.inverse ? spectrum : field;
  require(!read.is_real || header.type.kind != npy::Type::Kind::complex, file.name().words(),
          ": --kind ", to_words(arguments.kinds), " needs real numbers, the file has complex ones");
  auto const bytes =
      static_cast<std::size_t>(size) * (real_spectrum ? sizeof(Real) : sizeof(std::complex<Real>));
  run(
      {.files = arguments.files,
       .input = file,
       .read = read,
       .written = arguments.inverse ? field : spectrum,
       .written_shape = task.written,
       .verb = "transformed",
       .gigaflop = gigaflop_of(task.field, task.axes, real_field)},
      array.complex,
      [&] {
        on_device(plan, options.device, array, bytes, [&](Array<Real> const& there) {
          run(plan, there, arguments.kinds, arguments.inverse);
        });
      },
      progress, comm);
}

template <class Real>
void filter(FftArguments const& arguments, ArrayFile const& file, MPI_Comm comm) {
  npy::Header const& header = file.header();
  bool const is_real = header.type.kind != npy::Type::Kind::complex;
  Progress progress(rank_of(comm), 4);
  Task const task = task_of(arguments, header);
  int const axes = header.shape.size();
  std::vector<Symbol> symbols;
  for (std::string const& words : arguments.filters)
    symbols.push_back(filter_symbol(words, {axes, array_axes(arguments, header), is_real}));
  Domain const domain = Domain{.sides = arguments.sides}.with_axes(axes);

  progress.step("plan");
  OperatorOptions options{arguments.options};
  options.axes = task.axes;
  options.kinds = arguments.kinds;
  options.sides = header.fortran ? domain.reversed().sides : domain.sides;
  Operated<Real> operated(
      layout_in_file(arguments.files.layout, task.field, header.fortran, ranks_of(comm)), comm,
      product(symbols, header.fortran), options, is_real);
  run(
      {.files = arguments.files,
       .input = file,
       .read = {operated.layout(), is_real},
       .written = {operated.layout(), is_real},
       .written_shape = header.shape,
       .verb = "filtered",
       .gigaflop = 2 * gigaflop_of(task.field, task.axes, is_real)},
      operated.array(), [&] { operated.apply(); }, progress, comm);
}

void fft(FftArguments arguments, MPI_Comm comm) {
  ArrayFile const file = open(arguments.files, comm);
  npy::Header const& header = file.header();
  bool const filters = !arguments.filters.empty();
  if (filters) {
    require(!arguments.inverse && arguments.kinds.empty(),
            "--filter: it transforms the array and back, by r2c if it is real; leave out --inverse "
            "and --kind");
    require(arguments.options.device == Device::none,
            "--filter: arrays are filtered on the processor; leave out --device");
    bool const is_real = header.type.kind != npy::Type::Kind::complex;
    arguments.kinds = {is_real ? Kind::r2c : Kind::c2c};
  }
  in_precision(precision_of(arguments.files.precision, header.type), [&]<class Real>(Real) {
    if (filters)
      filter<Real>(arguments, file, comm);
    else
      transform<Real>(arguments, file, comm);
  });
}

}  // namespace

void add_fft(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<FftArguments>();
  CLI::App& command = *app.add_subcommand("fft", "Transform or filter the array in a file");
  add_files(command, arguments->files);
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
      .add_option(
          "--filter", arguments->filters,
          "Transform, multiply by a filter and transform back: lowpass=K, highpass=K, "
          "gaussian=SIGMA, derivative=A, laplacian, inverse-laplacian, helmholtz=ALPHA, or a "
          "formula of k, k0, k1 ...")
      ->option_text("FILTER ...");
  add_sides(command, arguments->sides,
            "Sides of the periodic box along all axes, for --filter [2 pi: k counts periods]");
  add_layout(command, arguments->files.layout);
  add_precision(command, arguments->files.precision);
  add_options(command, arguments->options,
              {"exchange", "local", "reproducible", "device", "gpu", "wire", "verify"});
  command.footer(fft_examples);
  command.callback([arguments, &run] {
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { fft(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
