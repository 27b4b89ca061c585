// SPDX-License-Identifier: BSD-3-Clause
// Truncated transforms: copies strips of columns between the kept rows and a block with all rows.
#include "local/truncated.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "local/caches.hpp"
#include "local/kernels/constants.hpp"
#include "local/kernels/stream.hpp"
#include "local/numbers/complex.hpp"

namespace sixstep::local {

namespace {

/// Whether the rows of each column are contiguous, rather than the columns of each row.
template <class Element>
bool are_contiguous(Columns<Element> const& users, Index rows, Index columns) {
  return (users.lane != 1 || columns == 1) && users.row.step(rows) == 1;
}

/// How a rectangle is copied: normally, from a source out of cache, or past the caches.
enum class Copy { plain, from_far, streamed };

/// Copies `rows` rows of `columns` columns. Any lanes are possible.
template <class Element>
void copy(Columns<Element const> const& from, Columns<Element> const& to, Index rows, Index columns,
          Copy how) {
  bool const in_strips = from.lane == 1 && to.lane == 1;
  if constexpr (!std::is_floating_point_v<Element>) {
    using Real = typename RealOf<Element>::type;
    if (in_strips && how == Copy::streamed) return stream_strip<Real>(from, to, rows, columns);
    if (in_strips)
      return copy_strip<Real>(from, to, rows, columns,
                              how == Copy::from_far ? Far::source : Far::neither);
  }
  for (Index k = 0; k < rows; ++k) {
    Element const* const source = from.data + from.row[k];
    Element* const target = to.data + to.row[k];
    if (in_strips)
      std::copy_n(source, columns, target);
    else
      for (Index c = 0; c < columns; ++c) target[c * to.lane] = source[c * from.lane];
  }
}

/// A block of columns with all rows: side by side, or contiguous if the caller's columns are.
template <class Element>
class Block {
 public:
  Block(Kept const& kept, Index lanes, Tuning const& tuning) : kept_(kept) {
    constexpr auto element = static_cast<Index>(sizeof(Element));
    Index const pad = tuning.strip_pad_bytes / element;
    Index const fits = tuning.strip_of_second.of(caches().second) / element / kept.all;
    most_ =
        std::clamp(fits / lanes * lanes, lanes, std::max(tuning.strip_row_bytes / element, lanes));
    pitch_ = most_ + pad;
    column_pitch_ = kept.all + pad;
    for (Index i = 0; i < kept.rows(); ++i) rows_.push_back(kept.row(i) * pitch_);
  }

  Kept const& kept() const { return kept_; }
  /// The most columns in the block.
  Index most() const { return most_; }
  std::size_t bytes() const {
    auto const elements =
        static_cast<std::size_t>(std::max(kept_.all * pitch_, most_ * column_pitch_));
    constexpr std::size_t line = line_bytes;
    return (elements * sizeof(Element) + line - 1) / line * line;
  }

  /// All rows of the block, in memory of bytes() bytes.
  Columns<Element> all(std::byte* memory, bool contiguous) const {
    auto* const data = reinterpret_cast<Element*>(memory);
    if (contiguous) return {data, RowMap::every(1), column_pitch_};
    return {data, RowMap::every(pitch_), 1};
  }

  /// Sets the rows that are not kept to zero.
  void clear(std::byte* memory, bool contiguous, Index columns) const {
    Columns<Element> const rows = all(memory, contiguous);
    auto const clear_rows = [&](Index lo, Index hi) {
      if (contiguous)
        for (Index c = 0; c < columns; ++c)
          std::fill(rows.data + lo + c * rows.lane, rows.data + hi + c * rows.lane, Element{});
      else
        for (Index k = lo; k < hi; ++k) std::fill_n(rows.data + rows.row[k], columns, Element{});
    };
    if (kept_.at > 0) clear_rows(kept_.last, kept_.at);
    clear_rows(kept_.at + kept_.first, kept_.at > 0 ? kept_.all : kept_.last_at());
  }

  /// Calls move(block's side, caller's side, rows, columns) for rectangles of the kept rows. For
  /// contiguous columns it swaps the meaning of rows and columns.
  template <class Users, class Move>
  void for_each_kept(std::byte* memory, Columns<Users> const& users, bool contiguous, Index columns,
                     Move const& move) const {
    auto* const data = reinterpret_cast<Element*>(memory);
    if (!contiguous) {
      move(Columns<Element>{data, rows_.data(), 1}, users, kept_.rows(), columns);
      return;
    }
    auto const stretch = [&](Index all, Index kept, Index rows) {
      if (rows > 0)
        move(Columns<Element>{data + all, RowMap::every(column_pitch_), 1},
             Columns<Users>{users.data + users.row[kept], RowMap::every(users.lane), 1}, columns,
             rows);
    };
    stretch(kept_.at, 0, kept_.first);
    stretch(kept_.last_at(), kept_.first, kept_.last);
  }

 private:
  Kept kept_;
  Index most_;
  Index pitch_;              // distance between rows
  Index column_pitch_;       // of contiguous columns
  std::vector<Index> rows_;  // offsets of the kept rows
};

/// Calls run(part) for parts of a batch with at most `most` columns.
template <class In, class Out, class Run>
void in_strips(Batch<In, Out> const& batch, Index most, Run const& run) {
  Batch<In, Out> part = batch;
  for (Index first = 0; first < batch.columns; first += most) {
    part.columns = std::min(most, batch.columns - first);
    part.in = from_column(batch.in, first);
    part.out = from_column(batch.out, first);
    part.twist.first = batch.twist.first + first * batch.twist.step;
    run(part);
  }
}

/// Calls use(element, other) for the elements of each column in the rows of the two highest waves.
template <class Complex, class Use>
void for_each_highest(Columns<Complex> const& all, Kept const& kept, Index columns,
                      Use const& use) {
  Complex* const one = all.data + all.row[kept.highest()];
  Complex* const other = all.data + all.row[kept.other_highest()];
  for (Index c = 0; c < columns; ++c) use(one[c * all.lane], other[c * all.lane]);
}

/// The common part: the whole transform, and a block for the side with fewer rows.
template <class In, class Out, class Element>
class Truncated : public Transform<In, Out> {
 public:
  Truncated(Transform<In, Out> const& whole, Kept const& kept, Tuning const& tuning)
      : whole_(whole), kept_rows_(kept.rows()), block_(kept, whole.lanes(), tuning) {}

  Index n() const override { return whole_.n(); }
  Index lanes() const override { return whole_.lanes(); }
  std::size_t scratch_bytes() const override { return block_.bytes() + whole_.scratch_bytes(); }
  std::string describe() const override { return whole_.describe(); }

 protected:
  Transform<In, Out> const& whole_;
  Index kept_rows_;
  Block<Element> block_;
};

template <class In, class Out>
class Dropping final : public Truncated<In, Out, Out> {
 public:
  using Truncated<In, Out, Out>::Truncated;

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    Block<Out> const& block = this->block_;
    bool const contiguous = are_contiguous(batch.out, this->kept_rows_, batch.columns);
    in_strips(batch, block.most(), [&](Batch<In, Out> part) {
      Columns<Out> const users = part.out;
      part.out = block.all(scratch, contiguous);
      part.stream = false;
      this->whole_.run(part, scratch + block.bytes());
      if constexpr (is_complex<Out>)
        if (block.kept().splits) add_highest(part.out, block.kept(), part.columns);
      block.for_each_kept(scratch, users, contiguous, part.columns,
                          [&](auto const& all, auto const& kept, Index rows, Index columns) {
                            copy(as_source(all), kept, rows, columns,
                                 batch.stream ? Copy::streamed : Copy::plain);
                          });
    });
  }
};

template <class In, class Out>
class Filling final : public Truncated<In, Out, In> {
 public:
  using Truncated<In, Out, In>::Truncated;

  void run(Batch<In, Out> const& batch, std::byte* scratch) const override {
    Block<In> const& block = this->block_;
    bool const contiguous = are_contiguous(batch.in, this->kept_rows_, batch.columns);
    block.clear(scratch, contiguous, std::min(block.most(), batch.columns));
    in_strips(batch, block.most(), [&](Batch<In, Out> part) {
      block.for_each_kept(scratch, part.in, contiguous, part.columns,
                          [&](auto const& all, auto const& kept, Index rows, Index columns) {
                            copy(kept, all, rows, columns,
                                 batch.far ? Copy::from_far : Copy::plain);
                          });
      Columns<In> const all = block.all(scratch, contiguous);
      if constexpr (is_complex<In>)
        if (block.kept().splits) split_highest(all, block.kept(), part.columns);
      part.in = as_source(all);
      part.far = false;
      this->whole_.run(part, scratch + block.bytes());
    });
  }
};

}  // namespace

template <class Complex>
void add_highest(Columns<Complex> const& all, Kept const& kept, Index columns) {
  bool const is_conjugate = kept.last == 0;
  for_each_highest(all, kept, columns, [&](Complex& one, Complex const& other) {
    one += is_conjugate ? std::conj(other) : other;
  });
}

template <class Complex>
void split_highest(Columns<Complex> const& all, Kept const& kept, Index columns) {
  using Real = typename Complex::value_type;
  bool const is_conjugate = kept.last == 0;
  for_each_highest(all, kept, columns, [&](Complex& one, Complex& other) {
    one = (is_conjugate ? Complex(one.real()) : one) * Real{0.5};
    other = one;
  });
}

template <class In, class Out>
std::unique_ptr<Transform<In, Out>> make_truncated(Transform<In, Out> const& whole, Kept const& in,
                                                   Kept const& out, Tuning const& tuning) {
  if (in.is_part()) return std::make_unique<Filling<In, Out>>(whole, in, tuning);
  return std::make_unique<Dropping<In, Out>>(whole, out, tuning);
}

#define SIXSTEP_TRUNCATED(In, Out)                             \
  template std::unique_ptr<Transform<In, Out>> make_truncated( \
      Transform<In, Out> const&, Kept const&, Kept const&, Tuning const&)
#define SIXSTEP_HIGHEST(Complex)                                                   \
  template void add_highest<Complex>(Columns<Complex> const&, Kept const&, Index); \
  template void split_highest<Complex>(Columns<Complex> const&, Kept const&, Index)

SIXSTEP_HIGHEST(std::complex<float>);
SIXSTEP_HIGHEST(std::complex<double>);

#define SIXSTEP_TRUNCATED_OF(Real)                           \
  SIXSTEP_TRUNCATED(std::complex<Real>, std::complex<Real>); \
  SIXSTEP_TRUNCATED(Real, std::complex<Real>);               \
  SIXSTEP_TRUNCATED(std::complex<Real>, Real);               \
  SIXSTEP_TRUNCATED(Real, Real)

SIXSTEP_TRUNCATED_OF(float);
SIXSTEP_TRUNCATED_OF(double);

}  // namespace sixstep::local
