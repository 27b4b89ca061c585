// SPDX-License-Identifier: BSD-3-Clause
// The one exception type of the library, and the check that throws it.
//
// A message names the argument, what was given and what is needed. Agreement between ranks is not
// here: a plan's constructor lets all ranks throw the same error together (see plan.hpp).
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace sixstep {

/// What every failure of this library throws. `what()` says what was given and what is needed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The arguments written one after another, as `operator<<` writes them.
template <class... Parts>
std::string text(Parts const&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

/// Throws Error unless `holds`; its message is `parts`, which are joined only if they are needed.
template <class... Parts>
void require(bool holds, Parts const&... parts) {
  if (!holds) throw Error(text(parts...));
}

}  // namespace sixstep
