// SPDX-License-Identifier: BSD-3-Clause
// The real Fourier transform of a block: a complex transform, and the symmetry that tells two
// transforms apart which were done as one.
#include "local/real_core.hpp"

#include <algorithm>

namespace sixstep::local {

namespace {

/// Rows that are a power of two apart would meet in few sets of the cache.
template <class Real>
inline constexpr Index pad = 64 / static_cast<Index>(sizeof(Real));

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

Index block_columns(Index column_bytes, Index lanes, Index element_bytes) {
  constexpr Index block_bytes = Index{1} << 17;
  constexpr Index row_bytes = 512;
  Index const fits = block_bytes / std::max<Index>(column_bytes, 1) / lanes * lanes;
  Index const row = (row_bytes / element_bytes + lanes - 1) / lanes * lanes;
  return std::clamp(fits, lanes, std::max(row, lanes));
}

template <class Real>
RealCore<Real>::RealCore(Index n, Local whose)
    : n_(n), complex_(make_transform<Real>(n % 2 == 0 && n > 0 ? n / 2 : n, whose)) {
  constexpr Index real = sizeof(Real);
  lanes_ = even() ? complex_->lanes() : 2 * complex_->lanes();
  columns_ = block_columns(n * real, lanes_, real);
  z_stride_ = (even() ? 2 : 1) * columns_ + pad<Real>;
  spectrum_stride_ = 2 * columns_ + pad<Real>;
  for (Index j = 0; j < points(); ++j) z_rows_.push_back(j * z_stride_ / 2);
  reals_.lane = even() ? 2 : 1;
  for (Index j = 0; j < n; ++j)
    reals_.row.push_back(even() ? j / 2 * z_stride_ + j % 2 : j * z_stride_);
  for (Index k = 0; k < coefficients(); ++k) spectrum_.row.push_back(k * spectrum_stride_);
  for (Index j = 0; even() && j < points(); ++j) pair_rows_.push_back(j);
  if (even())
    for (Index k = 0; k <= n / 4; ++k) twiddles_.push_back(root<Real>(k, n));
}

template <class Real>
Index RealCore<Real>::reals_size() const {
  return points() * z_stride_;
}

template <class Real>
Index RealCore<Real>::spectrum_size() const {
  return coefficients() * spectrum_stride_;
}

template <class Real>
void RealCore<Real>::transform(RealBlock<Real> const& block, bool backward, Real scale) const {
  using Complex = std::complex<Real>;
  auto* const data = reinterpret_cast<Complex*>(block.reals);
  Columns<Complex> const own{data, z_rows_.data(), 1};
  bool const paired = block.pairs != nullptr;
  Columns<Complex> const users{reinterpret_cast<Complex*>(block.pairs), pair_rows_.data(),
                               block.lane / 2};
  Columns<Complex> const from = paired && !backward ? users : own;
  complex_->run({.in = {from.data, from.row, from.lane},
                 .out = paired && backward ? users : own,
                 .columns = even() ? block.columns : (block.columns + 1) / 2,
                 .backward = backward,
                 .scale = scale},
                block.scratch);
}

// Columns of an odd length go in pairs: the last of an odd number has zeros for a partner.
template <class Real>
void RealCore<Real>::add_partner(RealBlock<Real> const& block, Real* data,
                                 std::vector<Index> const& rows) const {
  if (even() || block.columns % 2 == 0) return;
  for (Index const row : rows) data[row + block.columns] = 0;
}

// The halves of the sums and differences below are in the scale: they cost no rounding.
template <class Real>
void RealCore<Real>::forward(RealBlock<Real> const& block) const {
  add_partner(block, block.reals, reals_.row);
  transform(block, false, block.scale / 2);
  if (even())
    split_even(block);
  else
    split_odd(block);
}

template <class Real>
void RealCore<Real>::backward(RealBlock<Real> const& block) const {
  add_partner(block, block.spectrum, spectrum_.row);
  add_partner(block, block.spectrum + columns_, spectrum_.row);
  if (even())
    join_even(block);
  else
    join_odd(block);
  transform(block, true, block.scale);
}

// With m = n/2, E and O the transforms of the even and of the odd elements, z = even + i odd:
//   Z[k] = E[k] + i O[k], conj Z[m-k] = E[k] - i O[k],
//   X[k] = E[k] + w_n^k O[k], X[m-k] = conj(E[k] - w_n^k O[k]).
template <class Real>
void RealCore<Real>::split_even(RealBlock<Real> const& block) const {
  Real const* const z = block.reals;
  Real* const spectrum = block.spectrum;
  Index const m = n_ / 2;
  Real* const first = spectrum;
  Real* const last = spectrum + m * spectrum_stride_;
  for (Index c = 0; c < block.columns; ++c) {
    Real const sum = 2 * z[2 * c], odd = 2 * z[2 * c + 1];
    first[c] = sum + odd;
    last[c] = sum - odd;
    first[columns_ + c] = last[columns_ + c] = 0;
  }
  for (Index k = 1; k <= m - k; ++k) {
    Real const* const a = z + k * z_stride_;
    Real const* const b = z + (m - k) * z_stride_;
    Real* const lower = spectrum + k * spectrum_stride_;
    Real* const upper = spectrum + (m - k) * spectrum_stride_;
    Real const cosine = twiddles_[at(k)].real(), sine = twiddles_[at(k)].imag();
    for (Index c = 0; c < block.columns; ++c) {
      Real const even_re = a[2 * c] + b[2 * c], even_im = a[2 * c + 1] - b[2 * c + 1];
      Real const odd_re = a[2 * c + 1] + b[2 * c + 1], odd_im = b[2 * c] - a[2 * c];
      Real const re = cosine * odd_re - sine * odd_im, im = cosine * odd_im + sine * odd_re;
      lower[c] = even_re + re;
      lower[columns_ + c] = even_im + im;
      upper[c] = even_re - re;
      upper[columns_ + c] = im - even_im;
    }
  }
}

// Z = A + i B for a pair of columns: Z[k] + conj Z[n-k] = 2 A[k], Z[k] - conj Z[n-k] = 2 i B[k].
template <class Real>
void RealCore<Real>::split_odd(RealBlock<Real> const& block) const {
  Real const* const z = block.reals;
  Real* const spectrum = block.spectrum;
  for (Index k = 0; k < coefficients(); ++k) {
    Real const* const a = z + k * z_stride_;
    Real const* const b = z + (k == 0 ? 0 : n_ - k) * z_stride_;
    Real* const re = spectrum + k * spectrum_stride_;
    Real* const im = re + columns_;
    for (Index c = 0; c < block.columns; ++c) re[c] = a[c] + b[c];
    for (Index c = 0; c < block.columns; c += 2) {
      im[c] = a[c + 1] - b[c + 1];
      im[c + 1] = b[c] - a[c];
    }
  }
}

// Z[k] = A + D and Z[m-k] = conj(A - D) with A = X[k] + conj X[m-k],
// D = i w_n^-k (X[k] - conj X[m-k]).
template <class Real>
void RealCore<Real>::join_even(RealBlock<Real> const& block) const {
  Real const* const spectrum = block.spectrum;
  Real* const z = block.reals;
  Index const m = n_ / 2;
  Real const* const first = spectrum;
  Real const* const last = spectrum + m * spectrum_stride_;
  for (Index c = 0; c < block.columns; ++c) {
    z[2 * c] = first[c] + last[c];
    z[2 * c + 1] = first[c] - last[c];
  }
  for (Index k = 1; k <= m - k; ++k) {
    Real const* const lower = spectrum + k * spectrum_stride_;
    Real const* const upper = spectrum + (m - k) * spectrum_stride_;
    Real* const a = z + k * z_stride_;
    Real* const b = z + (m - k) * z_stride_;
    Real const cosine = twiddles_[at(k)].real(), sine = twiddles_[at(k)].imag();
    for (Index c = 0; c < block.columns; ++c) {
      Real const sum_re = lower[c] + upper[c];
      Real const sum_im = lower[columns_ + c] - upper[columns_ + c];
      Real const rest_re = lower[c] - upper[c];
      Real const rest_im = lower[columns_ + c] + upper[columns_ + c];
      Real const re = sine * rest_re - cosine * rest_im;
      Real const im = cosine * rest_re + sine * rest_im;
      a[2 * c] = sum_re + re;
      a[2 * c + 1] = sum_im + im;
      b[2 * c] = sum_re - re;
      b[2 * c + 1] = im - sum_im;
    }
  }
}

// Z[k] = A[k] + i B[k], Z[n-k] = conj A[k] + i conj B[k].
template <class Real>
void RealCore<Real>::join_odd(RealBlock<Real> const& block) const {
  Real const* const spectrum = block.spectrum;
  Real* const z = block.reals;
  std::copy_n(spectrum, columns_, z);  // a partner too
  for (Index k = 1; k < coefficients(); ++k) {
    Real const* const re = spectrum + k * spectrum_stride_;
    Real const* const im = re + columns_;
    Real* const a = z + k * z_stride_;
    Real* const b = z + (n_ - k) * z_stride_;
    for (Index c = 0; c < block.columns; c += 2) {
      a[c] = re[c] - im[c + 1];
      a[c + 1] = im[c] + re[c + 1];
      b[c] = re[c] + im[c + 1];
      b[c + 1] = re[c + 1] - im[c];
    }
  }
}

template class RealCore<float>;
template class RealCore<double>;

}  // namespace sixstep::local
