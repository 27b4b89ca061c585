// SPDX-License-Identifier: BSD-3-Clause
// Arena: the first rank makes a memfd, the others open it through /proc.
#include "runtime/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>

#include "base/descriptor.hpp"
#include "base/machine_memory.hpp"
#include "base/memory.hpp"

namespace sixstep {

namespace {

constexpr std::size_t page = std::size_t{1} << 21;  // a huge one

std::size_t round_up(std::size_t bytes) { return (bytes + page - 1) / page * page; }

std::size_t address_of(void const* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Finds the file of another rank, and verifies that it is the right one.
struct Address {
  std::int64_t process;
  std::int64_t descriptor;
  std::uint64_t mark;
  std::uint64_t segment_bytes;
};

std::size_t limit(decltype(RLIMIT_AS) of) {
  rlimit found{};
  return getrlimit(of, &found) == 0 ? found.rlim_cur : RLIM_INFINITY;
}

/// As many bytes as one rank might need if it had the machine to itself. It is less if there are
/// many segments, because a process has 2^47 bytes of addresses, or if the process has lower
/// limits.
std::size_t long_segment(int ranks) {
  auto const machine = static_cast<std::size_t>(machine_bytes());
  std::size_t const all = std::min({8 * machine, limit(RLIMIT_AS) / 4, limit(RLIMIT_FSIZE) / 2});
  return std::min(machine, all / static_cast<std::size_t>(ranks)) / page * page;
}

std::vector<std::int64_t> processes_of(mpi::Communicator const& node) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(node.size()));
  std::int64_t const mine = getpid();
  mpi::gather_to_all(node, &mine, all.data(), sizeof mine);
  return all;
}

/// The arenas of this process.
struct Known {
  std::mutex mutex;
  std::vector<std::weak_ptr<Arena>> arenas;
};
Known& known() {
  static Known here;
  return here;
}

}  // namespace

/// The room of one huge page in all segments.
struct Arena::Unit {
  // The number of ranks that hold the array beginning here, plus 1 until its memory is given back.
  std::atomic<std::uint32_t> holders;
  std::atomic<std::uint32_t> units;  // length of that array
};

std::string shared_huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  for (std::string word; file >> word;)  // always within_size [advise] never deny force
    if (word.front() == '[') return word.substr(1, word.size() - 2);
  return {};
}

std::shared_ptr<Arena> Arena::find(mpi::Communicator const& node) {
  auto const processes = processes_of(node);
  auto const find_here = [&](std::uint64_t mark) -> std::shared_ptr<Arena> {
    std::lock_guard const lock(known().mutex);
    for (std::weak_ptr<Arena> const& each : known().arenas) {
      std::shared_ptr<Arena> arena = each.lock();
      if (arena && arena->place_ == node.rank() && arena->processes_ == processes &&
          (mark == 0 || arena->mark_ == mark))
        return arena;
    }
    return nullptr;
  };
  std::shared_ptr<Arena> arena;
  if (node.rank() == 0) arena = find_here(0);
  std::uint64_t mark = arena ? arena->mark_ : 0;
  mpi::broadcast(node, &mark, sizeof mark);
  if (mark == 0) return nullptr;
  if (node.rank() != 0) arena = find_here(mark);  // there may be several, or none left
  int all_have_it = arena ? 1 : 0;
  mpi::reduce_to_all(node, &all_have_it, 1, MPI_INT, MPI_MIN);
  return all_have_it ? arena : nullptr;
}

std::shared_ptr<Arena> Arena::make(mpi::Communicator const& node, std::size_t bytes) {
  std::shared_ptr<Arena> const arena(new Arena(node, processes_of(node)));
  Address address{getpid(), -1, 0, std::max(round_up(bytes), long_segment(node.size()))};
  if (node.rank() == 0) {
    address.descriptor = memfd_create("sixstep", MFD_CLOEXEC);
    std::random_device random;
    while (address.mark == 0) address.mark = (std::uint64_t{random()} << 32) ^ random();
  }
  Descriptor const own(static_cast<int>(address.descriptor));
  mpi::together(node, [&] {
    if (node.rank() != 0) return;
    std::size_t const all = arena->file_bytes(address.segment_bytes);
    require(all <= limit(RLIMIT_FSIZE),
            "memory that ranks share cannot be made: it takes a file of ", all,
            " bytes, which ulimit -f does not allow");
    bool const made = own >= 0 && ftruncate(own, static_cast<off_t>(all)) == 0 &&
                      pwrite(own, &address.mark, sizeof address.mark, 0) == sizeof address.mark;
    require(made, "memory that ranks share cannot be made: ", std::strerror(errno));
  });
  mpi::broadcast(node, &address, sizeof address);
  mpi::together(node, [&] {
    std::string const path = text("/proc/", address.process, "/fd/", address.descriptor);
    Descriptor const theirs(node.rank() == 0 ? -1 : open(path.c_str(), O_RDWR | O_CLOEXEC));
    int const file = node.rank() == 0 ? own : theirs;
    std::uint64_t mark = 0;
    bool const found = file >= 0 && pread(file, &mark, sizeof mark, 0) == sizeof mark;
    require(found && mark == address.mark, "memory of another rank cannot be opened: ",
            file < 0 ? std::strerror(errno) : "it runs in another PID namespace");
    arena->map(file, mark, address.segment_bytes);
  });
  std::lock_guard const lock(known().mutex);
  std::erase_if(known().arenas, [](auto const& each) { return each.expired(); });
  known().arenas.insert(known().arenas.begin(), arena);  // older ones may be full
  return arena;
}

void Arena::map(int file, std::uint64_t mark, std::size_t segment_bytes) {
  std::size_t const bytes = file_bytes(segment_bytes);
  auto const fail = [] {
    throw Error(text("memory that ranks share cannot be mapped: ", std::strerror(errno)));
  };
  // Reserve addresses, with a spare page so that the memory can begin on a huge page.
  void* const room =
      mmap(nullptr, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) fail();
  mapped_ = static_cast<std::byte*>(room);
  mapped_bytes_ = bytes + page;
  std::byte* const begin = mapped_ + round_up(address_of(mapped_)) - address_of(mapped_);
  if (mmap(begin, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0) ==
      MAP_FAILED)
    fail();
  units_ = reinterpret_cast<Unit*>(begin) + 1;
  segment_bytes_ = segment_bytes;
  segment_ = begin + head_bytes(segment_bytes) + static_cast<std::size_t>(place_) * segment_bytes;
  mark_ = mark;
#ifdef MADV_HUGEPAGE
  // It has an effect if the system supports it for shared memory
  madvise(begin, bytes, MADV_HUGEPAGE);
#endif
}

Arena::~Arena() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
}

std::size_t Arena::head_bytes(std::size_t segment_bytes) {
  return round_up((1 + segment_bytes / page) * sizeof(Unit));
}

std::size_t Arena::file_bytes(std::size_t segment_bytes) const {
  return head_bytes(segment_bytes) + processes_.size() * segment_bytes;
}

std::optional<std::size_t> Arena::reserve(mpi::Communicator const& node, std::size_t bytes) {
  std::int64_t offset = place_ == 0 ? first_free(round_up(bytes) / page) : 0;
  mpi::broadcast(node, &offset, sizeof offset);
  return offset < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(offset));
}

/// Takes `units` consecutive free units and returns their offset; negative if there are none. One
/// rank of the node decides, so several threads may reserve for different plans at once.
std::int64_t Arena::first_free(std::size_t units) {
  std::lock_guard const lock(reserving_);
  std::size_t const all = segment_bytes_ / page;
  std::size_t first = 0, end = 0;  // of the room found so far
  while (end < first + units) {
    if (end == all) return -1;
    if (units_[end].holders.load(std::memory_order_acquire) == 0)
      ++end;
    else
      first = end += units_[end].units.load(std::memory_order_relaxed);
  }
  units_[first].units.store(static_cast<std::uint32_t>(units), std::memory_order_relaxed);
  units_[first].holders.store(static_cast<std::uint32_t>(processes_.size()) + 1,
                              std::memory_order_relaxed);
  return static_cast<std::int64_t>(first * page);
}

std::shared_ptr<std::byte> Arena::hold(std::size_t offset) {
  return {segment_ + offset,
          [arena = shared_from_this(), offset](std::byte*) { arena->release(offset); }};
}

/// The last rank that releases an array gives back the memory of all ranks, because others may
/// still read, or wait on, the part of a rank that has already released it.
void Arena::release(std::size_t offset) {
  if (forks() != forks_) return;
  Unit& first = units_[offset / page];
  if (first.holders.fetch_sub(1, std::memory_order_acq_rel) > 2) return;
  std::size_t const bytes = first.units.load(std::memory_order_relaxed) * page;
  std::byte* const foremost = segment_ - static_cast<std::size_t>(place_) * segment_bytes_;
  for (std::size_t place = 0; place < processes_.size(); ++place)
    madvise(foremost + place * segment_bytes_ + offset, bytes, MADV_REMOVE);
  first.holders.store(0, std::memory_order_release);
}

std::uint32_t Arena::number_of(void const* array, std::size_t bytes) const {
  std::size_t const offset = address_of(array) - address_of(segment_);  // huge if it lies before
  if (offset >= segment_bytes_ || offset % page != 0) return 0;
  Unit const& first = units_[offset / page];
  bool const fits = first.holders.load(std::memory_order_relaxed) > 0 &&
                    first.units.load(std::memory_order_relaxed) * page >= bytes;
  return fits ? static_cast<std::uint32_t>(offset / page + 1) : 0;
}

}  // namespace sixstep
