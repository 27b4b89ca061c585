// SPDX-License-Identifier: BSD-3-Clause
// Plans with a sphere: packs what lies within, and puts it back between zeros.
#include "formulas/sphere.hpp"

#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include "formulas/pointwise.hpp"
#include "layout/counting.hpp"
#include "layout/fields.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

using schedule::Columns;

/// Packed coefficients, and the columns that they are taken from.
struct Packed {
  std::shared_ptr<Columns const> columns;
  layout::Placement whole;   // columns with all of their modes
  layout::Placement packed;  // only the coefficients within the sphere
};

/// pack: columns to the coefficients within the sphere; unpack: these to columns, between zeros.
enum PackingWork : int { pack, unpack };

/// One rank's part of the work, on elements of type Element.
template <class Element>
class Packing final : public Pointwise {
 public:
  Packing(Packed const& of, int rank)
      : columns_(of.columns),
        mine_(of.whole.layout.box(rank).ranges[of.columns->fast]),
        along_(of.whole.strides(rank)[of.columns->along]),
        across_(of.whole.strides(rank)[of.columns->fast]),
        point_(of.packed.strides(rank)[0]) {
    if (of.packed.layout.axes() == 1) return;
    fields_ = of.packed.layout.shape()[1];
    whole_field_ = of.whole.strides(rank)[of.whole.layout.axes() - 1];
    packed_field_ = of.packed.strides(rank)[1];
  }

  void apply(int work, Operands const& on) override {
    auto const* const source = static_cast<Element const*>(on.source);
    auto* const target = static_cast<Element*>(on.target);
    Index const count = mine_.count();
    share_in_stretches(count, count * columns_->length < 4096 ? 1 : on.threads, [&](Index i, int) {
      for (Index field = 0; field < fields_; ++field)
        if (work == pack)
          pack_column(i, field, source, target);
        else
          unpack_column(i, field, source, target);
    });
  }

 private:
  Element* packed(Index i, Index field, Element* array) const {
    return array + (columns_->first_of(mine_.lo + i) - columns_->first_of(mine_.lo)) * point_ +
           field * packed_field_;
  }
  Element* whole(Index i, Index field, Element* array) const {
    return array + i * across_ + field * whole_field_;
  }

  void pack_column(Index i, Index field, Element const* source, Element* target) const {
    Columns::Column const& column = (*columns_)[mine_.lo + i];
    Element const* const from = whole(i, field, const_cast<Element*>(source));
    Element* to = packed(i, field, target);
    if (along_ == 1 && point_ == 1) {
      std::copy_n(from + column.begin, column.low, to);
      std::copy_n(from + columns_->length - column.high, column.high, to + column.low);
      return;
    }
    for (Index k = column.begin; k < column.begin + column.low; ++k, to += point_)
      *to = from[k * along_];
    for (Index k = columns_->length - column.high; k < columns_->length; ++k, to += point_)
      *to = from[k * along_];
  }

  void unpack_column(Index i, Index field, Element const* source, Element* target) const {
    Columns::Column const& column = (*columns_)[mine_.lo + i];
    Element const* from = packed(i, field, const_cast<Element*>(source));
    Element* const to = whole(i, field, target);
    Index const low = column.begin + column.low, high = columns_->length - column.high;
    if (along_ == 1 && point_ == 1) {
      std::fill(to, to + column.begin, Element(0));
      std::copy_n(from, column.low, to + column.begin);
      std::fill(to + low, to + high, Element(0));
      std::copy_n(from + column.low, column.high, to + high);
      return;
    }
    for (Index k = 0; k < column.begin; ++k) to[k * along_] = Element(0);
    for (Index k = column.begin; k < low; ++k, from += point_) to[k * along_] = *from;
    for (Index k = low; k < high; ++k) to[k * along_] = Element(0);
    for (Index k = high; k < columns_->length; ++k, from += point_) to[k * along_] = *from;
  }

  std::shared_ptr<Columns const> columns_;
  Range mine_;
  Index along_, across_;  // in whole columns: from a mode to the next, from a column to the next
  Index point_;
  Index fields_ = 1, whole_field_ = 0, packed_field_ = 0;
};

class Pack final : public Formula {
 public:
  explicit Pack(Packed of) : of_(std::move(of)) {}

  std::string name() const override { return "coefficients of columns"; }
  std::string name(int work) const override { return work == pack ? "pack" : "unpack"; }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local) const override {
    auto const made = [&](auto real) -> std::unique_ptr<Pointwise> {
      using Real = decltype(real);
      if (of_.whole.number == layout::Number::real)
        return std::make_unique<Packing<Real>>(of_, rank);
      return std::make_unique<Packing<std::complex<Real>>>(of_, rank);
    };
    if (real_bytes == sizeof(float)) return made(float());
    return made(double());
  }

 private:
  Packed of_;
};

/// Each rank's coefficients, one behind the other.
Layout packed_layout(Layout const& whole, Columns const& columns) {
  std::vector<Box> boxes;
  for (int rank = 0; rank < whole.ranks(); ++rank) {
    Range const mine = whole.box(rank).ranges[columns.fast];
    boxes.push_back({{Range{columns.first_of(mine.lo), columns.first_of(mine.hi), 1}}});
  }
  return Layout::boxes({columns.points()}, boxes);
}

/// The placement of the kept coefficients of columns.
layout::Placement packed(layout::Placement const& whole, schedule::Problem const& problem,
                         Columns const& columns) {
  Layout made = packed_layout(whole.layout, columns);
  int const last = problem.input.axes() - 1;
  if (problem.kept_whole == last)
    made =
        with_fields(made, whole.layout.shape()[last],
                    problem.input.order()[last] == last ? Storage::interleaved : Storage::blocks);
  return layout::place(made, whole.number);
}

void check(schedule::Problem const& problem, int fields_axis) {
  require(
      !problem.output && problem.lies != Output::as_input,
      "output: with a sphere or columns it holds packed coefficients, and has no layout to choose");
  for (int axis = 0; axis < problem.input.axes(); ++axis) {
    bool const is_transformed =
        std::find(problem.axes.begin(), problem.axes.end(), axis) != problem.axes.end();
    require(is_transformed || axis == fields_axis, problem.sphere.empty() ? "columns" : "sphere",
            ": all axes of a plan must be transformed, axis ",
            axis_name(axis, problem.input.axes()), " is not; use fields, or an operator");
  }
}

}  // namespace

bool is_packed(schedule::Problem const& problem) {
  return schedule::keeps_columns(problem) && problem.axes.size() > 1;
}

void pack_ends(Composition& made, schedule::Problem const& wanted,
               std::shared_ptr<Columns const> const& columns) {
  schedule::Problem const problem = schedule::checked(wanted);
  check(problem, problem.kept_whole);
  layout::Placement const input = made.input, output = made.output;
  Slot const before = made.add_work(input.layout), behind = made.add_work(output.layout);
  made.input = packed(input, problem, *columns);
  made.output = packed(output, problem, *columns);
  std::size_t const scatters = made.add(std::make_shared<Pack>(Packed{columns, input, made.input}));
  std::size_t const gathers =
      made.add(std::make_shared<Pack>(Packed{columns, output, made.output}));
  Task run = made.forward[0];
  run.source = before;
  run.target = behind;
  made.forward = {
      {Apply{scatters, unpack}, given, before}, run, {Apply{gathers, pack}, behind, result}};
}

Composition compose_sphere(schedule::Problem const& wanted, schedule::Choices const& choices) {
  schedule::Problem const problem = schedule::checked(wanted);
  check(problem, problem.kept_whole);
  std::shared_ptr<Columns const> const columns = schedule::columns_of(problem);
  schedule::Schedule const schedule = schedule_of_columns(problem, columns, choices);
  Composition made;
  made.input = schedule.input;
  made.output = packed(schedule.output, problem, *columns);
  made.points = schedule.transformed_points();
  made.why = problem.sphere.empty() ? "only listed columns are kept"
                                    : "only coefficients within a sphere are kept";
  Slot const whole = made.add_work(schedule.output.layout);
  std::size_t const formula =
      made.add(std::make_shared<Pack>(Packed{columns, schedule.output, made.output}));
  made.waves = schedule::Waves(problem, schedule.input, schedule.output)
                   .packed(columns, made.output.layout.shape());
  std::size_t const ways = made.add(schedule);
  made.forward = {{Run{ways}, given, whole, true}, {Apply{formula, pack}, whole, result}};
  made.backward = {{Apply{formula, unpack}, given, whole}, {Run{ways, true}, whole, result, true}};
  return made;
}

}  // namespace sixstep::formulas
