// SPDX-License-Identifier: BSD-3-Clause
// Problems as FFTW's interface for several ranks is asked for them, in both precisions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi_drawn.hpp"

namespace fftw_mpi {

// The functions of both precisions.
struct Double {
  using Real = double;
  using Complex = fftw_complex;
#define MPI_TEST_FUNCTIONS(prefix)                                     \
  static constexpr auto many_dft = prefix##mpi_plan_many_dft;          \
  static constexpr auto many_r2c = prefix##mpi_plan_many_dft_r2c;      \
  static constexpr auto many_c2r = prefix##mpi_plan_many_dft_c2r;      \
  static constexpr auto many_r2r = prefix##mpi_plan_many_r2r;          \
  static constexpr auto transpose = prefix##mpi_plan_many_transpose;   \
  static constexpr auto execute = prefix##execute;                     \
  static constexpr auto execute_c2c = prefix##mpi_execute_dft;         \
  static constexpr auto execute_r2c = prefix##mpi_execute_dft_r2c;     \
  static constexpr auto execute_c2r = prefix##mpi_execute_dft_c2r;     \
  static constexpr auto execute_r2r = prefix##mpi_execute_r2r;         \
  static constexpr auto destroy = prefix##destroy_plan;                \
  static constexpr auto init = prefix##mpi_init;                       \
  static constexpr auto allocate = prefix##malloc;                     \
  static constexpr auto free = prefix##free;                           \
  static constexpr auto room = prefix##mpi_local_size_many_transposed; \
  static constexpr auto room_1d = prefix##mpi_local_size_many_1d;      \
  using Plan = prefix##plan
  MPI_TEST_FUNCTIONS(fftw_);
};
struct Single {
  using Real = float;
  using Complex = fftwf_complex;
  MPI_TEST_FUNCTIONS(fftwf_);
};

/// The reals that local_size says a rank's array needs.
template <class Api>
Index reals_needed(Problem const& problem) {
  bool const is_real = problem.what == What::r2c || problem.what == What::c2r;
  Shape const shape = is_real ? half(problem.shape) : problem.shape;
  std::vector<std::ptrdiff_t> const n(shape.begin(), shape.end());
  std::ptrdiff_t a, b, c, d;
  Index const unit = problem.what == What::r2r || problem.what == What::transpose ? 1 : 2;
  Index block0 = 0, block1 = 0;
  for (Side const& side : {input_of(problem), output_of(problem)})
    (side.split() == 0 ? block0 : block1) =
        std::max(side.split() == 0 ? block0 : block1, side.block);
  if (n.size() == 1 && problem.in_block == 0)
    return unit *
           Api::room_1d(n[0], problem.howmany, MPI_COMM_WORLD, problem.sign, 0, &a, &b, &c, &d);
  return unit * Api::room(static_cast<int>(n.size()), n.data(), problem.howmany, block0, block1,
                          MPI_COMM_WORLD, &a, &b, &c, &d);
}

/// Memory of the program's own, or of fftw_malloc and long enough that ranks may share it.
template <class Api>
class Array {
 public:
  Array(Index reals, bool by_fftw) : own_(by_fftw ? 0 : at(reals)) {
    constexpr Index shared_bytes = Index{1} << 20;
    auto const bytes = std::max(shared_bytes, reals * Index{sizeof(typename Api::Real)});
    if (by_fftw) theirs_.reset(static_cast<typename Api::Real*>(Api::allocate(at(bytes))));
  }
  typename Api::Real* begin() { return theirs_ ? theirs_.get() : own_.data(); }

 private:
  struct Free {
    void operator()(void* memory) const { Api::free(memory); }
  };
  std::vector<typename Api::Real> own_;
  std::unique_ptr<typename Api::Real, Free> theirs_;
};

/// Whether this rank takes an array of fftw_malloc: on all ranks alike in two of three problems.
inline bool takes_fftws(std::uint64_t seed) {
  return seed % 3 == 0 ||
         (seed % 3 == 1 && (static_cast<std::uint64_t>(ranks::rank()) + seed / 3) % 2 == 0);
}

template <class Api>
typename Api::Plan planned(Problem const& problem, typename Api::Real* in,
                           typename Api::Real* out) {
  using Complex = typename Api::Complex;
  std::vector<std::ptrdiff_t> const n(problem.shape.begin(), problem.shape.end());
  int const axes = problem.shape.size();
  auto* const complex_in = reinterpret_cast<Complex*>(in);
  auto* const complex_out = reinterpret_cast<Complex*>(out);
  switch (problem.what) {
    case What::c2c:
      return Api::many_dft(axes, n.data(), problem.howmany, problem.in_block, problem.out_block,
                           complex_in, complex_out, MPI_COMM_WORLD, problem.sign, problem.flags);
    case What::r2c:
      return Api::many_r2c(axes, n.data(), problem.howmany, problem.in_block, problem.out_block, in,
                           complex_out, MPI_COMM_WORLD, problem.flags);
    case What::c2r:
      return Api::many_c2r(axes, n.data(), problem.howmany, problem.in_block, problem.out_block,
                           complex_in, out, MPI_COMM_WORLD, problem.flags);
    case What::r2r:
      return Api::many_r2r(axes, n.data(), problem.howmany, problem.in_block, problem.out_block, in,
                           out, MPI_COMM_WORLD, problem.kinds.data(), problem.flags);
    case What::transpose:
      return Api::transpose(n[0], n[1], problem.howmany, problem.in_block, problem.out_block, in,
                            out, MPI_COMM_WORLD, problem.flags);
  }
  return nullptr;
}

/// By the function for other arrays than those of planning.
template <class Api>
void execute_on(typename Api::Plan plan, What what, typename Api::Real* in,
                typename Api::Real* out) {
  auto* const complex_in = reinterpret_cast<typename Api::Complex*>(in);
  auto* const complex_out = reinterpret_cast<typename Api::Complex*>(out);
  switch (what) {
    case What::c2c:
      return Api::execute_c2c(plan, complex_in, complex_out);
    case What::r2c:
      return Api::execute_r2c(plan, in, complex_out);
    case What::c2r:
      return Api::execute_c2r(plan, complex_in, out);
    case What::r2r:
    case What::transpose:
      return Api::execute_r2r(plan, in, out);
  }
}

}  // namespace fftw_mpi
