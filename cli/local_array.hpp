// SPDX-License-Identifier: BSD-3-Clause
// The memory of a rank's part of an array.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "ranks.hpp"

namespace sixstep::cli {

/// An array of `elements`, aligned to 64 bytes. It is uninitialised, so that each page is placed
/// near the thread that fills it.
template <class Element>
class LocalArray {
 public:
  /// Collective. Throws on all ranks if any rank has too little memory.
  LocalArray(Index elements, MPI_Comm comm) {
    constexpr std::size_t alignment = 64;
    std::size_t const bytes = static_cast<std::size_t>(elements) * sizeof(Element);
    std::size_t const rounded = (bytes / alignment + 1) * alignment;
    memory_.reset(static_cast<Element*>(std::aligned_alloc(alignment, rounded)));
    std::string failure;
    if (!memory_)
      failure = text("memory: rank ", rank_of(comm), " cannot have ", bytes, " bytes for its part");
    mpi::agree(comm, failure);
  }

  Element* data() const { return memory_.get(); }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<Element, Free> memory_;
};

}  // namespace sixstep::cli
