// SPDX-License-Identifier: BSD-3-Clause
// Weighted sums over a rank's array at one end of a plan, in one pass over its memory.
#pragma once

#include <vector>

#include "layout/placement.hpp"
#include "local/kernels/weighted_sums.hpp"
#include "verify/axis_weights.hpp"

namespace sixstep::verify {

/// The weights of an axis for each sum.
using SetsOfWeights = local::OfSums<AxisWeights>;

/// The sums of one end of a plan. The weight of an element is the product of those of its indices
/// along all axes.
class EndSums {
 public:
  /// The axis of the problem that an axis of the layout belongs to. An axis in two digits has two
  /// of the layout's, of which the slow one counts `unit` indices.
  struct Digit {
    int axis;
    Index unit = 1;
  };

  EndSums() = default;
  EndSums(layout::Placement const& end, int rank, std::vector<Digit> digits,
          std::vector<SetsOfWeights> weights);

  /// The rank's sums. Reals take 4 or 8 bytes.
  local::WeightedSums of(void const* array, int real_bytes, bool conjugate, int threads) const;

 private:
  template <class Element>
  local::WeightedSums of_elements(Element const* array, local::RowSums<Element> sums,
                                  bool conjugate, int threads) const;
  template <class Element>
  local::WeightedSums of_part(Element const* array, local::RowSums<Element> sums, bool conjugate,
                              Index part) const;

  Box box_;
  Shape strides_;
  Index offset_ = 0;  // of the box, behind ghosts
  layout::Number number_ = layout::Number::complex;
  local::Target target_ = 0;
  std::vector<Digit> digits_;           // of each of the layout's axes
  std::vector<SetsOfWeights> weights_;  // of each of the problem's axes
  int inner_ = 0;                       // the layout's axis that lies densest in memory
  Index rows_ = 0;                      // along it
  Index parts_ = 0;                     // of each row
};

}  // namespace sixstep::verify
