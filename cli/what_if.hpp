// SPDX-License-Identifier: BSD-3-Clause
// Transforms on ranks that need not exist: problems and limits for commands that only plan, and the
// machines that they know.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "domain.hpp"
#include "formulas/composition.hpp"
#include "model/machine.hpp"
#include "tuner/calibration.hpp"

namespace sixstep::cli {

/// A bound, because some layouts need memory for each rank.
inline constexpr int most_ranks = 1 << 20;

/// A transform or an operator, for any ranks and layout.
struct WhatIf {
  Shape shape;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  std::vector<Index> modes;
  std::vector<double> sphere;
  Precision precision = Precision::double_;
  int node_ranks = 0;  // ranks that share a node; 0: all exchanges are by messages
  int windows = 1;
  Options options = {};            // those that the commands set: split_untransformed, output
  std::string operator_words;      // empty: a transform
  Domain domain = {};              // replaces the kinds if it has walls
  tuner::Calibrated numbers = {};  // what plans are made with

  /// Sets the kinds to those that fit the walls, if there are any.
  void fit_walls();
  /// Errors: those of layout_of() and of the schedule.
  schedule::Problem problem(LayoutChoice const& layout, int ranks) const;
  formulas::Composition compose(schedule::Problem problem) const;
  /// The number of transforms of a field: an operator transforms its fields, and back its results.
  int transforms() const;
  /// The limits of each schedule of a composition. Throws Error for an operator on a device.
  std::vector<program::Limits> limits(formulas::Composition const& composition, int ranks,
                                      bool on_device = false) const;
};

/// --node-ranks, --windows, --split-untransformed, --output, --axes, --kind, --modes, --sphere,
/// --precision, --operator, --walls, --at.
void add_what_if(CLI::App& command, WhatIf& what_if);

/// --machine NAME|FILE.
CLI::Option* add_machine(CLI::App& command, std::string& name);

/// The numbers that plans are made with: for `here` those that were measured for this processor,
/// otherwise the defaults.
tuner::Calibrated numbers_of(std::string const& machine);

/// The files of the machines that are installed, by name.
std::vector<std::filesystem::path> machine_files();

/// The machine with this name or file, or the one measured on this host ("here"), with the ranks
/// per node of `what_if`. Errors: there is no such machine; more ranks than cores; those of
/// read_machine().
model::Machine find_machine(std::string const& name, WhatIf const& what_if);

}  // namespace sixstep::cli
