// SPDX-License-Identifier: BSD-3-Clause
// Memory of a node: a memfd that the first rank makes and the others open by its process.
#include "runtime/node.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <random>

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

/// SIXSTEP_NODE_RANKS; 0 if it is not set, or empty.
int most_ranks() {
  char const* const word = std::getenv("SIXSTEP_NODE_RANKS");
  if (!word || *word == '\0') return 0;
  int ranks = 0;
  auto const [stop, failure] = std::from_chars(word, word + std::strlen(word), ranks);
  require(failure == std::errc() && *stop == '\0' && ranks >= 1,
          "SIXSTEP_NODE_RANKS: a whole number from 1 to 2147483647 is needed, '", word,
          "' was given");
  return ranks;
}

/// The same of all ranks. Collective. Errors: it is no number, or not the same.
int common_most_ranks(mpi::Communicator const& comm) {
  int mine = 0;
  mpi::together(comm, [&] { mine = most_ranks(); });
  int first = mine;
  MPI_Bcast(&first, 1, MPI_INT, 0, comm);
  auto const told = [](int ranks) { return ranks == 0 ? std::string("none") : text(ranks); };
  mpi::together(comm, [&] {
    require(mine == first, "SIXSTEP_NODE_RANKS: the same is needed on all ranks, rank 0 has ",
            told(first), ", rank ", comm.rank(), " has ", told(mine));
  });
  return mine;
}

}  // namespace

Node::Node(mpi::Communicator const& comm) {
  int const most = common_most_ranks(comm);
  MPI_Comm together;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, comm.rank(), MPI_INFO_NULL, &together);
  mpi::Communicator shared = mpi::Communicator::own(together);
  comm_ = most > 0 && most < shared.size() ? shared.split(shared.rank() / most) : std::move(shared);
  int mine[2] = {comm.rank(), comm_.rank()};
  MPI_Bcast(&mine[0], 1, MPI_INT, 0, comm_);
  std::vector<int> all(2 * static_cast<std::size_t>(comm.size()));
  MPI_Allgather(mine, 2, MPI_INT, all.data(), 2, MPI_INT, comm);
  for (std::size_t i = 0; i < all.size(); i += 2) {
    node_of_.push_back(all[i]);
    place_of_.push_back(all[i + 1]);
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
      ranks_(node.size()),
      bytes_(round_up(segment_bytes)) {
  std::size_t const counters = round_up(static_cast<std::size_t>(ranks_) * sizeof(Counter));
  mapped_bytes_ = counters + static_cast<std::size_t>(ranks_) * bytes_;
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
  MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, comm_);
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
  MPI_Barrier(comm_);
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

bool NodeMemory::wait() {
  constexpr int patience = 2000;  // loads before the core is offered to others
  Counter const& mine = counter(place_);
  std::uint64_t const meeting = mine.meetings.load(std::memory_order_relaxed);
  std::uint64_t const word = mine.words[meeting % 2].load(std::memory_order_relaxed);
  bool alike = true;
  for (int place = 0; place < ranks_; ++place) {
    Counter const& theirs = counter(place);
    for (int tries = 0; theirs.meetings.load(std::memory_order_acquire) < meeting; ++tries) {
      if (tries < patience) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
        continue;
      }
      // They may be waiting in MPI for what this rank has yet to send.
      int arrived = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, &arrived, MPI_STATUS_IGNORE);
      sched_yield();
    }
    alike = alike && theirs.words[meeting % 2].load(std::memory_order_relaxed) == word;
  }
  return alike;
}

}  // namespace sixstep
