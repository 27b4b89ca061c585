// SPDX-License-Identifier: BSD-3-Clause
// `sixstep spectrum`: the power of an array over wave numbers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "array_file.hpp"
#include "commands.hpp"
#include "gnuplot.hpp"
#include "local_array.hpp"
#include "measure.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "sixstep/indices.hpp"
#include "table.hpp"

namespace sixstep::cli {
namespace {

namespace npy = files::npy;

constexpr char spectrum_examples[] = R"(Examples:
  mpiexec -n 4 sixstep spectrum field.npy
      power by wave number, of a real or complex array of any number of axes
  mpiexec -n 4 sixstep spectrum field.npy --plot spectrum.png
      as a picture, by gnuplot; --plot spectrum.gp writes the script for gnuplot
  mpiexec -n 4 sixstep spectrum field.npy --json spectrum.json

A mode X[k] of N points has the power |X[k] / N|^2. k counts its waves along each axis, and the mode belongs
to the shell of the nearest whole number to |k|. "power" is the sum over a shell, and the sum over all shells
is the mean square of the array; "mean" is the average over the modes of a shell.)";

struct SpectrumArguments {
  ArrayName input;
  std::optional<RawArray> raw;
  LayoutChoice layout;
  std::string plot;
  std::string json;
};

/// Power and number of modes of the shells 0, 1, 2 ...
struct Spectrum {
  std::vector<double> power;
  std::vector<double> modes;

  explicit Spectrum(std::size_t shells) : power(shells), modes(shells) {}
  void add(double k, double squared, double times) {
    auto const shell = static_cast<std::size_t>(std::lround(k));
    power[shell] += times * squared;
    modes[shell] += times;
  }
};

/// The number of shells that contain all wave numbers.
std::size_t shells_of(Shape const& shape) {
  double squared = 0;
  for (Index n : shape) squared += std::pow(static_cast<double>(n / 2), 2);
  return static_cast<std::size_t>(std::lround(std::sqrt(squared))) + 1;
}

/// The sums over this rank's modes. In the half spectrum of a real array, a mode also stands for
/// its conjugate, unless both are the same mode.
Spectrum shells(Plan<double> const& plan, Shape const& shape, bool is_real,
                std::complex<double> const* modes) {
  double const points = static_cast<double>(volume(shape));
  int const last = shape.size() - 1;
  Spectrum found(shells_of(shape));
  for_each(plan.output_box(), plan.output_strides(), [&](Shape const& k, Index place) {
    PerAxis<double> const waves = plan.wavenumber(k);
    double squared = 0;
    for (double const wave : waves) squared += wave * wave;
    bool const stands_for_two =
        is_real && waves[last] != 0 && 2 * waves[last] != static_cast<double>(shape[last]);
    found.add(std::sqrt(squared), std::norm(modes[place] / points), stands_for_two ? 2 : 1);
  });
  return found;
}

void print(Spectrum const& spectrum) {
  std::printf("%8s %12s %14s %14s\n", "k", "modes", "power", "mean");
  for (std::size_t k = 0; k < spectrum.power.size(); ++k)
    if (spectrum.modes[k] > 0)
      std::printf("%8zu %12.0f %14.6e %14.6e\n", k, spectrum.modes[k], spectrum.power[k],
                  spectrum.power[k] / spectrum.modes[k]);
}

void plot(Spectrum const& spectrum, std::string const& input, std::string const& file) {
  std::ostringstream script;
  script << "set title " << quoted_for_gnuplot("power spectrum of " + input) << " noenhanced\n"
         << "set logscale xy\nset xlabel '|k|'\nset ylabel 'power of a shell'\n"
         << "set format y '10^{%T}'\nset grid linecolor '#e0e0e0'\nunset key\n$data << EOD\n";
  bool has_any = false;
  for (std::size_t k = 1; k < spectrum.power.size(); ++k)
    if (spectrum.power[k] > 0) {
      script << k << ' ' << spectrum.power[k] << '\n';
      has_any = true;
    }
  require(has_any, "--plot: an array that varies is needed, ", input, " only has power at k = 0");
  script << "EOD\nplot $data with linespoints pointtype 7 pointsize 0.5 linecolor '#3b6fb6'\n";
  draw_script(script.str(), file);
}

nlohmann::ordered_json to_json(Spectrum const& spectrum, std::string const& input,
                               Shape const& shape) {
  return {{"input", input},
          {"shape", std::vector<Index>(shape.begin(), shape.end())},
          {"power", spectrum.power},
          {"modes", spectrum.modes}};
}

void spectrum(SpectrumArguments const& arguments, MPI_Comm user_comm) {
  mpi::Communicator const comm = mpi::Communicator::duplicate(user_comm);
  ArrayFile const file(arguments.input, arguments.raw, comm);
  npy::Header const& header = file.header();
  std::string const input = file.name().words();
  if (!arguments.json.empty()) require_writable(arguments.json, comm);
  mpi::together(comm, [&] {
    if (comm.rank() == 0 && !arguments.plot.empty()) require_drawable(arguments.plot);
  });

  Progress progress(comm.rank(), 3);
  bool const is_real = header.type.kind != npy::Type::Kind::complex;
  Shape const shape = header.file_shape();
  progress.step("read " + input);
  Options options{.preserve_input = false};
  if (is_real) options.kinds = {Kind::r2c};
  Plan<double> plan(layout_of(arguments.layout, shape, comm.size()), comm, options);
  LocalArray<std::complex<double>> const memory(plan.in_place_size(), comm);
  auto* const reals = reinterpret_cast<double*>(memory.data());
  auto const watch = [&](double share) { progress.within(share); };
  if (is_real)
    file.read(comm, watch, plan.input(), reals);
  else
    file.read(comm, watch, plan.input(), memory.data());
  progress.step("transform");
  if (is_real)
    plan.forward(reals, memory.data());
  else
    plan.forward(memory.data(), memory.data());
  progress.step("sum");
  Spectrum found = shells(plan, shape, is_real, memory.data());
  auto const count = static_cast<Index>(found.power.size());
  mpi::reduce_to_all(comm, found.power.data(), count, MPI_DOUBLE, MPI_SUM);
  mpi::reduce_to_all(comm, found.modes.data(), count, MPI_DOUBLE, MPI_SUM);

  if (comm.rank() == 0) print(found);
  if (!arguments.json.empty())
    write_json(arguments.json, to_json(found, input, header.shape), comm);
  mpi::together(comm, [&] {
    if (comm.rank() == 0 && !arguments.plot.empty()) plot(found, input, arguments.plot);
  });
}

}  // namespace

void add_spectrum(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<SpectrumArguments>();
  CLI::App& command = *app.add_subcommand("spectrum", "Print the power of an array by wave number");
  add_read(command, "FILE", arguments->input, read_array_name,
           "The file to read: FILE.npy, FILE.h5:DATASET, FILE.raw")
      ->option_text(" ")
      ->required();
  add_raw(command, arguments->raw);
  add_layout(command, arguments->layout);
  command.add_option("--plot", arguments->plot, "Draw the spectrum, by gnuplot")
      ->option_text("FILE");
  add_json(command, arguments->json);
  command.footer(spectrum_examples);
  command.callback([arguments, &run] {
    run = [arguments] { return with_mpi([&](MPI_Comm comm) { spectrum(*arguments, comm); }); };
  });
}

}  // namespace sixstep::cli
