// SPDX-License-Identifier: BSD-3-Clause
// How much the caches hold that a core has or shares.
//
// From this follow the widths of tiles and strips, and which data counts as out of cache.
#pragma once

#include "sixstep/index.hpp"

namespace sixstep::local {

/// Bytes of data that each level of cache holds.
struct Caches {
  Index first = Index{1} << 15;
  Index second = Index{1} << 20;
  Index third = Index{1} << 22;  // shared by cores
};

/// What the system says about this machine; the defaults above where it says nothing.
Caches const& caches();

}  // namespace sixstep::local
