// SPDX-License-Identifier: BSD-3-Clause
// Planning for many ranks: what one of them takes, counted by operator new of this program, grows
// with its messages and with the number of ranks, not with the square of that.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "decision/media.hpp"
#include "formulas/composition.hpp"
#include "program/compile.hpp"
#include "program/ways.hpp"

namespace {

std::atomic<std::size_t> allocated{0};  // bytes, in all
std::atomic<std::size_t> live{0};
std::atomic<std::size_t> peak{0};

void* allocate(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (!memory) throw std::bad_alloc();
  std::size_t const size = malloc_usable_size(memory);
  allocated += size;
  live += size;
  std::size_t most = peak;
  while (most < live && !peak.compare_exchange_weak(most, live)) continue;
  return memory;
}

void release(void* memory) {
  if (memory) live -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

// GCC inlines some of these and not the others, and then takes them for mismatched.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  try {
    return allocate(bytes);
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}
void* operator new[](std::size_t bytes, std::nothrow_t const& tag) noexcept {
  return operator new(bytes, tag);
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

namespace sixstep::program {
namespace {

struct Case {
  std::string name;
  int ranks;
  Layout (*input)(int ranks);
  int node_ranks = 0;  // none: all by messages
  int windows = 1;
};

std::ostream& operator<<(std::ostream& out, Case const& of) { return out << of.name; }

struct Taken {
  std::size_t bytes;  // allocated in all: every piece, message and list of ranks that is looked at
  std::size_t peak_bytes;
};

/// What one rank plans: both directions, for two arrays and in place.
Taken planned(Case const& of, int ranks) {
  allocated = 0;
  std::size_t const before = live;
  peak = before;
  Layout const input = of.input(ranks);
  formulas::Composition const composition = formulas::compose({.input = input, .output = input});
  for (schedule::Schedule const& there : composition.schedules) {
    Limits limits;
    limits.exchange_windows = of.windows;
    for (int rank = 0; of.node_ranks > 0 && rank < ranks; ++rank) {
      limits.nodes.node.push_back(rank / of.node_ranks * of.node_ranks);
      limits.nodes.segment.push_back(rank % of.node_ranks);
    }
    if (of.node_ranks > 0)
      limits.media = decision::used_media(
          decision::suitable_media(there.ends(), there.real_bytes, limits.nodes, {}), limits.nodes);
    schedule::Schedule const back = schedule::reverse(there);
    std::vector<Arrays> const arrays{{.in_place = false}, {.in_place = true}};
    for (auto const& [schedule, its] : {std::pair(&there, limits), {&back, limits.reversed()}})
      EXPECT_EQ(compile(*schedule, reference_rank(*schedule), its, arrays).size(), 2u);
  }
  return {allocated, peak - before};
}

class ManyRanks : public testing::TestWithParam<Case> {};

TEST_P(ManyRanks, take_no_more_than_their_number_each) {
  Case const& of = GetParam();
  Taken const quarter = planned(of, of.ranks / 4), all = planned(of, of.ranks);
  RecordProperty("bytes_of_a_quarter", std::to_string(quarter.bytes));
  RecordProperty("bytes", std::to_string(all.bytes));
  RecordProperty("peak_bytes", std::to_string(all.peak_bytes));
  EXPECT_LT(all.bytes, 7 * quarter.bytes);
  EXPECT_LT(all.peak_bytes, std::size_t{200} << 20);
}

Layout slabs(int ranks) { return Layout::slab({ranks, ranks}, ranks); }
Layout cube_in_pencils(int ranks) { return Layout::pencil({4096, 4096, 4096}, ranks); }
Layout cube_in_bricks(int ranks) { return Layout::brick({4096, 4096, 4096}, ranks); }
/// Two groups, of half of the ranks each.
Layout flat_pencils(int ranks) {
  return Layout::grid({2, ranks / 2, ranks / 2}, {2, ranks / 2, 1});
}
Layout line(int ranks) { return Layout::slab({Index{1} << 32}, ranks); }
Layout long_prime(int ranks) { return Layout::slab({2147483647}, ranks); }
Layout primes(int ranks) { return Layout::slab({65537, 4099}, ranks); }

INSTANTIATE_TEST_SUITE_P(
    of, ManyRanks,
    testing::Values(Case{"slabs", 65536, slabs}, Case{"slabs_by_nodes", 16384, slabs, 16},
                    Case{"slabs_of_nodes", 32768, slabs, 1},
                    Case{"flat_pencils_by_nodes", 16384, flat_pencils, 16},
                    Case{"pencils", 65536, cube_in_pencils},
                    Case{"pencils_by_nodes", 65536, cube_in_pencils, 16},
                    Case{"bricks", 65536, cube_in_bricks}, Case{"line", 16384, line},
                    Case{"line_by_nodes", 16384, line, 16}, Case{"long_prime", 16384, long_prime},
                    Case{"long_prime_by_nodes", 16384, long_prime, 16},
                    Case{"primes", 65536, primes}, Case{"k_in_pencils", 82944, cube_in_pencils, 12},
                    Case{"k_in_bricks", 82944, cube_in_bricks},
                    Case{"a_prime_number_of_ranks", 1000003, cube_in_pencils},
                    Case{"slabs_in_windows", 512, slabs, 0, 16}),
    [](auto const& of) { return of.param.name; });

}  // namespace
}  // namespace sixstep::program
