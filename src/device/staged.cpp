// SPDX-License-Identifier: BSD-3-Clause
// Staged exchanges: one queue out of the device, one into it, and messages between them.
#include "device/staged.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sixstep::device {

namespace {

using Messages = std::vector<redistribution::Message>;

int own_rank(exchange::Traffic const& traffic) {
  int rank = 0;
  MPI_Comm_rank(traffic.comm, &rank);
  return rank;
}

/// The messages to or from other ranks.
Messages to_others(Messages const& messages, int own) {
  Messages others;
  std::copy_if(messages.begin(), messages.end(), std::back_inserter(others),
               [own](redistribution::Message const& message) { return message.rank != own; });
  return others;
}

class Staged : public exchange::Strategy {
 public:
  /// `inner` carries what goes to other ranks.
  Staged(device::Backend& backend, std::unique_ptr<exchange::Strategy> inner,
         exchange::Traffic const& traffic, PinnedBuffers const& stage, std::size_t element_bytes)
      : inner_(std::move(inner)),
        element_bytes_(element_bytes),
        stage_(stage),
        last_(redistribution::bit(traffic.cuts.behind.windows - 1)),
        sends_(parts_of(to_others(traffic.sends, own_rank(traffic)), backend)),
        receives_(parts_of(to_others(traffic.receives, own_rank(traffic)), backend)),
        own_(own_parts_of(traffic, backend)),
        out_(backend.make_queue()),
        in_(backend.make_queue()) {}

  void begin(void const* send, void* receive) override {
    send_ = static_cast<std::byte const*>(send);
    receive_ = static_cast<std::byte*>(receive);
    packed_ = vacated_ = on_host_ = 0;
    for (std::vector<Part>* parts : {&sends_, &receives_, &own_})
      for (Part& part : *parts) part.state = Part::State::waits;
    inner_->begin(stage_.send.get(), stage_.receive.get());
    inner_->allow(0, exchange::all_windows);  // no other exchange uses the host's memory meanwhile
  }

  void allow(redistribution::Windows packed, redistribution::Windows vacated) override {
    packed_ = packed;
    vacated_ = vacated;
    progress();
  }

  void progress() override {
    for (Part& part : sends_)
      if (part.state == Part::State::waits && is_packed(part))
        copy(part, *out_, stage_.send.get(), send_);
    for (Part& part : own_)
      if (part.state == Part::State::waits && is_packed(part) && is_vacated(part))
        copy(part, *in_, receive_, send_);
    for (Part& part : sends_) look_at(part);
    for (Part& part : own_) look_at(part);
    // A window is on the host if all of it is.
    redistribution::Windows on_host = packed_;
    for (Part const& part : sends_)
      if (part.state != Part::State::done) on_host &= ~redistribution::bit(part.before);
    if (on_host != on_host_) {
      on_host_ = on_host;
      inner_->allow(on_host, exchange::all_windows);
    }
    inner_->progress();
    redistribution::Windows const come = inner_->arrived();
    for (Part& part : receives_)
      if (part.state == Part::State::waits && (come & redistribution::bit(part.behind)) != 0 &&
          is_vacated(part))
        copy(part, *in_, receive_, stage_.receive.get());
    for (Part& part : receives_) look_at(part);
  }

  redistribution::Windows arrived() const override {
    redistribution::Windows windows = inner_->arrived();
    for (std::vector<Part> const* parts : {&receives_, &own_})
      for (Part const& part : *parts)
        if (part.state != Part::State::done) windows &= ~redistribution::bit(part.behind);
    return windows;
  }
  /// A window has left the device when its parts have been copied. The last one counts only when
  /// all messages have been sent, because until then somebody must let them progress.
  redistribution::Windows sent() const override {
    redistribution::Windows windows =
        inner_->sent() == exchange::all_windows ? exchange::all_windows : ~last_;
    for (std::vector<Part> const* parts : {&sends_, &own_})
      for (Part const& part : *parts)
        if (part.state != Part::State::done) windows &= ~redistribution::bit(part.behind);
    return windows;
  }
  bool sending() const override {
    auto const moves = [](Part const& part) { return part.state == Part::State::moves; };
    return inner_->sending() || std::any_of(sends_.begin(), sends_.end(), moves) ||
           std::any_of(own_.begin(), own_.end(), moves);
  }
  void finish() override {
    for (Part& part : sends_)
      if (part.state == Part::State::moves) part.copied->wait();
    progress();
    inner_->finish();
    progress();
    for (std::vector<Part>* parts : {&receives_, &own_})
      for (Part& part : *parts) {
        part.copied->wait();
        if (part.state != Part::State::done) end(part);
      }
  }
  std::string waiting_for() const override { return inner_->waiting_for(); }
  void trace_to(Trace& trace, int step) override {
    inner_->trace_to(trace, step);
    Trace::Label const out = trace.label(Trace::Kind::copy_out, "copy to the host", step);
    Trace::Label const in = trace.label(Trace::Kind::copy_in, "copy to the device", step);
    Trace::Label const own = trace.label(Trace::Kind::copy_in, "copy on the device", step);
    for (auto const& [parts, label] : {std::pair(&sends_, out), {&receives_, in}, {&own_, own}})
      for (Part& part : *parts) {
        part.label = label;
        part.label.bytes = static_cast<Index>(bytes_of(part));
      }
  }

 private:
  /// Elements that lie together and go between the same windows.
  struct Part {
    enum class State { waits, moves, done };
    Index from = 0;
    Index to = 0;
    Index count = 0;
    int before = 0;
    int behind = 0;
    redistribution::Windows after = 0;
    State state = State::waits;
    std::unique_ptr<device::Event> copied = nullptr;
    Trace::Label label = {};
    Nanoseconds since = 0;  // if there is a trace
  };

  static std::vector<Part> parts_of(Messages const& messages, device::Backend& backend) {
    std::vector<Part> parts;
    for (redistribution::Message const& message : messages) {
      if (message.count == 0) continue;
      if (!parts.empty()) {
        Part& last = parts.back();
        if (last.from + last.count == message.offset && last.before == message.before &&
            last.behind == message.behind) {
          last.count += message.count;
          last.after |= message.after;
          continue;
        }
      }
      parts.push_back({message.offset, message.offset, message.count, message.before,
                       message.behind, message.after, Part::State::waits, backend.make_event()});
    }
    return parts;
  }
  /// What a rank sends itself: there is one message between two windows.
  static std::vector<Part> own_parts_of(exchange::Traffic const& traffic,
                                        device::Backend& backend) {
    int const own = own_rank(traffic);
    std::vector<Part> parts;
    for (redistribution::Message const& sent : traffic.sends) {
      if (sent.rank != own || sent.count == 0) continue;
      auto const received =
          std::find_if(traffic.receives.begin(), traffic.receives.end(), [&](auto const& message) {
            return message.rank == own && message.before == sent.before &&
                   message.behind == sent.behind;
          });
      require_internal(received != traffic.receives.end() && received->count == sent.count,
                       "a rank receives something else than it sends itself");
      parts.push_back({sent.offset, received->offset, sent.count, sent.before, sent.behind,
                       received->after, Part::State::waits, backend.make_event()});
    }
    return parts;
  }

  bool is_packed(Part const& part) const {
    return (packed_ & redistribution::bit(part.before)) != 0;
  }
  bool is_vacated(Part const& part) const { return (part.after & ~vacated_) == 0; }

  std::size_t bytes_of(Part const& part) const {
    return static_cast<std::size_t>(part.count) * element_bytes_;
  }
  void copy(Part& part, device::Queue& queue, std::byte* to, std::byte const* from) {
    if (part.label.trace) part.since = now();
    queue.copy(to + static_cast<std::size_t>(part.to) * element_bytes_,
               from + static_cast<std::size_t>(part.from) * element_bytes_, bytes_of(part));
    queue.record(*part.copied);
    part.state = Part::State::moves;
  }
  static void look_at(Part& part) {
    if (part.state == Part::State::moves && part.copied->has_come()) end(part);
  }
  static void end(Part& part) {
    part.state = Part::State::done;
    if (part.label.trace) part.label.trace->record(part.label, part.since, {.window = part.behind});
  }

  std::unique_ptr<exchange::Strategy> inner_;
  std::size_t element_bytes_;
  PinnedBuffers stage_;
  redistribution::Windows last_;
  std::vector<Part> sends_, receives_, own_;
  std::unique_ptr<device::Queue> out_, in_;
  std::byte const* send_ = nullptr;
  std::byte* receive_ = nullptr;
  redistribution::Windows packed_ = 0, vacated_ = 0, on_host_ = 0;
};

/// Lets the host touch the device's memory while MPI uses it.
class FromDeviceMemory : public exchange::Strategy {
 public:
  FromDeviceMemory(device::Backend& backend, std::unique_ptr<exchange::Strategy> inner)
      : backend_(backend), inner_(std::move(inner)) {}

  void begin(void const* send, void* receive) override {
    visit_ = backend_.let_host_in();
    inner_->begin(send, receive);
  }
  void allow(redistribution::Windows packed, redistribution::Windows vacated) override {
    inner_->allow(packed, vacated);
  }
  void progress() override { inner_->progress(); }
  redistribution::Windows arrived() const override { return inner_->arrived(); }
  redistribution::Windows sent() const override { return inner_->sent(); }
  bool sending() const override { return inner_->sending(); }
  void finish() override {
    inner_->finish();
    visit_.reset();
  }
  std::string waiting_for() const override { return inner_->waiting_for(); }
  void trace_to(Trace& trace, int step) override { inner_->trace_to(trace, step); }

 private:
  device::Backend& backend_;
  std::unique_ptr<exchange::Strategy> inner_;
  std::shared_ptr<void> visit_;
};

}  // namespace

exchange::Traffic among_others(exchange::Traffic traffic) {
  int const own = own_rank(traffic);
  traffic.sends = to_others(traffic.sends, own);
  traffic.receives = to_others(traffic.receives, own);
  return traffic;
}

std::unique_ptr<exchange::Strategy> make_staged(device::Backend& backend,
                                                std::unique_ptr<exchange::Strategy> inner,
                                                exchange::Traffic const& traffic,
                                                PinnedBuffers const& stage,
                                                std::size_t element_bytes) {
  return std::make_unique<Staged>(backend, std::move(inner), traffic, stage, element_bytes);
}

std::unique_ptr<exchange::Strategy> make_on_device(device::Backend& backend,
                                                   std::unique_ptr<exchange::Strategy> inner) {
  return std::make_unique<FromDeviceMemory>(backend, std::move(inner));
}

}  // namespace sixstep::device
