// SPDX-License-Identifier: BSD-3-Clause
// The visitor for std::visit: one lambda an alternative, so that a new alternative breaks the build
// where it is not handled.
#pragma once

namespace sixstep {

template <class... Cases>
struct match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
match(Cases...) -> match<Cases...>;

}  // namespace sixstep
