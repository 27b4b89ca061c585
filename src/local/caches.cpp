// SPDX-License-Identifier: BSD-3-Clause
// Asks the C library, which answers at once. hwloc would know more, but takes milliseconds to load.
#include "local/caches.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace sixstep::local {
namespace {

[[maybe_unused]] void ask(int name, Index& bytes) {
  long const told = sysconf(name);
  if (told > 0) bytes = told;
}

/// Reads a size such as "32768K" from the kernel. sysconf may report all last-level caches of the
/// processor together; this is the one that a core uses.
void ask(char const* path, Index& bytes) {
  Index kibibytes = 0;
  if (std::ifstream(path) >> kibibytes && kibibytes > 0) bytes = kibibytes * 1024;
}

/// Counts the cores in the kernel's list, such as "0-7,64-71".
void ask_cores(char const* path, int& cores) {
  std::ifstream file(path);
  int found = 0;
  for (int first = 0; file >> first;) {
    int last = first;
    if (file.peek() == '-') file.ignore() >> last;
    found += last - first + 1;
    file.ignore();
  }
  if (found > 0) cores = found;
}

}  // namespace

Caches const& caches() {
  static Caches const known = [] {
    Caches caches;
#ifdef _SC_LEVEL1_DCACHE_SIZE
    ask(_SC_LEVEL1_DCACHE_SIZE, caches.first);
    ask(_SC_LEVEL2_CACHE_SIZE, caches.second);
    ask(_SC_LEVEL3_CACHE_SIZE, caches.third);
    ask("/sys/devices/system/cpu/cpu0/cache/index3/size", caches.third);
    ask_cores("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", caches.third_cores);
#endif
    constexpr Index most = Index{1} << 28;
    caches.third = std::min(caches.third, most);
    return caches;
  }();
  return known;
}

int third_sharers(int ranks) {
  auto const cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return third_sharers(ranks, std::max(cores, 1), caches().third_cores);
}

}  // namespace sixstep::local
