// SPDX-License-Identifier: BSD-3-Clause
// Whether something throws Error, and what it says.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "sixstep/error.hpp"

/// The message of the Error that `action` throws; "" if it throws none.
template <class Action>
std::string message_of(Action const& action) {
  try {
    action();
  } catch (sixstep::Error const& error) {
    return error.what();
  }
  return "";
}

/// Whether `action` throws an Error whose message begins with `argument` and a colon and holds all
/// of `parts`.
template <class Action>
testing::AssertionResult refuses(std::string const& argument,
                                 std::initializer_list<char const*> parts, Action const& action) {
  std::string const message = message_of(action);
  if (message.empty()) return testing::AssertionFailure() << "nothing was thrown";
  if (message.rfind(argument + ":", 0) != 0)
    return testing::AssertionFailure() << "\"" << message << "\" does not begin with " << argument;
  for (char const* part : parts)
    if (message.find(part) == std::string::npos)
      return testing::AssertionFailure()
             << "\"" << message << "\" does not hold \"" << part << "\"";
  return testing::AssertionSuccess() << message;
}
