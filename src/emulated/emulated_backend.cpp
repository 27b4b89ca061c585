// SPDX-License-Identifier: BSD-3-Clause
// A device made of the host's memory and cores, as strict as a GPU: the host cannot touch its
// memory, and its queues run late, in an order drawn at random among those that events allow. It is
// a file of its own, which the library loads (device/door.hpp).
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <mutex>
#include <random>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "base/words.hpp"
#include "device/door.hpp"
#include "emulated/memory.hpp"
#include "emulated/works.hpp"

namespace sixstep::device::emulated {

namespace {

using Clock = std::chrono::steady_clock;

/// A moment that comes when a queue gets there.
struct Moment {
  bool has_come = false;
  Clock::time_point when = {};
};

/// A task of a queue, which may do nothing. It runs once its moment and its peers have come.
struct Task {
  std::function<void()> run = nullptr;
  std::shared_ptr<Moment const> after = nullptr;
  std::function<bool()> peers_have_come = nullptr;

  bool may_run() const {
    return (!after || after->has_come) && (!peers_have_come || peers_have_come());
  }
};

using Tasks = std::deque<Task>;

/// Runs the tasks in queues: when somebody waits, and a few when somebody asks.
class Scheduler {
 public:
  Scheduler() {
    char const* const seed = std::getenv("SIXSTEP_DEVICE_SEED");
    auto const number = read_number<std::uint64_t>(seed ? seed : "1");
    require(number.has_value(), "SIXSTEP_DEVICE_SEED: a whole number of at least 0 is needed, '",
            shortened(seed ? seed : ""), "' was given");
    random_.seed(static_cast<std::mt19937::result_type>(*number));
  }

  std::recursive_mutex& mutex() { return mutex_; }
  void add(Tasks* tasks) {
    std::lock_guard const lock(mutex_);
    queues_.push_back(tasks);
  }
  void remove(Tasks* tasks) {
    std::lock_guard const lock(mutex_);
    std::erase(queues_, tasks);
  }
  void put(Tasks& tasks, Task task) {
    std::lock_guard const lock(mutex_);
    tasks.push_back(std::move(task));
  }

  template <class Reached>
  void run_until(Reached const& reached) {
    std::lock_guard const lock(mutex_);
    if (reached()) return;
    Visit const visit;
    while (!reached()) {
      if (step()) continue;
      if (waits_for_peers()) {
        sched_yield();
        continue;
      }
      std::fputs("emulated device: queues wait for each other\n", stderr);
      std::abort();
    }
  }
  void run_a_little() {
    std::lock_guard const lock(mutex_);
    constexpr int works[] = {0, 1, 2, 4096};  // letting the host in takes longer than most works
    int left = works[random_() % std::size(works)];
    if (left == 0) return;
    Visit const visit;
    while (left > 0 && step()) --left;
  }

 private:
  /// Runs the next task of a random queue among those that may go on; false if there is none.
  bool step() {
    std::vector<Tasks*> may;
    for (Tasks* tasks : queues_)
      if (!tasks->empty() && tasks->front().may_run()) may.push_back(tasks);
    if (may.empty()) return false;
    Tasks& tasks = *may[random_() % may.size()];
    Task const task = std::move(tasks.front());
    tasks.pop_front();
    if (task.run) task.run();
    return true;
  }
  bool waits_for_peers() const {
    return std::ranges::any_of(queues_, [](Tasks const* tasks) {
      return !tasks->empty() && tasks->front().peers_have_come;
    });
  }

  std::recursive_mutex mutex_;
  std::vector<Tasks*> queues_;
  std::mt19937 random_;
};

Scheduler& scheduler() {
  static Scheduler one;
  return one;
}

class EmulatedEvent : public Event {
 public:
  bool has_come() override {
    if (!moment_) return true;
    if (!moment_->has_come) scheduler().run_a_little();
    return moment_->has_come;
  }
  void wait() override {
    if (moment_) scheduler().run_until([&] { return moment_->has_come; });
  }
  double seconds_since(Event const& earlier) const override {
    auto const& before = static_cast<EmulatedEvent const&>(earlier);
    if (!moment_ || !before.moment_) return 0;
    return std::chrono::duration<double>(moment_->when - before.moment_->when).count();
  }

  std::shared_ptr<Moment> moment_;
};

/// Peers write on a board, which all can see, where their parcels are, and take the parcels that
/// are for them.
class EmulatedPeers : public Peers {
 public:
  /// Takes ownership of the file.
  EmulatedPeers(int file, int peers, int number)
      : Peers(number), peers_(peers), board_(file, bytes_for(peers)) {
    board_.protect(true);
    notes_ = reinterpret_cast<Note*>(board_.begin());
    ++note(number, number).posted;
    for (int peer = 0; peer < peers_; ++peer)
      while (note(peer, peer).posted == 0) sched_yield();
  }

  static std::size_t bytes_for(int peers) {
    return static_cast<std::size_t>(peers) * static_cast<std::size_t>(peers) * sizeof(Note);
  }

  /// The tasks of an exchange: the first parcels of all pairs, then the second ones, and so on.
  /// Exchanges do not overtake each other, even in different queues.
  Tasks exchange(Parcels sends, std::byte const* source, Parcels receives, std::byte* target) {
    Tasks tasks;
    tasks.push_back({.peers_have_come = [this, turn = exchanges_++] { return ended_ == turn; }});
    while (!sends.empty() || !receives.empty()) {
      Parcels const sent = first_of_each(sends);
      tasks.push_back({.run = [=, this] {
        for (Parcel const& parcel : sent) post(parcel, source + parcel.offset);
      }});
      for (Parcel const& parcel : first_of_each(receives)) {
        Note const& theirs = note(parcel.peer, number());
        tasks.push_back({.run = [=, this] { take(parcel, target + parcel.offset); },
                         .peers_have_come = [&] { return theirs.posted > theirs.taken; }});
      }
      for (Parcel const& parcel : sent) {
        Note const& mine = note(number(), parcel.peer);
        tasks.push_back({.peers_have_come = [&] { return mine.taken == mine.posted; }});
      }
    }
    tasks.push_back({.run = [this] { ++ended_; }});
    return tasks;
  }

 private:
  /// A parcel from one peer to another.
  struct Note {
    std::atomic<std::uint64_t> posted, taken;
    Address address;
    std::uint64_t offset, bytes;
  };

  Note& note(int from, int to) const { return notes_[from * peers_ + to]; }

  static Parcels first_of_each(Parcels& parcels) {
    Parcels first, rest;
    for (Parcel const& parcel : parcels) {
      bool const has_one = std::any_of(first.begin(), first.end(),
                                       [&](Parcel const& it) { return it.peer == parcel.peer; });
      (has_one ? rest : first).push_back(parcel);
    }
    parcels = std::move(rest);
    return first;
  }

  void post(Parcel const& parcel, std::byte const* from) const {
    Note& mine = note(number(), parcel.peer);
    mine.address = address_of(from);
    mine.offset = static_cast<std::uint64_t>(from - memories().find(from)->begin());
    mine.bytes = parcel.bytes;
    ++mine.posted;
  }
  void take(Parcel const& parcel, std::byte* to) const {
    Note& theirs = note(parcel.peer, number());
    require_internal(theirs.bytes == parcel.bytes, "peers send ", theirs.bytes, " of ",
                     parcel.bytes, " bytes");
    Mapped const memory(open_file(theirs.address), theirs.address.bytes);
    memory.protect(true);
    std::memcpy(to, memory.begin() + theirs.offset, parcel.bytes);
    ++theirs.taken;
  }

  int peers_;
  Mapped board_;
  Note* notes_ = nullptr;
  std::uint64_t exchanges_ = 0, ended_ = 0;
};

class EmulatedQueue : public Queue {
 public:
  EmulatedQueue() { scheduler().add(&tasks_); }
  ~EmulatedQueue() override {
    finish();
    scheduler().remove(&tasks_);
  }

  void copy(void* to, void const* from, std::size_t bytes) override {
    put([=] { std::memcpy(to, from, bytes); });
  }
  void run(Copy const& copy) override {
    put([copy] { emulated::run(copy); });
  }
  void run(HermitianPart const& part) override {
    put([part] { emulated::run_each(part); });
  }
  void run(Fold const& fold) override {
    put([fold] { emulated::run_each(fold); });
  }
  void run(Planned const& columns, void const* in, void* out, bool backward, void*) override {
    auto const& planned = static_cast<EmulatedPlanned const&>(columns);
    for (void const* side : {in, static_cast<void const*>(out)})
      require_internal(reinterpret_cast<std::uintptr_t>(side) % planned.alignment() == 0,
                       "columns that begin within a complex number");
    put([&planned, in, out, backward] { planned.run(in, out, backward); });
  }
  void run(Planned const& planned, Scattered const& columns) override {
    put([&planned, columns] { static_cast<EmulatedScattered const&>(planned).run(columns); });
  }
  void exchange(Peers& peers, Parcels const& sends, std::byte* source, Parcels const& receives,
                std::byte* target) override {
    for (Task& task : static_cast<EmulatedPeers&>(peers).exchange(sends, source, receives, target))
      scheduler().put(tasks_, std::move(task));
  }
  void record(Event& event) override {
    auto const moment = std::make_shared<Moment>();
    static_cast<EmulatedEvent&>(event).moment_ = moment;
    put([moment] { *moment = {true, Clock::now()}; });
  }
  void wait_for(Event const& event) override {
    scheduler().put(tasks_, {nullptr, static_cast<EmulatedEvent const&>(event).moment_});
  }
  bool is_done() override {
    scheduler().run_a_little();
    std::lock_guard const lock(scheduler().mutex());
    return tasks_.empty();
  }
  void finish() override {
    scheduler().run_until([&] { return tasks_.empty(); });
  }

 private:
  void put(std::function<void()> run) { scheduler().put(tasks_, {std::move(run)}); }

  Tasks tasks_;
};

class EmulatedBackend : public Backend {
 public:
  explicit EmulatedBackend(HostTransforms const& host) : host_(host) {}

  std::string name() const override { return "emulated device"; }

  /// Small, so that there are many blocks.
  std::size_t cache_bytes() const override { return std::size_t{1} << 14; }

  std::shared_ptr<std::byte> allocate(std::size_t bytes) override {
    std::size_t const length = std::max<std::size_t>(bytes, 1);
    return memories().add(make_file(length), length);
  }
  std::shared_ptr<std::byte> allocate_pinned(std::size_t bytes) override {
    Memory memory = sixstep::allocate(bytes);
    FreeMemory const free = memory.get_deleter();
    return {memory.release(), free};
  }
  /// Its queues copy from any memory.
  std::shared_ptr<void> pin(std::byte*, std::size_t) override { return nullptr; }
  /// Small, so that messages are cut.
  std::size_t copy_bytes() const override { return 1000; }
  Handle handle_of(std::byte* memory) override {
    Address const address = address_of(memory);
    Handle handle{};
    static_assert(sizeof address <= sizeof handle);
    std::memcpy(&handle, &address, sizeof address);
    return handle;
  }
  std::shared_ptr<std::byte> open(Handle const& handle) override {
    Address address;
    std::memcpy(&address, &handle, sizeof address);
    return memories().add(open_file(address), address.bytes);
  }
  bool reaches(void const* memory) override { return memories().find(memory) != nullptr; }
  std::shared_ptr<void> let_host_in() override { return std::make_shared<Visit>(); }

  /// Each process has a different one.
  Identity identity() const override {
    Identity identity{};
    std::int64_t const process = getpid();
    std::memcpy(identity.data(), &process, sizeof process);
    return identity;
  }
  std::string peers_name() const override { return "emulated NCCL"; }
  bool has_peers() const override { return true; }
  Invitation invite(int peers) override {
    std::size_t const bytes = EmulatedPeers::bytes_for(peers);
    invited_ = make_file(bytes);
    Address const address{getpid(), invited_, bytes};
    Invitation invitation{};
    std::memcpy(&invitation, &address, sizeof address);
    return invitation;
  }
  std::unique_ptr<Peers> join(Invitation const& invitation, int peers, int number) override {
    Address address;
    std::memcpy(&address, &invitation, sizeof address);
    auto made = std::make_unique<EmulatedPeers>(open_file(address), peers, number);
    if (number == 0) close(invited_);
    return made;
  }

  std::unique_ptr<Queue> make_queue() override { return std::make_unique<EmulatedQueue>(); }
  std::unique_ptr<Queue> make_queue(void*) override { return make_queue(); }
  std::unique_ptr<Event> make_event() override { return std::make_unique<EmulatedEvent>(); }
  std::unique_ptr<Planned> plan(Columns const& columns) override {
    return std::make_unique<EmulatedPlanned>(columns, host_);
  }
  /// Some lengths have no such plan and need blocks, as on GPUs.
  std::unique_ptr<Planned> plan_scattered(Index n, int real_bytes) override {
    Index rest = n;
    for (Index const p : {2, 3, 5, 7})
      while (rest % p == 0) rest /= p;
    if (n < 2 || rest > 1) return nullptr;
    return std::make_unique<EmulatedScattered>(n, real_bytes, host_);
  }

 private:
  HostTransforms host_;
  int invited_ = -1;  // the board of those who are about to join
};

}  // namespace

}  // namespace sixstep::device::emulated

sixstep::device::Backend* sixstep_device(sixstep::device::HostTransforms const& host) {
  using namespace sixstep::device::emulated;
  // Never destroyed, because arrays may outlive other static objects.
  static auto* const one = new EmulatedBackend(host);
  return one;
}
