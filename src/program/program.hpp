// SPDX-License-Identifier: BSD-3-Clause
// Programs: what one rank does for a schedule, as sweeps over memory and moves between ranks, and
// the buffers that these go from and to.
//
// Data alone: no MPI, nothing is run. The same program is described, priced and run. Programs are
// made by compile().
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "redistribution/redistribution.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::program {

using layout::Pieces;
using layout::Window;
using redistribution::Cut;
using redistribution::Medium;
using redistribution::Windows;

/// Whether it is one of these.
inline bool contains(PerAxis<int> const& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

/// Every element of a rank's local box goes from where it lies in `source` to where it lies in
/// `target`, on its way transformed along `axis` and multiplied by a twiddle, if there are such.
/// Strides and offsets count elements of their side.
struct Pass {
  Box box;         // as it is read
  Box target_box;  // as it is written: perhaps another extent along `axis`
  layout::Number source_number = layout::Number::complex;
  layout::Number target_number = layout::Number::complex;
  std::optional<int> axis;  // none: a copy
  Kind kind = Kind::c2c;
  Index points = 0;                 // of the transform, whatever is dropped or zero
  std::optional<int> twiddle_axis;  // factor w_N^(i j), i along `axis`, j along this one
  Index twiddle_period = 1;         // N
  layout::Pieces source;
  layout::Pieces target;
  bool from_scratch = false;  // counts along the window axis and stacked ones begin anew each time
  bool to_scratch = false;
  bool scales = false;  // the last transform of the program: it multiplies by the scale
  bool ends = false;    // it makes the output, and may multiply it by a table that lies as it does
};

/// Passes that together read and write main memory once: they run window by window, a window being
/// a stretch of the box along an axis that none of them transforms, small enough to stay in cache.
/// Where it would not be, they take what is stacked along further axes one after the other.
/// Exchanges see larger ones, along the same axis: those of the cut.
struct Sweep {
  std::vector<Pass> passes;
  int window_axis = -1;       // none: one window, the whole box
  Index window = 1;           // counts along it
  PerAxis<int> stacked = {};  // in a window, the passes do one count of each of these at a time
  Index scratch_reals = 0;    // between the passes, per thread
  redistribution::Cut cut = {};
  std::vector<Windows> after = {};  // of each window of the cut: see Step::behind

  Index windows() const;
  /// Of the cut; 0 if there is nothing to do.
  int cut_windows() const;
  /// What it reads and writes in a window of the cut.
  Pieces source_of(int cut_window) const;
  layout::Pieces target_of(int cut_window) const;
  /// Whether every element's place is the same before and after, and no other's meanwhile.
  bool may_work_in_place() const;
};

/// Where an array lies between steps: the user's arrays, or one of up to four work arrays. (A rank
/// needs more than two only if its part falls into more sweeps than that of others, or outgrows the
/// user's arrays where theirs does not. Four always do: two in which the array rests, one after the
/// other, as all ranks have agreed, and two in turn between these.)
enum class Buffer { work_a, work_b, work_c, work_d, input, output };
inline constexpr int work_arrays = 4;

/// How an exchange is done.
struct Way {
  /// Which memory order messages have: that of the receiver, who then need not unpack, or of the
  /// sender.
  enum class Packing { as_received, as_sent };

  redistribution::Medium medium = redistribution::Medium::messages;
  Packing packing = Packing::as_received;
  redistribution::InArray in_array = {};
  std::optional<layout::Placement> resting = {};  // in memory: who has what there meanwhile
  std::optional<Buffer> buffer = {};              // but for messages: where; the same on all ranks

  bool operator==(Way const&) const = default;
};

/// An exchange on one rank.
struct Move {
  layout::Placement from;
  layout::Placement to;
  Way way;
  redistribution::Cuts cuts = {};
  std::shared_ptr<redistribution::Redistribution const> moves = {};
  std::size_t exchange = 0;  // which of the schedule's it is

  layout::Number number() const { return from.number; }
};

/// The ranks of a node wait for each other: then nobody reads or writes what the steps before have
/// left in common memory.
struct Meeting {};

/// A sweep or a move, from a buffer to a buffer; or a meeting, where the array stays.
struct Step {
  std::variant<Sweep, Move, Meeting> work;
  Buffer source = Buffer::input;
  Buffer target = Buffer::output;
  std::size_t shown_as = 0;  // of the steps that do the same for one window after another, the
                             // first: they are described as one
  std::optional<std::size_t> behind = {};  // the last step that leads out of `target`: windows of
                                           // this one write over what windows of that one read
  std::vector<std::size_t> after_all_of = {};  // earlier ones that lead out of it: they must have
                                               // ended as a whole
};

/// Which arrays a program is for.
struct Arrays {
  bool in_place = false;       // input and output are the same
  bool in_segments = false;    // they lie in memory that the ranks of a node have in common
  bool preserve_input = true;  // if they are two

  auto operator<=>(Arrays const&) const = default;
};

/// What one rank does, step by step. In place, the input may have to be copied to the first step's
/// source.
struct Program {
  Arrays arrays;
  std::vector<Step> steps;
  Index input_reals = 0;  // in memory
  Index output_reals = 0;
  std::array<Index, work_arrays> work_reals = {};
  bool flows = false;  // windows of its steps may run as soon as what they need has ended

  Index all_work_reals() const {
    return std::accumulate(work_reals.begin(), work_reals.end(), Index{0});
  }
  /// Times that the array is read and written, exchanges not counted.
  int sweeps() const;
  /// Whether the passes that make the output may multiply it by a table.
  bool takes_table() const;
  /// Whether the input has to be copied to where the program begins.
  bool copies_input() const { return arrays.in_place && steps.front().source != Buffer::output; }
};

/// Whether two lists of pieces place every element alike.
inline bool same_places(layout::Pieces const& a, layout::Pieces const& b) {
  return layout::coalesce(a) == layout::coalesce(b);
}

/// Gives pieces that lie in another rank's segment the offset that they have there, seen from this
/// rank's, segments being so many reals apart. Once for a program.
void bind_segments(Program& program, Index segment_reals);

/// "fft 256, fft 256" or "exchange".
std::string name(Step const& step, schedule::Schedule const& schedule);

/// What a rank reads and writes in a step, in main memory; what it sends and receives in messages.
Index bytes_of(Step const& step, int real_bytes);

}  // namespace sixstep::program
