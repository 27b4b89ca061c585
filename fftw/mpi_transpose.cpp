// SPDX-License-Identifier: BSD-3-Clause
// Global transposes of FFTW's interface for MPI.
#include <algorithm>
#include <memory>

#include "mpi_object.hpp"
#include "mpi_problem.hpp"
#include "mpi_sizes.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep::fftw {

namespace {

class MpiTranspose final : public MpiObject {
 public:
  MpiTranspose(MpiProblem const& problem, Layout const& from, Layout const& to,
               RedistributionOptions const& options)
      : MpiObject(0, 0),
        moves_(std::make_unique<ByteRedistribution>(
            from, to, problem.comm, options,
            static_cast<std::size_t>(problem.howmany) * sizeof(Real))) {}

  std::string describe() const override { return moves_->describe(); }

 private:
  void run(Arrays<Real> const& arrays) const override {
    moves_->execute(arrays.re_in, arrays.re_out, Direction::forward);
  }

  std::unique_ptr<ByteRedistribution> moves_;
};

Layout split_along(int axis, Index given, bool axis_is_slowest, MpiProblem const& problem) {
  Index const block = block_length(problem.shape[axis], given, problem.ranks);
  Order const order = (axis == 0) == axis_is_slowest ? Order{0, 1} : Order{1, 0};
  return blocks_along(axis, block, problem.shape, problem.ranks, order);
}

}  // namespace

std::unique_ptr<Object> make_transpose(MpiProblem const& problem) {
  RedistributionOptions options;
  options.threads = std::max(1, SIXSTEP_FFTW(planner_nthreads)());
  options.preserve_input = !problem.has(FFTW_DESTROY_INPUT);
  return std::make_unique<MpiTranspose>(
      problem, split_along(0, problem.in.block, !problem.in.transposed, problem),
      split_along(1, problem.out.block, !problem.out.transposed, problem), options);
}

}  // namespace sixstep::fftw
