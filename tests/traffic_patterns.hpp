// SPDX-License-Identifier: BSD-3-Clause
// Random traffic between random windows: one rank's part of it, its buffers, and what an exchange
// must keep to all the while.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cases.hpp"
#include "exchange/strategy.hpp"
#include "ranks.hpp"

namespace sixstep::exchange {

using cases::Random;
using Complex = std::complex<double>;

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// How far behind its message's place the i-th element lies.
inline Index place_in(Rows const& rows, Index i) {
  if (rows.empty()) return i;
  Index found = 0;
  for (std::size_t row = rows.size(); row-- > 0; i /= rows[row].count)
    found += i % rows[row].count * rows[row].stride;
  return found;
}

/// A message as both of its ends know it.
struct Link {
  int sender, receiver;
  int before, behind;
  Index count;
  Rows sent, received;
  redistribution::Windows after;  // of the receiver
};

/// Who sends how much to whom, from which windows to which: the same on all ranks.
struct Pattern {
  int before = 1, behind = 1;
  int vacating = 0;  // windows of the step that leaves the receivers' buffers
  std::vector<Link> links = {};
};

/// Axes of so many counts, fastest first, with gaps or without; joined where there are none.
inline Rows random_rows(Random& random, std::vector<Index> const& counts) {
  Rows rows;
  Index span = 1;  // of what the rows so far hold
  for (Index count : counts) {
    bool const is_dense = random.once_in(2);
    Row const row{count, is_dense ? span : span + random.between(0, 2)};
    if (!rows.empty() && row.stride == rows.front().count * rows.front().stride)
      rows.front().count *= count;
    else if (count > 1)
      rows.insert(rows.begin(), row);
    span = row.count * row.stride;
  }
  return rows;
}

/// Ends that need not lie one element behind the other.
inline void lay_out(Link& link, Random& random) {
  std::vector<Index> counts;
  for (int left = random.between(1, 3); left > 0; --left)
    counts.push_back(random.between(Index{1}, Index{4}));
  link.count = 1;
  for (Index count : counts) link.count *= count;
  if (random.once_in(2)) link.sent = random_rows(random, counts);
  if (random.once_in(2)) link.received = random_rows(random, counts);
}

/// Some ranks send nothing or receive nothing, most have something for themselves.
inline Pattern random_pattern(Random& random, int ranks, int most_windows_of_a_side = 4) {
  Pattern pattern{random.between(1, most_windows_of_a_side),
                  random.between(1, most_windows_of_a_side), random.between(0, 4)};
  int const mute = random.between(0, 2 * ranks), deaf = random.between(0, 2 * ranks);
  for (int sender = 0; sender < ranks; ++sender)
    for (int receiver = 0; receiver < ranks; ++receiver)
      for (int before = 0; before < pattern.before; ++before)
        for (int behind = 0; behind < pattern.behind; ++behind) {
          if (sender == mute || receiver == deaf || random.once_in(4)) continue;
          Index const count = random.between(Index{1}, Index{20});
          Link link{sender, receiver, before, behind, count, {}, {}, 0};
          if (random.once_in(2)) lay_out(link, random);
          for (int window = 0; window < pattern.vacating; ++window)
            if (random.once_in(3)) link.after |= redistribution::bit(window);
          pattern.links.push_back(link);
        }
  return pattern;
}

/// A message of one rank, and its place in the buffer.
struct End {
  Link link;
  Index offset;
  Rows rows;

  Index place(Index i) const { return offset + place_in(rows, i); }
  Index end() const { return place(link.count - 1) + 1; }
};

/// One rank's part of a pattern with its buffers. What no message has written is `untouched`, what
/// no window has packed is `unpacked`.
template <class Value>
class Part {
 public:
  static constexpr Value untouched{-1, -1}, unpacked{-2, -2};

  Part(Pattern const& pattern, MPI_Comm comm, MPI_Datatype element) {
    int const rank = ranks::rank_in(comm);
    traffic = {.comm = comm, .element = element, .sends = {}, .receives = {}};
    traffic.cuts = {{.axis = 0, .windows = pattern.before}, {.axis = 0, .windows = pattern.behind}};
    for (Link const& link : pattern.links) {
      if (link.sender == rank) {
        sends_.push_back({link, static_cast<Index>(send.size()), link.sent});
        traffic.sends.push_back(
            {link.receiver, sends_.back().offset, link.count, link.before, link.behind, link.sent});
        send.resize(at(sends_.back().end()) + 1, unpacked);
      }
      if (link.receiver == rank) {
        receives_.push_back({link, static_cast<Index>(receive.size()), link.received});
        traffic.receives.push_back({link.sender, receives_.back().offset, link.count, link.before,
                                    link.behind, link.received, link.after});
        receive.resize(at(receives_.back().end()) + 1);
      }
    }
    begin(0);
  }

  /// Other data in each round.
  void begin(int round) {
    round_ = round;
    packed_ = vacated_ = 0;
    std::fill(send.begin(), send.end(), unpacked);
    std::fill(receive.begin(), receive.end(), untouched);
  }

  redistribution::Windows pack(int window) {
    packed_ |= redistribution::bit(window);
    for (End const& end : sends_)
      if (end.link.before == window)
        for (Index i = 0; i < end.link.count; ++i) send[at(end.place(i))] = value(end.link, i);
    return redistribution::bit(window);
  }
  redistribution::Windows pack_all() {
    for (int window = 0; window < traffic.cuts.before.windows; ++window) pack(window);
    return all_windows;
  }
  void vacate(int window) { vacated_ |= redistribution::bit(window); }

  /// What has been sent may be written over.
  void overwrite(redistribution::Windows sent) {
    for (End const& end : sends_)
      if ((redistribution::bit(end.link.behind) & sent) != 0)
        for (Index i = 0; i < end.link.count; ++i) send[at(end.place(i))] = unpacked;
  }

  /// Whether nothing is where something must not have come yet.
  bool keeps_places() const {
    return std::all_of(receives_.begin(), receives_.end(), [&](End const& end) {
      return (end.link.after & ~vacated_) == 0 || holds(end, [](Index) { return untouched; });
    });
  }
  /// Whether all that should have come to these windows has.
  bool has(redistribution::Windows windows) const {
    return std::all_of(receives_.begin(), receives_.end(), [&](End const& end) {
      return (redistribution::bit(end.link.behind) & windows) == 0 ||
             holds(end, [&](Index i) { return value(end.link, i); });
    });
  }
  /// The same, and that nothing has come anywhere else.
  bool has_all() const {
    std::vector<Value> expected(receive.size(), untouched);
    for (End const& end : receives_)
      for (Index i = 0; i < end.link.count; ++i) expected[at(end.place(i))] = value(end.link, i);
    return receive == expected;
  }

  /// Receivers' windows for which something is not packed yet.
  redistribution::Windows not_packed() const {
    redistribution::Windows found = 0;
    for (End const& end : sends_)
      if ((redistribution::bit(end.link.before) & ~packed_) != 0)
        found |= redistribution::bit(end.link.behind);
    return found;
  }
  /// Windows to which something comes whose place is not free yet.
  redistribution::Windows not_vacated() const {
    redistribution::Windows found = 0;
    for (End const& end : receives_)
      if ((end.link.after & ~vacated_) != 0) found |= redistribution::bit(end.link.behind);
    return found;
  }

  Traffic traffic;
  std::vector<Value> send, receive;

 private:
  using Real = typename Value::value_type;

  Value value(Link const& link, Index i) const {
    int const windows = link.before * 64 + link.behind;
    return {static_cast<Real>((link.sender * 16 + link.receiver) * 16 + round_),
            static_cast<Real>(windows * 1000 + static_cast<int>(i))};
  }

  template <class Expected>
  bool holds(End const& end, Expected const& expected) const {
    for (Index i = 0; i < end.link.count; ++i)
      if (receive[at(end.place(i))] != expected(i)) return false;
    return true;
  }

  std::vector<End> sends_, receives_;
  int round_ = 0;
  redistribution::Windows packed_ = 0, vacated_ = 0;
};

using DoublePart = Part<Complex>;

inline DoublePart part_of(Pattern const& pattern, MPI_Comm comm = MPI_COMM_WORLD) {
  DoublePart part{pattern, comm, MPI_C_DOUBLE_COMPLEX};
  part.traffic.into_rows = std::any_of(pattern.links.begin(), pattern.links.end(),
                                       [](Link const& link) { return !link.received.empty(); });
  return part;
}

/// An exchange that is allowed little by little, in an order of this rank's own, and what must hold
/// all the while.
class Gradual {
 public:
  Gradual(Strategy& exchange, DoublePart& part, Pattern const& pattern, std::uint64_t seed)
      : exchange_(exchange),
        part_(part),
        random_(seed * 1000 + static_cast<std::uint64_t>(ranks::rank())) {
    for (int window = 0; window < pattern.before; ++window) left_.push_back({true, window});
    for (int window = 0; window < pattern.vacating; ++window) left_.push_back({false, window});
    random_.shuffle(left_);
    exchange_.begin(part_.send.data(), part_.receive.data());
    EXPECT_FALSE(exchange_.sending());
    look();
  }

  bool is_allowed() const { return left_.empty(); }

  /// Allows one window more or several, or only looks.
  void step() {
    redistribution::Windows packed = 0, vacated = 0;
    for (int more = random_.between(0, 2); more > 0 && !left_.empty(); --more) {
      auto const [packs, window] = left_.back();
      left_.pop_back();
      if (packs) {
        packed |= part_.pack(window);
      } else {
        part_.vacate(window);
        vacated |= redistribution::bit(window);
      }
    }
    exchange_.allow(packed, vacated);
    look();
    if (random_.once_in(2)) exchange_.progress();
    look();
  }

  /// Ends what has been allowed, by progress() alone or by finish(), as the ranks choose.
  void end() {
    while (!is_allowed()) step();
    if (random_.once_in(2)) {
      while ((exchange_.arrived() & exchange_.sent()) != all_windows) {
        EXPECT_TRUE(exchange_.sending() || exchange_.sent() == all_windows);
        exchange_.progress();
        look();
      }
    }
    exchange_.finish();
    look();
    EXPECT_EQ(exchange_.arrived(), all_windows);
    EXPECT_EQ(exchange_.sent(), all_windows);
    EXPECT_FALSE(exchange_.sending());
    EXPECT_TRUE(part_.has_all());
  }

 private:
  void look() {
    EXPECT_TRUE(part_.keeps_places());
    redistribution::Windows const arrived = exchange_.arrived(), sent = exchange_.sent();
    EXPECT_EQ(arrived & part_.not_vacated(), redistribution::Windows{0});
    EXPECT_EQ(sent & part_.not_packed(), redistribution::Windows{0});
    EXPECT_TRUE(part_.has(arrived));
    part_.overwrite(sent);
  }

  Strategy& exchange_;
  DoublePart& part_;
  Random random_;
  std::vector<std::pair<bool, int>> left_;  // whether a window is to be packed, and which
};

}  // namespace sixstep::exchange
