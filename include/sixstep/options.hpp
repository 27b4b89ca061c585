// SPDX-License-Identifier: BSD-3-Clause
// The options of a plan, the names of their values, and a visitor of all of them.
#pragma once

#include <string>
#include <vector>

#include "sixstep/bits.hpp"
#include "sixstep/index.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/local.hpp"
#include "sixstep/named.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// How data moves between ranks.
/// - `shared`: ranks of a node read and write each other's memory; between nodes as `collective`.
/// - `collective`: one MPI_Alltoallv per group of ranks that exchange. Open MPI, where that
///   call may not return, gets `pairwise`.
/// - `pairwise`: one message per pair of ranks.
/// - `persistent`: as `pairwise`, with persistent requests, which are set up once.
/// - `one_sided`: one put per pair, after the receiver has said where. Open MPI, whose windows are
/// not
///   reliable, gets `pairwise`.
enum class Exchange { shared, collective, pairwise, persistent, one_sided };
constexpr auto names_of(Exchange) {
  return std::array{"shared", "collective", "pairwise", "persistent", "one_sided"};
}

/// Who makes messages progress while passes run, in plans that exchange in windows.
/// - `between`: the computing thread, between two parts of its work. It works with any thread level
///   of MPI.
/// - `master`: the first thread, until no message is under way; then it computes with the others
///   (Idomura et al. 2014). It needs two threads a rank and MPI_THREAD_FUNNELED.
/// - `pipelines`: teams of threads in turn, each with a window (Doi and Negishi). It needs two
///   threads a rank and MPI_THREAD_SERIALIZED.
/// - `thread`: an extra thread, which sleeps while nothing moves. It needs MPI_THREAD_SERIALIZED.
/// - `automatic`: `thread` if MPI was initialised with MPI_THREAD_SERIALIZED or more and the host
///   computes, else `between`.
///
/// If MPI does not allow the chosen driver, `between` runs. describe() names the driver that runs,
/// and the reason.
enum class Driver { between, master, pipelines, thread, automatic };
constexpr auto names_of(Driver) {
  return std::array{"between", "master", "pipelines", "thread", "automatic"};
}

/// Where arrays are, and what works on them: the processor's cores; an NVIDIA GPU; or, for tests, a
/// device that is emulated by the host's memory and cores.
enum class Device { none, cuda, emulated };
constexpr auto names_of(Device) { return std::array{"none", "cuda", "emulated"}; }

/// Where the output lies if no layout is given for it.
/// - `cheapest`: in the layout that is cheapest to reach, in any memory order. If only one axis has
///   more than one point, the output may view that axis as two digits (N = N1 N2, k = k1 + N1 k2),
///   in a layout of the shape {N2, N1} with the indices (k2, k1).
/// - `as_input`: in the layout of the input.
/// - `natural_axes`: in the cheapest layout that keeps the axes and memory order of the input.
///
/// Except with `as_input`, no rank holds more than twice an even share of the output if some grid
/// of blocks allows that.
enum class Output { cheapest, as_input, natural_axes };
constexpr auto names_of(Output) { return std::array{"cheapest", "as_input", "natural_axes"}; }

/// How much a plan tries out when it is made.
/// - `model`: nothing. The plan follows rules, rough prices, and results of earlier tuning.
/// - `quick`: one choice after the other, for at most Options::tuning_seconds.
/// - `exhaustive`: all combinations of the choices that change the messages, however long it takes.
///
/// The result is kept for all plans of the same problem: see docs/tuning.md.
enum class TuningLevel { model, quick, exhaustive };
constexpr auto names_of(TuningLevel) { return std::array{"model", "quick", "exhaustive"}; }

/// Checks of each execution, so that data that change while it works are found.
/// - `none`: nothing.
/// - `result`: that a random weighted sum of the result equals one of the input. The plan reads
///   both arrays once more where its passes do not have them in cache.
/// - `all`: that too, and the bits of all that one pass over memory leaves for a later one: of
///   messages, work arrays, and memory that ranks share.
enum class Verify { none, result, all };
constexpr auto names_of(Verify) { return std::array{"none", "result", "all"}; }

/// All values of these options.
inline constexpr auto all_exchanges = all_values<Exchange>;
inline constexpr auto all_drivers = all_values<Driver>;
inline constexpr auto all_devices = all_values<Device>;
inline constexpr auto all_outputs = all_values<Output>;
inline constexpr auto all_bits = all_values<Bits>;
inline constexpr auto all_locals = all_values<Local>;
inline constexpr auto all_tuning_levels = all_values<TuningLevel>;
inline constexpr auto all_verifies = all_values<Verify>;

/// How far messages between nodes may be rounded.
struct Wire {
  /// The most relative error of the result in the L2 norm that rounding may make. The plan takes
  /// the shortest format of messages whose proved bound stays below it; describe() names it. The
  /// error of an execution is the sum over its exchanges of the relative error of what was sent,
  /// times what the transforms of reals may add to it; numbers beside infinities and NaNs do not
  /// count. 0: messages carry all bits.
  double tolerance = 0;

  bool operator==(Wire const&) const = default;
};

/// The options of a plan. Every field has a good default.
struct Options {
  std::vector<int> axes = {};  ///< axes to transform; empty: all
  /// One kind for each of `axes`, in their order; empty: all c2c. A single kind serves several
  /// axes: r2c stands for r2c along the last of `axes` and c2c along the others, any other kind for
  /// itself along all.
  std::vector<Kind> kinds = {};
  /// The length of the transform along each of `axes`, in their order, at least its number of
  /// points; empty: the points. Points behind those of the layout are zero, and are neither stored
  /// nor sent; backward computes only those of the layout.
  std::vector<Index> lengths = {};
  /// The number of modes to keep for each of `axes`, in their order, at most the length of its
  /// transform; empty: all. An axis with m modes keeps those that a transform of m points has, in
  /// its order (c2c: waves 0 to (m-1)/2, then -m/2 to -1; r2c: m/2 + 1 coefficients; cosines and
  /// sines: the first m). The others are neither stored nor sent; backward takes them for zero.
  std::vector<Index> modes = {};
  /// Keeps only the modes within a sphere, as plane-wave codes do: those whose wave numbers k have
  /// sum_i (k_i / sphere_i)^2 < 1, with a radius for each of `axes`, in their order, or one for all
  /// of them, at most three. `modes` are those around it, unless they are given. Columns of modes
  /// outside are neither transformed nor sent, and backward takes all modes outside for zero. The
  /// output is packed: an array of one axis with the coefficients within, in columns;
  /// Plan::wavenumber() tells where each belongs. Empty: no sphere.
  std::vector<double> sphere = {};
  /// Keeps only the modes within these columns, as `sphere` keeps those within a sphere: the waves
  /// below a cutoff in a box that is not orthogonal, or around another wave than 0. Columns lie
  /// along the first of `axes`, two or three axes of c2c or r2c, which must be c2c there. Each
  /// column is one number more than there are axes: its wave numbers along the other axes, in their
  /// order, then its lowest and its highest wave number. Columns may come in any order, each of
  /// them once. Empty: no list.
  std::vector<Index> columns = {};
  /// Where the output lies if no layout is given for it. A layout allows only `cheapest`.
  Output output = Output::cheapest;
  bool transform = true;  ///< false: transform no axis, only move the elements between the layouts
  bool padded = false;    ///< rows of the real input take 2 (n/2 + 1) reals, n the length of their
                          ///< transform, so that r2c fits in place; the axis that is fastest in
                          ///< memory must be the r2c axis
  int fields = 1;         ///< number of arrays that are transformed together, in as many passes and
                          ///< messages as one; they lie one behind the other
  bool interleaved = false;    ///< true: the fields lie side by side, point by point, as components
                               ///< of a vector, in one array of `fields` times as many elements
  bool preserve_input = true;  ///< false: out of place, the input may be overwritten, which saves
                               ///< work memory
  /// Transforms in natural order with an eighth of the work memory or less, and more passes over
  /// memory, as exchanges and their reverses go in 16 windows. One long complex axis in even blocks
  /// then needs a seventh of the array or less as work memory, if it has m s^2 points with m <= 64
  /// and s a multiple of the number of ranks.
  bool low_memory = false;
  Exchange exchange = Exchange::shared;
  int threads = 0;  ///< OpenMP threads per rank; 0: OMP_NUM_THREADS, or else the cores that this
                    ///< rank may use divided by the ranks that share them
  int windows = 0;  ///< the most windows (1 to 64) of an exchange between nodes. Each window is
                    ///< sent when it is complete, and worked on when it has arrived. 1: passes and
                    ///< exchanges strictly in turn; 0: by message size
  Driver driver = Driver::automatic;  ///< who makes messages progress while passes run
  int pipelines = 0;                  ///< number of teams of Driver::pipelines; 0: one a thread
  bool regrid = false;                ///< true: the plan may split fewer axes than the input does:
                                      ///< fewer exchanges, with more and smaller messages
  /// Lets the plan split axes that are not transformed wherever that is cheapest. Otherwise it
  /// splits such an axis only if the input or the output does, or if ranks would be idle, so that
  /// the components of a field stay together on any number of ranks.
  bool split_untransformed = false;
  bool own_workspace = true;  ///< false: the caller lends the memory with set_workspace().
                              ///< Ranks of a node cannot share it, and exchange by messages
  Local local = Local::own;   ///< whose kernels transform columns: sixstep's, FFTW's or MKL's
  /// When equal input has a result with equal bits, in every element of the global array. Axes are
  /// transformed in one order, from the last to the first, so a layout may take one exchange more;
  /// and a column has one order of operations, which takes longer. Kernels of other libraries, and
  /// devices, are refused. Functions of symbols and maps must return equal bits themselves.
  Bits reproducible = Bits::none;
  /// How much the plan tries out to suit the machine: its inner grids and orders, strategies,
  /// windows, drivers, sizes. Options above that are not at their defaults stay as they are. Tuning
  /// holds two plans at a time, with their arrays.
  TuningLevel tuning = TuningLevel::model;
  double tuning_seconds = 10;  ///< the most seconds that TuningLevel::quick may take; above 0
  /// A file for a trace of all threads of all ranks: passes and waits of each thread, exchanges,
  /// and messages from post to completion, in the time of rank 0, as JSON for ui.perfetto.dev and
  /// chrome://tracing. The first 131,072 events of each thread (6 MiB), and as many messages of
  /// each rank, are kept; the file says how many more there were. Plan::write_trace() writes it. If
  /// that was not called when all ranks have destroyed the plan, the next call that plans on the
  /// communicator, MPI_Comm_free or MPI_Finalize does, which cannot report errors. Empty: no trace.
  std::string trace = {};

  /// An axis that is not transformed, in a plan with a single c2c axis. Coefficient k is multiplied
  /// by exp(-+2 pi i j k/N), with j the index along this axis and N the product of both extents, as
  /// in the steps of a long transform (Bailey's six-step, 1990). Such a plan only goes forward,
  /// with either sign. -1: none.
  int twiddle = -1;

  /// The device that executes the plan. On a device other than `none`, execute() takes pointers to
  /// memory of that device (of the plan's GPU, if there are several), as allocate() returns it.
  /// Results are rounded as the device's own transforms round them.
  Device device = Device::none;
  int gpu = -1;  ///< number of the GPU; -1: the rank's number on its node modulo the GPUs there

  /// A tolerance lets messages between nodes carry fewer bytes of each number. Only plans on the
  /// host that keep all points and modes may have one: see docs/wire.md.
  Wire wire = {};

  /// The checks of each execution: of its result by random sums and, with Verify::all, of the bits
  /// of all messages and work arrays when they are read. If something is wrong, the plan executes
  /// once more where the input is still there, out of place with `preserve_input`. If it cannot, or
  /// something is wrong again, execute() throws an Error with ErrorCode::corrupted on every rank;
  /// the plan can execute again. Plan::verified() counts checks. Only for plans on the host,
  /// without `twiddle`, `sphere` or `columns`: see docs/verified.md.
  Verify verify = Verify::none;

  bool operator==(Options const&) const = default;
};

/// Calls visit(name, value) for every option, in a fixed order. All code that writes, reads or
/// compares options uses this list.
template <class AnyOptions, class Visit>
void for_each_option(AnyOptions& options, Visit const& visit) {
  visit("axes", options.axes);
  visit("kinds", options.kinds);
  visit("lengths", options.lengths);
  visit("modes", options.modes);
  visit("sphere", options.sphere);
  visit("columns", options.columns);
  visit("output", options.output);
  visit("transform", options.transform);
  visit("padded", options.padded);
  visit("fields", options.fields);
  visit("interleaved", options.interleaved);
  visit("preserve_input", options.preserve_input);
  visit("low_memory", options.low_memory);
  visit("exchange", options.exchange);
  visit("threads", options.threads);
  visit("windows", options.windows);
  visit("driver", options.driver);
  visit("pipelines", options.pipelines);
  visit("regrid", options.regrid);
  visit("split_untransformed", options.split_untransformed);
  visit("own_workspace", options.own_workspace);
  visit("local", options.local);
  visit("reproducible", options.reproducible);
  visit("tuning", options.tuning);
  visit("tuning_seconds", options.tuning_seconds);
  visit("trace", options.trace);
  visit("twiddle", options.twiddle);
  visit("device", options.device);
  visit("gpu", options.gpu);
  visit("wire", options.wire.tolerance);
  visit("verify", options.verify);
}

}  // namespace sixstep
#pragma GCC visibility pop
