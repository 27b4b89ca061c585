// SPDX-License-Identifier: BSD-3-Clause
// Nodes of so many ranks, to try out on one machine what several nodes do.
#pragma once

#include <cstdlib>
#include <string>

/// Takes so many neighbours for a node while it lives.
class NodesOf {
 public:
  explicit NodesOf(int ranks) {
    if (char const* const set = std::getenv(name)) before_ = set;
    setenv(name, std::to_string(ranks).c_str(), 1);
  }
  ~NodesOf() {
    if (before_.empty())
      unsetenv(name);
    else
      setenv(name, before_.c_str(), 1);
  }

 private:
  static constexpr char const* name = "SIXSTEP_NODE_RANKS";
  std::string before_;
};
