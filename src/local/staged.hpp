// SPDX-License-Identifier: BSD-3-Clause
// A transform whose columns pass through a small buffer, a strip of columns at a time.
//
// Kernels that work on columns side by side may take as little as 128 bytes of each row. If rows
// are far apart in a large array, above all a power of two apart, this wastes cache sets and page
// translations. A strip is several times as wide. It is copied to a buffer with padded rows,
// transformed there, and copied to its place, if worthwhile past the caches. Kernels fetch the next
// strip while they work on one, and read it where it lies if the second-level cache holds it until
// then. If the last-level cache holds all data, the buffer costs more than it gains: kernels then
// work without it and fetch the rows of a tile while they write the previous one
// (docs/decisions/0035-windows-and-fetching.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "local/caches.hpp"
#include "local/kernels/constants.hpp"
#include "local/kernels/stream.hpp"
#include "local/transform.hpp"
#include "tuning.hpp"

namespace sixstep::local {

/// The sides of a transform that pass through the buffer.
struct Staging {
  bool source = false;
  bool target = false;
  bool stream = false;  // the target is written past the caches
  // the last-level cache holds the data, so kernels may work without the buffer
  bool near = false;
  // it holds the target, so kernels may write to it without the buffer if it has been fetched
  bool holds_target = false;
};

/// Whether a source of `bytes`, and a target of the same size, are too large for the second-level
/// cache.
inline bool out_of_cache(Index bytes, Tuning const& tuning = {}) {
  return bytes > tuning.resident_of_second.of(caches().second);
}

/// Whether `bytes` of results should be written past the caches. If there are fewer, a later pass
/// would still find some of them in cache.
inline bool worth_streaming(Index bytes, Tuning const& tuning = {}) {
  return bytes >= tuning.streamed_of_third.of(third_bytes(tuning));
}

/// `tuning` for one of several ranks that share a last-level cache.
inline Tuning of_sharer(Tuning tuning, int ranks) {
  tuning.streamed_of_third.denominator *= ranks;
  tuning.staged_of_third.denominator *= ranks;
  tuning.fetched_target_of_third.denominator *= ranks;
  return tuning;
}

/// The staging of a transform whose sides have `bytes` bytes each and rows that are source_step and
/// target_step bytes apart. A step of 0 means that columns do not lie side by side.
inline Staging staging(Index source_step, Index target_step, Index bytes,
                       Tuning const& tuning = {}) {
  auto const is_far = [&](Index step) {
    return out_of_cache(bytes, tuning) && step > 0 && step >= tuning.far_row_bytes;
  };
  return {.source = is_far(source_step),
          .target = is_far(target_step),
          .stream = worth_streaming(bytes, tuning),
          .near = bytes < tuning.staged_of_third.of(third_bytes(tuning)),
          .holds_target = bytes < tuning.fetched_target_of_third.of(third_bytes(tuning))};
}

/// Watches nothing. A watch is told of columns [first, first + count) of a batch while they are in
/// cache: of its source once it has been read, or just before if results take its place, and of its
/// results. They lie in the batch's arrays or, with a pitch, side by side in a buffer.
struct Unwatched {
  static constexpr bool watches = false;
  void read(Index, Index) const {}
  void written(Index, Index) const {}
  void read(Index, Index, void const*, Index) const {}
  void written(Index, Index, void const*, Index) const {}
};

/// The bytes of a part of a batch that stays in cache for a watch.
inline Index watched_bytes(Tuning const& tuning) {
  return tuning.window_of_second.of(caches().second);
}

/// Runs a batch in parts of about `bytes` on both sides together.
template <class In, class Out, class Watch>
void run_in_parts(Transform<In, Out> const& transform, Batch<In, Out> const& batch, Index bytes,
                  Watch const& watch, std::byte* scratch) {
  bool const in_place =
      static_cast<void const*>(batch.in.data) == static_cast<void const*>(batch.out.data);
  Index const lanes = transform.lanes();
  Index const column_bytes = transform.n() * static_cast<Index>(sizeof(In) + sizeof(Out));
  Index const most = std::max<Index>(bytes / column_bytes / lanes, 1) * lanes;
  Batch<In, Out> part = batch;
  part.stream = false;
  for (Index column = 0; column < batch.columns; column += part.columns) {
    part.columns = std::min(most, batch.columns - column);
    part.in = from_column(batch.in, column);
    part.out = from_column(batch.out, column);
    part.twist.first = batch.twist.first + column * batch.twist.step;
    if (batch.next != nullptr) part.next = batch.next + column;
    if (in_place) watch.read(column, part.columns);
    transform.run(part, scratch);
    if (!in_place) watch.read(column, part.columns);
    watch.written(column, part.columns);
  }
}

/// A complex transform with such a buffer, or without one if neither side needs it.
template <class Real>
class Staged {
 public:
  /// `transform` must outlive this.
  Staged(Transform<std::complex<Real>> const& transform, Staging staging, Tuning const& tuning = {})
      : transform_(transform),
        staging_(staging),
        crowded_rows_(static_cast<double>(tuning.crowded_rows)),
        crowded_fetched_rows_(static_cast<double>(tuning.crowded_fetched_rows)),
        fetched_in_place_bytes_(tuning.fetched_in_place_of_second.of(caches().second)),
        fetched_bytes_(tuning.fetched_of_second.of(caches().second)),
        watched_bytes_(watched_bytes(tuning)) {
    if ((!staging.source && !staging.target) || transform.lanes() == 1) return;
    constexpr Index element_bytes = sizeof(std::complex<Real>);
    Index const row = tuning.strip_row_bytes / element_bytes;
    Index const fits = tuning.strip_of_second.of(caches().second) / element_bytes / transform.n();
    Index const lanes = transform.lanes();
    strip_ = std::clamp(fits / lanes * lanes, lanes, std::max(row, lanes));
    pitch_ = strip_ + tuning.strip_pad_bytes / element_bytes;
  }

  std::size_t scratch_bytes() const { return transform_.scratch_bytes() + buffer_bytes(); }

  /// Like Transform::run(). On a staged side, columns must lie side by side (lane 1). Batch::next
  /// is what follows on the source's side if that is staged, else on the target's.
  template <class Watch = Unwatched>
  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch,
           Watch const& watch = {}) const {
    if (strip_ == 0) return run_straight(batch, scratch, watch);
    if (goes_straight(batch)) {
      Batch<std::complex<Real>> whole = batch;
      whole.apart = true;
      whole.stream = false;
      if (staging_.source) whole.next = nullptr;
      return run_straight(whole, scratch + buffer_bytes(), watch);
    }
    using Complex = std::complex<Real>;
    auto* const buffer = reinterpret_cast<Complex*>(scratch);
    std::byte* const rest = scratch + buffer_bytes();
    // In place, the rows of a strip are in cache after reading. If they are evenly spaced, the last
    // pass of the kernels writes results there directly.
    bool const in_place = batch.in.data == batch.out.data;
    bool const at_once =
        in_place && batch.out.row.step(transform_.n()) != 0 && !spreads(batch.out.row);
    bool const buffers_target = staging_.target && !at_once;
    bool const streams = staging_.stream && !in_place;
    Index const step = batch.in.row.step(transform_.n());
    bool const reads_fetched = staging_.source && reads_what_is_fetched(batch);
    bool is_fetched = false;  // the strip, while the kernels worked on the one before
    Batch<std::complex<Real>> part = batch;
    Index const first = streams ? first_strip(batch.out.data) : strip_;
    for (Index column = 0; column < batch.columns; column += part.columns) {
      part.columns = std::min(column == 0 ? first : strip_, batch.columns - column);
      part.in = {batch.in.data + column * batch.in.lane, batch.in.row, batch.in.lane};
      part.out = {batch.out.data + column * batch.out.lane, batch.out.row, batch.out.lane};
      part.twist.first = batch.twist.first + column * batch.twist.step;
      Columns<Complex> const target = part.out;
      bool const copies = staging_.source && !(reads_fetched && is_fetched);
      if (staging_.source) {
        // The next strip is fetched while the kernels work on this one.
        is_fetched = step != 0 && column + part.columns + strip_ <= batch.columns;
        part.next = is_fetched ? part.in.data + part.in.row[0] + part.columns : batch.next;
        part.next_step = step;
        part.far = false;
      } else {
        part.next = nullptr;
      }
      if (copies) {
        copy_strip<Real>(part.in, {buffer, RowMap::every(pitch_), 1}, transform_.n(), part.columns,
                         Far::source);
        watch.read(column, part.columns, buffer, pitch_);
        part.in = {buffer, RowMap::every(pitch_), 1};
      } else if (in_place) {
        watch.read(column, part.columns);
      }
      if (buffers_target) {
        part.out = {buffer, RowMap::every(pitch_), 1};
        part.stream = false;
      }
      if (Watch::watches && !buffers_target) part.stream = false;
      transform_.run(part, rest);
      if (!copies && !in_place) watch.read(column, part.columns);
      if (!buffers_target) {
        watch.written(column, part.columns);
        continue;
      }
      watch.written(column, part.columns, buffer, pitch_);
      Columns<Complex const> const result{buffer, RowMap::every(pitch_), 1};
      if (streams)
        stream_strip<Real>(result, target, transform_.n(), part.columns);
      else
        copy_strip<Real>(result, target, transform_.n(), part.columns,
                         in_place ? Far::neither : Far::target);
    }
  }

 private:
  template <class Watch>
  void run_straight(Batch<std::complex<Real>> const& batch, std::byte* scratch,
                    Watch const& watch) const {
    if constexpr (Watch::watches)
      run_in_parts(transform_, batch, watched_bytes_, watch, scratch);
    else
      transform_.run(batch, scratch);
  }

  /// Whether the kernels access the far rows directly: in place, or if only the target is far.
  bool goes_straight(Batch<std::complex<Real>> const& batch) const {
    bool const in_place = batch.in.data == batch.out.data;
    auto const even = [&](auto const& side) {
      return side.lane == 1 && side.row.step(transform_.n()) != 0;
    };
    if (!transform_.fetches_rows() || !even(batch.in) || !even(batch.out)) return false;
    if (in_place) return staging_.near;
    return !staging_.source &&
           ((staging_.near && !staging_.stream) || (staging_.holds_target && was_fetched(batch)));
  }

  /// Whether the target's rows are in the second-level cache, because they were fetched like those
  /// that are to be fetched now, and do not crowd.
  bool was_fetched(Batch<std::complex<Real>> const& batch) const {
    return batch.next != nullptr &&
           rows_a_line_of(batch.out.row, caches().first) <= crowded_fetched_rows_;
  }

  /// Whether the rows of a side crowd in few cache sets, and those of the buffer do not. Then
  /// kernels are so much faster from and to the buffer that copying results back pays, too.
  bool spreads(RowMap row) const {
    return rows_a_line_of(row, caches().first) > crowded_rows_ &&
           !shares_sets(bytes(pitch_), transform_.n());
  }

  /// Whether the kernels read the rows of a strip that has been fetched, so that no copy is needed:
  /// the second-level cache holds them until then.
  bool reads_what_is_fetched(Batch<std::complex<Real>> const& batch) const {
    bool const in_place = batch.in.data == batch.out.data;
    return transform_.fetches_next() &&
           rows_a_line_of(batch.in.row, caches().second) <= crowded_fetched_rows_ &&
           bytes(transform_.n() * strip_) <= (in_place ? fetched_in_place_bytes_ : fetched_bytes_);
  }

  double rows_a_line_of(RowMap row, Index cache_bytes) const {
    Index const n = transform_.n();
    return rows_a_line(bytes(row.step(n)), n, cache_bytes);
  }

  static Index bytes(Index elements) {
    return elements * static_cast<Index>(sizeof(std::complex<Real>));
  }

  std::size_t buffer_bytes() const {
    return static_cast<std::size_t>(transform_.n() * pitch_) * sizeof(std::complex<Real>);
  }

  /// The columns of the first strip, chosen so that the other strips begin with a cache line of the
  /// target: a line that two strips share cannot be written past the caches.
  Index first_strip(std::complex<Real> const* target) const {
    constexpr Index line = line_bytes / sizeof(std::complex<Real>);
    auto const place =
        static_cast<Index>(reinterpret_cast<std::uintptr_t>(target) / sizeof(std::complex<Real>));
    return strip_ > line ? strip_ - place % line : strip_;
  }

  Transform<std::complex<Real>> const& transform_;
  Staging staging_;
  double crowded_rows_;
  double crowded_fetched_rows_;
  Index fetched_in_place_bytes_;  // the largest strips that are read where they lie
  Index fetched_bytes_;
  Index watched_bytes_;
  Index strip_ = 0;  // columns
  Index pitch_ = 0;  // between rows of the buffer
};

}  // namespace sixstep::local
