// SPDX-License-Identifier: BSD-3-Clause
// Global arrays: what does not fit, or differs between ranks, is one error on all ranks.
#include "sixstep/array.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "array_cases.hpp"
#include "ranks.hpp"
#include "refuses.hpp"

namespace sixstep {
namespace {

using namespace array_cases;

TEST(array, refuses_what_does_not_fit) {
  Ranks const all(MPI_COMM_WORLD);
  Array<double> a(Shape{4, 6}, all), b(Shape{6, 4}, all), none;
  std::vector<std::string> const messages = {
      message_of([&] { a = b; }),
      message_of([&] { a = a + b; }),
      message_of([&] { a = transpose(a); }),
      message_of([&] { Array<double>(Layout::slab({4}, all.size() + 1), all); }),
      message_of([&] {
        Array<double>(Shape{4, 0}, all);
      }),
      message_of([&] { static_cast<void>(sum(none)); }),
      message_of([&] {
        static_cast<void>(a.at({4, 0}));
      }),
      message_of([&] {
        static_cast<void>(a.slice({{{0, 7}, {0, 6}}}));
      }),
      message_of([&] { static_cast<void>(a.gather(all.size())); }),
      message_of([&] { a.scatter(std::vector<double>(23)); }),
      message_of([&] {
        transpose(a, {0, 0});
      }),
      message_of([&] { rfft(a, 2); }),
      message_of([&] { irfft(as<Complex>(a), 9); }),
      message_of([&] { transform(a, Kind::r2c); }),
      message_of([&] { transform(Array<Complex>(Shape(8, 2), all), Kind::dct2); }),
      message_of([&] { update_ghosts(a, PerAxis<Boundary>{Boundary::open}); }),
      message_of([&] {
        Layout const cyclic = Layout::grid({9}, {all.size()}, {Distribution::cyclic});
        Array<double> c(cyclic.with_ghosts({1}, {1}), all);
        update_ghosts(c, Boundary::periodic);
        if (all.size() == 1) throw Error("cyclic");  // which is no cycle on one rank
      }),
      message_of([&] { static_cast<void>(fft(a).twiddled(2)); }),
      message_of([&] { Array const c(fft(a).twiddled(1)); }),
      message_of([&] { Array const c(fftn(a).twiddled(1)); })};
  std::vector<std::string> const needed = {"4 x 6",
                                           "4 x 6",
                                           "4 x 6",
                                           text("the ", all.size(), " ranks"),
                                           "4 x 0",
                                           "it is empty",
                                           "axis 0 are 0 to 3",
                                           "0 to 3",
                                           "root",
                                           "24 elements",
                                           "axes",
                                           "2 was given",
                                           "10 or 11",
                                           "r2c",
                                           "at most 7 axes",
                                           "2 are needed",
                                           "cyclic",
                                           "0 to 1",
                                           "not transformed",
                                           "a single c2c axis"};
  for (std::size_t i = 0; i < messages.size(); ++i)
    EXPECT_NE(messages[i].find(needed[i]), std::string::npos) << i << ": " << messages[i];
  EXPECT_FALSE(none);
}

/// What ranks do of which the last goes wrong, and a part of the message that all then get.
struct Mistake {
  char const* words;
  std::function<void(bool is_wrong)> action;
};

/// All ranks get the same message, and are in step afterwards.
void expect_all_refuse(std::vector<Mistake> const& mistakes, Array<double> const& a) {
  double const points = sum(map([](double) { return 1.0; }, a));
  for (Mistake const& mistake : mistakes) {
    std::string const message =
        message_of([&] { mistake.action(ranks::rank() == ranks::count() - 1); });
    EXPECT_NE(message.find(mistake.words), std::string::npos) << mistake.words << ": " << message;
    for (std::string const& other : ranks::gather(message)) EXPECT_EQ(other, message);
    EXPECT_EQ(sum(map([](double) { return 1.0; }, a)), points) << mistake.words;
  }
}

TEST(array, is_refused_on_every_rank_if_it_is_on_one) {
  Ranks const all(MPI_COMM_WORLD);
  int const size = all.size();
  Array<double> a(Shape{4, 6}, all), b(Shape{6, 4}, all), d(Layout::slab({4, 6}, size, 1), all);
  Array<Complex> c(Shape{4, 6}, all), half(Shape{4, 4}, all);
  std::vector<double> const elements(24);
  expect_all_refuse(
      {{"4 x 0",
        [&](bool is_wrong) {
          Array<double>(is_wrong ? Shape{4, 0} : Shape{4, 6}, all);
        }},
       {"-1",
        [&](bool is_wrong) {
          Array<double>(is_wrong ? Shape{4, -1} : Shape{4, 6}, all);
        }},
       {"layout: a layout for the",
        [&](bool is_wrong) { Array<double>(Layout::slab({4}, size + (is_wrong ? 1 : 0)), all); }},
       {"4 x 6 is needed", [&](bool is_wrong) { d = is_wrong ? transpose(a) : View(a); }},
       {"operands: ", [&](bool is_wrong) { Array const e(a + (is_wrong ? b : a)); }},
       {"axes",
        [&](bool is_wrong) {
          b = transpose(a, is_wrong ? Order{0, 0} : Order{1, 0});
        }},
       {"axes",
        [&](bool is_wrong) {
          c = transpose(fft(b), {1, is_wrong ? 1 : 0});
        }},
       {"axis 0 are 0 to 3",
        [&](bool is_wrong) {
          a.at({is_wrong ? 4 : 0, 0});
        }},
       {"point: 2 indices",
        [&](bool is_wrong) {
          a.at(is_wrong ? Shape{0} : Shape{0, 0});
        }},
       {"box: ",
        [&](bool is_wrong) {
          a.slice({{{0, is_wrong ? 7 : 4}, {0, 6}}});
        }},
       {"root: ", [&](bool is_wrong) { a.gather(is_wrong ? size : 0); }},
       {"root: ", [&](bool is_wrong) { a.scatter(elements, is_wrong ? -1 : 0); }},
       {"axes: ", [&](bool is_wrong) { c = fft(a, is_wrong ? 2 : 1); }},
       {"n: ", [&](bool is_wrong) { a = irfft(half, is_wrong ? 9 : 6); }},
       {"kind: ", [&](bool is_wrong) { a = transform(a, is_wrong ? Kind::r2c : Kind::dct2); }},
       {"axis: 0 to 1", [&](bool is_wrong) { c = fft(a, 0).twiddled(is_wrong ? 2 : 1); }},
       {"from: a rank", [&](bool is_wrong) { all.broadcast(nullptr, 0, is_wrong ? size : 0); }}},
      a);
}

TEST(array, has_arguments_that_are_the_same_on_all_ranks) {
  if (ranks::count() == 1) return;
  Ranks const all(MPI_COMM_WORLD);
  Array<double> a(Shape{4, 6}, all), b(Layout::slab({4, 6}, all.size(), 1), all);
  Array<Complex> c(Shape{4, 6}, all);
  Array<double> around(a.layout().with_ghosts({1, 1}, {1, 1}), all);
  // Both calls are kept already, so neither of them plans.
  for (int axis : {0, 1}) c = fft(a, axis);
  for (Boundary boundary : {Boundary::open, Boundary::periodic}) update_ghosts(around, boundary);
  std::vector<char> bytes(8 * static_cast<std::size_t>(all.size()));
  expect_all_refuse(
      {{"axes: all ranks", [&](bool is_wrong) { c = fft(a, is_wrong ? 1 : 0); }},
       {"kinds: all ranks",
        [&](bool is_wrong) { a = transform(a, is_wrong ? Kind::dct2 : Kind::dst2); }},
       {"twiddle: all ranks", [&](bool is_wrong) { c = fft(a, 0).twiddled(is_wrong ? 0 : 1); }},
       {"boundaries: all ranks must give the same; ['periodic', 'periodic'] was given on rank",
        [&](bool is_wrong) {
          update_ghosts(around, is_wrong ? Boundary::open : Boundary::periodic);
        }},
       {"boundaries: all ranks",
        [&](bool is_wrong) {
          update_ghosts(around, PerAxis<Boundary>(is_wrong ? 1 : 2, Boundary::open));
        }},
       {"at: all ranks",
        [&](bool is_wrong) {
          a.at({0, is_wrong ? 1 : 0});
        }},
       {"slice: all ranks",
        [&](bool is_wrong) {
          a.slice({{{0, 2}, {is_wrong ? 1 : 0, 6}}});
        }},
       {"gather: all ranks", [&](bool is_wrong) { a.gather(is_wrong ? 1 : 0); }},
       {"scatter: all ranks",
        [&](bool is_wrong) { a.scatter(std::vector<double>(24), is_wrong ? 1 : 0); }},
       {"to: all ranks",
        [&](bool is_wrong) {
          Layout const cyclic =
              Layout::grid({4, 6}, {all.size(), 1}, {Distribution::cyclic, Distribution::block});
          Array<double> blocks(Shape{4, 6}, all), others(cyclic, all);
          (is_wrong ? blocks : others) = b;
        }},
       {"layout: all ranks",
        [&](bool is_wrong) { Array<double>(is_wrong ? Shape{4} : Shape{5}, all); }},
       {"bytes of an element: all ranks",
        [&](bool is_wrong) {
          if (is_wrong)
            Array<float>(Shape{4}, all);
          else
            Array<double>(Shape{4}, all);
        }},
       {"call: all ranks must give the same; sum of reals was given on rank",
        [&](bool is_wrong) { is_wrong ? max(a) : sum(a); }},
       {"call: all ranks",
        [&](bool is_wrong) {
          is_wrong ? a.at({0, 0}) : sum(a);
        }},
       {"from: all ranks",
        [&](bool is_wrong) { all.broadcast(bytes.data(), 8, is_wrong ? 1 : 0); }},
       {"bytes: all ranks",
        [&](bool is_wrong) { all.gather_to_all(bytes.data(), bytes.data(), is_wrong ? 1 : 2); }}},
      a);
}

}  // namespace
}  // namespace sixstep
