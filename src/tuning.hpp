// SPDX-License-Identifier: BSD-3-Clause
// The numbers that make transforms faster or slower, but neither right nor wrong; at most the last
// bits of results depend on them.
//
// The defaults are from measurements on x86 with AVX-512 and AVX2 and 1 MiB of second-level cache a
// core, see docs/decisions/0003-local-transforms.md and 0008-real-transforms.md, or follow from
// sizes that are named here. Sizes of rows, strips and pads in bytes are multiples of a cache line
// of 64. Knows nothing about anything else.
#pragma once

#include <compare>
#include <cstdint>

namespace sixstep {

/// A part of a size, or a multiple of it.
struct Share {
  std::int64_t numerator = 1;
  std::int64_t denominator = 1;

  /// So much of `size`, rounded down.
  constexpr std::int64_t of(std::int64_t size) const { return size * numerator / denominator; }

  auto operator<=>(Share const&) const = default;
};

/// The order of the passes of a transform in cache: what is best for most lengths by measurement,
/// or by radix.
enum class RadixOrder { measured, ascending, descending };

/// Caches are the first-level (data), second-level and last-level cache: first, second, third.
struct Tuning {
  // Schedules: how many are compared, and what it takes to leave the plain one.

  /// A view of an axis as two is considered where a rank has so many times an even share, ...
  double idle_above = 1.4;
  /// ... and taken if it needs no more than this part of the time without: prices are rough.
  double worth_a_split = 0.9;
  /// The same for several schedules with pointwise work between them.
  double worth_composing = 0.9;
  /// Fewer points a rank than this stay on one rank.
  std::int64_t fewest_points_a_rank = 8;
  /// The work of a length with a prime factor that takes a convolution, in times of one without.
  double convolved_work = 4;
  /// Beyond it, columns leave the caches, and a view as two axes is considered.
  std::int64_t long_axis_points = std::int64_t{1} << 18;
  /// Fewer columns than this leave vector lanes idle.
  std::int64_t fast_columns = 8;
  /// Factorisations of an axis that are tried, and process grids for each. More take longer to
  /// plan.
  std::int64_t most_bases = 16;
  std::int64_t most_grids = 128;
  /// The largest item of the square that one long axis of low memory is: larger ones make other
  /// lengths possible, but rows that are interleaved by so many.
  std::int64_t most_item_points = 64;

  // Exchanges.

  /// Messages between nodes that are smaller than this are gathered by node: their number is what
  /// costs. Larger ones would be copied once more for nothing.
  std::int64_t gathered_message_bytes = std::int64_t{1} << 16;
  /// Exchanges of a schedule for which both memory orders of messages are tried; of further ones
  /// the receiver's is taken. Each doubles the time of planning.
  std::int64_t most_orders_tried = 6;
  /// Exchanges between nodes go in so many windows at most; in fewer where a message from one
  /// window to another would have less than so many bytes, and cost more than it hides.
  std::int64_t most_automatic_windows = 16;
  std::int64_t least_window_message_bytes = 4096;
  /// The same for arrays on a device: smaller copies to and from it are slower.
  std::int64_t least_device_message_bytes = std::int64_t{1} << 20;
  /// And in no more than leave a rank so many messages an exchange: each takes about a microsecond,
  /// and planning goes through all.
  std::int64_t most_window_messages = 4096;
  /// Bytes of messages in windows that are on their way to each rank: more delay what is needed
  /// first, fewer leave the network idle until somebody looks again. A driver that watches them has
  /// a thread that looks all the time; the others look between two parts of the passes.
  std::int64_t watched_bytes_in_flight = std::int64_t{1} << 15;
  std::int64_t bytes_in_flight = std::int64_t{1} << 17;
  /// Messages on their way to each rank at least.
  std::int64_t fewest_in_flight = 4;
  /// Windows in which low memory goes there and back: work memory is that part of the array.
  std::int64_t low_memory_windows = 16;
  /// The width of a tile of an array that rests in memory which ranks have in common: as a strip.
  std::int64_t tile_row_bytes = 512;

  // Sweeps.

  /// A window of several passes fits in this share of the second-level cache, if one can be so
  /// small: beside what lies between two passes, their sources, targets and tables want cache, too.
  Share window_of_second{1, 4};
  /// A window of several passes must stay in this share of the last-level cache, or they become
  /// sweeps of their own.
  Share window_of_third{1, 8};
  /// Windows for each thread, so that those which are done early take over from others.
  std::int64_t windows_a_thread = 4;
  /// With several threads a window has at least so many bytes: a few microseconds of work, as long
  /// as another thread takes to begin.
  std::int64_t least_window_bytes = std::int64_t{1} << 16;
  /// Columns in a window of a pass alone, at least and at most: two strips, and sixteen, lest a
  /// narrow last strip cost as much as the others.
  std::int64_t least_lone_columns = 64;
  std::int64_t most_lone_columns = 512;
  /// Windows along the contiguous axis are multiples of so many elements: whole vectors.
  std::int64_t window_elements = 16;
  /// Columns without common lanes that are gathered at a time.
  std::int64_t most_bundled_columns = 8;

  // Which lengths are worked on in cache, and how longer ones are cut.

  /// A length n counts as in cache if n rows of so many bytes fill no more than the second-level
  /// cache. 128 bytes are what a row of the kernels has with AVX-512; longer columns are gathered
  /// one by one, or cut in two levels, which costs a further trip through the caches.
  std::int64_t cached_row_bytes = 128;
  RadixOrder radix_order = RadixOrder::measured;
  /// The largest prime factor that becomes a convolution on the kernels' rows, as a share of the
  /// longest length in cache: a convolution has at least twice as many rows, and its result too.
  Share cached_prime_of_longest{1, 4};
  /// Columns side by side that are longer than this share of the longest length in cache go in two
  /// levels: their rows and as many of the result would not both stay in cache.
  Share column_of_longest{1, 2};
  /// The longer of these two levels must not exceed this share, or both would be out of cache
  /// again.
  Share level_of_longest{1, 4};
  /// The shorter one must not fall below this, or the additional pass does too little for its cost.
  std::int64_t shortest_level = 16;
  /// Contiguous columns have their lanes along the transform if n points of so many bytes fill no
  /// more than the second-level cache: 32 times the length that is in cache otherwise.
  std::int64_t contiguous_point_bytes = 4;

  // Tables of twiddles, and rows of the kernels' buffers.

  /// Entries of a table of twiddles that is kept whole. A longer one is a product of two short
  /// ones: less cache for some multiplications.
  std::int64_t whole_table_entries = 8192;
  /// The same for the row pass of contiguous transforms, in points of the transform.
  std::int64_t whole_row_table_points = 8192;
  /// Blocks of rows are padded if the column has so many rows ...
  std::int64_t padded_column_rows = 512;
  /// ... and those of a block are a multiple of so many, as blocks a page or so apart would compete
  /// for cache sets. A further row costs next to nothing.
  std::int64_t padded_block_rows = 16;

  // Tiles: how much goes through the passes together.

  /// The share of the first-level cache for the rows of a tile. More groups in a tile give the
  /// processor more independent work; beside the rows, input and output want cache, too.
  Share tile_of_first{1, 3};
  /// The share of the second-level cache for them where the user's rows compete for cache sets, so
  /// that it pays to take more columns of a row while its lines are there.
  Share tile_of_second{1, 4};
  /// The share of the second-level cache for the rows of a tile, and the bytes of each of the
  /// user's rows in it, where these are far apart and out of cache (Batch::apart). The next tile is
  /// there, too.
  Share apart_tile_of_second{1, 16};
  std::int64_t apart_row_bytes = 512;
  /// The most groups in a tile of columns; more gain nothing.
  std::int64_t tile_groups = 8;
  /// The most groups in a tile of contiguous transforms.
  std::int64_t contiguous_tile_groups = 4;

  // What is out of cache.

  /// A source, and a target of the same size, stay in cache if each is at most this share of the
  /// second-level cache. Larger ones are fetched ahead, or staged in strips.
  Share resident_of_second{1, 2};
  /// Results are written past the caches from this share of the last-level cache on, divided by the
  /// ranks that share it. Writing so saves reading the target, but a later pass then finds nothing
  /// of it in cache.
  Share streamed_of_third{1, 4};
  /// How far ahead contiguous columns are fetched. Too little comes late; too much is evicted
  /// again.
  std::int64_t fetched_bytes = 8192;
  /// They are fetched if a group is at most this share of the first-level cache; within larger ones
  /// the hardware foresees what comes next.
  Share fetched_group_of_first{1, 2};

  // Strips of columns that pass through a buffer.

  /// Rows so far apart waste cache sets and page translations: such columns are staged, ...
  std::int64_t far_row_bytes = 512;
  /// ... in place, or from cache to an array, only from this share of the last-level cache on,
  /// divided by the ranks that share it. What comes from there comes soon enough for kernels that
  /// fetch rows themselves.
  Share staged_of_third{1, 4};
  /// The width of a strip. Wider ones read longer runs of memory; the buffer must stay in cache.
  std::int64_t strip_row_bytes = 512;
  /// The most that the buffer of a strip may have, of the second-level cache. Of long columns
  /// strips are narrower for it.
  Share strip_of_second{2, 1};
  /// The same for columns in two levels, of the last-level cache, which other cores use as well.
  Share strip_of_third{1, 8};
  /// What is added to a row of a buffer, as rows a power of two apart would compete for cache sets.
  std::int64_t strip_pad_bytes = 128;

  // Blocks of real transforms.

  /// The size of a block of columns side by side. Larger ones spread the cost of a call over more
  /// columns, but leave the first-level caches.
  std::int64_t real_block_bytes = std::int64_t{1} << 16;
  /// The width of its rows at most: wider ones gain nothing.
  std::int64_t real_row_bytes = 512;
  /// The size of a block of contiguous columns, which is to stay in the first-level cache between
  /// the complex transform and what is made of it.
  std::int64_t real_contiguous_block_bytes = std::int64_t{1} << 14;
  /// The most that a block may have even if that is less than fills the lanes: what it saves is
  /// memory.
  std::int64_t most_real_block_bytes = std::int64_t{1} << 25;
  /// What is added to a row or a contiguous column of a block, as strip_pad_bytes.
  std::int64_t real_pad_bytes = 64;

  // Blocks of columns for FFTW and MKL.

  /// The size of a block: half of a small second-level cache.
  std::int64_t library_block_bytes = std::int64_t{1} << 17;
  /// The most columns of a block, in cache lines of a row.
  std::int64_t library_block_lines = 16;
  /// Columns that are a cache line wide together are copied together up to this size; longer ones
  /// go one by one, to save memory.
  std::int64_t library_line_bytes = std::int64_t{1} << 23;

  auto operator<=>(Tuning const&) const = default;
};

}  // namespace sixstep
