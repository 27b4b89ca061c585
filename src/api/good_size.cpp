// SPDX-License-Identifier: BSD-3-Clause
// Lengths that are fast to transform: products of the smallest primes.
#include "sixstep/good_size.hpp"

#include <algorithm>
#include <limits>

#include "sixstep/error.hpp"

namespace sixstep {

Index good_size(Index n, Index multiple) {
  constexpr Index largest = Index{1} << 57;
  auto const check = [](char const* name, Index value) {
    require(value >= 1 && value <= largest, name, ": 1 to 2^57 is needed, ", value, " was given");
  };
  check("n", n);
  check("multiple", multiple);
  Index const least = (n - 1) / multiple + 1;
  Index best = std::numeric_limits<Index>::max();
  for (Index seven = 1; seven < 7 * least; seven *= 7)
    for (Index five = seven; five < 5 * least; five *= 5)
      for (Index three = five; three < 3 * least; three *= 3) {
        Index length = three;
        while (length < least) length *= 2;
        best = std::min(best, length);
      }
  return best * multiple;
}

}  // namespace sixstep
