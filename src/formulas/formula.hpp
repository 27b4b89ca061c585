// SPDX-License-Identifier: BSD-3-Clause
// Formulas: pointwise work between transforms, as a composition names it and as a rank does it.
// Knows nothing about MPI.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "formulas/changes.hpp"
#include "program/points.hpp"
#include "sixstep/error.hpp"
#include "sixstep/local.hpp"

namespace sixstep::formulas {

/// The arrays of a task on one rank, in the plan's precision; `other` is the second one that it
/// reads, if any.
struct Operands {
  void const* source = nullptr;
  void const* other = nullptr;
  void* target = nullptr;
  bool backward = false;
  bool conjugate = false;  // uses the sign opposite to the direction's
  double factor = 1;       // in a scaled task, the result is multiplied by this
  int threads = 1;
  std::byte* scratch = nullptr;  // scratch_bytes() for each thread, or workspace_bytes(), aligned
                                 // to 64
  bool overwrites = false;       // the source may be overwritten
};

/// The part of a formula on one rank: its tables, and the work on that rank's elements.
class Pointwise {
 public:
  virtual ~Pointwise() = default;

  /// Bytes of the tables if a serial plan does the work; 0 for all other work.
  virtual std::size_t bytes() const { return 0; }
  /// Bytes that each thread needs, a multiple of 64.
  virtual std::size_t scratch_bytes() const { return 0; }
  /// Bytes that all threads need together if a serial plan does the work. `on` may lack arrays:
  /// then it counts as in place.
  virtual std::size_t workspace_bytes(Operands const& /*on*/) const { return 0; }
  /// Does the work with this number. Throws nothing.
  virtual void apply(int work, Operands const& on) = 0;
  /// The changes by which a device does this work; `on` has no arrays. Every call with the same
  /// number returns the same tables. Plans on devices have no other works.
  virtual Changes changes(int work, Operands const& on);
  /// Bytes of scratch that they need.
  virtual std::size_t change_scratch_bytes() const { return 0; }
  /// Called when the setup has ended.
  virtual void end_setup() {}
  /// The table, if the work multiplies every complex number of an array by the one at the same
  /// place in a table; else null. Such work costs no pass: the last pass of a transform does it.
  virtual void const* table(int) const { return nullptr; }
  /// The operation, if the formula is one at points in a schedule; else null.
  virtual program::OnPoints const* operation() const { return nullptr; }
  /// Called after each execution with an operation. Throws what a function of the user's threw.
  virtual void finish() {}
  /// Called once, before an operation, with all numberings of its points; tables are filled here.
  virtual void number(std::vector<program::Numbering> const&) {}
};

inline Changes Pointwise::changes(int, Operands const&) {
  require_internal(false, "pointwise work that devices do not do");
  return {};
}

/// Pointwise work of one purpose: one or more maps of arrays, numbered by the formula, that share
/// tables. Immutable, the same on all ranks.
class Formula {
 public:
  virtual ~Formula() = default;

  /// "convolution of 2 x 1024 points (Bluestein)".
  virtual std::string name() const = 0;
  /// "times chirp" and the like.
  virtual std::string name(int work) const = 0;
  /// The passes over memory of that work.
  virtual int passes(int) const { return 1; }
  /// The rank's part, in float or double. Throws if memory cannot be allocated or a local library
  /// cannot be loaded.
  virtual std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local local) const = 0;
};

}  // namespace sixstep::formulas
