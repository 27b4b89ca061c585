// SPDX-License-Identifier: BSD-3-Clause
// Flips bits in executions that are verified.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runners/composition_runner.hpp"
#include "sweep/tally.hpp"

namespace sixstep::verified {

/// Flips bits of elements: of what a step reads after another one has written it, or of what it has
/// computed, before that is written. It is a random bit in the rows of one call on this rank, in
/// each of so many executions.
class Meddler {
 public:
  /// Elements take so many bytes, or more.
  Meddler(runners::CompositionRunner& runner, sweep::End where, Index element_bytes = 4)
      : runner_(runner), element_bytes_(element_bytes) {
    runner.before_adding(
        [this, where](sweep::End end, void const* begin, local::WeightedRows const& rows) {
          if (end == where) meddle(const_cast<void*>(begin), rows);
        });
  }
  ~Meddler() { runner_.before_adding(nullptr); }

  /// The calls since the last time.
  long calls() { return calls_.exchange(0); }
  void flip_at(long call, int executions, std::uint64_t random) {
    at_ = call;
    executions_ = executions;
    random_ = random;
  }
  void set_round(long calls) { a_round_ = std::max(calls, 1L); }
  /// Changes nothing in this array, the caller's, from now on.
  void spare(std::span<std::byte const> array) { spared_ = array; }

 private:
  void meddle(void* begin, local::WeightedRows const& rows) {
    auto const* const at = static_cast<std::byte const*>(begin);
    if (at >= spared_.data() && at < spared_.data() + spared_.size()) return;
    long const call = calls_++;
    if (at_ < 0 || executions_ == 0 || call % a_round_ != at_) return;
    --executions_;
    Index const row = static_cast<Index>(random_ % static_cast<std::uint64_t>(rows.rows));
    auto* const place = static_cast<unsigned char*>(begin) + row * rows.row_bytes;
    auto const bits = static_cast<std::uint64_t>(rows.elements * element_bytes_ * 8);
    std::uint64_t const bit = random_ / 64 % bits;
    place[bit / 8] = static_cast<unsigned char>(place[bit / 8] ^ (1u << (bit % 8)));
  }

  runners::CompositionRunner& runner_;
  Index element_bytes_;
  std::atomic<long> calls_ = 0;
  long at_ = -1, a_round_ = 1;  // calls of an execution
  std::atomic<int> executions_ = 0;
  std::uint64_t random_ = 0;
  std::span<std::byte const> spared_;
};

}  // namespace sixstep::verified
