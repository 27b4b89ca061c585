// SPDX-License-Identifier: BSD-3-Clause
// `sixstep gfft`: HPCC's G-FFT, one long complex transform over all ranks, as HPCC measures and
// checks it.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "base/machine_memory.hpp"
#include "base/memory.hpp"
#include "base/run_team.hpp"
#include "commands.hpp"
#include "gfft_report.hpp"
#include "measure.hpp"
#include "memory.hpp"
#include "normal_number.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "table.hpp"

namespace sixstep::cli {
namespace {

constexpr char gfft_examples[] = R"(Examples:
  mpiexec -n 4 sixstep gfft
      vectors of at least a quarter of the memory of all nodes, as HPCC asks for
  mpiexec -n 4 sixstep gfft --size 10000000 --repeats 5 --json result.json
      ten million points, no power of two; the median of five, and a file of the figures
  mpiexec -n 4 sixstep gfft --memory 8GiB --precision single | grep ^MPIFFT_
      vectors of 8 GiB in all; the lines that HPCC prints
  mpiexec -n 4 sixstep gfft --size 268435456 --low-memory
      in place, in little more memory than one vector takes

The input is HPCC's random vector, and its transform is in natural order. Forward transforms are timed
from a barrier to the end on the slowest rank, after one that is not timed, in which ranks map each
other's memory; the median counts. The inverse must return the input, as in HPCC: unless
max|x - x0| < 16 eps ln N, the command fails.

The limit is the rate that the exchanges alone would allow, if each took the time of an MPI_Alltoall of
the same vector. Ranks of one node exchange without messages and may be faster.

In HPCC's lines, MPIFFT_time1, 3 and 5 are the seconds of the exchanges in their order; the others are
those of the passes over memory.)";

// The memory for the vectors: a share of all memory, or bytes.
struct Amount {
  double share = 0.25;
  double bytes = 0;  // 0: the share counts
  std::string word = {};
};

struct GfftArguments {
  Index points = 0;  // 0: as many as the memory allows
  Amount memory;
  Precision precision = Precision::double_;
  Options options = {};
  int repeats = 1;
  std::string json;
};

// "0.25" or "8GiB".
Amount read_amount(std::string const& word) {
  constexpr std::array units = {"", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t const digits = std::min(word.find_first_of("KMGTP"), word.size());
  double const value = read_number<double>(word.substr(0, digits)).value_or(0);
  auto const unit = std::find(units.begin(), units.end(), word.substr(digits));
  require(value > 0 && unit != units.end(), "'", shortened(word),
          "' is no amount of memory: a share of at most 1, as in 0.25, or more bytes, as in ",
          "8GiB, are needed");
  if (unit == units.begin() && value <= 1) return {.share = value};
  return {.bytes = std::ldexp(value, 10 * static_cast<int>(unit - units.begin())), .word = word};
}

// The memory of all nodes.
struct Room {
  double total_bytes;  // of all nodes
  double rank_bytes;   // the most that each rank may use without any node swapping
};

// Leaves a tenth of the available memory for tables, MPI, and other programs. Collective.
Room find_room(MPI_Comm comm) {
  MPI_Comm node = MPI_COMM_NULL;
  mpi::meet(comm);
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  auto const neighbours = mpi::Communicator::own(node);
  MachineMemory const machine = machine_memory();
  auto const total = static_cast<double>(machine.total_bytes);
  Room room{neighbours.rank() == 0 ? total : 0,
            0.9 * static_cast<double>(machine.available_bytes) / neighbours.size()};
  mpi::reduce_to_all(comm, &room.total_bytes, 1, MPI_DOUBLE, MPI_SUM);
  mpi::reduce_to_all(comm, &room.rank_bytes, 1, MPI_DOUBLE, MPI_MIN);
  return room;
}

// Bytes of a point in the two vectors that HPCC counts: input and work, which here is the output.
template <class Real>
constexpr double point_bytes = 2 * sizeof(std::complex<Real>);

// The number of vectors: input and output, or one that is both.
int vectors_of(GfftArguments const& arguments) { return arguments.options.low_memory ? 1 : 2; }

// Throws unless the vectors fit; --memory counts the bytes of two, as HPCC does.
void require_room(GfftArguments const& arguments, Room const& room, MPI_Comm comm) {
  double const most = room.rank_bytes * ranks_of(comm) * 2 / vectors_of(arguments);
  require(arguments.memory.bytes <= most, "--memory: at most ", bytes_text(most), " can be used ",
          "without swapping, '", arguments.memory.word, "' was given");
}

// The number of points, and the reason for it.
struct Size {
  Index points;
  std::string why;
};

template <class Real>
Size size_of(Amount const& amount, Room const& room) {
  double const bytes = amount.bytes > 0 ? amount.bytes : amount.share * room.total_bytes;
  constexpr Index most = Index{1} << 58;  // bytes are counted in 64 bits
  Index points = 2;
  while (points < most && static_cast<double>(points) * point_bytes<Real> < bytes) points *= 2;
  return {points, text("the smallest power of two for vectors of ", bytes_text(bytes))};
}

template <class Real>
Plan<Real> make_plan(Index points, GfftArguments const& arguments, MPI_Comm comm) {
  Layout const layout = Layout::slab({points}, ranks_of(comm));
  Options options = arguments.options;
  options.preserve_input = false;
  return Plan<Real>(layout, layout, comm, options);
}

// The most bytes that a rank needs: its part of the vectors, and the work memory of its plan, if
// there is one. Collective.
template <class Real>
double needed_bytes(Index points, std::optional<Plan<Real>> const& plan,
                    GfftArguments const& arguments, MPI_Comm comm) {
  double const work = plan ? static_cast<double>(plan->workspace_bytes()) : 0;
  double const bytes = vectors_of(arguments) * static_cast<double>(sizeof(std::complex<Real>));
  return static_cast<double>(points) * bytes / ranks_of(comm) + max_over(comm, work);
}

// A plan for size.points, or, if the user gave no number of points, for as many as fit. A plan that
// does not fit can still be made, because the system provides memory only when it is used.
// Collective.
template <class Real>
Plan<Real> plan_that_fits(Size& size, Room const& room, GfftArguments const& arguments,
                          MPI_Comm comm) {
  for (;; size.points /= 2, size.why = "the largest power of two that fits") {
    std::optional<Plan<Real>> plan;
    double needed = needed_bytes(size.points, plan, arguments, comm);
    if (needed <= room.rank_bytes) {
      plan = make_plan<Real>(size.points, arguments, comm);
      needed = needed_bytes(size.points, plan, arguments, comm);
    }
    if (plan && needed <= room.rank_bytes) return std::move(*plan);
    require(arguments.points == 0 && size.points > 2, "memory: for ", size.points,
            " points a rank may need ", bytes_text(needed), "; it can have ",
            bytes_text(room.rank_bytes), " without swapping");
  }
}

template <class Real>
class Benchmark {
 public:
  using Complex = std::complex<Real>;

  Benchmark(Plan<Real>& plan, GfftArguments const& arguments, MPI_Comm comm, Progress& progress)
      : plan_(plan),
        arguments_(arguments),
        comm_(comm),
        progress_(progress),
        mine_(plan.input().box(rank_of(comm)).ranges[0]),
        x_(plan.allocate()),
        spectrum_(vectors_of(arguments) == 1 ? x_ : plan.allocate()) {}

  void run(GfftReport& report) {
    transform(report);
    report.samples["spectrum"] = samples(spectrum_.get());
    progress_.step("transforming back");
    report.inverse_seconds =
        seconds_of(comm_, [&] { plan_.backward(spectrum_.get(), x_.get(), Scale::by_n); });
    progress_.step("checking");
    report.check_seconds = seconds_of(comm_, [&] { report.error = max_over(comm_, error()); });
    double const epsilon =
        std::numeric_limits<Real>::epsilon() / 2;  // HPCC's: the largest rounding error
    report.residual = report.error / (epsilon * std::log(static_cast<double>(report.points)));
    report.peak_bytes = max_over(comm_, peak_bytes());
  }

  /// The seconds of an MPI_Alltoall in which each rank sends every rank an equal part of a vector;
  /// 0 if there is nothing to send. The buffers are private memory, which replaces the arrays of
  /// the plan, because MPI is slower in memory that ranks share.
  double all_to_all_seconds() {
    progress_.step("measuring MPI_Alltoall");
    x_.reset();
    spectrum_.reset();
    Index const ranks = ranks_of(comm_);
    Index const block = plan_.input().shape()[0] / ranks / ranks;
    if (ranks == 1 || block == 0) return 0;
    std::size_t const bytes = static_cast<std::size_t>(block * ranks) * sizeof(Complex);
    Memory from, to;
    mpi::together(comm_, [&] {
      from = allocate(bytes);
      to = allocate(bytes);
    });
    std::memset(from.get(), 0, bytes);

    mpi::Counted const part(mpi::complex_type(sizeof(Real)), block);
    auto const exchange = [&] { mpi::all_to_all(comm_, from.get(), to.get(), part); };
    exchange();
    std::vector<double> seconds;
    for (int repeat = 0; repeat < arguments_.repeats; ++repeat)
      seconds.push_back(seconds_of(comm_, exchange));
    return median(seconds);
  }

 private:
  // Calls visit(offset, value, thread) for every value of HPCC's vector on this rank.
  template <class Visit>
  void for_each(Visit const& visit) {
    constexpr Index block = Index{1} << 16;
    Index const count = mine_.count();
    Index const blocks = (count + block - 1) / block;
    share_in_stretches(blocks, plan_.threads(), [&](Index i, int thread) {
      NormalNumber number(2 * (mine_.lo + i * block));
      for (Index offset = i * block; offset < std::min(count, (i + 1) * block); ++offset) {
        auto const real = static_cast<Real>(number.next());
        visit(offset, Complex(real, static_cast<Real>(number.next())), thread);
      }
      if (thread == 0)
        progress_.within(static_cast<double>((i + 1) * plan_.threads()) /
                         static_cast<double>(blocks));
    });
  }

  void transform(GfftReport& report) {
    std::vector<typename Plan<Real>::Part> before;
    for (int repeat = -1; repeat < arguments_.repeats; ++repeat) {
      progress_.step("generating");
      double const generating_seconds = seconds_of(comm_, [&] { generate(); });
      if (repeat < 0) report.generating_seconds = generating_seconds;
      report.samples["input"] = samples(x_.get());
      progress_.step(repeat < 0 ? "warming up" : "transforming");
      if (repeat == 0) before = plan_.breakdown();
      double const seconds = seconds_of(comm_, [&] { plan_.forward(x_.get(), spectrum_.get()); });
      if (repeat >= 0) report.seconds.push_back(seconds);
    }
    report.parts = breakdown(before, plan_.breakdown(), arguments_.repeats, comm_);
  }

  // Out of place, the output is NaN before a transform, so that missing elements show.
  void generate() {
    for_each([x = x_.get(), spectrum = spectrum_.get()](Index offset, Complex value, int) {
      spectrum[offset] = std::numeric_limits<Real>::quiet_NaN();
      x[offset] = value;
    });
  }

  // max|x - x0| on this rank; infinite if any element is NaN.
  double error() {
    std::vector<double> worst(static_cast<std::size_t>(plan_.threads()), 0);
    for_each([&, x = x_.get()](Index offset, Complex value, int thread) {
      double const error = std::sqrt(std::norm(std::complex<double>(x[offset] - value)));
      double& mine = worst[static_cast<std::size_t>(thread)];
      if (!(error <= mine)) mine = std::isnan(error) ? HUGE_VAL : error;
    });
    return *std::max_element(worst.begin(), worst.end());
  }

  // The elements 0, 1, N/2 and N - 1 of an array, real and imaginary parts. Collective.
  std::vector<std::array<double, 2>> samples(Complex const* array) const {
    Index const points = plan_.input().shape()[0];
    std::vector<std::array<double, 2>> found;
    for (Index const index : {Index{0}, Index{1}, points / 2, points - 1}) {
      std::array<double, 2> value{};
      if (mine_.lo <= index && index < mine_.hi)
        value = {array[index - mine_.lo].real(), array[index - mine_.lo].imag()};
      mpi::reduce_to_all(comm_, value.data(), 2, MPI_DOUBLE, MPI_SUM);
      found.push_back(value);
    }
    return found;
  }

  Plan<Real>& plan_;
  GfftArguments const& arguments_;
  MPI_Comm comm_;
  Progress& progress_;
  Range mine_;
  std::shared_ptr<Complex[]> x_;
  std::shared_ptr<Complex[]> spectrum_;
};

// The resident memory of all ranks; shared pages count once.
double resident_bytes(MPI_Comm comm) {
  auto bytes = static_cast<double>(proportional_bytes());
  mpi::reduce_to_all(comm, &bytes, 1, MPI_DOUBLE, MPI_SUM);
  return bytes;
}

template <class Real>
void gfft(GfftArguments const& arguments, MPI_Comm comm) {
  if (!arguments.json.empty()) require_writable(arguments.json, comm);
  double const resident_before = resident_bytes(comm);
  Room const room = find_room(comm);
  require_room(arguments, room, comm);
  Size size = arguments.points > 0 ? Size{arguments.points, "as --size says"}
                                   : size_of<Real>(arguments.memory, room);
  Progress progress(rank_of(comm), 2 * (1 + arguments.repeats) + 4);
  progress.step("planning");
  double const begin = MPI_Wtime();
  Plan<Real> plan = plan_that_fits<Real>(size, room, arguments, comm);
  GfftReport report{size.points,
                    size.why,
                    ranks_of(comm),
                    plan.threads(),
                    plan.exchanges(),
                    plan.describe(),
                    max_over(comm, MPI_Wtime() - begin)};
  report.work_bytes = max_over(comm, static_cast<double>(plan.workspace_bytes()));
  report.array_bytes =
      max_over(comm, vectors_of(arguments) * static_cast<double>(sizeof(std::complex<Real>)) *
                         static_cast<double>(plan.in_place_size()));
  Benchmark<Real> benchmark(plan, arguments, comm, progress);
  benchmark.run(report);
  if (!arguments.options.trace.empty()) plan.write_trace();
  report.vectors = (resident_bytes(comm) - resident_before) * 2 /
                   (static_cast<double>(size.points) * point_bytes<Real>);
  report.all_to_all_seconds = benchmark.all_to_all_seconds();

  if (rank_of(comm) == 0) {
    print(report);
    print_hpcc(report);
  }
  if (!arguments.json.empty())
    write_json(arguments.json, to_json(report, arguments.precision, arguments.options), comm);
  require(report.residual < 16, "the transform is wrong: max|x - x0| / (eps ln N) is ",
          report.residual, "; rounding errors stay below 16");
}

}  // namespace

void add_gfft(CLI::App& app, Run& run) {
  auto const arguments = std::make_shared<GfftArguments>();
  CLI::App& command =
      *app.add_subcommand("gfft", "Run HPCC's G-FFT: one long transform, checked, and its limit");
  auto* const size =
      command.add_option("--size", arguments->points, "Number of points, at least 2 [by --memory]");
  size->option_text("N")->transform(number_in(Index{2}, std::numeric_limits<Index>::max()));
  add_read(
      command, "--memory", arguments->memory, read_amount,
      "The least memory of input and work vector together: a share of the memory of all nodes, "
      "or bytes. The number of points is the next power of two, or the largest that fits "
      "[0.25]")
      ->option_text("SHARE|BYTES")
      ->excludes(size);
  add_precision(command, arguments->precision);
  add_repeats(command, arguments->repeats);
  add_options(command, arguments->options,
              {"exchange", "threads", "low_memory", "windows", "driver", "pipelines", "trace"});
  add_json(command, arguments->json);
  command.footer(gfft_examples);
  command.callback([arguments, &run] {
    run = [arguments] {
      return with_mpi([&](MPI_Comm comm) {
        in_precision(arguments->precision, [&]<class Real>(Real) { gfft<Real>(*arguments, comm); });
      });
    };
  });
}

}  // namespace sixstep::cli
