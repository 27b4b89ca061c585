// SPDX-License-Identifier: BSD-3-Clause
// The one exception type of the library, and the check that throws it.
//
// A message names the argument, what was given and what is needed. Agreement between ranks is not
// here: a plan's constructor lets all ranks throw the same error together (see plan.hpp).
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)
namespace sixstep {

/// What kind of failure it is: an argument (or a variable of the environment) that is not as it
/// must be; memory that cannot be had; a local library that cannot be loaded; a fault of this
/// library.
enum class ErrorCode { argument, memory, library, internal };

/// What every failure of this library throws. `what()` says what was given and what is needed.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string const& message, ErrorCode code = ErrorCode::argument)
      : std::runtime_error(message), code_(code) {}

  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
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

/// The same of something that nobody but this library can be to blame for.
template <class... Parts>
void require_internal(bool holds, Parts const&... parts) {
  if (!holds) throw Error(text("internal: ", parts...), ErrorCode::internal);
}

}  // namespace sixstep
#pragma GCC visibility pop
