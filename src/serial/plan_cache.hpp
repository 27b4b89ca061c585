// SPDX-License-Identifier: BSD-3-Clause
// Serial plans that are kept for all threads of a process, bounded in bytes.
//
// The plan that has been unused for the longest time is dropped first; executions that still run
// with it end before it is freed. The plan that was used last is kept whatever its size, unless the
// bound is 0.
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

/// The key of a plan: everything that it is made from.
struct PlanKey {
  std::vector<Index> shape;
  std::vector<int> axes;
  std::vector<Kind> kinds;
  int threads;
  bool is_single;
  Bits bits = Bits::none;

  auto operator<=>(PlanKey const&) const = default;
};

class PlanCache {
 public:
  /// The record of a plan, whether it is kept at the moment or not.
  class Entry;

  explicit PlanCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// The entry for this key. Equal keys have the same entry as long as anybody holds it.
  std::shared_ptr<Entry> entry(PlanKey const& key);
  /// The plan of an entry; null if it is not kept.
  std::shared_ptr<AnyPlan const> kept(std::shared_ptr<Entry> const& entry);
  /// The plan of an entry, which is made if it is not kept. Throws the errors of a plan.
  std::shared_ptr<AnyPlan const> plan(std::shared_ptr<Entry> const& entry);

  /// The bound, and the bytes and the number of the plans that are kept.
  std::size_t most_bytes() const;
  std::size_t bytes() const;
  std::size_t plans() const;
  /// 0: no plan is kept.
  void set_most_bytes(std::size_t most_bytes);

 private:
  using Plans = std::vector<std::shared_ptr<AnyPlan const>>;

  void drop(std::size_t fewest, Plans& dropped);

  // One mutex guards everything below, and all entries.
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::list<std::shared_ptr<Entry>> kept_;  // the last used first
  std::map<PlanKey, std::weak_ptr<Entry>> entries_;
  std::size_t check_at_ = 64;  // number of entries at which expired ones are erased
};

}  // namespace sixstep::serial
