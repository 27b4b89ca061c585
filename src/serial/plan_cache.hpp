// SPDX-License-Identifier: BSD-3-Clause
// Serial plans that are kept for all threads of a process, bounded in bytes.
//
// The plan that was not used for the longest time goes first; executions that still run with it end
// before it is freed. The plan that was used last is kept whatever its size, unless nothing is to
// be kept.
#pragma once

#include <compare>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "sixstep/serial.hpp"

namespace sixstep::serial {

/// A plan in either precision.
using AnyPlan = std::variant<SerialPlan<double>, SerialPlan<float>>;

/// What a plan is made of.
struct PlanKey {
  std::vector<Index> shape;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  int threads;
  bool is_single;

  auto operator<=>(PlanKey const&) const = default;
};

class PlanCache {
 public:
  /// What is to be known of a plan, whether it is kept at the moment or not.
  class Entry;

  explicit PlanCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The entry for this key; the same for equal keys as long as anybody has it.
  std::shared_ptr<Entry> entry(PlanKey const& key);
  /// Its plan; null if it is not kept.
  std::shared_ptr<AnyPlan const> kept(std::shared_ptr<Entry> const& entry);
  /// Its plan, made if it is not kept. Errors: those of a plan.
  std::shared_ptr<AnyPlan const> plan(std::shared_ptr<Entry> const& entry);

  /// The bound, and what the plans that are kept say that they take together.
  std::size_t most_bytes() const;
  std::size_t bytes() const;
  std::size_t plans() const;
  /// 0: no plan is kept.
  void set_most_bytes(std::size_t most_bytes);

 private:
  using Plans = std::vector<std::shared_ptr<AnyPlan const>>;

  void drop(std::size_t fewest, Plans& dropped);

  // All that follows, and all entries, are guarded by one mutex.
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::list<std::shared_ptr<Entry>> kept_;  // the last used first
  std::map<PlanKey, std::weak_ptr<Entry>> entries_;
  std::size_t check_at_ = 64;  // entries, of which some may be gone
};

}  // namespace sixstep::serial
