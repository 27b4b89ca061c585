// SPDX-License-Identifier: BSD-3-Clause
// What a planning function of FFTW's interface for MPI was asked for.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "mpi_layouts.hpp"
#include "mpi_names.hpp"
#include "plan_object.hpp"

namespace sixstep::fftw {

/// A transform of `howmany` arrays, whose elements lie side by side, point by point.
struct MpiProblem {
  Shape shape;  ///< of the real array, if one end is real
  int howmany = 1;
  End in;
  End out;
  MPI_Comm comm = MPI_COMM_NULL;
  int ranks = 1;
  unsigned flags = 0;

  bool has(unsigned flag) const { return (flags & flag) != 0; }
};

using Object = PlanObject<Real>;
using Kinds = std::vector<SIXSTEP_FFTW(r2r_kind)>;

/// The objects that plans point to. Collective. Throw Error on every rank if there is no such plan.
std::unique_ptr<Object> make_c2c(MpiProblem const& problem, int sign);
std::unique_ptr<Object> make_r2c(MpiProblem const& problem);
std::unique_ptr<Object> make_c2r(MpiProblem const& problem);
/// Each axis has its kind.
std::unique_ptr<Object> make_r2r(MpiProblem const& problem, Kinds const& kinds);
/// As make_r2r(), by local transforms and redistributions, for kinds that sixstep's plans have not:
/// those with halfcomplex arrays, and Hartley transforms.
std::unique_ptr<Object> make_by_axes(MpiProblem const& problem, Kinds const& kinds);
/// Exchanges the two axes of `shape`: the input is split along axis 0, the output along axis 1.
/// `in.transposed` means that the input is stored with axis 1 slowest, `out.transposed` that the
/// output is stored with axis 0 slowest.
std::unique_ptr<Object> make_transpose(MpiProblem const& problem);

}  // namespace sixstep::fftw
