// SPDX-License-Identifier: BSD-3-Clause
// A job at work: its plan, and the checks of every execution.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "problem.hpp"

namespace soak {

/// What went wrong on this rank, a line each; the first few.
class Complaints {
 public:
  void add(std::string const& line);
  std::string const& text() const { return text_; }

 private:
  std::string text_;
  int lines_ = 0;
};

class Planned {
 public:
  virtual ~Planned() = default;
  /// Collective, as what was given is.
  virtual void execute(std::size_t number) = 0;
};

/// Makes the plan of a job that is not refused. Collective. Errors: those of Plan.
std::unique_ptr<Planned> make_planned(Job const& job, MPI_Comm comm, std::uint64_t seed,
                                      Complaints& complaints);

/// The same of a serial job: a serial plan of the whole array on each rank.
std::unique_ptr<Planned> make_serial(Job const& job, MPI_Comm comm, std::uint64_t seed,
                                     Complaints& complaints);

/// Sets the environment as the job wants it.
void set_environment(Job const& job);

}  // namespace soak
