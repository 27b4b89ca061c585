// SPDX-License-Identifier: BSD-3-Clause
// `sixstep fft`: the transform of an array in a file.
//
// An array in Fortran order is an array in C order with its axes reversed, and is treated as such:
// plans and layouts count axes as they lie in the file, slowest first.
#include <algorithm>
#include <memory>

#include "arguments.hpp"
#include "commands.hpp"
#include "local_array.hpp"
#include "npy.hpp"
#include "progress.hpp"
#include "ranks.hpp"

namespace sixstep::cli {
namespace {

constexpr char examples[] = R"(Examples:
  mpiexec -n 4 sixstep fft field.npy spectrum.npy
      what numpy.fft.fftn gives, each of 4 ranks reading and writing a quarter
  mpiexec -n 4 sixstep fft spectrum.npy field.npy --inverse
      what numpy.fft.ifftn gives
  mpiexec -n 64 sixstep fft field.npy spectrum.npy --axes 0,2 --layout 8x8
      two axes of a volume, the volume split 8 by 8 along its first two axes

Reads bool, integers, float32, float64, complex64 and complex128 in either byte order, in C or in
Fortran order. Writes complex128, but complex64 for float32 and complex64, in the same order.
A layout's first axes are those of the array; a slab is cut along the axis that is slowest in the
file.)";

struct FftArguments {
  std::string input;
  std::string output;
  bool inverse = false;
  std::vector<int> axes;
  LayoutChoice layout;
  Precision precision = Precision::automatic;
  Exchange exchange = Exchange::collective;
  Local local = Local::own;
};

std::vector<int> file_axes(std::vector<int> const& axes, npy::Header const& header) {
  std::vector<int> counted = axes_of(axes, header.shape.size());
  if (header.fortran)
    for (int& axis : counted) axis = header.shape.size() - 1 - axis;
  return counted;
}

Layout file_layout(LayoutChoice const& choice, npy::Header const& header, int ranks) {
  if (!header.fortran || choice.name != LayoutChoice::Name::grid)
    return layout_of(choice, header.file_shape(), ranks);
  Grid grid = layout_of(choice, header.shape, ranks).grid();
  std::reverse(grid.begin(), grid.end());
  return Layout::grid(header.file_shape(), grid);
}

// The output is written wherever it lies, so the plan may choose; but a plan for one axis may
// choose a layout in two indices, which is not the array's.
template <class Real>
Plan<Real> make_plan(Layout const& input, MPI_Comm comm, Options const& options) {
  if (input.axes() > 1) {
    Plan<Real> plan(input, comm, options);
    if (plan.output().shape() == input.shape()) return plan;
  }
  return Plan<Real>(input, input, comm, options);
}

template <class Real>
void transform(FftArguments const& arguments, npy::Header const& header, MPI_Comm comm) {
  Progress progress(rank_of(comm), 4);
  auto const watch = [&](double share) { progress.within(share); };
  Layout const layout = file_layout(arguments.layout, header, ranks_of(comm));

  progress.step("plan");
  Options options;
  options.axes = file_axes(arguments.axes, header);
  options.exchange = arguments.exchange;
  options.local = arguments.local;
  Plan<Real> plan = make_plan<Real>(layout, comm, options);
  LocalArray<Real> const array(plan.in_place_size(), comm);

  // A plan's backward transform leads from its output to its input.
  Layout const& read_layout = arguments.inverse ? plan.output() : plan.input();
  Layout const& written_layout = arguments.inverse ? plan.input() : plan.output();

  progress.step("read " + arguments.input);
  npy::read({arguments.input, header, comm, watch}, read_layout, array.data());

  progress.step("transform");
  if (arguments.inverse)
    plan.backward(array.data(), array.data(), Scale::by_n);
  else
    plan.forward(array.data(), array.data());

  progress.step("write " + arguments.output);
  auto const written = npy::make_header(npy::complex_type<Real>(), header.shape, header.fortran);
  npy::write<Real>({arguments.output, written, comm, watch}, written_layout, array.data());
}

bool single_precision(npy::Type const& type) {
  return (type.kind == npy::Type::Kind::real && type.bytes == 4) ||
         (type.kind == npy::Type::Kind::complex && type.bytes == 8);
}

void fft(FftArguments const& arguments, MPI_Comm comm) {
  npy::Header const header = npy::read_header(arguments.input, comm);
  require(!header.shape.empty(), arguments.input + ": the array has no axes to transform");
  require(volume(header.shape) > 0, arguments.input, ": the array is empty, its shape is ",
          to_string(header.shape));
  npy::require_writable(arguments.output, arguments.input, comm);

  bool const single = arguments.precision == Precision::automatic
                          ? single_precision(header.type)
                          : arguments.precision == Precision::single;
  if (single)
    transform<float>(arguments, header, comm);
  else
    transform<double>(arguments, header, comm);
}

}  // namespace

void add_fft(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<FftArguments>();
  CLI::App& command = *app.add_subcommand("fft", "Transform the array in a .npy file");
  command.add_option("IN.npy", arguments->input, "The file to read")->option_text(" ")->required();
  command.add_option("OUT.npy", arguments->output, "The file to write")
      ->option_text(" ")
      ->required();
  command.add_flag("--inverse", arguments->inverse,
                   "The inverse transform, divided by the number of points transformed");
  add_axes(command, arguments->axes);
  add_layout(command, arguments->layout);
  add_precision(command, arguments->precision);
  add_exchange(command, arguments->exchange);
  add_local(command, arguments->local);
  command.footer(examples);
  command.callback([arguments, &run] {
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { fft(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
