// SPDX-License-Identifier: BSD-3-Clause
// Programs: a schedule compiled for one rank into sweeps over memory and moves between ranks, and
// the buffers that these go from and to.
//
// Pure: no MPI, no data. The same program is described, priced and run.
#pragma once

#include <array>
#include <optional>
#include <variant>
#include <vector>

#include "exchange/redistribution.hpp"
#include "plan/schedule.hpp"

namespace sixstep::plan {

using exchange::Pieces;

/// Every element of a rank's local box goes from where it lies in `source` to where it lies in
/// `target`, on its way transformed along `axis` and multiplied by a twiddle, if there are such.
/// Strides and offsets count elements of their side.
struct Pass {
  Box box;         // as it is read
  Box target_box;  // as it is written: another extent along an r2c axis
  Number source_number = Number::complex;
  Number target_number = Number::complex;
  std::optional<int> axis;  // none: a copy
  Kind kind = Kind::c2c;
  std::optional<int> twiddle_axis;  // factor w_N^(i j), i along `axis`, j along this one
  Index twiddle_period = 1;         // N
  Pieces source;
  Pieces target;
  bool from_scratch = false;  // counts along the window axis begin anew in each window
  bool to_scratch = false;
  bool last = false;  // the last transform of the program: it carries the scale
};

/// Whether two lists of pieces place every element alike.
bool same_places(Pieces const& a, Pieces const& b);

/// Passes that together read and write main memory once: they run window by window, a window being
/// a stretch of the box along an axis that none of them transforms, small enough to stay in cache.
struct Sweep {
  std::vector<Pass> passes;
  int window_axis = -1;     // none: one window, the whole box
  Index window = 1;         // counts along it
  Index scratch_reals = 0;  // between the passes, per thread

  Index windows() const;
  bool may_work_in_place() const;
};

/// How an exchange is done: by packed messages from one buffer to another; among ranks of several
/// nodes, by messages between nodes, from and to a buffer in memory that each has in common; or, if
/// all ranks that exchange have memory in common, by nothing but a wait until all have written.
enum class Way { messages, by_nodes, in_memory };

/// An exchange.
struct Move {
  Number number = Number::complex;
  Placement from;
  Placement to;
  Way way = Way::messages;
  exchange::Redistribution moves = {};
  std::optional<Placement> resting = {};  // in_memory: who has what there meanwhile
  std::size_t exchange = 0;               // which of the schedule's it is
};

using Step = std::variant<Sweep, Move>;

/// Where an array lies between steps: the user's arrays, or one of up to three work arrays. (A rank
/// needs the third only if its part falls into more sweeps than that of others.)
enum class Buffer { work_a, work_b, work_c, input, output };
inline constexpr int work_arrays = 3;

/// The steps of one rank, and the buffers between them: step i goes from buffers[i] to buffers[i +
/// 1].
struct Program {
  std::vector<Step> steps;
  std::vector<Buffer> buffers;  // one entry more than steps
  Number input_number = Number::complex;
  Number output_number = Number::complex;
  Index input_points = 0;  // in memory
  Index output_points = 0;
  std::array<Index, work_arrays> work_reals = {};
  Index compared_reals = 0;                // of all work arrays, but for padding
  std::vector<std::size_t> shown_as = {};  // by step: of all blocks' steps alike, the first

  Index input_reals() const { return input_points * reals_of(input_number); }
  Index output_reals() const { return output_points * reals_of(output_number); }

  Index all_work_reals() const { return work_reals[0] + work_reals[1] + work_reals[2]; }

  /// Times that the array is read and written, exchanges not counted.
  int sweeps() const;
};

/// Which arrays a program is for.
struct Arrays {
  bool in_place = false;       // input and output are the same
  bool in_segments = false;    // they lie in memory that the ranks of a node have in common
  bool preserve_input = true;  // if they are two
};

/// What compiling needs to know of the machine.
struct Limits {
  Index cache_bytes = Index{1} << 20;       // what a window should fit in
  Index last_cache_bytes = Index{1} << 22;  // what it must fit in, lest its passes become sweeps
  int threads = 1;
  std::vector<Way> ways = {};     // of each exchange; empty: all by messages
  std::vector<int> node = {};     // by rank, the lowest rank of its node
  std::vector<int> segment = {};  // by rank, the place of its segment among those of its node
  Index segment_bytes = 0;        // from one to the next
  int blocks = 1;  // over 1: exchanges there and back again may go by so many blocks, which take as
                   // much less work memory
};

/// The same for the schedule reversed.
Limits reversed(Limits limits);

/// The program of `rank`, with the fewest sweeps and then the least memory; in blocks, if that
/// takes less. Where an array rests is the same buffer on all ranks.
Program compile(Schedule const& schedule, int rank, Limits const& limits = {},
                Arrays const& arrays = {});

/// "fft 256, fft 256" or "exchange".
std::string name(Step const& step, Schedule const& schedule);

/// What a rank reads and writes in a step, in main memory; what it sends and receives in messages.
Index bytes_of(Step const& step, int real_bytes);

/// The schedule in a few lines: layouts, stages with messages and bytes, passes, memory per rank.
std::string describe(Schedule const& schedule, Limits const& limits = {},
                     Arrays const& arrays = {});

}  // namespace sixstep::plan
