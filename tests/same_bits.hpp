// SPDX-License-Identifier: BSD-3-Clause
// Comparing bits of results that were computed in several ways.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "sixstep/index.hpp"

namespace sixstep::same_bits {

/// A real of the whole array: some of them are zero.
template <class Real>
Real value(std::uint64_t seed, Index number) {
  std::uint64_t x = seed + static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  if (x % 16 == 0) return 0;
  return static_cast<Real>(static_cast<double>(x >> 11) * 0x1p-52 - 1);
}

/// Computes with nodes of so many ranks, and with this instruction set; 0 and "": the machine's.
inline void set_environment(int node_ranks, std::string const& isa) {
  if (node_ranks > 0)
    setenv("SIXSTEP_NODE_RANKS", std::to_string(node_ranks).c_str(), 1);
  else
    unsetenv("SIXSTEP_NODE_RANKS");
  if (!isa.empty())
    setenv("SIXSTEP_ISA", isa.c_str(), 1);
  else
    unsetenv("SIXSTEP_ISA");
}

/// The number of reals that `other` has and whose bits are others than those of `whole`.
template <class Real>
Index differences(std::vector<std::optional<Real>> const& whole,
                  std::vector<std::optional<Real>> const& other) {
  Index found = 0;
  for (std::size_t i = 0; i < other.size(); ++i)
    if (other[i] && std::memcmp(&*other[i], &*whole[i], sizeof(Real)) != 0) ++found;
  return found;
}

/// Some of the ranks in a communicator; null on all others.
class Some {
 public:
  explicit Some(int ranks) {
    MPI_Comm_split(MPI_COMM_WORLD, ranks::rank() < ranks ? 0 : MPI_UNDEFINED, 0, &comm_);
  }
  ~Some() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  Some(Some const&) = delete;
  Some& operator=(Some const&) = delete;
  MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

inline std::uint64_t first_seed() {
  char const* const seed = std::getenv("REPRODUCIBLE_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : 1;
}

}  // namespace sixstep::same_bits
