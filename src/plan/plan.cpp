// SPDX-License-Identifier: BSD-3-Clause
// Plan: a schedule, its programs for both directions, and the memory and messages to run them.
#include "sixstep/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "exchange/exchange.hpp"
#include "plan/match.hpp"
#include "plan/program.hpp"
#include "plan/schedule.hpp"
#include "plan/sweep.hpp"
#include "runtime/memory.hpp"
#include "runtime/mpi.hpp"
#include "runtime/threads.hpp"

namespace sixstep {

namespace {

/// A fingerprint of what all ranks must give alike (FNV-1a).
class Fingerprint {
 public:
  template <class T>
  Fingerprint& add(T value) {
    auto bits = static_cast<std::uint64_t>(value);
    for (int byte = 0; byte < 8; ++byte, bits >>= 8)
      hash_ = (hash_ ^ (bits & 0xff)) * 0x100000001b3ull;
    return *this;
  }
  Fingerprint& add(Layout const& layout) {
    add(layout.axes()).add(layout.ranks()).add(layout.grid().size());
    for (Index extent : layout.shape()) add(extent);
    for (int axis : layout.order()) add(axis);
    for (int parts : layout.grid()) add(parts);
    for (Distribution distribution : layout.distribution()) add(distribution);
    for (int rank = 0; layout.grid().empty() && rank < layout.ranks(); ++rank)
      for (Range const& range : layout.box(rank).ranges) add(range.lo).add(range.hi);
    return *this;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace

/// One direction of a plan: its program with everything that running needs.
template <class Real>
class Engine {
 public:
  using Exchanges = std::vector<std::unique_ptr<exchange::Exchange>>;

  Engine(plan::Program program, plan::Kernels<Real>& kernels, Exchanges exchanges)
      : program_(std::move(program)), exchanges_(std::move(exchanges)) {
    for (plan::Step const& step : program_.steps) {
      if (auto const* sweep = std::get_if<plan::Sweep>(&step)) {
        runners_.emplace_back(*sweep, kernels);
        thread_bytes_ = std::max(thread_bytes_, runners_.back().scratch_bytes());
      }
    }
  }

  plan::Program const& program() const { return program_; }
  std::size_t thread_bytes() const { return thread_bytes_; }

  /// Memory lent to an execution.
  struct Space {
    Real* work_a;
    Real* work_b;
    std::byte* scratch;  // thread_bytes() for each thread
    int threads;
  };

  void run(Real const* in, Real* out, Space const& space, plan::Mode<Real> const& mode,
           double& communication_seconds) {
    std::vector<plan::Buffer> const& buffers =
        in == out ? program_.in_place : program_.out_of_place;
    auto const written = [&](plan::Buffer buffer) {
      return buffer == plan::Buffer::work_a   ? space.work_a
             : buffer == plan::Buffer::work_b ? space.work_b
                                              : out;
    };
    if (in == out && buffers[0] != plan::Buffer::output)
      std::copy_n(in, program_.input_reals(), written(buffers[0]));
    std::size_t runner = 0, exchange = 0;
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      Real const* const source = buffers[i] == plan::Buffer::input ? in : written(buffers[i]);
      Real* const target = written(buffers[i + 1]);
      std::visit(match{[&](plan::Sweep const&) {
                         runners_[runner++].run(source, target, mode, space.threads, space.scratch);
                       },
                       [&](plan::Move const&) {
                         double const begin = MPI_Wtime();
                         exchange::Exchange& strategy = *exchanges_[exchange++];
                         for (int chunk = 0; chunk < strategy.chunks(); ++chunk)
                           strategy.begin(chunk, source, target);
                         for (int chunk = 0; chunk < strategy.chunks(); ++chunk)
                           strategy.finish(chunk);
                         communication_seconds += MPI_Wtime() - begin;
                       }},
                 program_.steps[i]);
    }
  }

 private:
  plan::Program program_;
  Exchanges exchanges_;
  std::vector<plan::SweepRunner<Real>> runners_;
  std::size_t thread_bytes_ = 0;
};

template <class Real>
class Plan<Real>::State {
 public:
  State(Layout const& input, std::optional<Layout> const& output, MPI_Comm user_comm,
        Options const& options)
      : comm_(mpi::Communicator::duplicate(user_comm)), options_(options), kernels_(options.local) {
    check(input, output);
    mpi::together(comm_, [&] {
      schedule_ = plan::schedule({input, output, options.axes, options.kinds, options.padded,
                                  static_cast<int>(sizeof(Real))},
                                 {.regrid = options.regrid});
    });
    int const fair = fair_threads(comm_);
    threads_ = options.threads > 0 ? options.threads : fair;
    plan::Schedule const reversed = plan::reverse(schedule_);
    plan::Program forward, backward;
    mpi::together(comm_, [&] {
      forward = plan::compile(schedule_, comm_.rank(), limits());
      backward = plan::compile(reversed, comm_.rank(), limits());
    });
    make_groups(forward);
    auto forward_exchanges = make_exchanges(forward, false);
    auto backward_exchanges = make_exchanges(backward, true);
    mpi::together(comm_, [&] {
      forward_.emplace(std::move(forward), kernels_, std::move(forward_exchanges));
      backward_.emplace(std::move(backward), kernels_, std::move(backward_exchanges));
      if (options.own_workspace) {
        owned_ = allocate(workspace_bytes());
        workspace_ = owned_.get();
      }
    });
  }

  /// What a call gives and takes.
  struct Call {
    plan::Number in;
    plan::Number out;
    Direction direction;
    Scale scale;
  };

  void execute(void const* in, void* out, Call const& call) {
    bool const is_backward = call.direction == Direction::backward;
    Engine<Real>& engine = is_backward ? *backward_ : *forward_;
    plan::Program const& program = engine.program();
    if (call.in != program.input_number || call.out != program.output_number) refuse(call);
    require(in || program.input_points == 0, "in: an array of ", program.input_points,
            " elements is needed, null was given");
    require(out || program.output_points == 0, "out: an array of ", program.output_points,
            " elements is needed, null was given");
    require(workspace_, "workspace: ", workspace_bytes(),
            " bytes are needed; lend them with set_workspace()");
    double const n = schedule_.transformed_points();
    Real const factor = call.scale == Scale::none   ? Real(1)
                        : call.scale == Scale::by_n ? static_cast<Real>(1 / n)
                                                    : static_cast<Real>(1 / std::sqrt(n));
    std::byte* const work_b = workspace_ + work_bytes(&plan::Program::work_a_reals);
    std::byte* const scratch = work_b + work_bytes(&plan::Program::work_b_reals);
    engine.run(
        static_cast<Real const*>(in), static_cast<Real*>(out),
        {reinterpret_cast<Real*>(workspace_), reinterpret_cast<Real*>(work_b), scratch, threads_},
        {is_backward, factor}, communication_seconds_);
  }

  std::size_t workspace_bytes() const {
    std::size_t const scratch = std::max(forward_->thread_bytes(), backward_->thread_bytes());
    return work_bytes(&plan::Program::work_a_reals) + work_bytes(&plan::Program::work_b_reals) +
           scratch * static_cast<std::size_t>(threads_) + alignment;
  }

  void set_workspace(void* memory, std::size_t bytes) {
    require(!options_.own_workspace,
            "workspace: this plan has its own; make it with own_workspace = false to lend memory");
    require(memory != nullptr && bytes >= workspace_bytes(), "workspace: ", workspace_bytes(),
            " bytes are needed, ", memory ? text(bytes) : "a null pointer",
            memory ? " were" : " was", " given");
    require(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0,
            "workspace: memory aligned to ", alignment, " bytes is needed");
    workspace_ = static_cast<std::byte*>(memory);
  }

  std::string describe() const {
    return text(plan::describe(schedule_, limits()), "\nrun       ",
                options_.exchange == Exchange::collective ? "collective" : "pairwise",
                " exchange, ", threads_, threads_ == 1 ? " thread" : " threads",
                " per rank, kernels: ", local::kernels_of<Real>(options_.local));
  }

  plan::Schedule const& schedule() const { return schedule_; }
  plan::Program const& program() const { return forward_->program(); }
  int threads() const { return threads_; }
  double communication_seconds() const { return communication_seconds_; }

 private:
  static constexpr std::size_t alignment = 64;

  void check(Layout const& input, std::optional<Layout> const& output) const {
    mpi::together(comm_, [&] {
      require(input.ranks() == comm_.size(), "input: a layout for the ", comm_.size(),
              " ranks of comm is needed, it is for ", input.ranks());
      require(!output || output->ranks() == comm_.size(), "output: a layout for the ", comm_.size(),
              " ranks of comm is needed, it is for ", output ? output->ranks() : 0);
      require(options_.threads >= 0, "threads: 0 or more are needed, ", options_.threads,
              " were given");
      require(options_.exchange == Exchange::collective || options_.exchange == Exchange::pairwise,
              "exchange: collective or pairwise is needed, value ",
              static_cast<int>(options_.exchange), " was given");
      local::kernels_of<Real>(options_.local);  // throws if they are not there
    });
    Fingerprint fingerprint;
    fingerprint.add(input).add(output.has_value());
    if (output) fingerprint.add(*output);
    for (int axis : options_.axes) fingerprint.add(axis);
    fingerprint.add(options_.axes.size()).add(options_.kinds.size()).add(options_.padded);
    for (Kind kind : options_.kinds) fingerprint.add(kind);
    fingerprint.add(options_.exchange).add(options_.regrid).add(options_.local).add(sizeof(Real));
    mpi::require_same(comm_, fingerprint.value(),
                      "input, output, options: all ranks must give the same layouts, axes, kinds, "
                      "padding, exchange, regrid, local and precision; they differ");
  }

  /// Throws an Error that names the call which this plan needs.
  [[noreturn]] void refuse(Call const& call) const {
    auto const arguments = [](plan::Number in, plan::Number out) {
      auto const word = [](plan::Number number) {
        return number == plan::Number::real ? "Real" : "Complex";
      };
      return text("(", word(in), " const*, ", word(out), "*)");
    };
    plan::Number const input = schedule_.input_number, output = schedule_.output_number;
    bool const is_backward = call.direction == Direction::backward;
    char const* const what = input != output               ? "an r2c axis"
                             : input == plan::Number::real ? "real input and output"
                                                           : "complex input and output";
    throw Error(text("in, out: this plan has ", what, ", forward", arguments(input, output),
                     " and backward", arguments(output, input), " are possible; ",
                     is_backward ? "backward" : "forward", arguments(call.in, call.out),
                     " was called"));
  }

  plan::Limits limits() const { return {.threads = threads_}; }

  std::size_t work_bytes(Index plan::Program::*reals) const {
    Index const most = std::max(forward_->program().*reals, backward_->program().*reals);
    std::size_t const bytes = static_cast<std::size_t>(most) * sizeof(Real);
    return (bytes + alignment - 1) / alignment * alignment;
  }

  /// For each exchange the ranks that take part with this one, and a communicator of them if they
  /// are neither all nor this one alone. The way back has the same groups in reverse.
  struct Group {
    std::vector<int> ranks;
    mpi::Communicator comm;
  };

  void make_groups(plan::Program const& forward) {
    if (options_.exchange != Exchange::collective) return;
    for (plan::Step const& step : forward.steps) {
      auto const* move = std::get_if<plan::Move>(&step);
      if (!move) continue;
      Group group{exchange::group_of(move->from, move->to, comm_.rank()), {}};
      if (static_cast<int>(group.ranks.size()) < comm_.size())
        group.comm = comm_.split(group.ranks.front());
      groups_.push_back(std::move(group));
    }
  }

  typename Engine<Real>::Exchanges make_exchanges(plan::Program const& program, bool in_reverse) {
    typename Engine<Real>::Exchanges made;
    for (plan::Step const& step : program.steps) {
      auto const* move = std::get_if<plan::Move>(&step);
      if (!move) continue;
      bool const of_reals = move->number == plan::Number::real;
      exchange::Traffic traffic{
          comm_.get(), of_reals ? mpi::real_type<Real>() : mpi::complex_type<Real>(), {}};
      traffic.chunks.push_back({move->moves.send.messages, move->moves.receive.messages});
      if (options_.exchange == Exchange::pairwise) {
        made.push_back(exchange::make_pairwise(traffic));
        continue;
      }
      Group const& group = groups_[in_reverse ? groups_.size() - 1 - made.size() : made.size()];
      if (group.comm.get() != MPI_COMM_NULL) {
        traffic.comm = group.comm.get();
        for (auto* messages : {&traffic.chunks[0].sends, &traffic.chunks[0].receives})
          for (exchange::Message& message : *messages)
            message.rank = static_cast<int>(
                std::lower_bound(group.ranks.begin(), group.ranks.end(), message.rank) -
                group.ranks.begin());
      }
      made.push_back(exchange::make_collective(traffic));
    }
    return made;
  }

  mpi::Communicator comm_;
  Options options_;
  plan::Schedule schedule_;
  int threads_ = 1;
  std::vector<Group> groups_;
  plan::Kernels<Real> kernels_;
  std::optional<Engine<Real>> forward_;
  std::optional<Engine<Real>> backward_;
  Memory owned_;
  std::byte* workspace_ = nullptr;
  double communication_seconds_ = 0;
};

template <class Real>
Plan<Real>::Plan(Layout const& input, Layout const& output, MPI_Comm comm, Options const& options)
    : state_(std::make_unique<State>(input, output, comm, options)) {}

template <class Real>
Plan<Real>::Plan(Layout const& input, MPI_Comm comm, Options const& options)
    : state_(std::make_unique<State>(input, std::nullopt, comm, options)) {}

template <class Real>
Plan<Real>::~Plan() = default;
template <class Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <class Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;

template <class Real>
Layout const& Plan<Real>::input() const {
  return state_->schedule().input.layout;
}

template <class Real>
Layout const& Plan<Real>::output() const {
  return state_->schedule().output.layout;
}

template <class Real>
Index Plan<Real>::input_size() const {
  return state_->program().input_points;
}

template <class Real>
Index Plan<Real>::output_size() const {
  return state_->program().output_points;
}

template <class Real>
Index Plan<Real>::in_place_size() const {
  plan::Program const& program = state_->program();
  Index const unit = plan::reals_of(program.output_number);
  return (std::max(program.input_reals(), program.output_reals()) + unit - 1) / unit;
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Complex* out, Direction direction, Scale scale) {
  state_->execute(in, out, {plan::Number::complex, plan::Number::complex, direction, scale});
}

template <class Real>
void Plan<Real>::execute(Real const* in, Complex* out, Scale scale) {
  state_->execute(in, out, {plan::Number::real, plan::Number::complex, Direction::forward, scale});
}

template <class Real>
void Plan<Real>::execute(Complex const* in, Real* out, Scale scale) {
  state_->execute(in, out, {plan::Number::complex, plan::Number::real, Direction::backward, scale});
}

template <class Real>
void Plan<Real>::execute(Real const* in, Real* out, Direction direction, Scale scale) {
  state_->execute(in, out, {plan::Number::real, plan::Number::real, direction, scale});
}

template <class Real>
std::size_t Plan<Real>::workspace_bytes() const {
  return state_->workspace_bytes();
}

template <class Real>
void Plan<Real>::set_workspace(void* memory, std::size_t bytes) {
  state_->set_workspace(memory, bytes);
}

template <class Real>
std::string Plan<Real>::describe() const {
  return state_->describe();
}

template <class Real>
int Plan<Real>::passes() const {
  return state_->program().sweeps();
}

template <class Real>
int Plan<Real>::exchanges() const {
  return state_->schedule().exchanges();
}

template <class Real>
int Plan<Real>::threads() const {
  return state_->threads();
}

template <class Real>
double Plan<Real>::communication_seconds() const {
  return state_->communication_seconds();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace sixstep
