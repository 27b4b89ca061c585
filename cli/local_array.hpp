// SPDX-License-Identifier: BSD-3-Clause
// The memory of a rank's part of an array.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "ranks.hpp"

namespace sixstep::cli {

/// `elements` of them, aligned to 64 bytes and not initialised: who fills it places its pages.
template <class Element>
class LocalArray {
 public:
  /// Collective; throws on all ranks if the memory cannot be had on any.
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
