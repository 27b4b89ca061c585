// SPDX-License-Identifier: BSD-3-Clause
// A device made of the host's memory and cores, as strict as a GPU: the host cannot touch its
// memory, and its queues run late, in an order drawn at random among those that events allow.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "base/memory.hpp"
#include "base/words.hpp"
#include "device/backend.hpp"
#include "local/numbers/primes.hpp"
#include "local/real_transform.hpp"
#include "local/transform.hpp"

namespace sixstep::device {

namespace {

using Clock = std::chrono::steady_clock;

/// Memory of the device, of this process or opened from another: a file without a name.
class Mapped {
 public:
  Mapped(int file, std::size_t bytes) : file_(file), bytes_(bytes) {
    void* const memory = mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
      close(file);
      throw Error(text("emulated device: ", bytes, " bytes cannot be mapped"), ErrorCode::memory);
    }
    memory_ = static_cast<std::byte*>(memory);
  }
  ~Mapped() {
    munmap(memory_, bytes_);
    close(file_);
  }
  Mapped(Mapped const&) = delete;

  std::byte* begin() const { return memory_; }
  std::byte* end() const { return memory_ + bytes_; }
  std::size_t bytes() const { return bytes_; }
  int file() const { return file_; }
  void protect(bool open) const {
    mprotect(memory_, bytes_, open ? PROT_READ | PROT_WRITE : PROT_NONE);
  }

 private:
  int file_;
  std::size_t bytes_;
  std::byte* memory_;
};

/// All memory of the device that this process has, and whether the host may touch it.
class Memories {
 public:
  std::shared_ptr<std::byte> add(int file, std::size_t bytes) {
    auto const mapped = std::make_shared<Mapped>(file, bytes);
    std::lock_guard const lock(mutex_);
    mapped->protect(visitors_ > 0);
    all_[mapped->begin()] = mapped.get();
    count_ = all_.size();
    return {mapped->begin(), [this, mapped](std::byte* memory) {
              std::lock_guard const inner(mutex_);
              all_.erase(memory);
              count_ = all_.size();
            }};
  }

  Mapped const* find(void const* memory) {
    if (count_.load(std::memory_order_relaxed) == 0) return nullptr;
    std::lock_guard const lock(mutex_);
    auto const* const place = static_cast<std::byte const*>(memory);
    auto after = all_.upper_bound(const_cast<std::byte*>(place));
    if (after == all_.begin()) return nullptr;
    Mapped const* const found = std::prev(after)->second;
    return place < found->end() ? found : nullptr;
  }

  void let_in() {
    std::lock_guard const lock(mutex_);
    if (visitors_++ == 0) protect_all(true);
  }
  void shut_out() {
    std::lock_guard const lock(mutex_);
    if (--visitors_ == 0) protect_all(false);
  }

 private:
  void protect_all(bool open) {
    for (auto const& [begin, mapped] : all_) mapped->protect(open);
  }

  std::mutex mutex_;
  std::map<std::byte*, Mapped const*> all_;
  std::atomic<std::size_t> count_ = 0;  // of memories: plans on the host ask at each call
  int visitors_ = 0;
};

Memories& memories() {
  static Memories all;
  return all;
}

/// Lets the host in while this object lives.
class Visit {
 public:
  Visit() { memories().let_in(); }
  ~Visit() { memories().shut_out(); }
  Visit(Visit const&) = delete;
};

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

/// Calls body(counts, from, to) for every element of a copy's box.
template <class Body>
void for_each(Copy const& copy, Body const& body) {
  if (copy.elements() == 0) return;
  Index counts[Copy::most_axes] = {};
  Index from = 0, to = 0;
  for (;;) {
    body(counts, from, to);
    int axis = copy.axes - 1;
    for (; axis >= 0; --axis) {
      from += copy.from[axis], to += copy.to[axis];
      if (++counts[axis] < copy.extent[axis]) break;
      from -= counts[axis] * copy.from[axis], to -= counts[axis] * copy.to[axis];
      counts[axis] = 0;
    }
    if (axis < 0) return;
  }
}

template <class Real>
void change(Copy const& copy) {
  for_each(copy, [&](Index const* counts, Index from, Index to) {
    store<Real>(copy, changed<Real>(copy, counts, from), to);
  });
}

void move(Copy const& copy) {
  auto const bytes = static_cast<std::size_t>(copy.from_reals * copy.real_bytes);
  auto const* const source = static_cast<std::byte const*>(copy.source);
  auto* const target = static_cast<std::byte*>(copy.target);
  auto const width = static_cast<Index>(bytes);
  for_each(copy, [&](Index const*, Index from, Index to) {
    if (source)
      std::memcpy(target + to * width, source + from * width, bytes);
    else
      std::memset(target + to * width, 0, bytes);
  });
}

/// Transforms by our kernels, in the place of a GPU's library.
template <class Real>
class HostColumns {
 public:
  using Complex = std::complex<Real>;

  explicit HostColumns(Columns const& columns) : columns_(columns) {
    int const last = columns.lengths.size() - 1;
    for (int axis = 0; axis <= last; ++axis) {
      Index const n = columns.lengths[axis];
      bool const is_halved = columns.kind != Columns::Kind::c2c && axis == last;
      if (!is_halved) complex_.push_back(local::make_transform<Real>(n));
      if (is_halved && columns.kind == Columns::Kind::r2c) r2c_ = local::make_r2c<Real>(n);
      if (is_halved && columns.kind == Columns::Kind::c2r) c2r_ = local::make_c2r<Real>(n);
    }
  }

  void run(void const* in, void* out, bool backward) const {
    int const last = columns_.lengths.size() - 1;
    // r2c transforms the halved axis first; c2r has no other axis.
    if (columns_.kind == Columns::Kind::r2c) {
      along(last, *r2c_, static_cast<Real const*>(in), static_cast<Complex*>(out), columns_.source,
            columns_.target, false);
      for (int axis = 0; axis < last; ++axis) in_target(axis, static_cast<Complex*>(out), false);
      return;
    }
    if (columns_.kind == Columns::Kind::c2r) {
      require_internal(last == 0, "c2r along several axes at once");
      return along(last, *c2r_, static_cast<Complex const*>(in), static_cast<Real*>(out),
                   columns_.source, columns_.target, false);
    }
    along(0, *complex_[0], static_cast<Complex const*>(in), static_cast<Complex*>(out),
          columns_.source, columns_.target, backward);
    for (int axis = 1; axis <= last; ++axis) in_target(axis, static_cast<Complex*>(out), backward);
  }

 private:
  void in_target(int axis, Complex* out, bool backward) const {
    along(axis, *complex_[static_cast<std::size_t>(axis)], static_cast<Complex const*>(out), out,
          columns_.target, columns_.target, backward);
  }

  /// Transforms all columns along one axis.
  template <class In, class Out>
  void along(int axis, local::Transform<In, Out> const& transform, In const* in, Out* out,
             Columns::Side const& source, Columns::Side const& target, bool backward) const {
    Memory const scratch = sixstep::allocate(transform.scratch_bytes());
    bool const halved = columns_.kind == Columns::Kind::r2c;
    int const last = columns_.lengths.size() - 1;
    Shape counts(columns_.lengths.size(), 0);
    for (;;) {
      Index from = 0, to = 0;
      for (int each = 0; each <= last; ++each) {
        from += counts[each] * source.strides[each];
        to += counts[each] * target.strides[each];
      }
      local::Batch<In, Out> batch{};
      batch.in = {in + from, local::RowMap::every(source.strides[axis]), source.distance};
      batch.out = {out + to, local::RowMap::every(target.strides[axis]), target.distance};
      batch.columns = columns_.columns;
      batch.backward = backward;
      transform.run(batch, scratch.get());
      int each = last;
      for (; each >= 0; --each) {
        if (each == axis) continue;
        Index const n = columns_.lengths[each];
        if (++counts[each] < (halved && each == last ? n / 2 + 1 : n)) break;
        counts[each] = 0;
      }
      if (each < 0) return;
    }
  }

  Columns columns_;
  std::vector<std::unique_ptr<local::Transform<Complex>>> complex_;
  std::unique_ptr<local::Transform<Real, Complex>> r2c_;
  std::unique_ptr<local::Transform<Complex, Real>> c2r_;
};

class EmulatedPlanned : public Planned {
 public:
  explicit EmulatedPlanned(Columns const& columns) {
    if (columns.real_bytes == sizeof(float))
      single_.emplace(columns);
    else
      double_.emplace(columns);
  }
  std::size_t scratch_bytes() const override { return 0; }
  std::size_t alignment() const { return 2 * (single_ ? sizeof(float) : sizeof(double)); }
  void run(void const* in, void* out, bool backward) const {
    if (single_) return single_->run(in, out, backward);
    double_->run(in, out, backward);
  }

 private:
  std::optional<HostColumns<float>> single_;
  std::optional<HostColumns<double>> double_;
};

/// Scattered columns, one after the other.
class EmulatedScattered : public Planned {
 public:
  explicit EmulatedScattered(Index n, int real_bytes) {
    if (real_bytes == sizeof(float))
      single_ = local::make_transform<float>(n);
    else
      double_ = local::make_transform<double>(n);
  }
  std::size_t scratch_bytes() const override { return 0; }
  void run(Scattered const& columns) const {
    if (single_) return run(*single_, columns);
    run(*double_, columns);
  }

 private:
  template <class Complex>
  static void run(local::Transform<Complex> const& transform, Scattered const& columns) {
    using Real = typename Complex::value_type;
    using Element = Pair<Real>;
    Memory const scratch = sixstep::allocate(transform.scratch_bytes());
    std::vector<Element> column(static_cast<std::size_t>(columns.n));
    auto* const points = reinterpret_cast<Complex*>(column.data());
    Divisor const middle = Divisor::of(columns.extents[1]), last = Divisor::of(columns.extents[2]);
    for (Index number = 0; number < columns.columns(); ++number) {
      ColumnCounts const counts =
          ColumnCounts::of(static_cast<std::uint32_t>(number), middle, last);
      Index const from = counts.offset_in(columns.source), to = counts.offset_in(columns.target);
      for (Index row = 0; row < columns.n; ++row) {
        auto const [place, offset] = find<Real>(columns.source, from, row);
        Element const value = place ? *place : Element{0, 0};
        column[static_cast<std::size_t>(row)] = columns.backward ? swapped(value) : value;
      }
      local::Batch<Complex, Complex> batch{};
      batch.in = {points, local::RowMap::every(1), columns.n};
      batch.out = {points, local::RowMap::every(1), columns.n};
      batch.columns = 1;
      transform.run(batch, scratch.get());
      for (Index row = 0; row < columns.n; ++row) {
        auto const [place, offset] = find<Real>(columns.target, to, row);
        if (!place) continue;
        Element value = column[static_cast<std::size_t>(row)];
        if (columns.backward) value = swapped(value);
        value = {static_cast<Real>(value.re * columns.scale),
                 static_cast<Real>(value.im * columns.scale)};
        if (columns.phase.fine) value = with_phase(columns.phase, counts, row, value);
        if (columns.table)
          value = product(value, static_cast<Element const*>(columns.table)[offset]);
        *place = value;
      }
    }
  }

  template <class Real>
  static std::pair<Pair<Real>*, Index> find(ScatteredSide const& side, Index column, Index row) {
    if (!side.rows) {
      Index const offset = column + row * side.row_stride;
      return {static_cast<Pair<Real>*>(side.memory) + offset, offset};
    }
    RowCode const its = side.rows[row];
    if (!its.is_there()) return {nullptr, 0};
    return {place_in<Real>(side, its, column), its.offset() + column};
  }

  std::unique_ptr<local::Transform<std::complex<float>>> single_;
  std::unique_ptr<local::Transform<std::complex<double>>> double_;
};

/// The place of memory of the device.
struct Address {
  std::int64_t process, file;
  std::uint64_t bytes;
};

Address address_of(std::byte const* memory) {
  Mapped const* const mapped = memories().find(memory);
  return {getpid(), mapped->file(), mapped->bytes()};
}

/// Opens a file of another process, or of this one.
int open_file(Address const& address) {
  std::string const path = text("/proc/", address.process, "/fd/", address.file);
  int const file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  require(file >= 0, "emulated device: memory of process ", address.process, " cannot be opened");
  return file;
}

int make_file(std::size_t bytes) {
  int const file = memfd_create("sixstep device", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  if (file >= 0) close(file);
  throw Error(text("emulated device: ", bytes, " bytes cannot be allocated"), ErrorCode::memory);
}

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
    put([copy] {
      if (!copy.changes)
        move(copy);
      else if (copy.real_bytes == sizeof(float))
        change<float>(copy);
      else
        change<double>(copy);
    });
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
  bool reaches(void const* memory) override { return is_on_emulated_device(memory); }
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
    if (columns.kind == Columns::Kind::c2r && columns.lengths.size() > 1) return nullptr;
    return std::make_unique<EmulatedPlanned>(columns);
  }
  /// As on GPUs, not of all lengths, so that the others need blocks.
  std::unique_ptr<Planned> plan_scattered(Index n, int real_bytes) override {
    if (n < 2 || local::prime_factors(n).back() > 7) return nullptr;
    return std::make_unique<EmulatedScattered>(n, real_bytes);
  }

 private:
  int invited_ = -1;  // the board of those who are about to join
};

}  // namespace

Backend& emulated_backend() {
  // Never destroyed, because arrays may outlive other static objects.
  static Backend& one = *new EmulatedBackend;
  return one;
}

bool is_on_emulated_device(void const* memory) { return memories().find(memory) != nullptr; }

}  // namespace sixstep::device
