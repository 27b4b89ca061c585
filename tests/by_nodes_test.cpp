// SPDX-License-Identifier: BSD-3-Clause
// Exchanges among nodes of one rank, two and three, in one hop and in two: the strategy with any
// blocks, and plans.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <map>
#include <string>
#include <vector>

#include "cases.hpp"
#include "exchange/strategy.hpp"
#include "nodes_of.hpp"
#include "ranks.hpp"
#include "redistribution/by_nodes.hpp"
#include "runtime/node.hpp"
#include "sixstep/plan.hpp"
#include "transforms.hpp"
#include "views.hpp"

namespace sixstep::redistribution {
namespace {

using cases::Random;
using oracle::at;
using transforms::all;
using transforms::Case;
using transforms::expect_transforms;
using transforms::mine;

using Complex = std::complex<double>;

/// Memory of the nodes that there are, and an exchange in it.
class Exchanged {
 public:
  Exchanged(Ends const& ends, Network const& network, Index count_limit)
      : ends_(ends), world_(mpi::Communicator::duplicate(MPI_COMM_WORLD)), node_(world_) {
    Nodes const nodes{node_.node_of(), node_.place_of(), network};
    Order order;
    for (int axis = 0; axis < ends.from.view.shape.size(); ++axis) order.push_back(axis);
    moves_ = by_nodes(ends, mine(), order, nodes, sizeof(Complex));
    Index elements = moves_.send.size;
    MPI_Allreduce(MPI_IN_PLACE, &elements, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    memory_.emplace(node_, at(elements + skipped) * sizeof(Complex));
    strategy_ = exchange::make_by_nodes(
        *memory_, {world_.get(), MPI_C_DOUBLE_COMPLEX, moves_.hops, {}, 0, count_limit});
  }

  std::size_t hops() const { return moves_.hops.size(); }

  /// Every element is its working number, and the round.
  void run(double round) {
    for (auto const& [number, place] : places(moves_.send.packed))
      *place = {static_cast<double>(number), round};
    strategy_->run(buffer(), buffer());
    std::map<Index, Index> const wanted = views::offsets(ends_.to, mine());
    std::map<Index, Complex*> const got = places(moves_.receive.packed);
    EXPECT_EQ(got.size(), wanted.size());
    for (auto const& [number, place] : got) {
      EXPECT_EQ(wanted.count(number), 1u);
      EXPECT_EQ(*place, Complex(static_cast<double>(number), round));
    }
    memory_->arrive();  // the others have read, too
    memory_->wait();
  }

 private:
  static constexpr Index skipped = 3;  // the buffer is not where the segment begins

  Complex* buffer() const { return reinterpret_cast<Complex*>(memory_->segment()) + skipped; }

  std::map<Index, Complex*> places(layout::Pieces const& packed) const {
    std::map<Index, Complex*> found;
    auto const distance = static_cast<Index>(memory_->segment_bytes() / sizeof(Complex));
    for (layout::Piece const& piece : packed) {
      bool twice = false;
      for (auto const& [number, offset] : views::offsets(ends_.from.view.shape, {piece}, twice))
        found[number] = buffer() + piece.segment * distance + offset;
    }
    return found;
  }

  Ends ends_;
  mpi::Communicator world_;
  Node node_;
  RankMessages moves_;
  std::optional<NodeMemory> memory_;
  std::unique_ptr<exchange::Strategy> strategy_;
};

/// Latency alone costs; bytes alone do.
constexpr Network latency_only{1, 1e30}, bytes_only{0, 1};

TEST(by_nodes, delivers_every_element_in_any_hops) {
  Random random(1);
  std::map<std::size_t, int> times;
  for (int per_node : {1, 2, 3}) {
    NodesOf const nodes(per_node);
    for (int round = 0; round < 12; ++round) {
      views::Pair const pair = views::random_views(random, random.between(1, 3), 200);
      Ends const ends{{cases::random_layout(random, pair.shape, all()), pair.first},
                      {cases::random_layout(random, pair.shape, all()), pair.second}};
      Index const limit = random.once_in(2) ? mpi::largest_count : random.between(1, 7);
      Exchanged exchange(ends, random.once_in(3) ? bytes_only : latency_only, limit);
      ++times[exchange.hops()];
      for (double again : {0.0, 1.0, 2.0}) exchange.run(again);
      ASSERT_FALSE(ranks::failed_anywhere())
          << "from " << views::describe(ends.from) << "\nto " << views::describe(ends.to);
    }
  }
  if (all() > 3) {
    EXPECT_GT(ranks::largest(times[2]), 0) << "never two hops";
  }
}

TEST(plans, of_small_arrays_go_in_two_hops_where_nodes_are_many) {
  Layout const pencil = Layout::pencil({12, 10, 8}, all());
  for (int per_node : {1, 2}) {
    NodesOf const nodes(per_node);
    Plan<double> plan(Layout::slab({32, 30}, all()), MPI_COMM_WORLD, {.threads = 1});
    // Two messages in turn instead of three or more, where a node has but one rank to carry them.
    // Four nodes of two ranks send three messages in two turns.
    int const there_are = (all() + per_node - 1) / per_node;
    bool const one_carries = per_node == 1 || all() % 2 == 1;
    bool const in_two = plan.describe().find("in two hops") != std::string::npos;
    EXPECT_EQ(in_two, there_are > 3 && one_carries) << plan.describe();
    expect_transforms<double>({.input = pencil});
    expect_transforms<double>({.input = pencil, .output = pencil});
    expect_transforms<float>(
        {.input = Layout::slab({9, 8, 7}, all()), .output = Layout::slab({9, 8, 7}, all())});
  }
}

TEST(plans, of_any_layouts_go_among_nodes) {
  Random random(2);
  for (int per_node : {1, 2}) {
    NodesOf const nodes(per_node);
    for (int round = 0; round < ranks::rounds(12) && !ranks::failed_anywhere(); ++round) {
      SCOPED_TRACE(testing::Message() << per_node << " ranks a node, round " << round);
      expect_transforms<double>(transforms::random_case(random, random.between(1, 4), 300));
    }
  }
}

}  // namespace
}  // namespace sixstep::redistribution
