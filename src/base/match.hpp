// SPDX-License-Identifier: BSD-3-Clause
// The visitor for std::visit: one lambda for each alternative, so that the build fails where a new
// alternative is not handled.
#pragma once

namespace sixstep {

template <class... Cases>
struct match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
match(Cases...) -> match<Cases...>;

}  // namespace sixstep
