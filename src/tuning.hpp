// SPDX-License-Identifier: BSD-3-Clause
// The numbers that affect only the speed of transforms. Results depend on them in their last bits
// at most, and not at all if they are to be reproducible.
//
// The defaults come from measurements on x86 with AVX-512 and AVX2 and 1 MiB of second-level cache
// a core (docs/decisions/0003-local-transforms.md, 0008-real-transforms.md), or follow from sizes
// that are named here. Row, strip and pad sizes in bytes are multiples of a 64-byte cache line.
// First, second and third mean the first-level (data), second-level and last-level cache. Each
// struct has the numbers of one part of the library, and Tuning has all of them. This file knows
// nothing about the rest of the library.
#pragma once

#include <compare>
#include <cstdint>

#include "sixstep/bits.hpp"

namespace sixstep {

/// A fraction or a multiple of a size.
struct Share {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;

  /// This share of `size`, rounded down.
  constexpr std::int64_t of(std::int64_t size) const { return size * numerator / denominator; }

  auto operator<=>(Share const&) const = default;
};

/// The order of the passes of a transform in cache: the order that was measured to be best for most
/// lengths, or sorted by radix.
enum class RadixOrder { measured, ascending, descending };

/// Schedules: how many are compared, and when one is preferred to the plain schedule.
struct ScheduleTuning {
  /// A view of an axis as two is considered if a rank has more than this multiple of an even share.
  double idle_above = 1.4;
  /// It is taken if its predicted time (a rough one) is at most this share of the time without it.
  double worth_a_split = 0.9;
  /// Several schedules with pointwise work between them are taken if their predicted time is at
  /// most this share of that of one.
  double worth_composing = 0.9;
  /// One long axis stays on one rank if ranks would have fewer points than this.
  std::int64_t fewest_points_a_rank = 8;
  /// The relative work for a length with a prime factor that needs a convolution.
  double convolved_work = 4;
  /// Longer columns leave the caches, so a view as two axes is considered.
  std::int64_t long_axis_points = std::int64_t{1} << 18;
  /// A column of at least this many reals is transformed in two levels by one thread, and by
  /// several, which share no shorter one.
  std::int64_t least_two_level_reals = std::int64_t{3} << 17;
  std::int64_t least_shared_reals = std::int64_t{1} << 17;
  /// Fewer columns than this leave vector lanes idle.
  std::int64_t fast_columns = 8;
  /// The number of factorisations of an axis that are tried, and of process grids for each. More
  /// make planning slower.
  std::int64_t most_bases = 16;
  std::int64_t most_grids = 128;
  /// The largest item of the square as which low memory treats one long axis. Larger ones allow
  /// further lengths, but interleave rows by as many points.
  std::int64_t most_item_points = 64;

  auto operator<=>(ScheduleTuning const&) const = default;
};

/// Exchanges: messages and the windows that they leave and enter.
struct ExchangeTuning {
  /// Messages between nodes that are smaller than this are gathered by node, because their number
  /// determines the cost. Larger ones would be copied once more without a gain.
  std::int64_t gathered_message_bytes = std::int64_t{1} << 16;
  /// The number of exchanges of a schedule for which both memory orders of messages are tried;
  /// further ones use the receiver's. Each doubles the planning time.
  std::int64_t most_orders_tried = 6;
  /// The largest number of windows for an exchange between nodes, and the smallest message from one
  /// window to another. Smaller messages cost more than they hide, so there are fewer windows then.
  std::int64_t most_automatic_windows = 16;
  std::int64_t least_window_message_bytes = 4096;
  /// The least bytes for arrays on a device, where small copies to and from the host are slow.
  std::int64_t least_device_message_bytes = std::int64_t{1} << 20;
  /// The largest number of messages that windows give one rank in an exchange: each takes about a
  /// microsecond, and planning visits each.
  std::int64_t most_window_messages = 4096;
  /// The bytes of messages in windows that are under way to each rank. More delay what is needed
  /// first; fewer leave the network idle until a thread polls again. A driver that watches them
  /// polls all the time; the others poll between two parts of the passes.
  std::int64_t watched_bytes_in_flight = std::int64_t{1} << 15;
  std::int64_t bytes_in_flight = std::int64_t{1} << 17;
  /// The least number of messages under way to each rank.
  std::int64_t fewest_in_flight = 4;
  /// The number of windows in which low memory transforms an array, so that work memory is this
  /// fraction of the array.
  std::int64_t low_memory_windows = 16;
  /// The tile width of an array that rests in shared memory; the same as that of a strip.
  std::int64_t tile_row_bytes = 512;

  auto operator<=>(ExchangeTuning const&) const = default;
};

/// Sweeps: the windows of passes over memory.
struct SweepTuning {
  /// A window of several passes fits in this share of the second-level cache, if windows can be
  /// that small. The rest is for the sources, targets and tables of the passes.
  Share window_of_second{1, 4};
  /// If a window of several passes does not fit in this share of the last-level cache, each pass
  /// becomes a separate sweep.
  Share window_of_third{1, 8};
  /// Windows for each thread, so that threads that finish early can take over work from others.
  std::int64_t windows_a_thread = 4;
  /// The least bytes of a window with several threads: a few microseconds of work, which is about
  /// the time another thread needs to start.
  std::int64_t least_window_bytes = std::int64_t{1} << 16;
  /// The least and the most columns in a window of a single pass: two strips, and sixteen, so that
  /// a narrow last strip costs little relative to the others.
  std::int64_t least_lone_columns = 64;
  std::int64_t most_lone_columns = 512;
  /// Windows along the contiguous axis are multiples of this many elements, to fill whole vectors.
  std::int64_t window_elements = 16;
  /// The most columns without common lanes that are gathered at once.
  std::int64_t most_bundled_columns = 8;

  auto operator<=>(SweepTuning const&) const = default;
};

/// Lengths that are transformed in cache, and the splitting of longer ones.
struct LengthTuning {
  /// A length n counts as in cache if n of the kernels' rows, of two vectors each, fit in this
  /// share of the second-level cache. Longer columns are transformed one by one, unless they lie
  /// side by side.
  Share rows_of_second{1, 1};
  RadixOrder radix_order = RadixOrder::measured;
  /// The largest prime factor that becomes a convolution on the kernels' rows, relative to the
  /// longest length in cache: a convolution has at least twice as many rows, and its result as many
  /// again.
  Share cached_prime_of_longest{1, 4};
  /// Longer columns side by side keep the kernels' rows as long as these fit in this share of the
  /// last-level cache, which cores share. Still longer ones are split into two levels.
  Share rows_of_third{1, 8};
  /// The longer of these two levels must not exceed this share of the longest length in cache, or
  /// both levels would leave the cache again.
  Share level_of_longest{1, 4};
  /// The least length of the shorter level: shorter ones do too little work for an additional pass.
  std::int64_t shortest_level = 16;
  /// Contiguous columns have their lanes along the transform if n points of this many bytes fit in
  /// the second-level cache, which allows 32 times the length that is in cache otherwise.
  std::int64_t contiguous_point_bytes = 4;
  /// The columns that such a transform consists of are split into two levels, whose results leave
  /// in order, if n points of this many bytes exceed the second-level cache.
  std::int64_t two_level_point_bytes = 128;

  auto operator<=>(LengthTuning const&) const = default;
};

/// Tables of twiddles, and rows of the kernels' buffers.
struct TableTuning {
  /// The most entries of a twiddle table that is stored whole. A longer table is replaced by the
  /// product of two short ones, which saves cache for some multiplications.
  std::int64_t whole_table_entries = 8192;
  /// The row pass of a contiguous transform has a whole table if that fits in this share of the
  /// second-level cache.
  Share whole_row_table_of_second{1, 4};
  /// Blocks of rows are padded if the column has at least this many rows, and ...
  std::int64_t padded_column_rows = 512;
  /// ... the rows of a block are a multiple of this number, because blocks a page or so apart would
  /// compete for cache sets. One more row costs almost nothing.
  std::int64_t padded_block_rows = 16;

  auto operator<=>(TableTuning const&) const = default;
};

/// Tiles: the amount of data that goes through the passes together.
struct TileTuning {
  /// The share of the first-level cache for the rows of a tile; the rest is for input and output.
  /// More groups in a tile give the processor more independent work.
  Share tile_of_first{1, 3};
  /// The share of the second-level cache for these rows if the user's rows compete for cache sets,
  /// so that it pays to take more columns of a row while its lines are in cache.
  Share tile_of_second{1, 4};
  /// If the user's rows are far apart and out of cache (Batch::apart): the share of the
  /// second-level cache for the rows of a tile, and the bytes of each of the user's rows in it. The
  /// cache also holds the next tile.
  Share apart_tile_of_second{1, 16};
  std::int64_t apart_row_bytes = 512;
  /// The most groups in a tile of columns. More gain nothing.
  std::int64_t tile_groups = 8;
  /// The most groups in a tile of contiguous transforms.
  std::int64_t contiguous_tile_groups = 4;

  auto operator<=>(TileTuning const&) const = default;
};

/// Data that does not stay in cache.
struct MemoryTuning {
  /// Bytes of the last-level cache that the ranks which share it keep together, if they were
  /// measured. 0 means all that the system reports.
  std::int64_t third_bytes = 0;
  /// A source, and a target of the same size, stay in cache if each has at most this share of the
  /// second-level cache. Larger ones are prefetched, or staged in strips.
  Share resident_of_second{1, 2};
  /// Results with at least this share of the last-level cache, divided by the ranks that share it,
  /// are written past the caches. This saves reading the target, but a later pass then finds
  /// nothing of it in cache.
  Share streamed_of_third{1, 4};
  /// How far ahead contiguous columns are prefetched. Less is too late; more is evicted again.
  std::int64_t fetched_bytes = 8192;
  /// They are prefetched if a group has at most this share of the first-level cache. Within larger
  /// groups the hardware prefetcher suffices.
  Share fetched_group_of_first{1, 2};

  auto operator<=>(MemoryTuning const&) const = default;
};

/// Strips of columns that pass through a buffer.
struct StripTuning {
  /// Columns are staged if rows are this far apart: they waste cache sets and page translations.
  std::int64_t far_row_bytes = 512;
  /// In place, or from cache to an array, they are staged only if they have at least this share of
  /// the last-level cache, divided by the ranks that share it. For smaller data, kernels that
  /// prefetch rows themselves are fast enough.
  Share staged_of_third{1, 4};
  /// Rows crowd if more of them than this compete for a line of the first-level cache. Then strips
  /// go back by a copy in place, too, and far rows are reached by whole tiles.
  std::int64_t crowded_rows = 16;
  /// The width of a strip. Wider ones read longer runs of memory; the buffer must stay in cache.
  std::int64_t strip_row_bytes = 512;
  /// The largest buffer of a strip, relative to the second-level cache. It makes strips of long
  /// columns narrower.
  Share strip_of_second{2, 1};
  /// The largest strip that the kernels read where it lies, not from the buffer, if it has been
  /// fetched while they worked on the one before: in place, and on the way to another array.
  Share fetched_in_place_of_second{1, 1};
  Share fetched_of_second{1, 4};
  /// It is copied to the buffer all the same if more of its rows than this compete for a line of
  /// the second-level cache.
  std::int64_t crowded_fetched_rows = 8;
  /// Kernels whose source is in cache write to a far target themselves if its rows have been
  /// fetched while they worked on the columns before, if at most crowded_fetched_rows of them
  /// compete for a line of the first-level cache, and if all results have less than this share of
  /// the last-level cache, divided by the ranks that share it. More go past the caches, which gives
  /// memory less to do.
  Share fetched_target_of_third{1, 1};
  /// The largest strip of columns in two levels, relative to the last-level cache, which cores
  /// share.
  Share strip_of_third{1, 8};
  /// The padding of a buffer's row: rows a power of two apart would compete for cache sets.
  std::int64_t strip_pad_bytes = 128;

  auto operator<=>(StripTuning const&) const = default;
};

/// Blocks of real transforms.
struct RealTuning {
  /// The size of a block of columns side by side. Larger blocks spread the cost of a call over more
  /// columns, but leave the first-level cache.
  std::int64_t real_block_bytes = std::int64_t{1} << 16;
  /// The largest width of its rows. Wider rows gain nothing.
  std::int64_t real_row_bytes = 512;
  /// The size of a block of contiguous columns. The block should stay in the first-level cache
  /// between the complex transform and the step from it to the real one.
  std::int64_t real_contiguous_block_bytes = std::int64_t{1} << 14;
  /// The largest block, even if it then has fewer columns than lanes. It limits memory.
  std::int64_t most_real_block_bytes = std::int64_t{1} << 25;
  /// The padding of a row or a contiguous column of a block; see strip_pad_bytes.
  std::int64_t real_pad_bytes = 64;

  auto operator<=>(RealTuning const&) const = default;
};

/// Blocks of columns for FFTW and MKL.
struct LibraryTuning {
  /// The size of a block: half of a small second-level cache.
  std::int64_t library_block_bytes = std::int64_t{1} << 17;
  /// The most columns of a block, in cache lines of a row.
  std::int64_t library_block_lines = 16;
  /// Groups of columns as wide as a cache line are copied together if a group has at most this
  /// size. Longer ones are copied one by one, to save memory.
  std::int64_t library_line_bytes = std::int64_t{1} << 23;

  auto operator<=>(LibraryTuning const&) const = default;
};

/// The numbers of all parts.
struct Tuning : ScheduleTuning,
                ExchangeTuning,
                SweepTuning,
                LengthTuning,
                TableTuning,
                TileTuning,
                MemoryTuning,
                StripTuning,
                RealTuning,
                LibraryTuning {
  /// Unless this is Bits::none, no number above changes a result: see
  /// local/numbers/reproducible.hpp.
  Bits bits = Bits::none;

  auto operator<=>(Tuning const&) const = default;
};

}  // namespace sixstep
