// SPDX-License-Identifier: BSD-3-Clause
// Cosine and sine transforms of few contiguous columns, one after another: each fills vectors along
// the column, where the cores of r2r_transform.cpp fill them with columns side by side.
#pragma once

#include <memory>

#include "local/transform.hpp"
#include "sixstep/kind.hpp"

namespace sixstep::local {

/// The transform of n reals by our own kernels, for contiguous columns alone. Null for kinds II and
/// III of even n, which HalfCosineCore transforms.
template <class Real>
std::unique_ptr<Transform<Real>> make_cosines_alone(Kind kind, Index n);

/// The transform of a few reals, for contiguous columns alone, a vector of them at a time: faster
/// than others for any number of columns. Null for most kinds and lengths.
template <class Real>
std::unique_ptr<Transform<Real>> make_short_cosines(Kind kind, Index n);

extern template std::unique_ptr<Transform<float>> make_short_cosines(Kind, Index);
extern template std::unique_ptr<Transform<double>> make_short_cosines(Kind, Index);
extern template std::unique_ptr<Transform<float>> make_cosines_alone(Kind, Index);
extern template std::unique_ptr<Transform<double>> make_cosines_alone(Kind, Index);

}  // namespace sixstep::local
