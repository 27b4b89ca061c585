// SPDX-License-Identifier: BSD-3-Clause
// Kept serial plans. Plans are made and freed without the lock.
#include "serial/plan_cache.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/fork.hpp"

namespace sixstep::serial {

class PlanCache::Entry {
 public:
  explicit Entry(PlanKey of) : key(std::move(of)) {}

  PlanKey const key;
  std::shared_ptr<AnyPlan const> plan = {};                // null: not kept
  std::list<std::shared_ptr<Entry>>::iterator place = {};  // among those that are kept
  std::size_t bytes = 0;
};

namespace {

template <class Real>
SerialPlan<Real> make(PlanKey const& key) {
  return SerialPlan<Real>(
      Shape(key.shape),
      {.axes = key.axes, .kinds = key.kinds, .threads = key.threads, .reproducible = key.bits});
}

std::shared_ptr<AnyPlan const> make(PlanKey const& key) {
  if (key.is_single) return std::make_shared<AnyPlan const>(make<float>(key));
  return std::make_shared<AnyPlan const>(make<double>(key));
}

auto locked() { return std::lock_guard(mutex_of(Shared::plans)); }

}  // namespace

std::shared_ptr<PlanCache::Entry> PlanCache::entry(PlanKey const& key) {
  auto const lock = locked();
  if (entries_.size() >= check_at_) {
    std::erase_if(entries_, [](auto const& each) { return each.second.expired(); });
    check_at_ = std::max<std::size_t>(64, 2 * entries_.size());
  }
  std::weak_ptr<Entry>& known = entries_[key];
  std::shared_ptr<Entry> entry = known.lock();
  if (!entry) known = entry = std::make_shared<Entry>(key);
  return entry;
}

std::shared_ptr<AnyPlan const> PlanCache::kept(std::shared_ptr<Entry> const& entry) {
  auto const lock = locked();
  if (entry->plan) kept_.splice(kept_.begin(), kept_, entry->place);
  return entry->plan;
}

std::shared_ptr<AnyPlan const> PlanCache::plan(std::shared_ptr<Entry> const& entry) {
  if (auto found = kept(entry)) return found;
  std::shared_ptr<AnyPlan const> made = make(entry->key);
  std::size_t const bytes = std::visit([](auto const& plan) { return plan.bytes(); }, *made);
  Plans dropped;  // freed without the lock
  auto const lock = locked();
  if (entry->plan) {  // another thread was faster
    dropped.push_back(std::exchange(made, entry->plan));
    return made;
  }
  if (most_bytes_ == 0) return made;
  kept_.push_front(entry);
  entry->plan = made;
  entry->place = kept_.begin();
  entry->bytes = bytes;
  bytes_ += bytes;
  drop(1, dropped);
  return made;
}

/// Drops plans until the others fit the bound, but keeps the `fewest` that were used last.
void PlanCache::drop(std::size_t fewest, Plans& dropped) {
  while (bytes_ > most_bytes_ && kept_.size() > fewest) {
    std::shared_ptr<Entry> const last = std::move(kept_.back());
    kept_.pop_back();
    bytes_ -= last->bytes;
    dropped.push_back(std::exchange(last->plan, nullptr));
  }
}

std::size_t PlanCache::most_bytes() const {
  auto const lock = locked();
  return most_bytes_;
}

std::size_t PlanCache::bytes() const {
  auto const lock = locked();
  return bytes_;
}

std::size_t PlanCache::plans() const {
  auto const lock = locked();
  return kept_.size();
}

void PlanCache::set_most_bytes(std::size_t most_bytes) {
  Plans dropped;  // freed without the lock
  auto const lock = locked();
  most_bytes_ = most_bytes;
  drop(most_bytes == 0 ? 0 : 1, dropped);
}

}  // namespace sixstep::serial
