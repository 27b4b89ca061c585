// SPDX-License-Identifier: BSD-3-Clause
// The one exception type of the library, and the check that throws it.
//
// A message names the argument, and says what was given and what is needed. Ranks do not agree on
// errors here: a plan's constructor makes all ranks throw the same error (see plan.hpp).
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>

#pragma GCC visibility push(default)
namespace sixstep {

/// The kind of a failure: a wrong argument or environment variable; too little memory; a local
/// library that cannot be loaded; a fault of this library; data that have changed while they were
/// worked on, as Options::verify finds out.
enum class ErrorCode { argument, memory, library, internal, corrupted };

/// The exception for every failure of this library. `what()` says what was given and what is
/// needed.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string const& message, ErrorCode code = ErrorCode::argument)
      : std::runtime_error(message), code_(code) {}

  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// A part of a text, or what it returns if it is a function without arguments.
template <class Part>
decltype(auto) written(Part const& part) {
  if constexpr (std::is_invocable_v<Part const&>)
    return part();
  else
    return (part);
}

/// The parts, written one after another by `operator<<`.
template <class... Parts>
std::string text(Parts const&... parts) {
  std::ostringstream out;
  (out << ... << written(parts));
  return out.str();
}

/// Throws Error with the message `parts` unless `holds`. The parts are joined only then, and
/// functions among them are called only then: words about a shape take longer than most checks.
template <class... Parts>
void require(bool holds, Parts const&... parts) {
  if (!holds) throw Error(text(parts...));
}

/// Works like require(), for conditions that only a fault of this library can break.
template <class... Parts>
void require_internal(bool holds, Parts const&... parts) {
  if (!holds) throw Error(text("internal: ", parts...), ErrorCode::internal);
}

}  // namespace sixstep
#pragma GCC visibility pop
