// SPDX-License-Identifier: BSD-3-Clause
// Real transforms of any kinds: local ones along whole axes, with a redistribution between them.
#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "mpi_object.hpp"
#include "mpi_problem.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep::fftw {

namespace {

struct DestroyPlan {
  void operator()(SIXSTEP_FFTW(plan) plan) const { SIXSTEP_FFTW(destroy_plan)(plan); }
};
using LocalPlan = std::unique_ptr<std::remove_pointer_t<SIXSTEP_FFTW(plan)>, DestroyPlan>;

struct Loop {
  Index n;
  Index stride;
};

SIXSTEP_FFTW(iodim64) in_place(Loop const& loop) { return {loop.n, loop.stride, loop.stride}; }

/// The transforms of this rank's array in `layout`, in place, along the axes that `chosen` holds.
/// Null if there is nothing to transform.
LocalPlan local_plan(MpiProblem const& problem, Layout const& layout, int rank,
                     std::vector<int> const& chosen, Kinds const& kinds, Real* array) {
  if (chosen.empty() || layout.local_size(rank) == 0) return nullptr;
  Shape const extents = layout.local_shape(rank), strides = layout.strides(rank);
  std::vector<SIXSTEP_FFTW(iodim64)> dims, loops;
  Kinds used;
  for (int axis = 0; axis < extents.size(); ++axis) {
    bool const is_chosen = std::find(chosen.begin(), chosen.end(), axis) != chosen.end();
    (is_chosen ? dims : loops)
        .push_back(in_place({extents[axis], strides[axis] * problem.howmany}));
    if (is_chosen) used.push_back(kinds[static_cast<std::size_t>(axis)]);
  }
  loops.push_back(in_place({problem.howmany, 1}));
  LocalPlan plan(SIXSTEP_FFTW(plan_guru64_r2r)(static_cast<int>(dims.size()), dims.data(),
                                               static_cast<int>(loops.size()), loops.data(), array,
                                               array, used.data(), FFTW_ESTIMATE));
  require(plan != nullptr, "the local transforms cannot be planned");
  return plan;
}

int split_axis(End const& end, int axes) { return end.transposed && axes > 1 ? 1 : 0; }

/// A layout in which the axis that the input splits is whole: the output's, if possible.
Layout middle_layout(MpiProblem const& problem) {
  int const axes = problem.shape.size();
  int const split = split_axis(problem.in, axes);
  if (axes == 1)  // all on one rank
    return blocks_along(0, problem.shape[0], problem.shape, problem.ranks, c_order(1));
  if (split_axis(problem.out, axes) != split)
    return layout_of(problem.out, problem.shape, problem.ranks);
  End other;
  other.transposed = split == 0;
  return layout_of(other, problem.shape, problem.ranks);
}

class MpiByAxes final : public MpiObject {
 public:
  MpiByAxes(MpiProblem const& problem, Kinds const& kinds, int rank)
      : MpiObject(static_cast<double>(volume(problem.shape)) * problem.howmany,
                  static_cast<double>(volume(problem.shape))),
        bytes_(static_cast<std::size_t>(problem.howmany) * sizeof(Real)) {
    Layout const input = layout_of(problem.in, problem.shape, problem.ranks),
                 middle = middle_layout(problem),
                 output = layout_of(problem.out, problem.shape, problem.ranks);
    in_bytes_ = static_cast<std::size_t>(input.array_size(rank)) * bytes_;
    out_bytes_ = static_cast<std::size_t>(output.array_size(rank)) * bytes_;
    there_ = redistribution(problem, input, middle);
    if (!(middle == output)) back_ = redistribution(problem, middle, output);
    first_array_ = allocate(in_bytes_);
    second_array_ = allocate(static_cast<std::size_t>(middle.array_size(rank)) * bytes_);
    int const split = split_axis(problem.in, problem.shape.size());
    std::vector<int> others;
    for (int axis = 0; axis < problem.shape.size(); ++axis)
      if (axis != split) others.push_back(axis);
    first_ = local_plan(problem, input, rank, others, kinds, first());
    second_ = local_plan(problem, middle, rank, {split}, kinds, second());
  }

  std::string describe() const override {
    return "local transforms\n" + there_->describe() + "\nlocal transforms\n" +
           (back_ ? back_->describe() + "\n" : "");
  }

 private:
  Real* first() const { return reinterpret_cast<Real*>(first_array_.get()); }
  Real* second() const { return reinterpret_cast<Real*>(second_array_.get()); }

  std::unique_ptr<ByteRedistribution> redistribution(MpiProblem const& problem, Layout const& from,
                                                     Layout const& to) const {
    return std::make_unique<ByteRedistribution>(from, to, problem.comm, RedistributionOptions{},
                                                bytes_);
  }

  void run(Arrays<Real> const& arrays) const override {
    if (in_bytes_ > 0) std::memcpy(first(), arrays.re_in, in_bytes_);
    if (first_) SIXSTEP_FFTW(execute)(first_.get());
    there_->execute(first(), second(), Direction::forward);
    if (second_) SIXSTEP_FFTW(execute)(second_.get());
    if (back_)
      back_->execute(second(), arrays.re_out, Direction::forward);
    else if (out_bytes_ > 0)
      std::memcpy(arrays.re_out, second(), out_bytes_);
  }

  std::size_t bytes_;
  std::size_t in_bytes_ = 0;
  std::size_t out_bytes_ = 0;
  std::unique_ptr<ByteRedistribution> there_;
  std::unique_ptr<ByteRedistribution> back_;
  Memory first_array_;
  Memory second_array_;
  LocalPlan first_;
  LocalPlan second_;
};

}  // namespace

std::unique_ptr<Object> make_by_axes(MpiProblem const& problem, Kinds const& kinds) {
  for (std::size_t axis = 0; axis < kinds.size(); ++axis)
    require(kinds[axis] != FFTW_REDFT00 || problem.shape[static_cast<int>(axis)] > 1,
            "REDFT00 needs two points");
  int rank = 0;
  MPI_Comm_rank(problem.comm, &rank);
  return std::make_unique<MpiByAxes>(problem, kinds, rank);
}

}  // namespace sixstep::fftw
