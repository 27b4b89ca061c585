// SPDX-License-Identifier: BSD-3-Clause
// Transposition of a square in place: pairs of ranks swap blocks, some rows at a time.
#pragma once

#include <complex>
#include <cstddef>

#include "redistribution/square.hpp"
#include "runtime/mpi.hpp"

namespace sixstep::exchange {

/// Bytes of scratch that turn() needs, a multiple of 64.
template <class Real>
std::size_t turn_bytes(redistribution::Square const& square, int threads);

/// target[j][i] = source[i][j], where [i][j] is a whole item. Both are this rank's rows of the
/// square, and may be the same array. Collective. Messages go between pairs of ranks, which all
/// ranks form alike.
template <class Real>
void turn(redistribution::Square const& square, mpi::Communicator const& comm,
          std::complex<Real> const* source, std::complex<Real>* target, int threads,
          std::byte* scratch, int tag = 0);

extern template std::size_t turn_bytes<float>(redistribution::Square const&, int);
extern template std::size_t turn_bytes<double>(redistribution::Square const&, int);
extern template void turn(redistribution::Square const&, mpi::Communicator const&,
                          std::complex<float> const*, std::complex<float>*, int, std::byte*, int);
extern template void turn(redistribution::Square const&, mpi::Communicator const&,
                          std::complex<double> const*, std::complex<double>*, int, std::byte*, int);

}  // namespace sixstep::exchange
