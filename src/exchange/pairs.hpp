// SPDX-License-Identifier: BSD-3-Clause
// Parts of all strategies with a message per pair: what is left to do for each window, and the
// messages of a rank to itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "exchange/strategy.hpp"

namespace sixstep::exchange {

/// The number of messages that are left to do for each window.
class Remaining {
 public:
  void add(int window) { ++planned_[static_cast<std::size_t>(window)]; }
  void begin() {
    left_ = planned_;
    done_ = 0;
    for (int window = 0; window < redistribution::most_windows; ++window)
      if (left_[static_cast<std::size_t>(window)] == 0) done_ |= redistribution::bit(window);
  }
  void end_one(int window) {
    if (--left_[static_cast<std::size_t>(window)] == 0) done_ |= redistribution::bit(window);
  }
  redistribution::Windows done() const { return done_; }

 private:
  std::array<int, redistribution::most_windows> planned_{};
  std::array<int, redistribution::most_windows> left_{};
  redistribution::Windows done_ = all_windows;
};

/// The peers of messages that have not come or gone, by window.
struct Late {
  std::vector<std::vector<int>> from = std::vector<std::vector<int>>(redistribution::most_windows);
  std::vector<std::vector<int>> to = from;

  void add(bool is_sent, int window, int peer) {
    (is_sent ? to : from)[static_cast<std::size_t>(window)].push_back(peer);
  }
  /// Names the peers of the first window that lacks something; empty if none does.
  std::string in_words(Names const& names, int windows) const {
    for (std::size_t window = 0; window < redistribution::most_windows; ++window)
      if (!from[window].empty() || !to[window].empty())
        return messages_missing(names.of_window(window, static_cast<std::size_t>(windows)), names,
                                from[window], to[window]);
    return {};
  }
};

/// Rows that lie in one way at one end of a copy, and in another at the other.
struct RowPair {
  std::int64_t count;
  std::int64_t from_stride;
  std::int64_t to_stride;
};

/// The rows of a message that lies as `from` at one end and as `to` at the other: slowest first, as
/// few as possible.
inline std::vector<RowPair> row_pairs(redistribution::Message const& from,
                                      redistribution::Message const& to) {
  auto const rows_of = [](redistribution::Message const& message) {
    return message.rows.empty() ? Rows{{message.count, 1}} : message.rows;
  };
  Rows sent = rows_of(from), received = rows_of(to);
  std::vector<RowPair> found;
  // Both ends have the same axes, but one end may have joined some. Take the fastest that both
  // have, then the rest.
  while (!sent.empty()) {
    Row &a = sent.back(), &b = received.back();
    std::int64_t const count = std::min(a.count, b.count);
    found.insert(found.begin(), {count, a.stride, b.stride});
    auto const take = [count](Rows& rows) {
      Row& row = rows.back();
      row = {row.count / count, row.stride * count};
      if (row.count == 1) rows.pop_back();
    };
    take(sent);
    take(received);
  }
  return found;
}

inline void copy_rows(std::byte* to, std::byte const* from, std::int64_t bytes,
                      std::span<RowPair const> rows) {
  if (rows.empty()) return;
  RowPair const& row = rows.front();
  if (rows.size() == 1 && row.from_stride == 1 && row.to_stride == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(row.count * bytes));
    return;
  }
  for (std::int64_t i = 0; i < row.count; ++i) {
    std::byte* const target = to + i * row.to_stride * bytes;
    std::byte const* const source = from + i * row.from_stride * bytes;
    if (rows.size() > 1)
      copy_rows(target, source, bytes, rows.subspan(1));
    else
      std::memcpy(target, source, static_cast<std::size_t>(bytes));
  }
}

/// The messages of a rank to itself, which are copied.
class Copies {
 public:
  Copies() = default;
  /// Both ends list the same messages in the same order.
  Copies(Traffic const& traffic, int rank, std::size_t bytes, Remaining& to_send,
         Remaining& to_arrive)
      : bytes_(bytes) {
    auto from = traffic.sends.begin();
    for (redistribution::Message const& to : traffic.receives) {
      if (to.rank != rank) continue;
      from = std::find_if(from, traffic.sends.end(), [&](redistribution::Message const& message) {
        return message.rank == rank;
      });
      to_send.add(from->behind);
      to_arrive.add(to.behind);
      copies_.push_back({*from, to, row_pairs(*from, to)});
      ++from;
    }
    copied_.resize(copies_.size());
  }

  void begin() { copied_.assign(copies_.size(), false); }

  /// Makes the copies that these windows allow.
  void run(std::byte const* send, std::byte* receive, redistribution::Windows packed,
           redistribution::Windows vacated, Remaining& to_send, Remaining& to_arrive) {
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      auto const& [from, to, rows] = copies_[i];
      bool const may_copy = (redistribution::bit(from.before) & packed) != 0 &&
                            (to.after & ~vacated) == 0 && !copied_[i];
      if (!may_copy) continue;
      copied_[i] = true;
      copy_rows(receive + at(to.offset), send + at(from.offset), static_cast<std::int64_t>(bytes_),
                rows);
      to_send.end_one(from.behind);
      to_arrive.end_one(to.behind);
    }
  }

 private:
  struct Copy {
    redistribution::Message from;
    redistribution::Message to;
    std::vector<RowPair> rows;
  };

  std::size_t at(Index elements) const { return static_cast<std::size_t>(elements) * bytes_; }

  std::size_t bytes_ = 0;
  std::vector<Copy> copies_;
  std::vector<bool> copied_;
};

}  // namespace sixstep::exchange
