// SPDX-License-Identifier: BSD-3-Clause
// How much a core's own caches hold, for the widths of tiles and strips.
#pragma once

#include "sixstep/layout.hpp"

namespace sixstep::local {

/// In bytes.
struct Caches {
  Index first = Index{1} << 15;
  Index second = Index{1} << 20;
  Index third = Index{1} << 22;  // shared by cores
};

/// As the system tells them; those above where it does not.
Caches const& caches();

}  // namespace sixstep::local
