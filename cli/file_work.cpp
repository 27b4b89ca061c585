// SPDX-License-Identifier: BSD-3-Clause
// Commands that read the array in a file, work on it and write the result to another one.
#include "file_work.hpp"

#include <algorithm>
#include <cmath>

#include "files/element_type.hpp"
#include "ranks.hpp"
#include "table.hpp"
#include "terminal.hpp"

namespace sixstep::cli {

namespace npy = files::npy;

namespace {

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

struct Seconds {
  double read, action, write;
};

void print(FileWork const& work, npy::Header const& written, Seconds const& times) {
  auto const side = [](ArrayName const& file, npy::Header const& header, double seconds) {
    double const bytes = static_cast<double>(volume(header.shape) * header.type.bytes);
    return text(file.words(), " (", to_string(header.shape), ", ",
                to_string(files::element_type_of(header.type)), ", ", bytes_text(bytes), ") in ",
                seconds_text(seconds));
  };
  int const ranks = work.read.layout.ranks();
  cli::print(text("read ", side(work.input.name(), work.input.header(), times.read), "; ",
                  work.verb, " on ", ranks, ranks == 1 ? " rank" : " ranks", " in ",
                  seconds_text(times.action),
                  formatted(", %.3g GFLOP/s", work.gigaflop / times.action), "; wrote ",
                  side(work.files.output, written, times.write), '\n'));
}

}  // namespace

void add_files(CLI::App& command, FileArguments& files) {
  add_read(command, "IN", files.input, read_array_name, "The file to read")
      ->option_text(" ")
      ->required();
  add_read(command, "OUT", files.output, read_array_name, "The file to write")
      ->option_text(" ")
      ->required();
  add_raw(command, files.raw);
}

ArrayFile open(FileArguments const& files, MPI_Comm comm) {
  ArrayFile file(files.input, files.raw, comm);
  require_writable(files.output, file.name(), comm);
  return file;
}

Precision precision_of(Precision asked, npy::Type const& type) {
  using Kind = npy::Type::Kind;
  if (asked != Precision::automatic) return asked;
  bool const is_single = (type.kind == Kind::real && type.bytes == 4) ||
                         (type.kind == Kind::complex && type.bytes == 8);
  return is_single ? Precision::single : Precision::double_;
}

Shape reversed(Shape shape) {
  std::reverse(shape.begin(), shape.end());
  return shape;
}

Layout layout_in_file(LayoutChoice const& choice, Shape const& file_shape, bool fortran,
                      int ranks) {
  if (!fortran || choice.name != LayoutChoice::Name::grid)
    return layout_of(choice, file_shape, ranks);
  Grid grid = layout_of(choice, reversed(file_shape), ranks).grid();
  std::reverse(grid.begin(), grid.end());
  return Layout::grid(file_shape, grid);
}

double gigaflop_of(Shape const& shape, std::vector<int> const& axes, bool of_reals) {
  double levels = 0;
  for (int axis : axes) levels += std::log2(static_cast<double>(shape[axis]));
  return 1e-9 * (of_reals ? 2.5 : 5) * static_cast<double>(volume(shape)) * levels;
}

template <class Real>
void run(FileWork const& work, std::complex<Real>* array, std::function<void()> const& action,
         Progress& progress, MPI_Comm comm) {
  auto const watch = [&](double share) { progress.within(share); };
  auto* const reals = reinterpret_cast<Real*>(array);
  Stopwatch stopwatch(comm);
  Seconds times{};
  progress.step("read " + work.input.name().words());
  if (work.read.is_real)
    work.input.read(comm, watch, work.read.layout, reals);
  else
    work.input.read(comm, watch, work.read.layout, array);
  times.read = stopwatch.lap();

  progress.step("transform");
  action();
  times.action = stopwatch.lap();

  progress.step("write " + work.files.output.words());
  npy::Type const type =
      work.written.is_real ? npy::type_of<Real>() : npy::type_of<std::complex<Real>>();
  auto const written = npy::make_header(type, work.written_shape, work.input.header().fortran);
  write(work.files.output, written, comm, watch, work.written.layout, array);
  times.write = stopwatch.lap();
  if (rank_of(comm) == 0) print(work, written, times);
}

template void run(FileWork const&, std::complex<float>*, std::function<void()> const&, Progress&,
                  MPI_Comm);
template void run(FileWork const&, std::complex<double>*, std::function<void()> const&, Progress&,
                  MPI_Comm);

}  // namespace sixstep::cli
