// SPDX-License-Identifier: BSD-3-Clause
// What a user may choose about a plan, and a visitor of all of it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sixstep/index.hpp"
#include "sixstep/kind.hpp"
#include "sixstep/local.hpp"

#pragma GCC visibility push(default)
namespace sixstep {

/// How data moves between ranks: those of a node read and write one another's memory, and all
/// others exchange as with `collective`; one MPI_Alltoallv per group of ranks that exchange (with
/// Open MPI, where that call may not return, as with `pairwise`); a message per pair; a message per
/// pair, set up once: persistent requests; or a put per pair, once the receiver has told where
/// (with Open MPI, whose windows cannot be relied on, as with `pairwise`).
enum class Exchange { shared, collective, pairwise, persistent, one_sided };

/// Who makes messages progress while passes run, in plans that exchange in windows.
/// - `between`: the computing thread, between two parts of its work. Any thread level of MPI does.
/// - `master`: the first thread, until no message is under way; then it computes with the others
///   (Idomura et al. 2014). It needs two threads a rank and MPI_THREAD_FUNNELED.
/// - `pipelines`: teams of threads, a window each, in turn (Doi and Negishi). It needs two threads
///   a rank and MPI_THREAD_SERIALIZED.
/// - `thread`: a thread of its own, which sleeps while nothing moves. It needs
///   MPI_THREAD_SERIALIZED.
/// - `automatic`: `thread` if MPI was initialised with MPI_THREAD_SERIALIZED or more, else
///   `between`.
///
/// If MPI does not allow the driver that was asked for, `between` runs. describe() names the driver
/// that runs, and the reason.
enum class Driver { between, master, pipelines, thread, automatic };

inline constexpr std::array all_exchanges{Exchange::shared, Exchange::collective,
                                          Exchange::pairwise, Exchange::persistent,
                                          Exchange::one_sided};
inline constexpr std::array all_drivers{Driver::between, Driver::master, Driver::pipelines,
                                        Driver::thread, Driver::automatic};

/// Where arrays are, and what works on them: the processor's cores; a GPU of NVIDIA's; or one that
/// is made up of the host's memory and cores, for tests.
enum class Device { none, cuda, emulated };

inline constexpr std::array all_devices{Device::none, Device::cuda, Device::emulated};

/// Where the output of a transform lies that is given no layout: wherever is cheapest, in any
/// memory order; dealt out to the ranks as the input is; or in the input's axes and memory order,
/// split wherever that is cheapest. No rank has more than twice an even share of it where some grid
/// of blocks allows that, but of an output `as_input`.
enum class Output { cheapest, as_input, natural_axes };

inline constexpr std::array all_outputs{Output::cheapest, Output::as_input, Output::natural_axes};

inline constexpr std::array all_locals{Local::own, Local::fftw, Local::mkl};

/// The names above.
std::string to_string(Exchange exchange);
std::string to_string(Driver driver);
std::string to_string(Local local);
std::string to_string(Device device);
std::string to_string(Output output);

/// How much a plan tries out when it is made. `model`: nothing, it goes by rules, rough prices, and
/// what tuning the same problem found before; `quick`: for Options::tuning_seconds, one choice
/// after the other; `exhaustive`: all combinations of what changes the messages, as long as that
/// takes. What is found is kept for all plans of that problem: docs/tuning.md.
enum class TuningLevel { model, quick, exhaustive };

inline constexpr std::array all_tuning_levels{TuningLevel::model, TuningLevel::quick,
                                              TuningLevel::exhaustive};
std::string to_string(TuningLevel level);

/// What a user may choose about a plan; every field has a good default.
struct Options {
  std::vector<int> axes = {};    ///< axes to transform; empty: all of them
  std::vector<Kind> kinds = {};  ///< one for each of `axes`, in their order; empty: all c2c. A
                                 ///< single one for several axes: r2c along the last that is named
                                 ///< and c2c along the others; any other kind along all
  /// One for each of `axes`, in their order: how many modes are kept, at most as many as there are
  /// points; empty: all. What is kept is what a transform of m points would have, in its order
  /// (c2c: waves 0 to (m-1)/2, then -m/2 to -1; r2c: m/2 + 1 coefficients; cosines and sines: the
  /// first m); the rest is neither stored nor sent. Backward, the rest is zero.
  std::vector<Index> modes = {};
  /// Where an output lies that is given no layout. Beside a layout, `cheapest` alone is possible.
  Output output = Output::cheapest;
  bool transform = true;     ///< false: no axis, whatever it holds is moved from layout to layout
  bool padded = false;       ///< rows of the real input take 2 (n/2 + 1) reals, so that r2c fits
                             ///< in place; needs r2c along that of `axes` that is fastest in memory
  int fields = 1;            ///< arrays of these layouts that are transformed together, in as many
                             ///< passes and messages as one: one behind the other, or
  bool interleaved = false;  ///< point by point side by side, as the components of a vector. They
                             ///< are one array then, of so many times as many elements
  bool preserve_input = true;  ///< false: out of place, the input may be overwritten, which saves
                               ///< work memory
  /// In natural order, exchange there and back in 16 windows, and so with an eighth of the work
  /// memory or less; costs passes over memory. One long complex axis of m s^2 points in even
  /// blocks, m <= 64, s a multiple of the ranks, is transformed so too: in natural order and with a
  /// seventh of the array as work memory or less.
  bool low_memory = false;
  Exchange exchange = Exchange::shared;
  int threads = 0;  ///< OpenMP threads per rank; 0: OMP_NUM_THREADS, else the cores
                    ///< this rank may use divided by the ranks that share them
  int windows = 0;  ///< exchanges between nodes go in up to so many windows (1 to 64),
                    ///< each of which is sent as soon as it is there, and worked on as
                    ///< soon as it has come; 1: strictly in turn; 0: by message size
  Driver driver = Driver::automatic;  ///< who makes messages progress meanwhile
  int pipelines = 0;                  ///< teams of Driver::pipelines; 0: one for each thread
  bool regrid = false;                ///< let the plan split fewer axes than the input does: fewer
                                      ///< exchanges, of more and smaller messages
  /// Let the plan split axes that are not transformed wherever that is cheapest. Otherwise it
  /// splits one only if the input or the output does, or ranks would be idle: components of a field
  /// stay together, on any number of ranks.
  bool split_untransformed = false;
  bool own_workspace = true;  ///< false: the caller lends the memory with set_workspace(); it is
                              ///< not shared: ranks of a node exchange as all others
  Local local = Local::own;   ///< whose kernels transform columns: our own, FFTW's or MKL's
  /// Whether the plan tries out what suits the machine: grids and orders of its own, strategies,
  /// windows, drivers, sizes. What is set above to other than its default is kept. Meanwhile there
  /// are two plans, with arrays of their own.
  TuningLevel tuning = TuningLevel::model;
  double tuning_seconds = 10;  ///< that TuningLevel::quick may take, all in all; above 0
  std::string trace = {};      ///< a file for what each thread of each rank did when, for
                               ///< ui.perfetto.dev, see Plan::write_trace(); empty: none

  /// An axis that is not transformed, of a plan of a single c2c axis: coefficient k is multiplied
  /// by exp(-+2 pi i j k/N), j the index along this axis, N the product of both extents, as the
  /// steps of a long transform are (Bailey's six-step, 1990). Such a plan goes forward alone, with
  /// either sign. -1: none.
  int twiddle = -1;

  /// What executes the plan. But for `none`, execute() takes pointers to that device's memory, as
  /// allocate() gives it, of several GPUs to that of the plan's. Rounding is the device's.
  Device device = Device::none;
  int gpu = -1;  ///< the number of the GPU; -1: that of the rank on its node, modulo the GPUs there

  bool operator==(Options const&) const = default;
};

/// Calls visit(name, value) for every option, in a fixed order: what writes options down, reads
/// them, or compares them, goes by this list.
template <class AnyOptions, class Visit>
void for_each_option(AnyOptions& options, Visit const& visit) {
  visit("axes", options.axes);
  visit("kinds", options.kinds);
  visit("modes", options.modes);
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
  visit("tuning", options.tuning);
  visit("tuning_seconds", options.tuning_seconds);
  visit("trace", options.trace);
  visit("twiddle", options.twiddle);
  visit("device", options.device);
  visit("gpu", options.gpu);
}

}  // namespace sixstep
#pragma GCC visibility pop
