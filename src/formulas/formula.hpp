// SPDX-License-Identifier: BSD-3-Clause
// Formulas: pointwise work that takes turns with transforms, as a composition names it and as a
// rank does it. Knows nothing about MPI.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "sixstep/local.hpp"

namespace sixstep::formulas {

/// The arrays of a task on one rank, in the plan's precision; `other` where it reads a second one.
struct Operands {
  void const* source;
  void const* other;
  void* target;
  bool backward = false;
  bool conjugate = false;  // with the other sign than that of the direction
  double factor = 1;       // of a task that is scaled: what the result is multiplied by
  int threads = 1;
  std::byte* scratch = nullptr;  // scratch_bytes() for each thread, aligned to 64
};

/// What a formula needs on one rank: its tables, and its work on that rank's elements.
class Pointwise {
 public:
  virtual ~Pointwise() = default;

  /// Bytes of the tables of work that a serial plan does; 0 for all other work.
  virtual std::size_t bytes() const { return 0; }
  /// Bytes that each thread needs, a multiple of 64.
  virtual std::size_t scratch_bytes() const { return 0; }
  /// Does the work of that number. Errors: none.
  virtual void apply(int work, Operands const& on) = 0;
  /// If that work is to multiply every complex number of an array by one of a table: the table,
  /// which lies as the array does, at the same place from the beginning on. Such work costs no
  /// pass: the last pass of a transform does it.
  virtual void const* table(int) const { return nullptr; }
};

/// Pointwise work of one purpose: one or more maps of arrays, numbered by the formula, that share
/// tables. Immutable, the same on all ranks.
class Formula {
 public:
  virtual ~Formula() = default;

  /// "convolution of 2 x 1024 points (Bluestein)".
  virtual std::string name() const = 0;
  /// "times chirp" and the like.
  virtual std::string name(int work) const = 0;
  /// In float or double. Errors: memory that cannot be had; a local library that cannot be loaded.
  virtual std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local local) const = 0;
};

}  // namespace sixstep::formulas
