// SPDX-License-Identifier: BSD-3-Clause
// The form of shortened messages: which format is taken, where all bits stay, numbers that are
// none, and what is refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "nodes_of.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/plan.hpp"
#include "wire_cases.hpp"

namespace sixstep {
namespace {

using namespace wire_cases;
using oracle::at;

/// The text behind `word` up to the end of its line.
std::string line_of(std::string const& text, std::string const& word) {
  auto const begin = text.find(word);
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

TEST(wire, the_shortest_format_is_taken) {
  if (all() == 1) return;
  NodesOf const nodes(1);
  struct Wanted {
    double tolerance;
    char const* words;
  };
  for (auto const& [tolerance, words] :
       {Wanted{1e-4, "2 bytes a real, a scale for 32"},
        Wanted{1e-6, "3 bytes a real, a scale for 64"}, Wanted{3e-9, "4 bytes a real"},
        Wanted{1e-12, "6 bytes a real"}, Wanted{1e-15, "messages carry all bits"}}) {
    Problem const slab{.input = Layout::slab({64, 64, 64}, all()),
                       .options = {.exchange = Exchange::pairwise, .threads = 1}};
    Plan<double> plan = plan_of<double>(slab, tolerance);
    EXPECT_NE(line_of(plan.describe(), "wire ").find(words), std::string::npos) << plan.describe();
    auto const in = filled<std::complex<double>>(plan.input(), plan.input_size(), Sizes::alike, 1);
    std::vector<std::complex<double>> out(at(plan.output_size()));
    EXPECT_EQ(plan.wire_error(), 0);
    plan.forward(in.data(), out.data());
    double const error = plan.wire_error();
    EXPECT_LT(error, tolerance);
    EXPECT_TRUE(tolerance < 1e-14 || error > tolerance / 1000) << error;
  }
}

TEST(wire, messages_on_a_node_keep_all_bits) {
  NodesOf const nodes(all());
  Problem const slab{.input = Layout::slab({12, 10, 8}, all()), .options = {.threads = 1}};
  for (Exchange exchange : {Exchange::shared, Exchange::pairwise}) {
    Problem given = slab;
    given.options.exchange = exchange;
    Plan<double> plan = plan_of<double>(given, 1e-3), exact = plan_of<double>(given, 0);
    EXPECT_EQ(line_of(plan.describe(), "wire "), "wire      messages carry all bits");
    auto const in = filled<std::complex<double>>(plan.input(), plan.input_size(), Sizes::alike, 1);
    std::vector<std::complex<double>> out(at(plan.output_size())), expected(out.size());
    plan.forward(in.data(), out.data());
    exact.forward(in.data(), expected.data());
    EXPECT_EQ(out, expected);
    EXPECT_EQ(plan.wire_error(), 0);
  }
}

/// Messages of nodes of two ranks, or of many nodes in two hops.
TEST(wire, gathered_messages_are_shortened) {
  for (int node_ranks : {1, 2}) {
    NodesOf const nodes(node_ranks);
    Problem const slab{.input = Layout::slab({21, 14, 12}, all()),
                       .output = Layout::slab({21, 14, 12}, all(), 1),
                       .options = {.threads = 1}};
    for (double tolerance : {1e-3, 1e-6, 1e-11}) {
      Plan<double> const plan = plan_of<double>(slab, tolerance);
      bool const is_gathered = plan.describe().find("from the node") != std::string::npos;
      EXPECT_TRUE(is_gathered || all() <= 2 || node_ranks == 1);
      if (!is_gathered) continue;
      EXPECT_NE(plan.describe().find("bytes a real"), std::string::npos) << plan.describe();
      expect_complex<double>(slab, tolerance, 5);
    }
  }
}

TEST(wire, infinities_and_nans_arrive) {
  NodesOf const nodes(1);
  Shape const shape{14, 12, 10};
  Layout const from = Layout::slab(shape, all()), to = Layout::slab(shape, all(), 2);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (double tolerance : {1e-3, 1e-6, 1e-8, 1e-12}) {
    Plan<double> plan(from, to, MPI_COMM_WORLD,
                      {.transform = false, .wire = {.tolerance = tolerance}});
    auto in = filled<std::complex<double>>(from, plan.input_size(), Sizes::alike, 3);
    auto const special = [&](Shape const& point) {
      Index const number = oracle::number_of(shape, point) % 97;
      return number == 5 ? infinity : number == 6 ? -infinity : number == 7 ? std::nan("") : 0;
    };
    oracle::for_each_element(from, ranks::rank(), [&](Shape const& point, Index offset) {
      if (special(point) != 0) in[at(offset)].imag(special(point));
    });
    std::vector<std::complex<double>> out(at(plan.output_size()));
    plan.forward(in.data(), out.data());
    oracle::for_each_element(to, ranks::rank(), [&](Shape const& point, Index offset) {
      double const wanted = special(point), given = out[at(offset)].imag();
      if (std::isnan(wanted))
        EXPECT_TRUE(std::isnan(given));
      else if (wanted != 0)
        EXPECT_EQ(given, wanted);
      else
        EXPECT_TRUE(std::isfinite(given));
      EXPECT_TRUE(std::isfinite(out[at(offset)].real()));
    });
    EXPECT_LT(plan.wire_error(), tolerance);
  }
}

TEST(wire, fields_are_shortened_together) {
  NodesOf const nodes(1);
  for (bool interleaved : {false, true}) {
    Options const options{.fields = 3, .interleaved = interleaved, .wire = {.tolerance = 1e-5}};
    Options exactly = options;
    exactly.wire = {};
    Layout const layout = Layout::slab({9, 8, 10}, all());
    Plan<double> plan(layout, MPI_COMM_WORLD, options), exact(layout, MPI_COMM_WORLD, exactly);
    std::vector<std::complex<double>> in(at(plan.input_size())), out(at(plan.output_size()));
    for (std::size_t i = 0; i < in.size(); ++i)
      in[i] = {number_at<double>(static_cast<Index>(i), ranks::rank(), Sizes::alike, 1), 1.0};
    std::vector<std::complex<double>> expected(out.size());
    plan.forward(in.data(), out.data());
    exact.forward(in.data(), expected.data());
    Norms norms;
    for (std::size_t i = 0; i < out.size(); ++i) norms.add(out[i], expected[i]);
    expect_error_within(norms.relative(), plan, 1e-5);
  }
}

TEST(wire, what_cannot_be_shortened_is_refused) {
  Layout const layout = Layout::slab({8, 8, 8}, all());
  Options const shortened{.wire = {.tolerance = 1e-5}};
  auto const with = [&](auto const& change) {
    Options options = shortened;
    change(options);
    return options;
  };
  auto const planned = [&](Options const& options) {
    return [&, options] { Plan<double>(layout, MPI_COMM_WORLD, options); };
  };
  for (double tolerance : {-1e-5, 1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(refuses("wire", {"tolerance"},
                        planned(with([&](Options& o) { o.wire.tolerance = tolerance; }))));
  EXPECT_TRUE(refuses("wire", {"modes"}, planned(with([](Options& o) { o.modes = {4, 8, 8}; }))));
  EXPECT_TRUE(refuses("wire", {"lengths"}, planned(with([](Options& o) {
                        o.lengths = {8, 8, 16};
                      }))));
  EXPECT_TRUE(refuses("wire", {"sphere"}, planned(with([](Options& o) { o.sphere = {3}; }))));
  EXPECT_TRUE(
      refuses("wire", {"host"}, planned(with([](Options& o) { o.device = Device::emulated; }))));
  OperatorOptions of_operator;
  of_operator.wire.tolerance = 1e-5;
  EXPECT_TRUE(refuses("wire", {"operators"}, [&] {
    Operator<double>(layout, MPI_COMM_WORLD, Symbol([](PerAxis<double> const&) { return 1.0; }),
                     of_operator);
  }));
  Options unlike = shortened;
  unlike.wire.tolerance = ranks::rank() == 0 ? 1e-5 : 1e-6;
  EXPECT_TRUE(all() == 1 || refuses("wire", {}, planned(unlike)));
}

}  // namespace
}  // namespace sixstep
