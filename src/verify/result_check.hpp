// SPDX-License-Identifier: BSD-3-Clause
// The check of a plan's result: a random weighted sum of it must equal one of the input.
//
// docs/decisions/0054-verified-transforms.md derives the weights and the bound. Knows nothing about
// MPI: the caller adds up the sums of all ranks.
#pragma once

#include <array>
#include <vector>

#include "schedule/problem.hpp"
#include "sixstep/direction.hpp"
#include "verify/end_sums.hpp"

namespace sixstep::verify {

/// How one execution scales its result, and the sign of its exponent.
struct Scaled {
  double factor = 1;
  bool conjugate = false;
};

/// The result of a check: that of the sum that differs most from what is expected. `bound` is 0 if
/// there was nothing to check: an infinity or a NaN in the input, or numbers whose squares are none
/// of double.
struct Finding {
  double difference = 0;
  double bound = 0;

  double share() const { return bound > 0 ? difference / bound : -1; }
  bool is_checked() const { return bound > 0; }
  bool is_wrong() const { return is_checked() && !(difference <= bound); }
};

/// The check of both directions of a plan.
class ResultCheck {
 public:
  /// `problem` has axes, kinds, lengths and modes in full. Throws Error if the plan is of a kind
  /// that cannot be checked.
  ResultCheck(schedule::Problem const& problem, layout::Placement const& input,
              layout::Placement const& output, double wire_tolerance, int rank);

  /// This rank's sums over the array that a direction reads, and over the one that it writes.
  local::WeightedSums source(Direction direction, void const* array, bool conjugate,
                             int threads) const;
  local::WeightedSums result(Direction direction, void const* array, bool conjugate,
                             int threads) const;
  /// The sums of an end whose elements have the axes of the problem, none of them in digits; else
  /// null.
  EndSums const* plain_end(Direction direction, bool is_source) const {
    Way const& here = way(direction);
    return !is_plain_ ? nullptr : is_source ? &here.source : &here.result;
  }
  /// The weights of an end for a box of its working axes.
  BoxWeights weights_in(Direction direction, bool is_source, Box const& box) const;
  /// How many elements of an end this rank has.
  Index elements(Direction direction, bool is_source) const {
    Way const& here = way(direction);
    return (is_source ? here.source : here.result).box().volume();
  }
  layout::Number number(Direction direction, bool is_source) const {
    Way const& here = way(direction);
    return (is_source ? here.source : here.result).number();
  }
  int real_bytes() const { return real_bytes_; }
  /// Compares the sums of all ranks.
  Finding compare(Direction direction, local::WeightedSums const& source,
                  local::WeightedSums const& result, Scaled const& scaled) const;

 private:
  struct Way {
    EndSums source, result;
    double norm = 1;       // of the transform
    double growth = 0;     // rounding errors of the result, in its precision, over its norm
    double points = 1;     // of the larger end
    double peak = 1;       // the largest weight of a source over their mean, at most
    bool is_real = false;  // the sums agree in their real parts
  };

  Way const& way(Direction direction) const { return ways_[static_cast<std::size_t>(direction)]; }

  int real_bytes_;
  double wire_tolerance_;
  bool is_plain_;
  std::array<std::vector<Digit>, 2> working_;  // of the working axes of input and output
  std::array<Way, 2> ways_;
};

}  // namespace sixstep::verify
