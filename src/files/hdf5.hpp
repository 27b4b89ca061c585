// SPDX-License-Identifier: BSD-3-Clause
// Datasets in HDF5 files. All ranks read or write at once, each only the part that it holds.
//
// Only the files hdf5*.cpp know HDF5. Without HDF5, without_hdf5.cpp is built in their place.
#pragma once

#include <functional>
#include <string>

#include "runtime/mpi.hpp"
#include "sixstep/files.hpp"

namespace sixstep::files::hdf5 {

/// A dataset, and the ranks that open its file.
struct Dataset {
  std::string path;
  std::string name;  // canonical
  mpi::Communicator const& comm;
  std::function<void(double)> watch = [](double) {};  // is told the share (0 to 1) moved so far
};

// All of these are collective and throw errors on all ranks.

FileHeader read_header(Dataset const& dataset);

/// `data` is arranged as `layout` says, which must have the shape of the dataset.
void read(Dataset const& dataset, Layout const& layout, void* data, ElementType type);

/// Writes into an existing file, or into a new one, which appears when it is complete. An existing
/// dataset of this name is replaced when the new one is complete; any other object of this name is
/// an error.
void write(Dataset const& dataset, Layout const& layout, void const* data, ElementType type);

}  // namespace sixstep::files::hdf5
