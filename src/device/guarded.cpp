// SPDX-License-Identifier: BSD-3-Clause
// Queues and events that hand their calls on.
#include "device/guarded.hpp"

#include <utility>

namespace sixstep::device {

void KeptErrors::keep(bool keeps) {
  std::lock_guard const lock(mutex_);
  keeps_ = keeps;
  first_.reset();
}

std::optional<Error> KeptErrors::take() {
  std::lock_guard const lock(mutex_);
  return std::exchange(first_, std::nullopt);
}

bool KeptErrors::take_in(Error const& error) {
  std::lock_guard const lock(mutex_);
  if (keeps_ && !first_) first_ = error;
  return keeps_;
}

namespace {

using Errors = std::shared_ptr<KeptErrors>;

class GuardedEvent final : public Event {
 public:
  GuardedEvent(std::unique_ptr<Event> event, Errors errors)
      : event_(std::move(event)), errors_(std::move(errors)) {}

  bool has_come() override {
    return errors_->guard([&] { return event_->has_come(); }, true);
  }
  void wait() override {
    errors_->guard([&] { event_->wait(); });
  }
  double seconds_since(Event const& earlier) const override {
    Event const& before = *static_cast<GuardedEvent const&>(earlier).event_;
    return errors_->guard([&] { return event_->seconds_since(before); }, 0.0);
  }

  Event& inner() const { return *event_; }

 private:
  std::unique_ptr<Event> event_;
  Errors errors_;
};

/// A queue that has failed still takes works: exchanges with peers, who wait for them, are among
/// these.
class GuardedQueue final : public Queue {
 public:
  GuardedQueue(std::unique_ptr<Queue> queue, Errors errors)
      : queue_(std::move(queue)), errors_(std::move(errors)) {}

  void copy(void* to, void const* from, std::size_t bytes) override {
    errors_->guard([&] { queue_->copy(to, from, bytes); });
  }
  void run(Copy const& copy) override {
    errors_->guard([&] { queue_->run(copy); });
  }
  void run(HermitianPart const& part) override {
    errors_->guard([&] { queue_->run(part); });
  }
  void run(Fold const& fold) override {
    errors_->guard([&] { queue_->run(fold); });
  }
  void run(Planned const& columns, void const* in, void* out, bool backward,
           void* scratch) override {
    errors_->guard([&] { queue_->run(columns, in, out, backward, scratch); });
  }
  void run(Planned const& planned, Scattered const& columns) override {
    errors_->guard([&] { queue_->run(planned, columns); });
  }
  void exchange(Peers& peers, Parcels const& sends, std::byte* source, Parcels const& receives,
                std::byte* target) override {
    errors_->guard([&] { queue_->exchange(peers, sends, source, receives, target); });
  }
  void record(Event& event) override {
    errors_->guard([&] { queue_->record(static_cast<GuardedEvent&>(event).inner()); });
  }
  void wait_for(Event const& event) override {
    errors_->guard([&] { queue_->wait_for(static_cast<GuardedEvent const&>(event).inner()); });
  }
  bool is_done() override {
    return errors_->guard([&] { return queue_->is_done(); }, true);
  }
  void finish() override {
    errors_->guard([&] { queue_->finish(); });
  }

 private:
  std::unique_ptr<Queue> queue_;
  Errors errors_;
};

class GuardedBackend final : public Backend {
 public:
  GuardedBackend(Backend& backend, Errors errors) : backend_(backend), errors_(std::move(errors)) {}

  std::string name() const override { return backend_.name(); }
  std::size_t cache_bytes() const override { return backend_.cache_bytes(); }
  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    return backend_.allocate(bytes);
  }
  std::shared_ptr<std::byte> allocate_pinned(std::size_t bytes) override {
    return backend_.allocate_pinned(bytes);
  }
  std::shared_ptr<void> pin(std::byte* memory, std::size_t bytes) override {
    return backend_.pin(memory, bytes);
  }
  std::size_t copy_bytes() const override { return backend_.copy_bytes(); }
  Handle handle_of(std::byte* memory) override { return backend_.handle_of(memory); }
  std::shared_ptr<std::byte> open(Handle const& handle) override { return backend_.open(handle); }
  bool reaches(void const* memory) override {
    return errors_->guard([&] { return backend_.reaches(memory); }, true);
  }
  std::shared_ptr<void> let_host_in() override { return backend_.let_host_in(); }
  Identity identity() const override { return backend_.identity(); }
  std::string peers_name() const override { return backend_.peers_name(); }
  bool has_peers() const override { return backend_.has_peers(); }
  Invitation invite(int peers) override { return backend_.invite(peers); }
  std::unique_ptr<Peers> join(Invitation const& invitation, int peers, int number) override {
    return backend_.join(invitation, peers, number);
  }
  std::unique_ptr<Queue> make_queue() override {
    return std::make_unique<GuardedQueue>(backend_.make_queue(), errors_);
  }
  std::unique_ptr<Queue> make_queue(void* stream) override {
    return std::make_unique<GuardedQueue>(backend_.make_queue(stream), errors_);
  }
  std::unique_ptr<Event> make_event() override {
    return std::make_unique<GuardedEvent>(backend_.make_event(), errors_);
  }
  std::unique_ptr<Planned> plan(Columns const& columns) override { return backend_.plan(columns); }
  std::unique_ptr<Planned> plan_scattered(Index n, int real_bytes) override {
    return backend_.plan_scattered(n, real_bytes);
  }

 private:
  Backend& backend_;
  Errors errors_;
};

}  // namespace

std::unique_ptr<Backend> make_guarded(Backend& backend, std::shared_ptr<KeptErrors> errors) {
  return std::make_unique<GuardedBackend>(backend, std::move(errors));
}

}  // namespace sixstep::device
