// SPDX-License-Identifier: BSD-3-Clause
// A library that was built without HDF5 says so, and what helps.
#include <gtest/gtest.h>
#include <mpi.h>

#include "files.hpp"
#include "refuses.hpp"
#include "sixstep/files.hpp"

namespace sixstep {
namespace {

TEST(hdf5, is_missing_in_words) {
  Layout const layout = Layout::slab({4}, ranks::count());
  std::vector<double> array(4);
  EXPECT_TRUE(refuses("a.h5", {"without HDF5", "install", "SIXSTEP_HDF5=ON"}, [&] {
    save_hdf5("a.h5", "a", layout, MPI_COMM_WORLD, array.data(), ElementType::float64);
  }));
  EXPECT_TRUE(refuses("a.h5", {"without HDF5"}, [&] {
    load_hdf5("a.h5", "a", layout, MPI_COMM_WORLD, array.data(), ElementType::float64);
  }));
  EXPECT_TRUE(refuses("a.h5", {"without HDF5"}, [&] { hdf5_header("a.h5", "a", MPI_COMM_WORLD); }));
}

}  // namespace
}  // namespace sixstep
