// SPDX-License-Identifier: BSD-3-Clause
// Memory of a node: a memfd that the first rank makes and the others open by its process.
#include "runtime/node.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <random>

#include "runtime/environment.hpp"

namespace sixstep {

namespace {

constexpr std::size_t page = std::size_t{1} << 21;  // a huge one

std::size_t round_up(std::size_t bytes) { return (bytes + page - 1) / page * page; }

/// A file descriptor that is closed with the object.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(File const&) = delete;
  File& operator=(File const&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// How a rank finds the file of another, and knows that it is the right one.
struct Address {
  std::int64_t process;
  std::int64_t descriptor;
  std::uint64_t mark;
};

constexpr char const* node_ranks = "SIXSTEP_NODE_RANKS";

int most_ranks(std::string_view word) {
  int ranks = 0;
  char const* const end = word.data() + word.size();
  auto const [stop, failure] = std::from_chars(word.data(), end, ranks);
  require(failure == std::errc() && stop == end && ranks >= 1, node_ranks,
          ": a whole number from 1 to 2147483647 is needed, '", word, "' was given");
  return ranks;
}

}  // namespace

Node::Node(mpi::Communicator const& comm) {
  int const most = common_variable(comm, node_ranks, most_ranks);
  mpi::Communicator shared = comm.split_by_memory();
  comm_ = most > 0 && most < shared.size() ? shared.split(shared.rank() / most) : std::move(shared);
  int mine[2] = {comm.rank(), comm_.rank()};
  mpi::broadcast(comm_, &mine[0], sizeof mine[0]);
  std::vector<int> all(2 * static_cast<std::size_t>(comm.size()));
  mpi::gather_to_all(comm, mine, all.data(), sizeof mine);
  for (std::size_t i = 0; i < all.size(); i += 2) {
    node_of_.push_back(all[i]);
    place_of_.push_back(all[i + 1]);
    if (all[i] == mine[0]) ranks_.push_back(static_cast<int>(i / 2));
  }
}

/// A line for each rank, so that nobody's counting disturbs the others.
struct alignas(128) NodeMemory::Counter {
  std::atomic<std::uint64_t> meetings;
  std::atomic<std::uint64_t> words[2];  // of the last two
};

NodeMemory::Counter& NodeMemory::counter(int place) const {
  return reinterpret_cast<Counter*>(mapped_)[place];
}

NodeMemory::NodeMemory(Node const& node, std::size_t segment_bytes)
    : comm_(node.comm()),
      place_(node.comm().rank()),
      ranks_(node.ranks()),
      bytes_(round_up(segment_bytes)) {
  std::size_t const counters = round_up(ranks_.size() * sizeof(Counter));
  mapped_bytes_ = counters + ranks_.size() * bytes_;
  Address address{getpid(), -1, 0};
  if (place_ == 0) {
    address.descriptor = memfd_create("sixstep", MFD_CLOEXEC);
    std::random_device random;
    address.mark = (std::uint64_t{random()} << 32) ^ random();
  }
  File const own(static_cast<int>(address.descriptor));
  mpi::together(comm_, [&] {
    if (place_ != 0) return;
    bool const made =
        own.get() >= 0 && ftruncate(own.get(), static_cast<off_t>(mapped_bytes_)) == 0 &&
        pwrite(own.get(), &address.mark, sizeof address.mark, 0) == sizeof address.mark;
    require(made, "memory that ranks share cannot be made: ", std::strerror(errno));
  });
  mpi::broadcast(comm_, &address, sizeof address);
  mpi::together(comm_, [&] {
    std::string const path = text("/proc/", address.process, "/fd/", address.descriptor);
    File const theirs(place_ == 0 ? -1 : open(path.c_str(), O_RDWR | O_CLOEXEC));
    int const file = place_ == 0 ? own.get() : theirs.get();
    std::uint64_t mark = 0;
    bool const found = file >= 0 && pread(file, &mark, sizeof mark, 0) == sizeof mark;
    require(found && mark == address.mark, "memory of another rank cannot be opened: ",
            file < 0 ? std::strerror(errno) : "its processes are numbered otherwise");
    void* const mapped =
        mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    require(mapped != MAP_FAILED,
            "memory that ranks share cannot be mapped: ", std::strerror(errno));
    mapped_ = static_cast<std::byte*>(mapped);
  });
  first_segment_ = mapped_ + counters;
#ifdef MADV_HUGEPAGE
  madvise(mapped_, mapped_bytes_, MADV_HUGEPAGE);  // where the system has them for shared memory
#endif
  if (place_ == 0) counter(0).meetings.store(0);  // where the mark was
  mpi::meet(comm_);
}

NodeMemory::~NodeMemory() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
}

void NodeMemory::give_back(void* memory, std::size_t bytes) const {
  madvise(memory, bytes, MADV_REMOVE);
}

void NodeMemory::arrive(std::uint64_t word) {
  Counter& mine = counter(place_);
  std::uint64_t const meeting = mine.meetings.load(std::memory_order_relaxed) + 1;
  mine.words[meeting % 2].store(word, std::memory_order_relaxed);
  mine.meetings.store(meeting, std::memory_order_release);
}

bool NodeMemory::wait(std::string_view name) {
  constexpr int tries_alone = 2000;  // loads before the core is offered to others
  Counter const& mine = counter(place_);
  std::uint64_t const meeting = mine.meetings.load(std::memory_order_relaxed);
  std::uint64_t const word = mine.words[meeting % 2].load(std::memory_order_relaxed);
  bool alike = true;
  Patience::Wait wait = comm_.patience().begin();
  for (int place = 0; place < static_cast<int>(ranks_.size()); ++place) {
    Counter const& theirs = counter(place);
    for (Index tries = 0; theirs.meetings.load(std::memory_order_acquire) < meeting; ++tries) {
      if (tries < tries_alone) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
        continue;
      }
      // They may be waiting in MPI for what this rank has yet to send.
      int arrived = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &arrived, MPI_STATUS_IGNORE);
      wait.check([&] { return text(name, ": ", waiting_for()); });
      sched_yield();
    }
    alike = alike && theirs.words[meeting % 2].load(std::memory_order_relaxed) == word;
  }
  return alike;
}

std::string NodeMemory::waiting_for() const {
  std::uint64_t const meeting = counter(place_).meetings.load(std::memory_order_relaxed);
  std::vector<int> absent;
  for (std::size_t place = 0; place < ranks_.size(); ++place)
    if (counter(static_cast<int>(place)).meetings.load(std::memory_order_acquire) < meeting)
      absent.push_back(ranks_[place]);
  if (absent.empty()) return {};
  return text(ranks_in_words(absent), " of this node ", absent.size() == 1 ? "has" : "have",
              " not come");
}

}  // namespace sixstep
