// SPDX-License-Identifier: BSD-3-Clause
// The Taylor-Green flow of taylor_green.hpp on FFTW's MPI transforms: the same loops, and around
// them what suits FFTW best.
//
// Transforms are in place, with transposed output. As c2r destroys its input, the modes that are
// kept have arrays of their own; the walk that advances them puts them back where the products'
// modes were, and zeros between them.
#pragma once

#include <fftw3-mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "base/memory.hpp"
#include "solver/taylor_green.hpp"

namespace sixstep::bench {

class FftwFlow {
 public:
  /// n^3 points, at time 0, planned by FFTW_MEASURE. Collective, as all below.
  FftwFlow(Index n, double viscosity, MPI_Comm comm)
      : n_(n), row_size_(n / 2 + 1), viscosity_(viscosity), comm_(comm) {
    fftw_mpi_init();
    field_size_ = fftw_mpi_local_size_3d_transposed(n, n, row_size_, comm, &planes_, &first_plane_,
                                                    &columns_, &first_column_);
    product_modes_ = fields<taylor_green::Products<Complex>>();
    modes_ = fields<taylor_green::Vector<Complex>>();
    change_ = fields<taylor_green::Vector<Complex>>();
    for (std::size_t i = 0; i < products_.size(); ++i)
      products_[i] = reinterpret_cast<double*>(product_modes_[i]);
    std::copy_n(products_.begin(), 3, points_.begin());
    make_plans();
    find_rows();
    begin();
  }
  ~FftwFlow() {
    fftw_destroy_plan(to_modes_);
    fftw_destroy_plan(to_points_);
  }
  FftwFlow(FftwFlow const&) = delete;

  void step(double dt) {
    for (taylor_green::Stage const& stage : taylor_green::stages) {
      seconds_in_transforms_ -= MPI_Wtime();
      for (std::size_t i = 0; i < 3; ++i)
        fftw_mpi_execute_dft_c2r(to_points_, fftw(product_modes_[i]), points_[i]);
      seconds_in_transforms_ += MPI_Wtime();
      multiply();
      seconds_in_transforms_ -= MPI_Wtime();
      for (std::size_t i = 0; i < 5; ++i)
        fftw_mpi_execute_dft_r2c(to_modes_, products_[i], fftw(product_modes_[i]));
      seconds_in_transforms_ += MPI_Wtime();
      taylor_green::Advance const advance{stage, dt, viscosity_, scale(), last_};
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        advance(rows_[row], product_modes_, modes_, change_);
        put_back(row);
      }
    }
  }

  taylor_green::Totals totals() const {
    taylor_green::Totals sums{};
    for (taylor_green::Row const& row : rows_) sums.add(row, last_, modes_);
    MPI_Allreduce(MPI_IN_PLACE, &sums, 2, MPI_DOUBLE, MPI_SUM, comm_);
    return sums;
  }

  /// That this rank has spent in transforms, waiting for others included.
  double seconds_in_transforms() const { return seconds_in_transforms_; }

 private:
  /// The products at all points; they may overwrite the velocity.
  void multiply() const {
    auto const [us, vs, ws] = points_;
    auto const [uu_ww, vv_ww, uv, uw, vw] = products_;
    // No element depends on another. Without this, gcc does not vectorise a loop over so many
    // arrays.
#pragma GCC ivdep
    for (Index i = 0; i < 2 * row_size_ * n_ * planes_; ++i) {
      double const u = us[i], v = vs[i], w = ws[i];
      uu_ww[i] = u * u - w * w;
      vv_ww[i] = v * v - w * w;
      uv[i] = u * v;
      uw[i] = u * w;
      vw[i] = v * w;
    }
  }

  using Complex = taylor_green::Complex;

  static fftw_complex* fftw(Complex* array) { return reinterpret_cast<fftw_complex*>(array); }
  double scale() const { return 1 / static_cast<double>(n_ * n_ * n_); }

  /// Zeros.
  template <class Fields>
  Fields fields() {
    std::size_t const elements = std::tuple_size_v<Fields> * static_cast<std::size_t>(field_size_);
    memory_.push_back(sixstep::allocate(elements * sizeof(Complex)));
    auto* const first = reinterpret_cast<Complex*>(memory_.back().get());
    std::fill_n(first, elements, 0);
    return taylor_green::fields_from<Fields>(first, field_size_);
  }

  void make_plans() {
    unsigned const flags = FFTW_MEASURE | FFTW_DESTROY_INPUT;
    fftw_complex* const modes = fftw(product_modes_[0]);
    to_modes_ = fftw_mpi_plan_dft_r2c_3d(n_, n_, n_, products_[0], modes, comm_,
                                         flags | FFTW_MPI_TRANSPOSED_OUT);
    to_points_ = fftw_mpi_plan_dft_c2r_3d(n_, n_, n_, modes, products_[0], comm_,
                                          flags | FFTW_MPI_TRANSPOSED_IN);
  }

  void find_rows() {
    auto const wave = [&](Index k) { return static_cast<double>(2 * k < n_ ? k : k - n_); };
    for (Index j = 0; j < columns_; ++j)
      for (Index i = 0; i < n_; ++i) {
        double const kx = wave(i), ky = wave(first_column_ + j);
        auto const last = static_cast<double>(last_);
        if (std::abs(kx) <= last && std::abs(ky) <= last)
          rows_.push_back({kx, ky, (j * n_ + i) * row_size_});
      }
  }

  void begin() {
    double const spacing = 2 * std::numbers::pi / static_cast<double>(n_);
    auto const at = [&](Index i) { return spacing * static_cast<double>(i); };
    for (Index i = 0; i < planes_; ++i)
      for (Index j = 0; j < n_; ++j)
        for (Index k = 0; k < n_; ++k) {
          auto const velocity = taylor_green::first_velocity(at(first_plane_ + i), at(j), at(k));
          for (std::size_t field = 0; field < 3; ++field)
            points_[field][2 * row_size_ * (i * n_ + j) + k] = velocity[field];
        }
    for (std::size_t i = 0; i < 3; ++i)
      fftw_mpi_execute_dft_r2c(to_modes_, points_[i], fftw(product_modes_[i]));
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t field = 0; field < 3; ++field)
        for (Index k = rows_[row].at; k <= rows_[row].at + last_; ++k)
          modes_[field][k] = scale() * product_modes_[field][k];
      put_back(row);
    }
  }

  /// The modes of a row, and zeros up to the next, or before the first.
  void put_back(std::size_t row) const {
    Index const begin = rows_[row].at, end = begin + last_ + 1;
    Index const next = row + 1 < rows_.size() ? rows_[row + 1].at : field_size_;
    for (std::size_t field = 0; field < 3; ++field) {
      Complex* const to = product_modes_[field];
      if (row == 0) std::fill(to, to + begin, 0);
      std::copy(modes_[field] + begin, modes_[field] + end, to + begin);
      std::fill(to + end, to + next, 0);
    }
  }

  Index n_, row_size_;
  Index last_ = taylor_green::last_mode(n_);
  double viscosity_;
  MPI_Comm comm_;
  std::ptrdiff_t planes_ = 0, first_plane_ = 0, columns_ = 0, first_column_ = 0, field_size_ = 0;
  std::vector<Memory> memory_;
  taylor_green::Vector<double> points_{};
  taylor_green::Vector<Complex> modes_{}, change_{};
  taylor_green::Products<double> products_{};
  taylor_green::Products<Complex> product_modes_{};  // and the velocity's, before a stage
  std::vector<taylor_green::Row> rows_;              // in the order of memory
  fftw_plan to_modes_ = nullptr, to_points_ = nullptr;
  double seconds_in_transforms_ = 0;
};

}  // namespace sixstep::bench
