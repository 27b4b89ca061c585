// SPDX-License-Identifier: BSD-3-Clause
// Shortened exchanges: messages are converted in their own places, window by window, before they
// leave and after they have arrived.
#include "exchange/shortened.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/memory.hpp"
#include "base/run_team.hpp"
#include "exchange/pairs.hpp"
#include "local/kernels/short_reals.hpp"

namespace sixstep::exchange {

namespace {

using local::RoundingSums;
using redistribution::Message;
using redistribution::Windows;

bool is_near(int rank, Shortening const& how) {
  return std::binary_search(how.near.begin(), how.near.end(), rank);
}

/// The bytes of a message as it is, and as it is sent.
Index whole_bytes(Message const& message, Shortening const& how) {
  return message.count * how.element_reals * how.real_bytes;
}
Index sent_bytes(Message const& message, Shortening const& how) {
  return is_near(message.rank, how)
             ? whole_bytes(message, how)
             : short_bytes(message.count * how.element_reals, how.real_bytes, how.form);
}

template <class Real>
class Shortened final : public Strategy {
 public:
  Shortened(std::unique_ptr<Strategy> inner, Traffic const& traffic, Shortening const& how)
      : inner_(std::move(inner)),
        how_(how),
        kernels_(local::short_reals<Real>(local::chosen_target())),
        sends_(by_window(traffic.sends, true)),
        receives_(by_window(traffic.receives, false)),
        sums_(traffic.sends.size()) {
    if (how.may_overwrite_source) return;
    Index bytes = 0;
    for (Message const& message : traffic.sends)
      bytes = std::max(bytes, place(message) + whole_bytes(message, how));
    own_ = allocate(static_cast<std::size_t>(bytes));
  }

  void begin(void const* send, void* receive) override {
    source_ = static_cast<std::byte const*>(send);
    send_ = own_ ? own_.get() : const_cast<std::byte*>(source_);
    receive_ = static_cast<std::byte*>(receive);
    packed_ = lengthened_ = 0;
    std::ranges::fill(sums_, RoundingSums());
    inner_->begin(send_, receive);
  }
  void allow(Windows packed, Windows vacated) override {
    shorten(packed & ~packed_);
    packed_ |= packed;
    inner_->allow(packed, vacated);
    lengthen(1);
  }
  void progress() override {
    inner_->progress();
    lengthen(1);
  }
  Windows arrived() const override { return lengthened_; }
  Windows sent() const override { return inner_->sent(); }
  bool sending() const override { return inner_->sending(); }
  bool starves() const override { return inner_->starves(); }
  void finish() override {
    inner_->finish();
    lengthen(how_.threads);
  }
  std::string waiting_for() const override { return inner_->waiting_for(); }
  void trace_to(Trace& trace, int step) override { inner_->trace_to(trace, step); }
  SumsOfHops rounding() const override {
    RoundingSums all;
    for (RoundingSums const& sums : sums_) all += sums;
    return {all, {}};
  }

 private:
  /// The messages of a window, and the number of the first of them.
  struct OfWindow {
    std::vector<Message> messages = {};
    std::size_t first = 0;
  };

  std::vector<OfWindow> by_window(std::vector<Message> const& messages, bool are_sent) const {
    std::vector<OfWindow> windows(redistribution::most_windows);
    for (Message const& message : messages)
      windows[static_cast<std::size_t>(are_sent ? message.before : message.behind)]
          .messages.push_back(message);
    std::size_t count = 0;
    for (OfWindow& window : windows)
      window.first = std::exchange(count, count + window.messages.size());
    return windows;
  }

  Index place(Message const& message) const {
    return message.offset * how_.element_reals * how_.real_bytes;
  }
  Index reals(Message const& message) const { return message.count * how_.element_reals; }

  /// Calls work(i, message) for the messages of these windows, which threads share.
  template <class Work>
  void for_each(std::vector<OfWindow> const& of, Windows windows, int threads,
                Work const& work) const {
    for (std::size_t window = 0; window < of.size(); ++window) {
      if ((redistribution::bit(static_cast<int>(window)) & windows) == 0) continue;
      std::vector<Message> const& messages = of[window].messages;
      std::size_t const first = of[window].first;
      share_in_turn(static_cast<Index>(messages.size()),
                    std::min(threads, static_cast<int>(messages.size())), [&](Index i, int) {
                      auto const number = static_cast<std::size_t>(i);
                      work(first + number, messages[number]);
                    });
    }
  }

  /// Shortens the messages of these windows. An exchange whose windows come all at once is not part
  /// of a flow, whose threads have other work.
  void shorten(Windows windows) {
    int const threads = windows == all_windows ? how_.threads : 1;
    for_each(sends_, windows, threads, [&](std::size_t i, Message const& message) {
      auto const* const from = reinterpret_cast<Real const*>(source_ + place(message));
      std::byte* const to = send_ + place(message);
      if (!is_near(message.rank, how_))
        return kernels_.shorten(from, reals(message), how_.form, to, sums_[i]);
      kernels_.add(from, reals(message), sums_[i]);
      if (own_) std::memcpy(to, from, static_cast<std::size_t>(whole_bytes(message, how_)));
    });
  }

  /// Lengthens what has arrived.
  void lengthen(int threads) {
    Windows const arrived = inner_->arrived();
    for_each(receives_, arrived & ~lengthened_, threads, [&](std::size_t, Message const& message) {
      if (is_near(message.rank, how_)) return;
      std::byte* const to = receive_ + place(message);
      std::byte const* const from = to + whole_bytes(message, how_) - sent_bytes(message, how_);
      kernels_.lengthen(from, reals(message), how_.form, reinterpret_cast<Real*>(to));
    });
    lengthened_ |= arrived;
  }

  std::unique_ptr<Strategy> inner_;
  Shortening how_;
  local::ShortReals<Real> kernels_;
  std::vector<OfWindow> sends_, receives_;
  std::vector<RoundingSums> sums_;  // of each sent message
  Memory own_;                      // where messages are shortened, unless in the source
  std::byte const* source_ = nullptr;
  std::byte* send_ = nullptr;
  std::byte* receive_ = nullptr;
  Windows packed_ = 0, lengthened_ = 0;
};

}  // namespace

Traffic in_bytes(Traffic traffic, Shortening const& how) {
  Index const element_bytes = how.element_reals * how.real_bytes;
  traffic.element = MPI_BYTE;
  for (auto* const side : {&traffic.sends, &traffic.receives})
    for (Message& message : *side) {
      require_internal(message.rows.empty(), "a message to be shortened lies in rows");
      Index const whole = whole_bytes(message, how), sent = sent_bytes(message, how);
      message.offset = message.offset * element_bytes + (side == &traffic.sends ? 0 : whole - sent);
      message.count = sent;
    }
  return traffic;
}

std::unique_ptr<Strategy> make_shortened(std::unique_ptr<Strategy> inner, Traffic const& traffic,
                                         Shortening const& how) {
  if (how.real_bytes == sizeof(float))
    return std::make_unique<Shortened<float>>(std::move(inner), traffic, how);
  return std::make_unique<Shortened<double>>(std::move(inner), traffic, how);
}

}  // namespace sixstep::exchange
