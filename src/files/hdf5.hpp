// SPDX-License-Identifier: BSD-3-Clause
// Datasets in HDF5 files, read and written by all ranks at once, each only the part that it holds.
//
// Only the files hdf5*.cpp know HDF5; without_hdf5.cpp is built in their place where there is none.
#pragma once

#include <string>

#include "runtime/mpi.hpp"
#include "sixstep/files.hpp"

namespace sixstep::files::hdf5 {

/// Where an array is, and who opens the file.
struct Dataset {
  std::string path;
  std::string name;  // canonical
  mpi::Communicator const& comm;
};

// All of them are collective, and throw errors on all ranks.

FileHeader read_header(Dataset const& dataset);

/// `data` lies as the layout says, which has the shape and type of the dataset.
void read(Dataset const& dataset, Layout const& layout, void* data, ElementType type);

/// Into a file that is there, or a new one, which appears when it is complete. A dataset of this
/// name is replaced when the new one is complete; anything else of this name is an error.
void write(Dataset const& dataset, Layout const& layout, void const* data, ElementType type);

}  // namespace sixstep::files::hdf5
