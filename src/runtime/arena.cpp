// SPDX-License-Identifier: BSD-3-Clause
// Arena: the first rank makes a memfd, the others open it through /proc.
#include "runtime/arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/machine_memory.hpp"

namespace sixstep {

namespace {

std::size_t address_of(void const* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// The number of bytes that one rank might need if it had the machine to itself. It is less if
/// there are many segments, because a process has 2^47 bytes of addresses, or if the process has
/// lower limits.
std::size_t long_segment(int ranks) {
  auto const machine = static_cast<std::size_t>(machine_bytes());
  std::size_t const all =
      std::min({8 * machine, limit_of_process(RLIMIT_AS) / 4, limit_of_process(RLIMIT_FSIZE) / 2});
  return std::min(machine, all / static_cast<std::size_t>(ranks)) / huge_page * huge_page;
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
          (mark == 0 || arena->file_.mark() == mark))
        return arena;
    }
    return nullptr;
  };
  std::shared_ptr<Arena> arena;
  if (node.rank() == 0) arena = find_here(0);
  std::uint64_t mark = arena ? arena->file_.mark() : 0;
  mpi::broadcast(node, &mark, sizeof mark);
  if (mark == 0) return nullptr;
  if (node.rank() != 0) arena = find_here(mark);  // there may be several, or none left
  int all_have_it = arena ? 1 : 0;
  mpi::reduce_to_all(node, &all_have_it, 1, MPI_INT, MPI_MIN);
  return all_have_it ? arena : nullptr;
}

std::shared_ptr<Arena> Arena::make(mpi::Communicator const& node, std::size_t bytes) {
  std::shared_ptr<Arena> const arena(new Arena(node, processes_of(node)));
  std::size_t segment_bytes = std::max(round_to_huge_pages(bytes), long_segment(node.size()));
  mpi::together(node, [&] {
    if (node.rank() == 0) arena->file_ = UnnamedFile::make(arena->file_bytes(segment_bytes));
  });
  UnnamedFile::Address address = arena->file_.address();
  mpi::broadcast(node, &address, sizeof address);
  mpi::broadcast(node, &segment_bytes, sizeof segment_bytes);
  mpi::together(node, [&] {
    if (node.rank() != 0) arena->file_ = UnnamedFile::open(address);
    arena->map(segment_bytes);
  });
  std::lock_guard const lock(known().mutex);
  std::erase_if(known().arenas, [](auto const& each) { return each.expired(); });
  known().arenas.insert(known().arenas.begin(), arena);  // older ones may be full
  return arena;
}

void Arena::map(std::size_t segment_bytes) {
  std::size_t const bytes = file_bytes(segment_bytes);
  addresses_ = Addresses(bytes);
  std::byte* const begin = addresses_.begin();
  require(file_.map(begin, 0, bytes),
          "memory that ranks share cannot be mapped: ", std::strerror(errno));
  units_ = reinterpret_cast<Unit*>(begin) + 1;
  segment_bytes_ = segment_bytes;
  segment_ = begin + head_bytes(segment_bytes) + static_cast<std::size_t>(place_) * segment_bytes;
}

std::size_t Arena::head_bytes(std::size_t segment_bytes) {
  return round_to_huge_pages((1 + segment_bytes / huge_page) * sizeof(Unit));
}

std::size_t Arena::file_bytes(std::size_t segment_bytes) const {
  return head_bytes(segment_bytes) + processes_.size() * segment_bytes;
}

std::optional<std::size_t> Arena::reserve(mpi::Communicator const& node, std::size_t bytes) {
  std::int64_t offset = -1;
  if (place_ == 0)
    if (auto const found = reserve_here(bytes)) offset = static_cast<std::int64_t>(*found);
  mpi::broadcast(node, &offset, sizeof offset);
  return offset < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(offset));
}

std::optional<std::size_t> Arena::reserve_here(std::size_t bytes) {
  std::int64_t const offset = first_free(round_to_huge_pages(bytes) / huge_page);
  return offset < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(offset));
}

/// Takes `units` consecutive free units and returns their offset; negative if there are none. One
/// rank of the node decides, so several threads may reserve for different plans at once.
std::int64_t Arena::first_free(std::size_t units) {
  std::lock_guard const lock(reserving_);
  std::size_t const all = segment_bytes_ / huge_page;
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
  return static_cast<std::int64_t>(first * huge_page);
}

std::shared_ptr<std::byte> Arena::hold(std::size_t offset) {
  return {segment_ + offset,
          [arena = shared_from_this(), offset](std::byte*) { arena->release(offset); }};
}

std::shared_ptr<std::byte> Arena::adopt(std::size_t offset,
                                        std::vector<OpenableRange> const& ranges) {
  auto const let_go = [arena = shared_from_this(), offset](std::byte*) {
    // Where the file is not there again, the room stays taken.
    if (forks() == arena->forks_ && arena->restore(offset)) arena->release(offset);
  };
  std::shared_ptr<std::byte> const held(segment_ + offset, let_go);
  for (std::size_t place = 0; place < processes_.size(); ++place) {
    OpenableRange const& range = ranges[place];
    UnnamedFile const file = UnnamedFile::open(range.file);
    require(range.bytes <= bytes_at(offset) &&
                file.map(part_of(place, offset), range.offset, range.bytes),
            "memory that ranks share cannot be mapped: ", std::strerror(errno));
  }
  return held;
}

std::byte* Arena::part_of(std::size_t place, std::size_t offset) const {
  return segment_ - static_cast<std::size_t>(place_) * segment_bytes_ + place * segment_bytes_ +
         offset;
}

std::size_t Arena::bytes_at(std::size_t offset) const {
  return units_[offset / huge_page].units.load(std::memory_order_relaxed) * huge_page;
}

/// Maps the arena's own file again where arrays were adopted. Returns whether all of it is there.
bool Arena::restore(std::size_t offset) {
  if (!file_.is_open()) return false;
  bool is_there = true;
  for (std::size_t place = 0; place < processes_.size(); ++place) {
    std::byte* const part = part_of(place, offset);
    is_there =
        file_.map(part, static_cast<std::size_t>(part - addresses_.begin()), bytes_at(offset)) &&
        is_there;
  }
  return is_there;
}

/// The last rank that releases an array gives back the memory of all ranks, because others may
/// still read, or wait on, the part of a rank that has already released it.
void Arena::release(std::size_t offset) {
  if (forks() != forks_) return;
  Unit& first = units_[offset / huge_page];
  if (first.holders.fetch_sub(1, std::memory_order_acq_rel) > 2) return;
  std::size_t const bytes = bytes_at(offset);
  for (std::size_t place = 0; place < processes_.size(); ++place)
    madvise(part_of(place, offset), bytes, MADV_REMOVE);
  first.holders.store(0, std::memory_order_release);
}

std::uint32_t Arena::number_of(void const* array, std::size_t bytes) const {
  std::size_t const offset = address_of(array) - address_of(segment_);  // huge if it lies before
  if (offset >= segment_bytes_ || offset % huge_page != 0) return 0;
  Unit const& first = units_[offset / huge_page];
  bool const fits = first.holders.load(std::memory_order_relaxed) > 0 &&
                    first.units.load(std::memory_order_relaxed) * huge_page >= bytes;
  return fits ? static_cast<std::uint32_t>(offset / huge_page + 1) : 0;
}

}  // namespace sixstep
