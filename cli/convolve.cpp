// SPDX-License-Identifier: BSD-3-Clause
// `sixstep convolve`: the convolution of the arrays in two files, circular or linear.
#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "base/run_team.hpp"
#include "commands.hpp"
#include "file_work.hpp"
#include "local/kernels/multiply.hpp"
#include "ranks.hpp"
#include "sixstep/convolution.hpp"
#include "sixstep/plan.hpp"

namespace sixstep::cli {
namespace {

namespace npy = files::npy;

constexpr char convolve_examples[] = R"(Examples:
  mpiexec -n 4 sixstep convolve field.npy kernel.npy smooth.npy
      what numpy.fft.ifftn(numpy.fft.fftn(field) * numpy.fft.fftn(kernel)) gives
  mpiexec -n 4 sixstep convolve data.h5:u data.h5:kernel smooth.h5:u --precision single
      arrays in HDF5 files, computed in single precision
  mpiexec -n 4 sixstep convolve field.npy stencil.npy smooth.npy --mode same
      what scipy.signal.convolve(field, stencil, 'same') gives

out[i] = sum over j of a[j] b[i - j], along all axes. In the mode periodic, i - j is modulo the number of points:
both arrays are periodic, and have the same shape. b[0, 0, ...] is the weight of the point itself. In the modes
full, same and valid, which are SciPy's, points outside of an array are 0: full has all points of the result, same
as many as A, from its middle, and valid those that depend on no point outside. The output is real if both arrays
are, float32 or complex64 if both are in single precision, and in the order of A.
Files, types and layouts are those of `sixstep fft`.)";

struct ConvolveArguments {
  FileArguments files = {};
  ArrayName kernel;
  ConvolutionOptions options{{}, ConvolutionMode::periodic};
};

/// The arrays in files A and B.
struct Inputs {
  ArrayFile field;
  ArrayFile kernel;

  bool are_real() const { return is_real(field) && is_real(kernel); }
  Precision precision(Precision asked) const {
    auto const of_field = precision_of(asked, field.header().type);
    auto const of_kernel = precision_of(asked, kernel.header().type);
    return of_field == of_kernel ? of_field : Precision::double_;
  }

 private:
  static bool is_real(ArrayFile const& file) {
    return file.header().type.kind != npy::Type::Kind::complex;
  }
};

/// The layout of a file's array in memory that has the layout `other`, in which the axes may be
/// reversed.
Layout in_order_of(npy::Header const& header, npy::Header const& others, Layout const& other) {
  if (header.fortran == others.fortran) return other;
  Order order = c_order(other.axes());
  std::reverse(order.begin(), order.end());
  return other.transposed(order);
}

/// values[i] *= factors[i]
template <class Real>
void multiply(std::complex<Real>* values, std::complex<Real> const* factors, Index count,
              int threads) {
  run_team(threads, [&](int thread, int team) {
    Index const first = count * thread / team, mine = count * (thread + 1) / team - first;
    auto* const target = reinterpret_cast<Real*>(values + first);
    local::multiply_rows<Real, false>(
        target, target, reinterpret_cast<Real const*>(factors + first), {1, mine, 0, 0, 0});
  });
}

/// The linear convolution.
template <class Real>
void convolve_linearly(ConvolveArguments const& arguments, Inputs const& inputs, MPI_Comm comm) {
  npy::Header const &header = inputs.field.header(), &of_kernel = inputs.kernel.header();
  bool const are_real = inputs.are_real();
  Shape const shape = header.file_shape();
  Shape const kernel_shape = header.fortran == of_kernel.fortran ? of_kernel.file_shape()
                                                                 : reversed(of_kernel.file_shape());
  auto const layout_of = [&](Shape const& extents) {
    return layout_in_file(arguments.files.layout, extents, header.fortran, ranks_of(comm));
  };

  Progress progress(rank_of(comm), 5);
  progress.step("plan");
  ConvolutionOptions options = arguments.options;
  options.kinds = {are_real ? Kind::r2c : Kind::c2c};
  Layout const kernel_layout = layout_of(kernel_shape);
  Shape const result = Convolution<Real>::result_shape(shape, kernel_shape, options);
  Convolution<Real> convolution(layout_of(shape), kernel_layout, layout_of(result), comm, options);
  auto const array = convolution.template allocate<std::complex<Real>>();
  std::vector<std::complex<Real>> kernel(
      static_cast<std::size_t>(kernel_layout.local_size(rank_of(comm))));
  auto const with_elements = [&](std::complex<Real>* elements, auto const& use) {
    if (are_real)
      use(reinterpret_cast<Real*>(elements));
    else
      use(elements);
  };
  progress.step("read " + inputs.kernel.name().words());
  auto const watch = [&](double share) { progress.within(share); };
  with_elements(kernel.data(), [&](auto* elements) {
    inputs.kernel.read(comm, watch, in_order_of(of_kernel, header, kernel_layout), elements);
    convolution.set_kernel(elements);
  });
  auto const action = [&] {
    with_elements(array.get(), [&](auto* elements) { convolution.apply(elements, elements); });
  };
  std::vector<int> axes;
  for (int axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);
  run({.files = arguments.files,
       .input = inputs.field,
       .read = {convolution.input(), are_real},
       .written = {convolution.output(), are_real},
       .written_shape = header.fortran ? reversed(result) : result,
       .verb = "convolved with " + inputs.kernel.name().words(),
       .gigaflop = 2 * gigaflop_of(shape, axes, are_real)},
      array.get(), action, progress, comm);
}

/// The circular convolution, by plans, which share out a single long axis.
template <class Real>
void convolve(ConvolveArguments const& arguments, Inputs const& inputs, MPI_Comm comm) {
  npy::Header const& header = inputs.field.header();
  bool const are_real = inputs.are_real();
  Shape const shape = header.file_shape();
  std::vector<int> axes;
  for (int axis = 0; axis < shape.size(); ++axis) axes.push_back(axis);

  Progress progress(rank_of(comm), 5);
  progress.step("plan");
  Options options = arguments.options;
  options.kinds = {are_real ? Kind::r2c : Kind::c2c};
  Plan<Real> plan(layout_in_file(arguments.files.layout, shape, header.fortran, ranks_of(comm)),
                  comm, options);
  auto const field = plan.allocate(), kernel = plan.allocate();
  auto const reals = [](auto const& array) { return reinterpret_cast<Real*>(array.get()); };
  auto const forward = [&](auto const& array) {
    if (are_real)
      plan.forward(reals(array), array.get());
    else
      plan.forward(array.get(), array.get());
  };
  progress.step("read " + inputs.kernel.name().words());
  auto const watch = [&](double share) { progress.within(share); };
  Layout const kernel_layout = in_order_of(inputs.kernel.header(), header, plan.input());
  if (are_real)
    inputs.kernel.read(comm, watch, kernel_layout, reals(kernel));
  else
    inputs.kernel.read(comm, watch, kernel_layout, kernel.get());
  forward(kernel);
  auto const action = [&] {
    forward(field);
    multiply(field.get(), kernel.get(), plan.output_size(), plan.threads());
    if (are_real)
      plan.backward(field.get(), reals(field), Scale::by_n);
    else
      plan.backward(field.get(), field.get(), Scale::by_n);
  };
  run({.files = arguments.files,
       .input = inputs.field,
       .read = {plan.input(), are_real},
       .written = {plan.input(), are_real},
       .written_shape = header.shape,
       .verb = "convolved with " + inputs.kernel.name().words(),
       .gigaflop = 2 * gigaflop_of(shape, axes, are_real)},
      field.get(), action, progress, comm);
}

void convolve(ConvolveArguments const& arguments, MPI_Comm comm) {
  auto const raw_of = [&](ArrayName const& name) {
    return name.format == ArrayName::Format::raw ? arguments.files.raw : std::nullopt;
  };
  ArrayName const &field = arguments.files.input, &kernel = arguments.kernel;
  Inputs const inputs{{field, raw_of(field), comm}, {kernel, raw_of(kernel), comm}};
  require_writable(arguments.files.output, field, comm);
  require_writable(arguments.files.output, kernel, comm);
  Shape const &shape = inputs.field.header().shape, &other = inputs.kernel.header().shape;
  bool const periodic = arguments.options.mode == ConvolutionMode::periodic;
  require(periodic ? shape == other : shape.size() == other.size(), kernel.words(),
          ": its shape is ", to_string(other), ", that of ", field.words(), " is ",
          to_string(shape), periodic ? "; the same shape is needed" : "; as many axes are needed");
  in_precision(inputs.precision(arguments.files.precision), [&]<class Real>(Real) {
    if (periodic)
      convolve<Real>(arguments, inputs, comm);
    else
      convolve_linearly<Real>(arguments, inputs, comm);
  });
}

}  // namespace

void add_convolve(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<ConvolveArguments>();
  CLI::App& command = *app.add_subcommand("convolve", "Convolve the arrays in two files");
  auto const add_file = [&](char const* name, ArrayName& file, char const* help) {
    add_read(command, name, file, read_array_name, help)->option_text(" ")->required();
  };
  add_file("A", arguments->files.input, "The file with an array");
  add_file("B", arguments->kernel, "The file with the array that it is convolved with");
  add_file("OUT", arguments->files.output, "The file to write");
  add_raw(command, arguments->files.raw);
  add_layout(command, arguments->files.layout);
  add_precision(command, arguments->files.precision);
  add_named(command, "--mode", arguments->options.mode, all_values<ConvolutionMode>,
            "Which part of the convolution is written");
  add_options(command, arguments->options, {"exchange", "local"});
  command.footer(convolve_examples);
  command.callback([arguments, &run] {
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { convolve(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
