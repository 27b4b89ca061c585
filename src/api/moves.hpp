// SPDX-License-Identifier: BSD-3-Clause
// The runner of a redistribution.
#pragma once

#include <cstddef>
#include <memory>

#include "runners/composition_runner.hpp"
#include "sixstep/redistribution.hpp"

namespace sixstep {

/// A runner that moves elements of so many bytes. Collective. Throws the errors of a
/// Redistribution.
std::unique_ptr<runners::CompositionRunner> make_moves(Layout const& from, Layout const& to,
                                                       MPI_Comm comm,
                                                       RedistributionOptions const& options,
                                                       std::size_t element_bytes);

}  // namespace sixstep
