// SPDX-License-Identifier: BSD-3-Clause
#include "rivals/node/fftw_fields.hpp"

#include <fftw3-mpi.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/memory.hpp"

namespace sixstep::bench {
namespace {

using Plan = std::shared_ptr<std::remove_pointer_t<fftw_plan>>;

Plan owned(fftw_plan plan) {
  return {plan, [](fftw_plan done) { fftw_destroy_plan(done); }};
}

}  // namespace

std::function<void()> fftw_fields(Fields const& fields, MPI_Comm comm) {
  [[maybe_unused]] static bool const ready = [] {
    fftw_mpi_init();
    return true;
  }();
  constexpr std::ptrdiff_t block = FFTW_MPI_DEFAULT_BLOCK;
  constexpr unsigned flags = FFTW_MEASURE | FFTW_DESTROY_INPUT;
  std::ptrdiff_t const n = fields.n, count = fields.count;
  std::array<std::ptrdiff_t, 3> const shape{n, n, n};
  std::array<std::ptrdiff_t, 3> const spectrum{n, n, fields.real ? n / 2 + 1 : n};
  std::ptrdiff_t rows, first_row, columns, first_column;
  auto const points = static_cast<std::size_t>(fftw_mpi_local_size_many_transposed(
      3, spectrum.data(), count, block, block, comm, &rows, &first_row, &columns, &first_column));
  auto const array = [points] { return allocate(points * sizeof(fftw_complex)); };
  std::shared_ptr<std::byte[]> const in = array();
  std::shared_ptr<std::byte[]> const out = fields.in_place ? in : array();
  auto* const reals = reinterpret_cast<double*>(in.get());
  auto* const from = reinterpret_cast<fftw_complex*>(in.get());
  auto* const to = reinterpret_cast<fftw_complex*>(out.get());
  auto const forward = [&] {
    unsigned const all = flags | FFTW_MPI_TRANSPOSED_OUT;
    return fields.real ? fftw_mpi_plan_many_dft_r2c(3, shape.data(), count, block, block, reals, to,
                                                    comm, all)
                       : fftw_mpi_plan_many_dft(3, shape.data(), count, block, block, from, to,
                                                comm, FFTW_FORWARD, all);
  };
  auto const backward = [&] {
    unsigned const all = flags | FFTW_MPI_TRANSPOSED_IN;
    return fields.real ? fftw_mpi_plan_many_dft_c2r(3, shape.data(), count, block, block, to, reals,
                                                    comm, all)
                       : fftw_mpi_plan_many_dft(3, shape.data(), count, block, block, to, from,
                                                comm, FFTW_BACKWARD, all);
  };
  Plan const there = owned(forward());
  Plan const back = fields.back ? owned(backward()) : nullptr;
  std::fill_n(in.get(), points * sizeof(fftw_complex), std::byte{});
  std::fill_n(out.get(), points * sizeof(fftw_complex), std::byte{});
  return [in, out, there, back] {
    fftw_execute(there.get());
    if (back) fftw_execute(back.get());
  };
}

}  // namespace sixstep::bench
