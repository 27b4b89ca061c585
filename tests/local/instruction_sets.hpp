// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that this machine has, a way to force one, and whether a sanitizer watches.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "local/transform.hpp"
#include "sanitized.hpp"
#include "sixstep/error.hpp"

namespace sixstep::local {

/// Forces an instruction set for as long as it lives.
class Environment {
 public:
  explicit Environment(char const* isa) { setenv("SIXSTEP_ISA", isa, 1); }
  ~Environment() { unsetenv("SIXSTEP_ISA"); }
  Environment(Environment const&) = delete;
  Environment& operator=(Environment const&) = delete;
};

/// The names that an unknown one is answered with.
inline std::vector<std::string> available() {
  Environment const unknown("ABACUS");
  try {
    instruction_set();
  } catch (Error const& error) {
    std::string const message = error.what();
    std::size_t const begin = message.find("one of ") + 7;
    std::vector<std::string> result;
    std::istringstream stream(message.substr(begin, message.find(" is needed") - begin));
    for (std::string name; stream >> name;) {
      if (name.back() == ',') name.pop_back();
      result.push_back(name);
    }
    return result;
  }
  return {};
}

}  // namespace sixstep::local
