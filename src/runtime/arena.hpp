// SPDX-License-Identifier: BSD-3-Clause
// Memory that the ranks of a node share: one segment for each rank. Arrays are reserved and
// released at the same offset of every segment.
//
// The memory is an unnamed file, which takes pages only when they are touched. Segments are
// therefore made as long as they may ever have to be, and never grow. Arrays that ranks have
// allocated alone are mapped over it (see adopt()).
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
#include "runtime/openable.hpp"
#include "runtime/unnamed_file.hpp"

namespace sixstep {

/// The system's word for when it gives huge pages to shared memory (always, never, ..); empty if it
/// does not say.
std::string shared_huge_pages();

/// All plans of the same ranks of a node share one arena. It lives as long as any of them or of
/// their arrays.
class Arena : public std::enable_shared_from_this<Arena> {
 public:
  /// The arena that these ranks already have (the newest of several); null if there is none.
  /// Collective over the node.
  static std::shared_ptr<Arena> find(mpi::Communicator const& node);
  /// A new arena with room for an array of at least `bytes`. Collective over the node. Throws Error
  /// if any rank of the node cannot create or map the memory.
  static std::shared_ptr<Arena> make(mpi::Communicator const& node, std::size_t bytes);
  Arena(Arena const&) = delete;
  Arena& operator=(Arena const&) = delete;

  /// Distance from one rank's segment to the next; a multiple of a huge page.
  std::size_t segment_bytes() const { return segment_bytes_; }

  /// Reserves room for an array of `bytes` (not 0) in all segments and returns its offset; empty if
  /// there is no room. Collective over the node. All ranks must then call hold().
  std::optional<std::size_t> reserve(mpi::Communicator const& node, std::size_t bytes);
  /// Reserves without communication: the first rank of the node decides and must tell the others.
  std::optional<std::size_t> reserve_here(std::size_t bytes);
  /// This rank's part of the array reserved at `offset`. It fills with zeros as it is touched. The
  /// memory stays valid, and the room taken, until all ranks have released their parts.
  std::shared_ptr<std::byte> hold(std::size_t offset);
  /// Works like hold(), but the memory is that of the ranks' own arrays, which are given by place.
  /// No range is longer than the array reserved. Throws Error if they cannot be mapped.
  std::shared_ptr<std::byte> adopt(std::size_t offset, std::vector<OpenableRange> const& ranges);
  /// A number that is the same on all ranks, if this rank holds `array` and it has room for
  /// `bytes`; otherwise 0.
  std::uint32_t number_of(void const* array, std::size_t bytes) const;

 private:
  struct Unit;

  Arena(mpi::Communicator const& node, std::vector<std::int64_t> processes)
      : place_(node.rank()), processes_(std::move(processes)) {}
  void map(std::size_t segment_bytes);
  static std::size_t head_bytes(std::size_t segment_bytes);
  std::size_t file_bytes(std::size_t segment_bytes) const;
  std::int64_t first_free(std::size_t units);
  std::byte* part_of(std::size_t place, std::size_t offset) const;
  std::size_t bytes_at(std::size_t offset) const;
  bool restore(std::size_t offset);
  void release(std::size_t offset);

  int place_;
  std::vector<std::int64_t> processes_;  // by place
  // The file: its mark, a Unit for each huge page of a segment, and the segments.
  UnnamedFile file_;
  Addresses addresses_;
  Unit* units_ = nullptr;
  std::byte* segment_ = nullptr;  // of this rank
  std::size_t segment_bytes_ = 0;
  std::mutex reserving_;
  // The value at construction: arrays belong to the ranks alone, not to forked children.
  int forks_ = forks();
};

}  // namespace sixstep
