// SPDX-License-Identifier: BSD-3-Clause
// Asks the C library, which knows at once; hwloc would know more, and load for milliseconds.
#include "local/caches.hpp"

#include <unistd.h>

namespace sixstep::local {
namespace {

[[maybe_unused]] void ask(int name, Index& bytes) {
  long const told = sysconf(name);
  if (told > 0) bytes = told;
}

}  // namespace

Caches const& caches() {
  static Caches const known = [] {
    Caches caches;
#ifdef _SC_LEVEL1_DCACHE_SIZE
    ask(_SC_LEVEL1_DCACHE_SIZE, caches.first);
    ask(_SC_LEVEL2_CACHE_SIZE, caches.second);
    ask(_SC_LEVEL3_CACHE_SIZE, caches.third);
#endif
    return caches;
  }();
  return known;
}

}  // namespace sixstep::local
