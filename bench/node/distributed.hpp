// SPDX-License-Identifier: BSD-3-Clause
// What takes part in the comparison on a node: a forward transform of an array that is spread over
// ranks, prepared once and run any number of times.
//
// Knows nothing about clocks, tables or what is in the arrays; rivals/node/ has one source for each
// contender.
#pragma once

#include <mpi.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "contender.hpp"
#include "sixstep/layout.hpp"

namespace sixstep::bench::node {

using Three = std::array<Index, 3>;

/// transposed: as is cheapest for the contender; on one rank all have natural order. Of a single
/// axis, any order of its own.
enum class Output { natural, transposed };

/// A forward transform, c2c or r2c (n/2 + 1 complex numbers along the last axis), out of place,
/// unscaled; the input, slabs along the first axis, may be lost.
struct Case {
  std::string name;
  Three shape;  // a single axis is the last one; the others have one point then
  Kind kind = Kind::c2c;
  Output output = Output::transposed;
  bool single = false;

  bool one_axis() const { return shape[0] * shape[1] == 1; }
  bool scrambled() const { return one_axis() && output == Output::transposed; }
  Index points() const { return shape[0] * shape[1] * shape[2]; }
  Three spectrum() const {
    return {shape[0], shape[1], kind == Kind::r2c ? shape[2] / 2 + 1 : shape[2]};
  }
  /// Of an array over all ranks, without padding.
  std::size_t input_bytes() const {
    return static_cast<std::size_t>(points()) * (kind == Kind::r2c ? 1 : 2) * real_bytes();
  }
  std::size_t output_bytes() const {
    auto const [n0, n1, n2] = spectrum();
    return static_cast<std::size_t>(n0 * n1 * n2) * 2 * real_bytes();
  }
  std::size_t real_bytes() const { return single ? sizeof(float) : sizeof(double); }
};

/// A rank's part of an array: of each axis the indices it holds, and how many elements, real or
/// complex, lie from one to the next.
struct Part {
  std::array<Range, 3> ranges;
  Three strides;
};

/// What a layout gives a rank. One axis is the last of a case's three.
inline Part part_of(Layout const& layout, int rank) {
  Box const box = layout.box(rank);
  Shape const strides = layout.strides(rank);
  Index const all = layout.local_size(rank);
  Part part{{Range{0, 1}, Range{0, 1}, Range{0, 1}}, {all, all, all}};
  auto const first = static_cast<std::size_t>(3 - layout.axes());
  for (int axis = 0; axis < layout.axes(); ++axis) {
    part.ranges[first + static_cast<std::size_t>(axis)] = box.ranges[axis];
    part.strides[first + static_cast<std::size_t>(axis)] = strides[axis];
  }
  return part;
}

/// All of an array, in C order.
inline Part whole(Three const& shape) {
  auto const [n0, n1, n2] = shape;
  return {{Range{0, n0}, Range{0, n1}, Range{0, n2}}, {n1 * n2, n2, 1}};
}

/// A plan with its arrays, ready to run; destroying it is collective.
struct Prepared {
  std::shared_ptr<std::byte[]> in;
  std::shared_ptr<std::byte[]> out;
  Part input;
  Part output;
  std::function<void()> run;
  int round_trips = 0;   // of sixstep: how often all data is read and written again
  bool hurried = false;  // planning was cut off
};

struct Setting {
  MPI_Comm comm;
  int rank;
  int ranks;
  int threads;               // of each rank
  bool plan_arrays = false;  // sixstep's own, and the input given up
  double planning_s = 60;    // after which FFTW stops to look for a better plan
};

/// None where the contender does not do such cases. Collective.
using Prepare = std::function<std::optional<Prepared>(Case const&, Setting const&)>;

struct Contender {
  std::string name;
  std::string version;
  bool needs_one_rank;
  Prepare prepare;
};

Contender sixstep_contender();
Contender fftw_contender();
Contender mkl_cluster_contender();
Contender hpcc_contender();
Contender mkl_contender();
Contender ducc_contender();

/// Ourselves first, then every rival that this program was built with.
inline std::vector<Contender> contenders() {
  return {
      sixstep_contender(),
#ifdef SIXSTEP_HAVE_FFTW_MPI
      fftw_contender(),
#endif
#ifdef SIXSTEP_HAVE_MKL_CLUSTER
      mkl_cluster_contender(),
#endif
#ifdef SIXSTEP_HAVE_HPCC
      hpcc_contender(),
#endif
#ifdef SIXSTEP_HAVE_MKL
      mkl_contender(),
#endif
#ifdef SIXSTEP_HAVE_DUCC
      ducc_contender(),
#endif
  };
}

}  // namespace sixstep::bench::node
