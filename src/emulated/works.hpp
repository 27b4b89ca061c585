// SPDX-License-Identifier: BSD-3-Clause
// Works of the emulated device, on one thread of the host: copies, and transforms by the library's
// kernels.
#pragma once

#include <complex>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "base/memory.hpp"
#include "device/door.hpp"

namespace sixstep::device::emulated {

/// Calls body(counts, from, to) for every element of a copy's box.
template <class Body>
void for_each(Copy const& copy, Body const& body) {
  if (copy.elements() == 0) return;
  Index counts[Copy::most_axes] = {};
  Index from = 0, to = 0;
  for (;;) {
    body(counts, from, to);
    int axis = copy.axes - 1;
    for (; axis >= 0; --axis) {
      from += copy.from[axis], to += copy.to[axis];
      if (++counts[axis] < copy.extent[axis]) break;
      from -= counts[axis] * copy.from[axis], to -= counts[axis] * copy.to[axis];
      counts[axis] = 0;
    }
    if (axis < 0) return;
  }
}

template <class Real>
void change(Copy const& copy) {
  for_each(copy, [&](Index const* counts, Index from, Index to) {
    store<Real>(copy, changed<Real>(copy, counts, from), counts, to);
  });
}

inline void move(Copy const& copy) {
  auto const bytes = static_cast<std::size_t>(copy.from_reals * copy.real_bytes);
  auto const* const source = static_cast<std::byte const*>(copy.source);
  auto* const target = static_cast<std::byte*>(copy.target);
  auto const width = static_cast<Index>(bytes);
  for_each(copy, [&](Index const*, Index from, Index to) {
    if (source)
      std::memcpy(target + to * width, source + from * width, bytes);
    else
      std::memset(target + to * width, 0, bytes);
  });
}

/// Runs a copy, which may change what it copies.
inline void run(Copy const& copy) {
  if (!copy.changes)
    move(copy);
  else if (copy.real_bytes == sizeof(float))
    change<float>(copy);
  else
    change<double>(copy);
}

/// Runs a work for all its elements.
template <class Work>
void run_each(Work const& work) {
  Index const elements = work.elements();
  for (Index number = 0; number < elements; ++number) {
    if (work.real_bytes == sizeof(float))
      work.template run<float>(number);
    else
      work.template run<double>(number);
  }
}

/// Transforms by our kernels, in the place of a GPU's library.
template <class Real>
class HostColumns {
 public:
  using Complex = std::complex<Real>;

  HostColumns(Columns const& columns, TransformMakers<Real> const& make) : columns_(columns) {
    int const last = columns.lengths.size() - 1;
    for (int axis = 0; axis <= last; ++axis) {
      Index const n = columns.lengths[axis];
      bool const is_halved = columns.kind != Columns::Kind::c2c && axis == last;
      if (!is_halved) complex_.push_back(make.c2c(n));
      if (is_halved && columns.kind == Columns::Kind::r2c) r2c_ = make.r2c(n);
      if (is_halved && columns.kind == Columns::Kind::c2r) c2r_ = make.c2r(n);
    }
  }

  void run(void const* in, void* out, bool backward) const {
    int const last = columns_.lengths.size() - 1;
    // r2c transforms the halved axis first, c2r last: the other axes in the source, which is lost.
    if (columns_.kind == Columns::Kind::r2c) {
      along(last, *r2c_, static_cast<Real const*>(in), static_cast<Complex*>(out), columns_.source,
            columns_.target, false);
      for (int axis = 0; axis < last; ++axis) in_target(axis, static_cast<Complex*>(out), false);
      return;
    }
    if (columns_.kind == Columns::Kind::c2r) {
      auto* const spectrum = static_cast<Complex*>(const_cast<void*>(in));
      for (int axis = 0; axis < last; ++axis)
        along(axis, *complex_[static_cast<std::size_t>(axis)],
              static_cast<Complex const*>(spectrum), spectrum, columns_.source, columns_.source,
              true);
      return along(last, *c2r_, static_cast<Complex const*>(in), static_cast<Real*>(out),
                   columns_.source, columns_.target, false);
    }
    along(0, *complex_[0], static_cast<Complex const*>(in), static_cast<Complex*>(out),
          columns_.source, columns_.target, backward);
    for (int axis = 1; axis <= last; ++axis) in_target(axis, static_cast<Complex*>(out), backward);
  }

 private:
  void in_target(int axis, Complex* out, bool backward) const {
    along(axis, *complex_[static_cast<std::size_t>(axis)], static_cast<Complex const*>(out), out,
          columns_.target, columns_.target, backward);
  }

  /// Transforms all columns along one axis.
  template <class In, class Out>
  void along(int axis, local::Transform<In, Out> const& transform, In const* in, Out* out,
             Columns::Side const& source, Columns::Side const& target, bool backward) const {
    Memory const scratch = sixstep::allocate(transform.scratch_bytes());
    bool const halved = columns_.kind != Columns::Kind::c2c;
    int const last = columns_.lengths.size() - 1;
    Shape counts(columns_.lengths.size(), 0);
    for (;;) {
      Index from = 0, to = 0;
      for (int each = 0; each <= last; ++each) {
        from += counts[each] * source.strides[each];
        to += counts[each] * target.strides[each];
      }
      local::Batch<In, Out> batch{};
      batch.in = {in + from, local::RowMap::every(source.strides[axis]), source.distance};
      batch.out = {out + to, local::RowMap::every(target.strides[axis]), target.distance};
      batch.columns = columns_.columns;
      batch.backward = backward;
      transform.run(batch, scratch.get());
      int each = last;
      for (; each >= 0; --each) {
        if (each == axis) continue;
        Index const n = columns_.lengths[each];
        if (++counts[each] < (halved && each == last ? n / 2 + 1 : n)) break;
        counts[each] = 0;
      }
      if (each < 0) return;
    }
  }

  Columns columns_;
  std::vector<std::unique_ptr<local::Transform<Complex>>> complex_;
  std::unique_ptr<local::Transform<Real, Complex>> r2c_;
  std::unique_ptr<local::Transform<Complex, Real>> c2r_;
};

class EmulatedPlanned : public Planned {
 public:
  EmulatedPlanned(Columns const& columns, HostTransforms const& host) {
    if (columns.real_bytes == sizeof(float))
      single_.emplace(columns, std::get<0>(host));
    else
      double_.emplace(columns, std::get<1>(host));
  }
  std::size_t scratch_bytes() const override { return 0; }
  std::size_t alignment() const { return 2 * (single_ ? sizeof(float) : sizeof(double)); }
  void run(void const* in, void* out, bool backward) const {
    if (single_) return single_->run(in, out, backward);
    double_->run(in, out, backward);
  }

 private:
  std::optional<HostColumns<float>> single_;
  std::optional<HostColumns<double>> double_;
};

/// Scattered columns, one after the other.
class EmulatedScattered : public Planned {
 public:
  EmulatedScattered(Index n, int real_bytes, HostTransforms const& host) {
    if (real_bytes == sizeof(float))
      single_ = std::get<0>(host).c2c(n);
    else
      double_ = std::get<1>(host).c2c(n);
  }
  std::size_t scratch_bytes() const override { return 0; }
  void run(Scattered const& columns) const {
    if (single_) return run(*single_, columns);
    run(*double_, columns);
  }

 private:
  template <class Complex>
  static void run(local::Transform<Complex> const& transform, Scattered const& columns) {
    using Real = typename Complex::value_type;
    using Element = Pair<Real>;
    Memory const scratch = sixstep::allocate(transform.scratch_bytes());
    std::vector<Element> column(static_cast<std::size_t>(columns.n));
    auto* const points = reinterpret_cast<Complex*>(column.data());
    Divisor const middle = Divisor::of(columns.extents[1]), last = Divisor::of(columns.extents[2]);
    for (Index number = 0; number < columns.columns(); ++number) {
      ColumnCounts const counts =
          ColumnCounts::of(static_cast<std::uint32_t>(number), middle, last);
      Index const from = counts.offset_in(columns.source), to = counts.offset_in(columns.target);
      for (Index row = 0; row < columns.n; ++row) {
        Element const* const place = find<Real>(columns.source, from, row);
        Element const value = place ? *place : Element{0, 0};
        column[static_cast<std::size_t>(row)] = columns.backward ? swapped(value) : value;
      }
      local::Batch<Complex, Complex> batch{};
      batch.in = {points, local::RowMap::every(1), columns.n};
      batch.out = {points, local::RowMap::every(1), columns.n};
      batch.columns = 1;
      transform.run(batch, scratch.get());
      Index const in_table = counts.offset_in(columns.in_table);
      if (columns.there_and_back) {
        for (Index row = 0; row < columns.n; ++row) {
          Element& value = column[static_cast<std::size_t>(row)];
          if (columns.backward) value = swapped(value);
          value = with_table(columns, in_table, row, value);
          if (columns.backward) value = swapped(value);
        }
        batch.backward = true;
        transform.run(batch, scratch.get());
      }
      bool const ends_with_table = columns.table.numbers && !columns.there_and_back;
      for (Index row = 0; row < columns.n; ++row) {
        Element* const place = find<Real>(columns.target, to, row);
        if (!place) continue;
        Element value = column[static_cast<std::size_t>(row)];
        if (columns.backward) value = swapped(value);
        value = {static_cast<Real>(value.re * columns.scale),
                 static_cast<Real>(value.im * columns.scale)};
        if (columns.phase.fine) value = with_phase(columns.phase, counts, row, value);
        if (ends_with_table) value = with_table(columns, in_table, row, value);
        *place = value;
      }
    }
  }

  template <class Real>
  static Pair<Real>* find(ScatteredSide const& side, Index column, Index row) {
    if (!side.rows) return static_cast<Pair<Real>*>(side.memory) + column + row * side.row_stride;
    RowCode const its = side.rows[row];
    return its.is_there() ? place_in<Real>(side, its, column) : nullptr;
  }

  std::unique_ptr<local::Transform<std::complex<float>>> single_;
  std::unique_ptr<local::Transform<std::complex<double>>> double_;
};

}  // namespace sixstep::device::emulated
