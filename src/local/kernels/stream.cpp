// SPDX-License-Identifier: BSD-3-Clause
// Copies of strips, compiled for every instruction set.
#include "local/kernels/stream.hpp"

#include <algorithm>
#include <cstdint>

#include "local/kernels/constants.hpp"
#include "local/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "local/kernels/stream.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // includes this file again for each further target
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace sixstep::local::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr Index line_words = line_bytes / 8;

/// The words before a place in its cache line.
HWY_INLINE Index misaligned(std::uint64_t const* place) {
  return static_cast<Index>(reinterpret_cast<std::uintptr_t>(place) / 8) % line_words;
}

/// Copies `words` words of 8 bytes: whole cache lines of the target past the caches, its unaligned
/// ends normally. A line that is written past the caches in part would be read and written again.
HWY_INLINE void stream_run(std::uint64_t const* from, std::uint64_t* to, Index words) {
  hn::CappedTag<std::uint64_t, line_words> const d;
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  Index const before = misaligned(to);
  Index i = 0;
  for (Index const head = before == 0 ? 0 : std::min(line_words - before, words); i < head; ++i)
    to[i] = from[i];
  for (; i + line_words <= words; i += line_words)
    for (Index j = i; j < i + line_words; j += lanes) hn::Stream(hn::LoadU(d, from + j), d, to + j);
  for (; i < words; ++i) to[i] = from[i];
}

/// Lines at the ends of rows that are written in part are prefetched.
void stream_rows(std::uint64_t const* from, RowMap from_row, std::uint64_t* to, RowMap to_row,
                 Index rows, Index words_per_element, Index words) {
  for (Index k = 0; k < rows; ++k) {
    if (k + rows_ahead < rows) {
      std::uint64_t const* const next = to + to_row[k + rows_ahead] * words_per_element;
      for (std::uint64_t const* end : {next, next + words})
        if (misaligned(end) != 0) hwy::Prefetch(end);
    }
    stream_run(from + from_row[k] * words_per_element, to + to_row[k] * words_per_element, words);
  }
  hwy::FlushStream();
}

template <Far far>
HWY_NOINLINE void copy_rows_of(std::uint64_t const* from, RowMap from_row, std::uint64_t* to,
                               RowMap to_row, Index rows, Index words_per_element, Index words) {
  hn::ScalableTag<std::uint64_t> const d;
  auto const lanes = static_cast<Index>(hn::Lanes(d));
  for (Index k = 0; k < rows; ++k) {
    std::uint64_t const* const source = from + from_row[k] * words_per_element;
    std::uint64_t* const target = to + to_row[k] * words_per_element;
    if (far != Far::neither && k + rows_ahead < rows) {
      std::uint64_t const* const next = far == Far::source
                                            ? from + from_row[k + rows_ahead] * words_per_element
                                            : to + to_row[k + rows_ahead] * words_per_element;
      for (Index i = 0; i < words; i += line_words) hwy::Prefetch(next + i);
    }
    Index i = 0;
    for (; i + lanes <= words; i += lanes) hn::StoreU(hn::LoadU(d, source + i), d, target + i);
    for (; i < words; ++i) target[i] = source[i];
  }
}

void copy_rows(std::uint64_t const* from, RowMap from_row, std::uint64_t* to, RowMap to_row,
               Index rows, Index words_per_element, Index words, Far far) {
  auto* const copy = far == Far::source   ? copy_rows_of<Far::source>
                     : far == Far::target ? copy_rows_of<Far::target>
                                          : copy_rows_of<Far::neither>;
  copy(from, from_row, to, to_row, rows, words_per_element, words);
}

}  // namespace sixstep::local::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sixstep::local {

HWY_EXPORT(stream_rows);
HWY_EXPORT(copy_rows);

namespace {

/// The words of 8 bytes in an element. Copies treat elements as words.
template <class Real>
constexpr Index words = sizeof(std::complex<Real>) / sizeof(std::uint64_t);

}  // namespace

template <class Real>
void copy_strip(Columns<std::complex<Real> const> const& from,
                Columns<std::complex<Real>> const& to, Index rows, Index columns, Far far) {
  HWY_DYNAMIC_DISPATCH(copy_rows)
  (reinterpret_cast<std::uint64_t const*>(from.data), from.row,
   reinterpret_cast<std::uint64_t*>(to.data), to.row, rows, words<Real>, columns * words<Real>,
   far);
}

template <class Real>
void stream_strip(Columns<std::complex<Real> const> const& from,
                  Columns<std::complex<Real>> const& to, Index rows, Index columns) {
  HWY_DYNAMIC_DISPATCH(stream_rows)
  (reinterpret_cast<std::uint64_t const*>(from.data), from.row,
   reinterpret_cast<std::uint64_t*>(to.data), to.row, rows, words<Real>, columns * words<Real>);
}

template void copy_strip<float>(Columns<std::complex<float> const> const&,
                                Columns<std::complex<float>> const&, Index, Index, Far);
template void copy_strip<double>(Columns<std::complex<double> const> const&,
                                 Columns<std::complex<double>> const&, Index, Index, Far);
template void stream_strip<float>(Columns<std::complex<float> const> const&,
                                  Columns<std::complex<float>> const&, Index, Index);
template void stream_strip<double>(Columns<std::complex<double> const> const&,
                                   Columns<std::complex<double>> const&, Index, Index);

}  // namespace sixstep::local

#endif  // HWY_ONCE
