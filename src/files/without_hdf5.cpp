// SPDX-License-Identifier: BSD-3-Clause
// Replaces hdf5.cpp if the library is built without HDF5: every call throws Error and says what to
// install.
#include "files/hdf5.hpp"

namespace sixstep::files::hdf5 {

namespace {

[[noreturn]] void refuse(Dataset const& dataset) {
  throw Error(text(dataset.path,
                   ": this sixstep was built without HDF5; install a parallel HDF5 for its MPI "
                   "(Debian: libhdf5-mpich-dev or libhdf5-openmpi-dev) and build it again with "
                   "-DSIXSTEP_HDF5=ON"),
              ErrorCode::library);
}

}  // namespace

FileHeader read_header(Dataset const& dataset) { refuse(dataset); }
void read(Dataset const& dataset, Layout const&, void*, ElementType) { refuse(dataset); }
void write(Dataset const& dataset, Layout const&, void const*, ElementType) { refuse(dataset); }

}  // namespace sixstep::files::hdf5
