// SPDX-License-Identifier: BSD-3-Clause
// Programs: what one rank does for a schedule, as sweeps over memory and moves between ranks, and
// the buffers that these read and write.
//
// Programs are only data: nothing here runs or uses MPI. compile() makes them; they are described,
// priced and run.
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

#include "base/short_form.hpp"
#include "redistribution/redistribution.hpp"
#include "schedule/schedule.hpp"

namespace sixstep::program {

using layout::Pieces;
using layout::Window;
using redistribution::Cut;
using redistribution::Medium;
using redistribution::Windows;

/// Whether `axis` is one of `axes`.
inline bool contains(PerAxis<int> const& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

/// Numbers for the points of a rank's box, in the order in which a sweep comes to them, so that a
/// table of something for each point is read from its begin to its end. Fields do not count.
struct Numbering {
  Box box;        // in working indices
  Shape strides;  // from a point to the next along each axis; 0 along the axis of the fields
  // Blocks of `block` counts along this axis are numbered one after the other; 0: there are none.
  Index block = 0;
  int block_axis = 0;
  Index block_stride = 0;
  Index size = 0;  // above all numbers
  int id = 0;      // among the different ones of an operation in a schedule's programs

  Index number(Shape const& counts) const {
    Index sum = 0;
    for (int axis = 0; axis < strides.size(); ++axis) sum += counts[axis] * strides[axis];
    if (block == 0) return sum;
    return sum + counts[block_axis] / block * (block_stride - block * strides[block_axis]);
  }
  bool operator==(Numbering const&) const = default;
};

/// Moves every element of a rank's local box from its place in `source` to its place in `target`.
/// On the way it is transformed along `axis` and multiplied by a twiddle, if these are set. Strides
/// and offsets count elements of their side.
struct Pass {
  Box box;         // as it is read
  Box target_box;  // as it is written: the extent along `axis` may differ
  layout::Number source_number = layout::Number::complex;
  layout::Number target_number = layout::Number::complex;
  std::optional<int> axis;  // none: a copy, an operation at points, or columns that are gathered
  std::optional<schedule::AtPoints> at_points;
  std::optional<schedule::Gather> gather;
  Numbering numbering = {};  // of an operation's points
  Kind kind = Kind::c2c;
  Index points = 0;                 // of the transform, dropped and zero ones included
  Index first = 0;                  // the first point that there is: see schedule::Fft
  bool to_points = false;           // it makes points of coefficients
  std::optional<int> twiddle_axis;  // factor w_N^(i j), i along `axis`, j along this one
  Index twiddle_period = 1;         // N
  bool undoes = false;              // the transform runs against the direction of the program
  bool splits = false;              // the highest mode stands for two waves: see schedule::Fft
  layout::Pieces source;
  layout::Pieces target;
  bool from_scratch = false;  // indices along the window axis and stacked axes start at 0 in each
                              // window
  bool to_scratch = false;
  bool has_room = false;  // the scratch that it writes has room for all rows of the transform, each
                          // in its place, also for those that the target does not have
  bool scales = false;    // the last transform in its direction, which multiplies by the scale
  bool ends = false;      // it writes the output, and may multiply it by a table with the same
                          // placement

  /// The rows of the transform that the target has: `count` of its indices from `index` on are rows
  /// from `row` on.
  struct Stretch {
    Index index, row, count;
  };
  std::array<Stretch, 2> target_rows() const;
  /// The rows of a side if it had all.
  Index all_rows(layout::Number number) const {
    return kind == Kind::r2c && number == layout::Number::complex ? points / 2 + 1 : points;
  }
  /// Whether the source has all rows of the transform, and the target only some of them.
  bool drops_rows() const {
    return axis && box.ranges[*axis].count() == all_rows(source_number) &&
           target_box.ranges[*axis].count() < all_rows(target_number);
  }

  /// Whether it leaves elements as they are and the extents of all axes.
  bool is_copy() const { return !axis && !at_points && !gather; }
  /// Whether columns along this axis are computed together, so that no window may cut it.
  bool joins(int along) const {
    if (gather) return along == gather->columns->slow || along == gather->columns->fast;
    return at_points ? at_points->mixes && at_points->axis == along : axis == along;
  }
};

/// An axis that a sweep goes through `counts` counts at a time.
struct Stacked {
  int axis;
  Index counts = 1;
  bool operator==(Stacked const&) const = default;
};

/// Passes that together read and write main memory once. They run window by window; a window is a
/// part of the box along an axis that none of them transforms, small enough to stay in cache. Where
/// it would not stay there, the passes go through stacked axes a few counts at a time.
/// Exchanges use larger windows along the same axis, those of the cut.
struct Sweep {
  std::vector<Pass> passes;
  int window_axis = -1;           // negative: one window, the whole box
  Index window = 1;               // counts along it
  PerAxis<Stacked> stacked = {};  // in a window, the passes do this much of each at a time
  Index scratch_reals = 0;        // between the passes, per thread
  redistribution::Cut cut = {};
  std::vector<Windows> after = {};  // for each window of the cut; see Step::behind

  /// How many counts of a stacked axis are done at a time; 0 if the axis is not stacked.
  Index stacked_counts(int axis) const {
    for (Stacked const& one : stacked)
      if (one.axis == axis) return one.counts;
    return 0;
  }
  Index windows() const;
  /// The number of windows of the cut; 0 if there is nothing to do.
  int cut_windows() const;
  /// The pieces that the sweep reads, and those that it writes, in a window of the cut.
  Pieces source_of(int cut_window) const;
  layout::Pieces target_of(int cut_window) const;
  /// Whether every element has the same place before and after, and nothing else is written there
  /// meanwhile.
  bool may_work_in_place() const;
};

/// Where an array lies between steps: in a user's array, or in one of up to four work arrays. (A
/// rank needs more than two only if its part falls into more sweeps than that of others, or
/// outgrows the user's arrays where theirs does not. Four are always enough: two in which the array
/// rests one after the other, which all ranks have agreed on, and two in turn between these.)
enum class Buffer { work_a, work_b, work_c, work_d, input, output };
inline constexpr int work_arrays = 4;

/// How an exchange is done.
struct Way {
  /// The memory order of messages: that of the receiver, who then need not unpack, or that of the
  /// sender.
  enum class Packing { as_received, as_sent };

  redistribution::Medium medium = redistribution::Medium::messages;
  Packing packing = Packing::as_received;
  redistribution::InArray in_array = {};
  bool by_rank = false;  // packed messages are sorted by rank first, then by windows
  std::optional<layout::Placement> resting = {};  // in memory: the placement there
  std::optional<Buffer> buffer = {};              // where, except for messages; the same on all
                                                  // ranks

  bool operator==(Way const&) const = default;
};

/// An exchange on one rank.
struct Move {
  layout::Placement from;
  layout::Placement to;
  Way way;
  redistribution::Cuts cuts = {};
  std::shared_ptr<redistribution::RankMessages const> moves = {};
  std::size_t exchange = 0;    // its number in the schedule
  ShortForm form = {};         // of reals in messages to other nodes
  std::vector<int> near = {};  // this rank and the others of its node, ascending, if messages are
                               // shortened

  layout::Number number() const { return from.number; }
  /// The bytes that a message of `count` elements has on its way, to another node or not.
  Index bytes_sent(Index count, bool leaves_node, int real_bytes) const;
  Index bytes_sent(redistribution::Message const& message, int real_bytes) const;
};

/// The ranks of a node wait for each other. After that, no rank still reads or writes data of the
/// steps before in common memory.
struct Meeting {};

/// A sweep or a move from a buffer to a buffer, or a meeting, which leaves the array in place.
struct Step {
  std::variant<Sweep, Move, Meeting> work;
  Buffer source = Buffer::input;
  Buffer target = Buffer::output;
  std::size_t shown_as = 0;  // the first of the steps that do the same work in successive windows;
                             // they are described as one
  std::optional<std::size_t> behind = {};      // the last step that reads `target`: windows of this
                                               // step overwrite what windows of that one read
  std::vector<std::size_t> after_all_of = {};  // earlier steps that read `target`: all their
                                               // windows must have ended
};

/// The arrays that a program is for.
struct Arrays {
  bool in_place = false;       // input and output are the same
  bool in_segments = false;    // they lie in common memory of the ranks of a node
  bool preserve_input = true;  // if it is not the output

  auto operator<=>(Arrays const&) const = default;
};

/// The kinds of arrays that the programs of a schedule may be given.
struct Meets {
  bool two = false;         // an array for input and another for output
  bool in_place = false;    // one array for both
  bool allocated = false;   // arrays of allocate(), which the ranks of a node may share
  bool overwrites = false;  // nobody needs the input later; the user decides about it
  bool forward = false;     // they run in this direction
  bool backward = false;

  /// All of them. `share`: whether ranks of a node share memory.
  std::vector<Arrays> arrays(bool share, bool preserve_input) const;
};

/// The steps of one rank. In place, the input may have to be copied to the first step's source.
struct Program {
  Arrays arrays;
  std::vector<Step> steps;
  Index input_reals = 0;  // in memory
  Index output_reals = 0;
  std::array<Index, work_arrays> work_reals = {};
  bool flows = false;  // windows of its steps may run as soon as their inputs are ready

  Index all_work_reals() const {
    return std::accumulate(work_reals.begin(), work_reals.end(), Index{0});
  }
  /// How many times the array is read and written, without exchanges.
  int sweeps() const;
  /// Whether the passes that make the output may multiply it by a table.
  bool takes_table() const;
  /// Whether the input has to be copied to where the program begins.
  bool copies_input() const { return arrays.in_place && steps.front().source != Buffer::output; }
};

/// The different numberings of the points of an operation in these programs, by their ids.
std::vector<Numbering> numberings(std::vector<Program> const& programs, int operation);

/// Gives pieces in another rank's segment the offset that they have seen from this rank's. Segments
/// are `segment_reals` apart. Must be called only once for a program.
void bind_segments(Program& program, Index segment_reals);

/// "exchange 1 of 2 (to ...)".
std::string name(Move const& move, schedule::Schedule const& schedule);

/// "fft 256, fft 256" or "exchange".
std::string name(Step const& step, schedule::Schedule const& schedule);

/// The bytes that a rank reads and writes in main memory in a step, or sends and receives in
/// messages.
Index bytes_of(Step const& step, int real_bytes);

}  // namespace sixstep::program
