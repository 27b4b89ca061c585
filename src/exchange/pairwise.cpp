// SPDX-License-Identifier: BSD-3-Clause
// Exchange by one message for each pair of ranks and of their windows.
#include <algorithm>
#include <cstddef>
#include <deque>
#include <limits>
#include <map>

#include "exchange/pairs.hpp"
#include "exchange/strategy.hpp"
#include "exchange/under_way.hpp"

namespace sixstep::exchange {

namespace {

/// One MPI call.
struct Call {
  bool sends;
  int rank;
  Index offset;
  int count;
  MPI_Datatype type;
  int tag;
  redistribution::Windows needs;  // windows that must be packed, or vacated
  int behind;
  Trace::Label label = {};
  Nanoseconds posted = 0;  // if there is a trace
};

/// How messages are sent.
struct Manner {
  bool in_order;  // first what is needed first
  bool persistent;
};

/// Makes the request of a call, from or to `data`. Messages that leave first stay ahead only if few
/// are under way. So sends in order are synchronous: they end when the message is taken, not when
/// MPI has a copy.
MPI_Request request_of(Call const& call, std::byte* data, Manner const& manner, MPI_Comm comm) {
  auto const send = manner.in_order ? (manner.persistent ? MPI_Ssend_init : MPI_Issend)
                                    : (manner.persistent ? MPI_Send_init : MPI_Isend);
  auto const receive = manner.persistent ? MPI_Recv_init : MPI_Irecv;
  MPI_Request request = MPI_REQUEST_NULL;
  if (call.sends)
    send(data, call.count, call.type, call.rank, call.tag, comm, &request);
  else
    receive(data, call.count, call.type, call.rank, call.tag, comm, &request);
  return request;
}

/// Calls that are not yet under way, in the order in which they should go.
struct Queue {
  std::vector<std::size_t> planned = {};
  std::vector<std::size_t> waiting = {};
  int in_flight = 0;
  bool has_more = false;  // some of those waiting could go, but enough are under way
};

/// Calls for messages of one element type, and the derived types that they need.
class Planned {
 public:
  explicit Planned(MPI_Datatype element) : element_(element) {}

  /// The call for a message. One over the count limit is one element of a derived type. It is not
  /// cut, because both ends could not cut it alike: the receiver may have rows.
  Call call(redistribution::Message const& message, Traffic const& traffic, bool sends) {
    Call call{sends,
              message.rank,
              message.offset,
              mpi::narrow(std::min(message.count, traffic.count_limit)),
              element_,
              traffic.tags.of(traffic.number, message),
              sends ? redistribution::bit(message.before) : message.after,
              message.behind};
    bool const is_run = message.rows.empty();
    bool const needs_gap = is_run && sends && traffic.into_rows && !mpi::runs_arrive_in_rows;
    if (is_run && !needs_gap && message.count <= traffic.count_limit) return call;
    if (needs_gap)
      types_.push_back(mpi::DerivedType::with_gap(element_, message.count, traffic.count_limit));
    else
      types_.emplace_back(element_, is_run ? Rows{{message.count, 1}} : message.rows, 0,
                          traffic.count_limit);
    call.type = types_.back().get();
    call.count = 1;
    return call;
  }

 private:
  MPI_Datatype element_;
  std::deque<mpi::DerivedType> types_;
};

class Pairwise final : public Strategy {
 public:
  Pairwise(Traffic const& traffic, bool persistent)
      : comm_(traffic.comm),
        planned_(traffic.element),
        names_(traffic.names),
        windows_(traffic.cuts.behind.windows),
        manner_{traffic.cuts.before.windows > 1 || traffic.cuts.behind.windows > 1, persistent},
        most_in_flight_(traffic.in_flight) {
    MPI_Comm_rank(comm_, &rank_);
    bytes_ = static_cast<std::size_t>(mpi::extent_of(traffic.element));
    for (redistribution::Message const& message : traffic.receives)
      if (message.rank != rank_) plan(message, traffic, false);
    std::vector<redistribution::Message> sends = traffic.sends;
    std::stable_sort(sends.begin(), sends.end(),
                     [](redistribution::Message const& a, redistribution::Message const& b) {
                       return std::pair(a.behind, a.before) < std::pair(b.behind, b.before);
                     });
    for (redistribution::Message const& message : sends)
      if (message.rank != rank_) plan(message, traffic, true);
    copies_ = Copies(traffic, rank_, bytes_, to_send_, to_arrive_);
    // Executions allocate nothing.
    for (auto& [rank, queue] : sends_) queue.waiting.reserve(queue.planned.size());
    receives_.waiting.reserve(receives_.planned.size());
    requests_.resize(calls_.size(), MPI_REQUEST_NULL);
    under_way_.reserve(calls_.size());
  }

  ~Pairwise() override { free_requests(); }

  void begin(void const* send, void* receive) override {
    if (send != send_ || receive != receive_) free_requests();
    send_ = static_cast<std::byte const*>(send);
    receive_ = static_cast<std::byte*>(receive);
    packed_ = vacated_ = 0;
    to_send_.begin();
    to_arrive_.begin();
    for (auto& [rank, queue] : sends_) queue.waiting = queue.planned;
    receives_.waiting = receives_.planned;
    copies_.begin();
  }

  void allow(redistribution::Windows packed, redistribution::Windows vacated) override {
    packed_ |= packed;
    vacated_ |= vacated;
    start_all(most_in_flight_);
  }

  void progress() override {
    std::vector<std::size_t> const& ended = under_way_.take_ended();
    if (ended.empty()) return;
    for (std::size_t number : ended) end(number);
    start_all(most_in_flight_);
  }

  redistribution::Windows arrived() const override { return to_arrive_.done(); }
  redistribution::Windows sent() const override { return to_send_.done(); }
  bool sending() const override {
    return std::any_of(sends_.begin(), sends_.end(),
                       [](auto const& entry) { return entry.second.in_flight > 0; });
  }
  bool starves() const override {
    return std::any_of(sends_.begin(), sends_.end(), [](auto const& entry) {
      return !entry.second.has_more && !entry.second.waiting.empty();
    });
  }

  void finish() override {
    start_all(std::numeric_limits<int>::max());
    Patience::Wait wait = comm_.patience().begin();
    while (is_traced_ && !under_way_.empty()) {  // records each when it ends
      progress();
      wait.check([this] { return waiting_for(); });
    }
    for (std::size_t number :
         under_way_.take_all(comm_.patience(), [this] { return waiting_for(); }))
      end(number);
  }

  void trace_to(Trace& trace, int step) override {
    is_traced_ = true;
    Trace::Label const send = trace.label(Trace::Kind::send, "send to", step);
    Trace::Label const receive = trace.label(Trace::Kind::receive, "receive from", step);
    for (Call& call : calls_) {
      MPI_Count size = 0;
      MPI_Type_size_x(call.type, &size);
      call.label = call.sends ? send : receive;
      call.label.bytes = static_cast<Index>(size) * call.count;
    }
  }

  std::string waiting_for() const override {
    Late late;
    under_way_.for_each_late([&](std::size_t number) {
      Call const& call = calls_[number];
      late.add(call.sends, call.behind, call.rank);
    });
    return late.in_words(names_, windows_);
  }

 private:
  void plan(redistribution::Message const& message, Traffic const& traffic, bool sends) {
    (sends ? to_send_ : to_arrive_).add(message.behind);
    (sends ? sends_[message.rank] : receives_).planned.push_back(calls_.size());
    calls_.push_back(planned_.call(message, traffic, sends));
  }

  void start_all(int most_in_flight) {
    start(receives_, std::numeric_limits<int>::max());
    // Send to rank + 1 first: if all began with rank 0, it would receive from everyone at once.
    auto const next = sends_.upper_bound(rank_);
    for (auto peer = next; peer != sends_.end(); ++peer) start(peer->second, most_in_flight);
    for (auto peer = sends_.begin(); peer != next; ++peer) start(peer->second, most_in_flight);
    copies_.run(send_, receive_, packed_, vacated_, to_send_, to_arrive_);
  }

  /// Starts the calls that may start, in order.
  void start(Queue& queue, int most_in_flight) {
    std::size_t kept = 0;
    queue.has_more = false;
    for (std::size_t i = 0; i < queue.waiting.size(); ++i) {
      std::size_t const number = queue.waiting[i];
      Call const& call = calls_[number];
      bool const may_start = (call.needs & ~(call.sends ? packed_ : vacated_)) == 0;
      if (may_start && queue.in_flight < most_in_flight) {
        start(number);
        ++queue.in_flight;
      } else {
        queue.waiting[kept++] = number;
        queue.has_more |= may_start;
      }
    }
    queue.waiting.resize(kept);
  }

  void start(std::size_t number) {
    Call& call = calls_[number];
    if (call.label.trace) call.posted = now();
    MPI_Request request = requests_[number];
    if (request == MPI_REQUEST_NULL) {
      std::byte* const array = call.sends ? const_cast<std::byte*>(send_) : receive_;
      request = request_of(call, array + at(call.offset), manner_, comm_);
      if (manner_.persistent) requests_[number] = request;
    }
    if (manner_.persistent) MPI_Start(&request);
    under_way_.add(number, request);
  }

  /// Called when a call has ended.
  void end(std::size_t number) {
    Call const& call = calls_[number];
    (call.sends ? to_send_ : to_arrive_).end_one(call.behind);
    --(call.sends ? sends_.at(call.rank) : receives_).in_flight;
    if (call.label.trace)
      call.label.trace->record(call.label, call.posted, {.window = call.behind, .peer = call.rank});
  }

  void free_requests() {
    if (!mpi::is_running()) return;
    for (MPI_Request& request : requests_)
      if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }

  std::size_t at(Index elements) const { return static_cast<std::size_t>(elements) * bytes_; }

  mpi::Comm comm_;
  Planned planned_;
  Names names_;
  int windows_;  // of the receivers
  Manner manner_;
  int most_in_flight_;
  int rank_ = 0;
  std::size_t bytes_ = 0;
  std::vector<Call> calls_;
  std::vector<MPI_Request> requests_;  // of each call, if they are persistent
  std::map<int, Queue> sends_;         // by rank
  Queue receives_;
  Copies copies_;

  std::byte const* send_ = nullptr;
  std::byte* receive_ = nullptr;
  bool is_traced_ = false;
  redistribution::Windows packed_ = 0;
  redistribution::Windows vacated_ = 0;
  Remaining to_send_, to_arrive_;
  UnderWay<std::size_t> under_way_;  // numbers of calls
};

}  // namespace

std::unique_ptr<Strategy> make_pairwise(Traffic const& traffic) {
  return std::make_unique<Pairwise>(traffic, false);
}

std::unique_ptr<Strategy> make_persistent(Traffic const& traffic) {
  return std::make_unique<Pairwise>(traffic, true);
}

}  // namespace sixstep::exchange
