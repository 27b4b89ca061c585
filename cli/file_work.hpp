// SPDX-License-Identifier: BSD-3-Clause
// Commands that read the array in a file, work on it and write the result to another one.
//
// An array in Fortran order is treated as an array in C order with reversed axes: plans and layouts
// count axes as they lie in the file, slowest first.
#pragma once

#include <mpi.h>

#include <complex>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "array_file.hpp"
#include "progress.hpp"

namespace sixstep::cli {

/// The files that the command line names.
struct FileArguments {
  ArrayName input;
  std::optional<RawArray> raw;
  ArrayName output;
  LayoutChoice layout;
  Precision precision = Precision::automatic;
};

/// IN, OUT and --raw.
void add_files(CLI::App& command, FileArguments& files);

/// Opens the input. Errors, on all ranks: those of ArrayFile and require_writable().
ArrayFile open(FileArguments const& files, MPI_Comm comm);

/// --precision; if that is automatic, the precision of the file's elements.
Precision precision_of(Precision asked, files::npy::Type const& type);

Shape reversed(Shape shape);

/// The layout of an array with this shape in the file, slowest axis first. A grid counts axes as
/// NumPy shows them.
Layout layout_in_file(LayoutChoice const& choice, Shape const& file_shape, bool fortran, int ranks);

/// The operations of a transform of these axes, in units of 1e9, counted as bench does.
double gigaflop_of(Shape const& shape, std::vector<int> const& axes, bool of_reals);

/// An array at one end of the work.
struct End {
  Layout layout;
  bool is_real;
};

/// Work that leads from a file to a file.
struct FileWork {
  FileArguments const& files;
  ArrayFile const& input;
  End read;
  End written;
  Shape written_shape;  // as NumPy shows it
  std::string verb;     // "transformed"
  double gigaflop;      // of the action
};

/// Reads `array`, this rank's part, runs action(), writes `array`, and prints the time of each.
/// Collective. Errors, on all ranks: those of the files, and of the action.
template <class Real>
void run(FileWork const& work, std::complex<Real>* array, std::function<void()> const& action,
         Progress& progress, MPI_Comm comm);

extern template void run(FileWork const&, std::complex<float>*, std::function<void()> const&,
                         Progress&, MPI_Comm);
extern template void run(FileWork const&, std::complex<double>*, std::function<void()> const&,
                         Progress&, MPI_Comm);

}  // namespace sixstep::cli
