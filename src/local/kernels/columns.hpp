// SPDX-License-Identifier: BSD-3-Clause
// The door to the kernels: a recipe becomes a transform of one instruction set.
#pragma once

#include <memory>

#include "local/numbers/recipe.hpp"
#include "local/targets.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// The transform that runs `recipe` with the vectors of `target`, one of available_targets().
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_columns(Recipe<Real> recipe, Target target);

template <>
std::unique_ptr<Transform<std::complex<float>>> make_columns(Recipe<float> recipe, Target target);
template <>
std::unique_ptr<Transform<std::complex<double>>> make_columns(Recipe<double> recipe, Target target);

/// The transform of length n for columns whose rows follow each other on both sides, without a
/// twist; none if the kernels have none for this length.
template <class Real>
std::unique_ptr<Transform<std::complex<Real>>> make_rows(Index n, Target target);

template <>
std::unique_ptr<Transform<std::complex<float>>> make_rows(Index n, Target target);
template <>
std::unique_ptr<Transform<std::complex<double>>> make_rows(Index n, Target target);

}  // namespace sixstep::local
