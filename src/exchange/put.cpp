// SPDX-License-Identifier: BSD-3-Clause
// Exchange by one-sided puts. A receiver tells the sender of each message where to put it, once its
// place is free. The sender puts it there, and tells the receiver that it has arrived.
#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "exchange/pairs.hpp"
#include "exchange/strategy.hpp"
#include "exchange/under_way.hpp"

namespace sixstep::exchange {

namespace {

/// A window of one-sided communication to which memory is attached as it is needed.
class DynamicWindow {
 public:
  /// Collective, like the destructor. Errors, on every rank: MPI cannot make a window.
  explicit DynamicWindow(mpi::Comm const& comm) : comm_(comm) {
    mpi::make_on(comm_, [&] { return MPI_Win_create_dynamic(MPI_INFO_NULL, comm_, &window_); });
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }
  ~DynamicWindow() {
    if (!mpi::is_running()) return;
    if (!comm_.patience().is_endless()) mpi::meet(comm_);
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  DynamicWindow(DynamicWindow const&) = delete;
  DynamicWindow& operator=(DynamicWindow const&) = delete;

  MPI_Win get() const { return window_; }

 private:
  mpi::Comm comm_;
  MPI_Win window_ = MPI_WIN_NULL;
};

/// The window for exchanges of this number. The first plan that needs it makes it. The ranks free
/// it together after the last one, because MPI has only as many windows as communicators. Exchanges
/// of a plan that may be under way at once have different windows, since they may receive in the
/// same memory. Collective. Errors, on every rank: MPI cannot make a window.
std::shared_ptr<DynamicWindow> shared_window(mpi::Comm const& comm, int number) {
  using Known = std::weak_ptr<DynamicWindow>;
  std::string const name = text("window ", number);
  auto known = std::static_pointer_cast<Known>(mpi::kept(comm, name));
  std::shared_ptr<DynamicWindow> window = known ? known->lock() : nullptr;
  if (window) return window;
  window = std::make_shared<DynamicWindow>(comm);
  mpi::keep(comm, name, std::make_shared<Known>(window));
  mpi::destroy_together(comm, window);
  return window;
}

/// `count` elements of a type.
struct Elements {
  int count;
  MPI_Datatype type;
};

struct Outgoing {
  redistribution::Message message;
  int tag;
  Elements from;
  Elements to = {0, MPI_DATATYPE_NULL};
  MPI_Aint address = 0;  // where the receiver wants it
  bool has_address = false;
  bool is_put = false;  // the put is under way, or done
  bool is_sent = false;
};

struct Incoming {
  redistribution::Message message;
  int tag;
  MPI_Aint address = 0;
  bool is_offered = false;
};

/// A step that is under way for a message. An offer sends the address of its place.
enum class Step { offer, offered, put, told, tell };

struct Active {
  Step step;
  std::size_t number;  // of the message
};

/// Ranks tell each other these facts about a message, each with a different tag.
enum class Told { place, arrival };
static_assert(redistribution::TagRange::each == 2);

int with(int tag, Told told) { return tag + (told == Told::arrival ? 1 : 0); }

/// The memory in which messages arrive, attached to a window. It must not be attached twice.
class AttachedMemory {
 public:
  explicit AttachedMemory(std::shared_ptr<DynamicWindow> window) : window_(std::move(window)) {}

  void attach(void* memory, std::size_t bytes) {
    detach();
    if (bytes == 0) return;
    MPI_Win_attach(window(), memory, static_cast<MPI_Aint>(bytes));
    memory_ = memory;
  }
  void detach() {
    if (memory_ != nullptr) MPI_Win_detach(window(), memory_);
    memory_ = nullptr;
  }
  MPI_Win window() const { return window_->get(); }

 private:
  std::shared_ptr<DynamicWindow> window_;
  void* memory_ = nullptr;
};

/// The rows of outgoing messages at their receivers. A put has to say how the message lies there,
/// so receivers tell senders once. Collective among the ranks that exchange messages.
std::vector<Rows> rows_at_receivers(mpi::Comm const& comm, std::vector<Incoming> const& incoming,
                                    std::vector<Outgoing> const& outgoing) {
  constexpr std::size_t most = 32;
  using RowsAsSent = std::array<Row, most>;  // filled up with rows of no elements
  std::vector<RowsAsSent> told(incoming.size()), heard(outgoing.size());
  std::vector<MPI_Request> requests(told.size() + heard.size());
  auto request = requests.begin();
  constexpr int numbers = sizeof(RowsAsSent) / sizeof(std::int64_t);
  for (std::size_t i = 0; i < incoming.size(); ++i) {
    auto const& [message, tag, address, is_offered] = incoming[i];
    require_internal(message.rows.size() <= most, message.rows.size(), " rows of a message");
    told[i].fill({0, 0});
    std::copy(message.rows.begin(), message.rows.end(), told[i].begin());
    MPI_Isend(told[i].data(), numbers, MPI_INT64_T, message.rank, with(tag, Told::place), comm,
              &*request++);
  }
  for (std::size_t i = 0; i < outgoing.size(); ++i)
    MPI_Irecv(heard[i].data(), numbers, MPI_INT64_T, outgoing[i].message.rank,
              with(outgoing[i].tag, Told::place), comm, &*request++);
  mpi::wait_all(requests, comm.patience(),
                [] { return "the places of messages, which receivers send when plans are made"; });
  std::vector<Rows> found;
  for (RowsAsSent const& rows : heard)
    found.emplace_back(rows.begin(), std::find_if(rows.begin(), rows.end(),
                                                  [](Row const& row) { return row.count == 0; }));
  return found;
}

int tag_of(redistribution::Message const& message, Traffic const& traffic) {
  return traffic.tags.of(traffic.number, message);
}

/// The offset behind the last element of a message.
Index end_of(redistribution::Message const& message) {
  Index end = message.offset + (message.rows.empty() ? message.count : 1);
  for (Row const& row : message.rows) end += (row.count - 1) * row.stride;
  return end;
}

/// MPI's types of messages of one element type.
class MessageTypes {
 public:
  MessageTypes(MPI_Datatype element, Index limit) : element_(element), limit_(limit) {}

  /// `count` elements; one element of a derived type where there are rows, or more than the limit.
  Elements of(Index count, Rows const& rows) {
    if (rows.empty() && count <= limit_) return {mpi::narrow(count), element_};
    types_.emplace_back(element_, rows.empty() ? Rows{{count, 1}} : rows, 0, limit_);
    return {1, types_.back().get()};
  }

 private:
  MPI_Datatype element_;
  Index limit_;
  std::deque<mpi::DerivedType> types_;
};

class Put final : public Strategy {
 public:
  explicit Put(Traffic const& traffic)
      : comm_(traffic.comm),
        types_(traffic.element, traffic.count_limit),
        names_(traffic.names),
        windows_(traffic.cuts.behind.windows),
        most_in_flight_(traffic.in_flight),
        memory_(shared_window(traffic.comm, traffic.number)) {
    MPI_Comm_rank(comm_, &rank_);
    bytes_ = static_cast<std::size_t>(mpi::extent_of(traffic.element));
    copies_ = Copies(traffic, rank_, bytes_, to_send_, to_arrive_);
    for (redistribution::Message const& message : traffic.receives) {
      if (message.rank == rank_) continue;
      incoming_.push_back({message, tag_of(message, traffic)});
      to_arrive_.add(message.behind);
      receive_bytes_ = std::max(receive_bytes_, at(end_of(message)));
    }
    for (redistribution::Message const& message : traffic.sends) {
      if (message.rank == rank_) continue;
      outgoing_.push_back(
          {message, tag_of(message, traffic), types_.of(message.count, message.rows)});
      to_send_.add(message.behind);
      in_flight_[message.rank] = 0;
    }
    // Executions allocate nothing. At any time an incoming message has at most an offer and an
    // arrival under way, an outgoing message at most one step.
    under_way_.reserve(2 * incoming_.size() + outgoing_.size());
    // Messages for the receivers' first windows go first.
    std::stable_sort(outgoing_.begin(), outgoing_.end(), [](auto const& a, auto const& b) {
      return std::pair(a.message.behind, a.message.before) <
             std::pair(b.message.behind, b.message.before);
    });
    std::vector<Rows> const rows = rows_at_receivers(comm_, incoming_, outgoing_);
    for (std::size_t i = 0; i < outgoing_.size(); ++i)
      outgoing_[i].to = types_.of(outgoing_[i].message.count, rows[i]);
  }

  ~Put() override {
    if (mpi::is_running()) end_all();
  }

  void begin(void const* send, void* receive) override {
    end_all();
    send_ = static_cast<std::byte const*>(send);
    receive_ = static_cast<std::byte*>(receive);
    memory_.attach(receive_, receive_bytes_);
    packed_ = vacated_ = 0;
    packed_not_sent_ = 0;
    to_send_.begin();
    to_arrive_.begin();
    copies_.begin();
    for (Incoming& incoming : incoming_) incoming.is_offered = false;
    for (std::size_t i = 0; i < outgoing_.size(); ++i) {
      Outgoing& outgoing = outgoing_[i];
      outgoing.has_address = outgoing.is_put = outgoing.is_sent = false;
      MPI_Irecv(&outgoing.address, 1, MPI_AINT, outgoing.message.rank,
                with(outgoing.tag, Told::place), comm_, add(Step::offered, i));
    }
  }

  void allow(redistribution::Windows packed, redistribution::Windows vacated) override {
    packed_ |= packed;
    vacated_ |= vacated;
    start_all();
  }

  void progress() override {
    std::vector<Active> const& ended = under_way_.take_ended();
    if (ended.empty()) return;
    for (Active const& active : ended) end(active);
    start_all();
  }

  redistribution::Windows arrived() const override { return to_arrive_.done(); }
  redistribution::Windows sent() const override { return to_send_.done(); }
  bool sending() const override { return packed_not_sent_ > 0; }

  void finish() override {
    Patience::Wait wait = comm_.patience().begin();
    while ((arrived() & sent()) != all_windows) {
      progress();
      wait.check([this] { return waiting_for(); });
    }
    end_all();
  }

  std::string waiting_for() const override {
    Late late;
    under_way_.for_each_late([&](Active const& active) {
      bool const is_told = active.step == Step::told;
      redistribution::Message const& message =
          is_told ? incoming_[active.number].message : outgoing_at(active);
      late.add(!is_told, message.behind, message.rank);
    });
    return late.in_words(names_, windows_);
  }

 private:
  /// The message of an offer or of an outgoing step.
  redistribution::Message const& outgoing_at(Active const& active) const {
    return active.step == Step::offer ? incoming_[active.number].message
                                      : outgoing_[active.number].message;
  }

  std::size_t at(Index elements) const { return static_cast<std::size_t>(elements) * bytes_; }

  MPI_Request* add(Step step, std::size_t number) { return under_way_.add({step, number}); }

  void start_all() {
    for (std::size_t i = 0; i < incoming_.size(); ++i) offer(i);
    packed_not_sent_ = 0;
    for (std::size_t i = 0; i < outgoing_.size(); ++i) put(i);
    copies_.run(send_, receive_, packed_, vacated_, to_send_, to_arrive_);
    // The array may be freed before the next exchange.
    if (arrived() == all_windows) memory_.detach();
  }

  void offer(std::size_t number) {
    Incoming& incoming = incoming_[number];
    if (incoming.is_offered || (incoming.message.after & ~vacated_) != 0) return;
    incoming.is_offered = true;
    MPI_Get_address(receive_ + at(incoming.message.offset), &incoming.address);
    MPI_Irecv(nullptr, 0, MPI_BYTE, incoming.message.rank, with(incoming.tag, Told::arrival), comm_,
              add(Step::told, number));
    MPI_Isend(&incoming.address, 1, MPI_AINT, incoming.message.rank,
              with(incoming.tag, Told::place), comm_, add(Step::offer, number));
  }

  void put(std::size_t number) {
    Outgoing& outgoing = outgoing_[number];
    redistribution::Message const& message = outgoing.message;
    bool const is_packed = (redistribution::bit(message.before) & packed_) != 0;
    if (!outgoing.is_sent && is_packed) ++packed_not_sent_;
    if (outgoing.is_put || !is_packed || !outgoing.has_address) return;
    int& in_flight = in_flight_.at(message.rank);
    if (in_flight >= most_in_flight_) return;
    outgoing.is_put = true;
    ++in_flight;
    MPI_Rput(send_ + at(message.offset), outgoing.from.count, outgoing.from.type, message.rank,
             outgoing.address, outgoing.to.count, outgoing.to.type, memory_.window(),
             add(Step::put, number));
  }

  void end(Active const& active) {
    switch (active.step) {
      case Step::offered:
        outgoing_[active.number].has_address = true;
        return;
      case Step::put:
        return tell(active.number);
      case Step::told:
        MPI_Win_sync(memory_.window());
        return to_arrive_.end_one(incoming_[active.number].message.behind);
      case Step::tell:
        outgoing_[active.number].is_sent = true;
        return to_send_.end_one(outgoing_[active.number].message.behind);
      case Step::offer:
        return;
    }
  }

  /// Tells the receiver of a message that it has arrived, which it has when the put is flushed. It
  /// counts as sent once the receiver has been told: after that the sender may be busy elsewhere.
  void tell(std::size_t number) {
    Outgoing const& outgoing = outgoing_[number];
    MPI_Win_flush(outgoing.message.rank, memory_.window());
    MPI_Isend(nullptr, 0, MPI_BYTE, outgoing.message.rank, with(outgoing.tag, Told::arrival), comm_,
              add(Step::tell, number));
    --in_flight_.at(outgoing.message.rank);
  }

  /// Waits for the requests of an exchange that has ended, and clears them.
  void end_all() {
    under_way_.take_all(comm_.patience(), [this] { return waiting_for(); });
    memory_.detach();
  }

  mpi::Comm comm_;
  MessageTypes types_;
  Names names_;
  int windows_;  // of the receivers
  int most_in_flight_;
  AttachedMemory memory_;
  int rank_ = 0;
  std::size_t bytes_ = 0;
  std::size_t receive_bytes_ = 0;
  std::vector<Incoming> incoming_;
  std::vector<Outgoing> outgoing_;
  Copies copies_;

  std::byte const* send_ = nullptr;
  std::byte* receive_ = nullptr;
  redistribution::Windows packed_ = 0;
  redistribution::Windows vacated_ = 0;
  Remaining to_send_, to_arrive_;
  std::map<int, int> in_flight_;  // puts, by rank
  int packed_not_sent_ = 0;
  UnderWay<Active> under_way_;
};

}  // namespace

std::unique_ptr<Strategy> make_put(Traffic const& traffic) {
  return std::make_unique<Put>(traffic);
}

}  // namespace sixstep::exchange
