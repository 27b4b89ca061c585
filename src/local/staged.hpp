// SPDX-License-Identifier: BSD-3-Clause
// A transform whose columns travel in strips through a small buffer.
//
// A group of columns touches as little as 128 bytes of each row. Where rows are far apart, above
// all a power of two apart, that wastes cache sets and page translations; a strip takes four times
// as much at a time and lies in the buffer with padded rows. Results may leave past the caches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>

#include "local/caches.hpp"
#include "local/kernels/stream.hpp"
#include "local/transform.hpp"

namespace sixstep::local {

/// Which sides of a transform travel through the buffer.
struct Staging {
  bool source = false;
  bool target = false;
  bool stream = false;  // from the buffer past the caches
};

/// Whether so many bytes, and as many of the target, are too much for the second-level cache.
inline bool out_of_cache(Index bytes) { return bytes > caches().second / 2; }

/// Whether so many bytes of results had better leave past the caches: of fewer, a later pass finds
/// some there.
inline bool worth_streaming(Index bytes) { return bytes >= caches().third / 8; }

/// The sides whose rows lie so many bytes apart, if both sides have so many bytes each. 0: columns
/// do not lie side by side.
inline Staging staging(Index source_step, Index target_step, Index bytes) {
  constexpr Index far_step = 512;
  bool const far = out_of_cache(bytes);
  return {.source = far && source_step >= far_step,
          .target = far && target_step >= far_step,
          .stream = worth_streaming(bytes)};
}

template <class Real>
class Staged {
 public:
  /// `transform` outlives this.
  Staged(Transform<std::complex<Real>> const& transform, Staging staging)
      : transform_(transform), staging_(staging) {
    if ((!staging.source && !staging.target) || transform.lanes() == 1) return;
    Index const most_bytes = 2 * caches().second;
    constexpr Index row_bytes = 512;
    Index const row = row_bytes / static_cast<Index>(sizeof(std::complex<Real>));
    Index const fits = most_bytes / static_cast<Index>(sizeof(std::complex<Real>)) / transform.n();
    Index const lanes = transform.lanes();
    strip_ = std::clamp(fits / lanes * lanes, lanes, std::max(row, lanes));
    Index const pad = 128 / static_cast<Index>(sizeof(std::complex<Real>));
    pitch_ = strip_ + pad;
  }

  std::size_t scratch_bytes() const { return transform_.scratch_bytes() + buffer_bytes(); }

  /// As Transform::run(). A side that is staged must have lane 1.
  void run(Batch<std::complex<Real>> const& batch, std::byte* scratch) const {
    if (strip_ == 0) {
      transform_.run(batch, scratch);
      return;
    }
    using Complex = std::complex<Real>;
    auto* const buffer = reinterpret_cast<Complex*>(scratch);
    std::byte* const rest = scratch + buffer_bytes();
    // The places that a strip came from are in cache: results best go back there at once.
    bool const in_place = batch.in.data == batch.out.data;
    bool const at_once = in_place && batch.out.row.step(transform_.n()) != 0;
    bool const buffers_target = staging_.target && !at_once;
    bool const streams = staging_.stream && !in_place;
    Batch<std::complex<Real>> part = batch;
    for (Index column = 0; column < batch.columns; column += strip_) {
      part.columns = std::min(strip_, batch.columns - column);
      part.in = {batch.in.data + column * batch.in.lane, batch.in.row, batch.in.lane};
      part.out = {batch.out.data + column * batch.out.lane, batch.out.row, batch.out.lane};
      part.twist.first = batch.twist.first + column * batch.twist.step;
      Columns<Complex> const target = part.out;
      if (staging_.source) {
        copy_strip<Real>(part.in, {buffer, RowMap::every(pitch_), 1}, transform_.n(), part.columns,
                         Far::source);
        part.in = {buffer, RowMap::every(pitch_), 1};
        part.far = false;
      }
      if (buffers_target) {
        part.out = {buffer, RowMap::every(pitch_), 1};
        part.stream = false;
      }
      transform_.run(part, rest);
      if (!buffers_target) continue;
      Columns<Complex const> const result{buffer, RowMap::every(pitch_), 1};
      if (streams)
        stream_strip<Real>(result, target, transform_.n(), part.columns);
      else
        copy_strip<Real>(result, target, transform_.n(), part.columns,
                         in_place ? Far::neither : Far::target);
    }
  }

 private:
  std::size_t buffer_bytes() const {
    return static_cast<std::size_t>(transform_.n() * pitch_) * sizeof(std::complex<Real>);
  }

  Transform<std::complex<Real>> const& transform_;
  Staging staging_;
  Index strip_ = 0;  // columns
  Index pitch_ = 0;  // of a row in the buffer
};

}  // namespace sixstep::local
