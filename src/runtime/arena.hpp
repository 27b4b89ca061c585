// SPDX-License-Identifier: BSD-3-Clause
// Memory that the ranks of a node have in common: a segment for each rank, in which arrays come and
// go, at the same place of every segment.
//
// The memory is a file without a name (memfd): it takes pages only as they are touched, needs no
// room in /dev/shm, and is gone with the last rank that maps it. So segments are made as long as
// they may ever have to be, and nothing has to grow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fork.hpp"
#include "runtime/mpi.hpp"

namespace sixstep {

/// When the system gives huge pages to memory that processes have in common: its word for that;
/// empty if it does not say.
std::string shared_huge_pages();

/// All plans of the same ranks of a node have one, which lives as long as they and their arrays.
class Arena : public std::enable_shared_from_this<Arena> {
 public:
  /// The one that these ranks have already, of several the last; null if none. Collective over the
  /// node.
  static std::shared_ptr<Arena> find(mpi::Communicator const& node);
  /// A new one, which has room for an array of `bytes` at least. Collective over the node. Errors,
  /// on any of its ranks: memory that cannot be had or opened.
  static std::shared_ptr<Arena> make(mpi::Communicator const& node, std::size_t bytes);
  ~Arena();
  Arena(Arena const&) = delete;
  Arena& operator=(Arena const&) = delete;

  /// From a rank's segment to the next; a multiple of a huge page.
  std::size_t segment_bytes() const { return segment_bytes_; }

  /// Where there is room for an array of `bytes`, not 0, in all segments; nowhere if there is none.
  /// Collective over the node; all ranks hold() it then.
  std::optional<std::size_t> reserve(mpi::Communicator const& node, std::size_t bytes);
  /// This rank's part of what was reserved at `offset`, which fills with zeros as it is touched. It
  /// stays what it is, and the room taken, until all ranks have released theirs.
  std::shared_ptr<std::byte> hold(std::size_t offset);
  /// A number, the same on all ranks, of an array that this rank holds and that has room for
  /// `bytes`; 0 for all others.
  std::uint32_t number_of(void const* array, std::size_t bytes) const;

 private:
  struct Unit;

  Arena(mpi::Communicator const& node, std::vector<std::int64_t> processes)
      : place_(node.rank()), processes_(std::move(processes)) {}
  void map(int file, std::uint64_t mark, std::size_t segment_bytes);
  static std::size_t head_bytes(std::size_t segment_bytes);
  std::size_t file_bytes(std::size_t segment_bytes) const;
  std::int64_t first_free(std::size_t units);
  void release(std::size_t offset);

  int place_;
  std::vector<std::int64_t> processes_;  // by place
  // The file: a mark that no other has, a Unit for each huge page of a segment, and the segments.
  std::uint64_t mark_ = 0;
  Unit* units_ = nullptr;
  std::byte* segment_ = nullptr;  // of this rank
  std::size_t segment_bytes_ = 0;
  std::byte* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::mutex reserving_;
  int forks_ = forks();  // when it was made: arrays are its ranks' alone, not their children's
};

}  // namespace sixstep
