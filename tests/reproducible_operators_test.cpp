// SPDX-License-Identifier: BSD-3-Clause
// Options::reproducible of operators, convolutions, solvers and maps: every element of a result has
// the same bits, whoever holds it, and however it was computed.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases.hpp"
#include "local/instruction_sets.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "reproducible_tasks.hpp"
#include "same_bits.hpp"
#include "sixstep/open_poisson.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;
using namespace reproducible_tasks;
using namespace same_bits;

template <class Real>
void all_ways_give_the_same_bits(std::uint64_t first, int rounds) {
  auto const isas = local::available();
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    Random random(seed);
    Task const task = task_of(random);
    auto const whole = computed<Real>(task, alone(task), MPI_COMM_SELF, seed);
    std::string const words_alone = words;
    for (int const ranks : {random.between(1, ranks::count()), ranks::count()}) {
      Some const some(ranks);
      Way const way = random_way(random, task, ranks, isas);
      if (some.comm() == MPI_COMM_NULL) continue;
      auto const mine = computed<Real>(task, way, some.comm(), seed);
      EXPECT_EQ(differences(whole, mine), 0)
          << "seed " << seed << ": " << describe(task, way) << "\n"
          << words << "\nand alone\n"
          << words_alone;
    }
    set_environment(0, "");
    if (ranks::failed_anywhere()) return;
  }
}

TEST(Reproducible, operators_in_double_have_the_same_bits_in_all_ways) {
  all_ways_give_the_same_bits<double>(first_seed() + 1000000, ranks::rounds(150));
}

TEST(Reproducible, operators_in_single_have_the_same_bits_in_all_ways) {
  all_ways_give_the_same_bits<float>(first_seed() + 1500000, ranks::rounds(150));
}

/// The kernel of a solver in free space is even along each axis, unless it is shifted. It is made
/// by transforms, too.
TEST(Reproducible, solvers_in_free_space_have_the_same_bits_on_any_ranks) {
  auto const solved = [](MPI_Comm comm, Layout const& layout, std::vector<double> const& shift) {
    OpenPoissonOptions options;
    options.reproducible = Bits::machine;
    options.shift = shift;
    OpenPoisson<double> open(layout, comm, options);
    int const rank = ranks::rank_in(comm);
    std::vector<double> const in = part_of<double>(layout, rank, 1, 3, layout.local_size(rank) + 1);
    std::vector<double> out(in.size());
    open.solve(in.data(), out.data());
    std::vector<std::optional<double>> result(at(oracle::points_of(layout.shape())));
    for_each_real(layout, rank, 1,
                  [&](Index place, Index number) { result[at(number)] = out[at(place)]; });
    return result;
  };
  using Shift = std::vector<double>;
  for (Shape const& shape : {Shape{12, 10, 9}, Shape{7, 15, 5}, Shape{4, 1, 31}})
    for (Shift const& shift : {Shift{}, Shift{.5, 0, -1.25}}) {
      auto const whole = solved(MPI_COMM_SELF, Layout::slab(shape, 1), shift);
      for (int axis = 0; axis < 3; ++axis) {
        auto const mine = solved(MPI_COMM_WORLD, Layout::slab(shape, ranks::count(), axis), shift);
        EXPECT_EQ(differences(whole, mine), 0)
            << "shape " << to_string(shape) << ", slabs along " << axis << ", "
            << (shift.empty() ? "not shifted" : "shifted");
      }
    }
}

}  // namespace
}  // namespace sixstep
