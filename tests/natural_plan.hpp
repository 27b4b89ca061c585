// SPDX-License-Identifier: BSD-3-Clause
// A plan in natural order, whose steps tell whether it works on arrays directly.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "arrays.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "runtime/node.hpp"
#include "sixstep/plan.hpp"

namespace sixstep {

/// It needs no way back where it works on arrays directly.
class Natural {
 public:
  using Complex = std::complex<double>;

  explicit Natural(Shape const& shape = {12, 10, 8}, MPI_Comm comm = MPI_COMM_WORLD)
      : layout_(Layout::slab(shape, ranks::size_of(comm))),
        plan_(layout_, layout_, comm, {.threads = 1}),
        whole_(oracle::values(oracle::points_of(shape), 1)),
        spectrum_(whole_),
        rank_(ranks::rank_in(comm)) {
    oracle::transform_along(spectrum_, shape, {}, -1);
    auto in = arrays::unset<double>(plan_.input_size()), out = in;
    arrays::fill(in, layout_, rank_, whole_);
    plan_.forward(in.data(), out.data());
    private_steps_ = plan_.breakdown().size();
  }

  Plan<double>& plan() { return plan_; }

  /// The largest error of a transform of one array to another, or in place, there and back.
  double error(Complex* in, Complex* out) {
    auto local = arrays::unset<double>(plan_.input_size());
    std::copy(local.begin(), local.end(), out);
    arrays::fill(local, layout_, rank_, whole_);
    std::copy(local.begin(), local.end(), in);
    plan_.forward(in, out);
    std::copy_n(out, local.size(), local.begin());
    double const there = arrays::difference(local, layout_, rank_, spectrum_);
    plan_.backward(out, in, Scale::by_n);
    std::copy_n(in, local.size(), local.begin());
    return std::max(there, arrays::difference(local, layout_, rank_, whole_));
  }
  double tolerance() const { return arrays::rounding<double>(oracle::points_of(layout_.shape())); }
  /// Whether the error is within the tolerance on all ranks.
  bool is_right(Complex* in, Complex* out) {
    return ranks::everywhere(error(in, out) < tolerance());
  }

  /// Whether the last execution was not one of private arrays.
  bool was_direct() const { return plan_.breakdown().size() < private_steps_; }

 private:
  Layout layout_;
  Plan<double> plan_;
  std::vector<oracle::Exact> whole_, spectrum_;
  int rank_;
  std::size_t private_steps_ = 0;
};

/// Whether steps tell: not between nodes, where there is a way back in any case.
inline bool can_be_direct() {
  Node const node(mpi::Communicator::duplicate(MPI_COMM_WORLD));
  return ranks::count() > 1 && node.size() == ranks::count();
}

}  // namespace sixstep
