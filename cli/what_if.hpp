// SPDX-License-Identifier: BSD-3-Clause
// What would be if so many ranks transformed an array: problems and limits for commands that only
// think, and the machines that they know.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "formulas/composition.hpp"
#include "model/machine.hpp"

namespace sixstep::cli {

/// Some layouts take a number or two for each rank.
inline constexpr int most_ranks = 1 << 20;

/// What is to be transformed, by whatever ranks and layout.
struct WhatIf {
  Shape shape;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  std::vector<Index> modes;
  Precision precision = Precision::double_;
  int node_ranks = 0;  // that share a node; none: all exchanges are by messages
  int windows = 1;
  Options options = {};  // what the commands ask for: split_untransformed, output

  /// Errors: those of layout_of() and of the schedule.
  plan::Problem problem(LayoutChoice const& layout, int ranks) const;
  plan::Choices choices() const { return {.split_untransformed = options.split_untransformed}; }
  /// For each schedule of a composition on so many ranks.
  std::vector<plan::Limits> limits(plan::Composition const& composition, int ranks,
                                   bool on_device = false) const;
};

/// --node-ranks, --windows, --split-untransformed, --output, --axes, --kind, --precision.
void add_what_if(CLI::App& command, WhatIf& what_if);

/// --machine NAME|FILE.
CLI::Option* add_machine(CLI::App& command, std::string& name);

/// The files of the machines that are installed, by name.
std::vector<std::filesystem::path> machine_files();

/// The machine of that name, that which was measured here, or of the file that it is, with the
/// ranks of a node that are asked for. Errors: there is none; more ranks than cores; those of
/// read_machine().
model::Machine find_machine(std::string const& name, WhatIf const& what_if);

}  // namespace sixstep::cli
