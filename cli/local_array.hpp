// SPDX-License-Identifier: BSD-3-Clause
// The memory of a rank's part of an array.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstdlib>
#include <memory>
#include <string>

#include "ranks.hpp"

namespace sixstep::cli {

/// `points` elements, aligned to 64 bytes and not initialised: who fills it places its pages.
template <class Real>
class LocalArray {
 public:
  /// Collective; throws on all ranks if the memory cannot be had on any.
  LocalArray(Index points, MPI_Comm comm) {
    constexpr std::size_t alignment = 64;
    std::size_t const bytes = static_cast<std::size_t>(points) * sizeof(std::complex<Real>);
    std::size_t const rounded = (bytes / alignment + 1) * alignment;
    memory_.reset(static_cast<std::complex<Real>*>(std::aligned_alloc(alignment, rounded)));
    std::string failure;
    if (!memory_)
      failure = text("memory: rank ", rank_of(comm), " cannot have ", bytes, " bytes for its part");
    mpi::agree(comm, failure);
  }

  std::complex<Real>* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::complex<Real>, Free> memory_;
};

}  // namespace sixstep::cli
