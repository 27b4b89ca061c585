// SPDX-License-Identifier: BSD-3-Clause
// Refuses calls that a plan cannot run.
#include "serial/call.hpp"

#include <string>

#include "sixstep/error.hpp"

namespace sixstep::serial {

namespace {

std::string arguments(layout::Number in, layout::Number out) {
  auto const word = [](layout::Number number) {
    return number == layout::Number::real ? "Real" : "Complex";
  };
  return text("(", word(in), " const*, ", word(out), "*)");
}

}  // namespace

void check_call(layout::Number input, layout::Number output, layout::Number in, layout::Number out,
                Direction direction) {
  bool const backward = direction == Direction::backward;
  if (in == (backward ? output : input) && out == (backward ? input : output)) return;
  char const* const what = input != output                 ? "an r2c axis"
                           : input == layout::Number::real ? "real input and output"
                                                           : "complex input and output";
  throw Error(text("in, out: this plan has ", what, ", forward", arguments(input, output),
                   " and backward", arguments(output, input), " are possible; ",
                   backward ? "backward" : "forward", arguments(in, out), " was called"));
}

}  // namespace sixstep::serial
