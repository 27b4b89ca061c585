// SPDX-License-Identifier: BSD-3-Clause
// Complex transforms of contiguous columns one after another, with our own kernels.
//
// They have the tables for such columns alone, so they are made in a fraction of the time that
// make_transform() takes. Other batches are right, but slow.
#pragma once

#include <complex>
#include <memory>

#include "local/transform.hpp"
#include "sixstep/index.hpp"

namespace sixstep::local {

template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_one_column(Index n);

/// Whether so many columns take less time one after another than side by side: one does, and so do
/// some of a length with a large prime factor, of which vectors would be half empty.
template <class Real>
bool suits_one_by_one(Index n, Index columns);

extern template bool suits_one_by_one<float>(Index, Index);
extern template bool suits_one_by_one<double>(Index, Index);

extern template std::unique_ptr<Transform<std::complex<float>>> make_one_column(Index);
extern template std::unique_ptr<Transform<std::complex<double>>> make_one_column(Index);

/// Such a transform, which all callers share: it exists once, while anything uses it.
template <class Real>
std::shared_ptr<Transform<std::complex<Real>> const> shared_one_column(Index n);

extern template std::shared_ptr<Transform<std::complex<float>> const> shared_one_column(Index);
extern template std::shared_ptr<Transform<std::complex<double>> const> shared_one_column(Index);

}  // namespace sixstep::local
