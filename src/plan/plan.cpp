// SPDX-License-Identifier: BSD-3-Clause
// Plan: the tasks of a composition, in turn.
#include "sixstep/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "exchange/turn.hpp"
#include "plan/bluestein.hpp"
#include "plan/composition.hpp"
#include "plan/half_complex.hpp"
#include "plan/in_place.hpp"
#include "plan/match.hpp"
#include "plan/scheduled.hpp"
#include "plan/zero_imaginary.hpp"
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

template <class Real>
class Plan<Real>::State {
 public:
  State(Layout const& input, std::optional<Layout> const& output, MPI_Comm user_comm,
        Options const& options)
      : comm_(mpi::Communicator::duplicate(user_comm)), options_(options) {
    check(input, output);
    mpi::together(comm_, [&] {
      composition_ = plan::compose({input, output, options.axes, options.kinds, options.padded,
                                    static_cast<int>(sizeof(Real))},
                                   {.regrid = options.regrid, .low_memory = options.low_memory});
      require_room();
    });
    int const fair = fair_threads(comm_);
    if (options.threads == 0) options_.threads = fair;
    // Tasks read what earlier ones have read.
    if (!composition_.is_schedule()) options_.preserve_input = true;
    for (std::size_t i = 0; i < composition_.schedules.size(); ++i)
      schedules_.push_back(
          std::make_unique<Scheduled<Real>>(composition_.schedules[i], comm_, options_, meets(i)));
    mpi::together(comm_, [&] {
      make_tables();
      set_slot_offsets();
      set_scratch_bytes();
    });
    set_up();
  }

  Layout const& input() const { return composition_.input.layout; }
  Layout const& output() const { return composition_.output.layout; }

  /// One side of the transform on this rank.
  struct End {
    plan::Number number;
    Index points;

    Index reals() const { return points * plan::reals_of(number); }
  };
  End input_end() const {
    return {composition_.input_number, composition_.input.memory_size(comm_.rank())};
  }
  End output_end() const {
    return {composition_.output_number, composition_.output.memory_size(comm_.rank())};
  }

  /// What a call gives and takes.
  struct Call {
    plan::Number in;
    plan::Number out;
    Direction direction;
    Scale scale;
  };

  void execute(void const* in, void* out, Call const& call) {
    bool const backward = call.direction == Direction::backward;
    End const from = backward ? output_end() : input_end();
    End const to = backward ? input_end() : output_end();
    if (call.in != from.number || call.out != to.number) refuse(call);
    require(in || from.points == 0, "in: an array of ", from.points,
            " elements is needed, null was given");
    require(out || to.points == 0, "out: an array of ", to.points,
            " elements is needed, null was given");
    require(arrays_, "workspace: ", workspace_bytes(),
            " bytes are needed; lend them with set_workspace()");
    double const n = composition_.points;
    double const factor = call.scale == Scale::none   ? 1
                          : call.scale == Scale::by_n ? 1 / n
                                                      : 1 / std::sqrt(n);
    Purpose const purpose = backward ? Purpose::backward : Purpose::forward;
    run(purpose, static_cast<Real const*>(in), static_cast<Real*>(out), factor);
  }

  /// An array for input, output or both.
  std::shared_ptr<void> allocate_array() {
    if (composition_.is_schedule()) return schedules_.front()->allocate_array();
    std::shared_ptr<void> array;
    mpi::together(comm_, [&] {
      Index const most = std::max(input_end().reals(), output_end().reals());
      array = std::shared_ptr<std::byte[]>(
          sixstep::allocate(static_cast<std::size_t>(most + 1) * sizeof(Real)));
    });
    return array;
  }

  std::size_t workspace_bytes() const {
    std::size_t all = 0, most = 0;
    for (auto const& schedule : schedules_) {
      all += schedule->workspace_bytes();
      most = std::max(most, schedule->workspace_bytes());
    }
    // Tasks take turns: lent memory is scratch of one and the workspace of another.
    return slot_offsets_.back() +
           (options_.own_workspace ? all + scratch_bytes_ : std::max(most, scratch_bytes_));
  }

  void set_workspace(void* memory, std::size_t bytes) {
    require(!options_.own_workspace,
            "workspace: this plan has its own; make it with own_workspace = false to lend memory");
    require(memory != nullptr && bytes >= workspace_bytes(), "workspace: ", workspace_bytes(),
            " bytes are needed, ", memory ? text(bytes) : "a null pointer",
            memory ? " were" : " was", " given");
    require(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0,
            "workspace: memory aligned to ", alignment, " bytes is needed");
    lend(static_cast<std::byte*>(memory));
  }

  std::string describe() const {
    std::vector<plan::Limits> limits;
    for (auto const& schedule : schedules_) limits.push_back(schedule->limits(false));
    return text(plan::describe(composition_, limits, options_.preserve_input), "\nrun       ",
                schedules_.front()->run_words());
  }

  int passes() const {
    int sum = 0;
    for (plan::Task const& task : composition_.forward)
      sum +=
          std::visit(match{[&](plan::Run const& run) {
                             return schedules_[run.schedule]->program(run.backward).sweeps();
                           },
                           [](plan::Apply const&) { return 1; },
                           [](plan::Turn const& turn) { return turn.square.ranks == 1 ? 1 : 0; }},
                     task.what);
    return sum;
  }
  int exchanges() const { return composition_.exchanges(); }
  int threads() const { return options_.threads; }

  double communication_seconds() const {
    double sum = 0;
    for (auto const& schedule : schedules_)
      for (Purpose purpose : {Purpose::forward, Purpose::backward})
        sum += schedule->communication_seconds(purpose);
    for (Purpose purpose : {Purpose::forward, Purpose::backward})
      for (std::size_t i = 0; i < tasks_of(purpose).size(); ++i) {
        auto const* turn = std::get_if<plan::Turn>(&tasks_of(purpose)[i].what);
        if (turn && turn->square.ranks > 1) sum += seconds_of(purpose)[i];
      }
    return sum;
  }

  std::vector<Part> breakdown(Direction direction) const {
    bool const backward = direction == Direction::backward;
    Purpose const purpose = backward ? Purpose::backward : Purpose::forward;
    std::vector<plan::Task> const& tasks = tasks_of(purpose);
    std::vector<Part> parts;
    for (std::size_t i = 0; i < tasks.size(); ++i)
      std::visit(match{[&](plan::Run const& run) {
                         auto const more =
                             schedules_[run.schedule]->breakdown(run.backward, purpose);
                         parts.insert(parts.end(), more.begin(), more.end());
                       },
                       [&](plan::Apply const& apply) {
                         parts.push_back({plan::name(apply.map), seconds_of(purpose)[i],
                                          bytes_of(tasks[i], backward)});
                       },
                       [&](plan::Turn const& turn) {
                         parts.push_back({plan::name(turn), seconds_of(purpose)[i],
                                          bytes_of(tasks[i], backward)});
                       }},
                 tasks[i].what);
    return parts;
  }

 private:
  Meets meets(std::size_t schedule) const {
    Meets meets{.allocated = composition_.is_schedule()};
    for (Purpose purpose : {Purpose::forward, Purpose::backward, Purpose::setup})
      for (plan::Task const& task : tasks_of(purpose)) {
        auto const* run = std::get_if<plan::Run>(&task.what);
        if (!run || run->schedule != schedule) continue;
        // The user may give one array for both.
        bool const of_user = task.source < plan::first_work && task.target < plan::first_work;
        meets.in_place = meets.in_place || task.source == task.target || of_user;
        meets.two = meets.two || task.source != task.target;
      }
    return meets;
  }

  /// The tables of a length beyond the machine's memory could take minutes, and all memory of
  /// others, before they failed.
  void require_room() const {
    for (plan::Schedule const& schedule : composition_.schedules) {
      Index const bytes = schedule.fullest * schedule.bytes_of(schedule.input_number);
      require(bytes <= machine_bytes(), "memory: a rank needs ", bytes,
              " bytes for its part of the array, its machine has ", machine_bytes());
    }
  }

  void check(Layout const& input, std::optional<Layout> const& output) const {
    mpi::together(comm_, [&] {
      require(input.ranks() == comm_.size(), "input: a layout for the ", comm_.size(),
              " ranks of comm is needed, it is for ", input.ranks());
      require(!output || output->ranks() == comm_.size(), "output: a layout for the ", comm_.size(),
              " ranks of comm is needed, it is for ", output ? output->ranks() : 0);
      require(options_.threads >= 0, "threads: 0 or more are needed, ", options_.threads,
              " were given");
      require(options_.exchange == Exchange::shared || options_.exchange == Exchange::collective ||
                  options_.exchange == Exchange::pairwise,
              "exchange: shared, collective or pairwise is needed, value ",
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
    fingerprint.add(options_.preserve_input).add(options_.own_workspace).add(options_.low_memory);
    mpi::require_same(
        comm_, fingerprint.value(),
        "input, output, options: all ranks must give the same layouts, axes, kinds, "
        "padding, exchange, regrid, local, preserve_input, own_workspace, low_memory and "
        "precision; they differ");
  }

  /// Throws an Error that names the call which this plan needs.
  [[noreturn]] void refuse(Call const& call) const {
    auto const arguments = [](plan::Number in, plan::Number out) {
      auto const word = [](plan::Number number) {
        return number == plan::Number::real ? "Real" : "Complex";
      };
      return text("(", word(in), " const*, ", word(out), "*)");
    };
    plan::Number const input = composition_.input_number, output = composition_.output_number;
    bool const is_backward = call.direction == Direction::backward;
    char const* const what = input != output               ? "an r2c axis"
                             : input == plan::Number::real ? "real input and output"
                                                           : "complex input and output";
    throw Error(text("in, out: this plan has ", what, ", forward", arguments(input, output),
                     " and backward", arguments(output, input), " are possible; ",
                     is_backward ? "backward" : "forward", arguments(call.in, call.out),
                     " was called"));
  }

  std::vector<plan::Task> const& tasks_of(Purpose purpose) const {
    return purpose == Purpose::setup     ? composition_.setup
           : purpose == Purpose::forward ? composition_.forward
                                         : composition_.backward;
  }

  std::vector<double>& seconds_of(Purpose purpose) {
    return seconds_[static_cast<std::size_t>(purpose)];
  }
  std::vector<double> const& seconds_of(Purpose purpose) const {
    return seconds_[static_cast<std::size_t>(purpose)];
  }

  void make_tables() {
    for (plan::Formula const& formula : composition_.formulas)
      tables_.push_back(std::visit(match{[&](plan::Bluestein const& f) -> Table {
                                           return plan::Chirps<Real>(f, comm_.rank());
                                         },
                                         [&](plan::HalfComplex const& f) -> Table {
                                           return plan::Halves<Real>(f, comm_.rank());
                                         },
                                         [&](plan::ZeroImaginary const& f) -> Table {
                                           return plan::Widening<Real>(f, comm_.rank());
                                         },
                                         [&](plan::InPlace const& f) -> Table {
                                           return plan::Rows<Real>(f, comm_.rank(), options_.local);
                                         }},
                                   formula));
    for (Purpose purpose : {Purpose::forward, Purpose::backward, Purpose::setup})
      seconds_of(purpose).resize(tasks_of(purpose).size());
  }

  /// Work arrays are as large as the composition asks for, and as its schedules need. An empty one
  /// has a place of its own too: by their addresses two are told from one.
  void set_slot_offsets() {
    std::vector<Index> reals(plan::first_work, 0);
    for (Layout const& layout : composition_.work)
      reals.push_back(2 * layout.local_size(comm_.rank()));
    for (Purpose purpose : {Purpose::forward, Purpose::backward, Purpose::setup})
      for (plan::Task const& task : tasks_of(purpose)) {
        auto const* run = std::get_if<plan::Run>(&task.what);
        if (!run) continue;
        plan::Program const& program = schedules_[run->schedule]->program(run->backward);
        reals[task.source] = std::max(reals[task.source], program.input_reals());
        reals[task.target] = std::max(reals[task.target], program.output_reals());
      }
    slot_offsets_ = {0};
    for (plan::Slot slot = plan::first_work; slot < composition_.slots(); ++slot)
      slot_offsets_.push_back(slot_offsets_.back() +
                              aligned(static_cast<std::size_t>(reals[slot] + 1) * sizeof(Real)));
  }

  /// What tasks work in apart from schedules; one at a time.
  void set_scratch_bytes() {
    for (Table const& table : tables_)
      if (auto const* rows = std::get_if<plan::Rows<Real>>(&table))
        take_scratch(rows->scratch_bytes() * static_cast<std::size_t>(options_.threads));
    for (Purpose purpose : {Purpose::forward, Purpose::backward})
      for (plan::Task const& task : tasks_of(purpose))
        if (auto const* turn = std::get_if<plan::Turn>(&task.what))
          take_scratch(exchange::turn_bytes<Real>(turn->square, options_.threads));
  }
  void take_scratch(std::size_t bytes) { scratch_bytes_ = std::max(scratch_bytes_, bytes); }

  /// What a task reads and writes.
  double bytes_of(plan::Task const& task, bool backward) const {
    return static_cast<double>(bytes_of(task.source, backward) + bytes_of(task.target, backward));
  }

  std::size_t bytes_of(plan::Slot slot, bool backward) const {
    if (slot >= plan::first_work)
      return slot_offsets_[slot - plan::first_work + 1] - slot_offsets_[slot - plan::first_work];
    End const end = (slot == plan::given) == backward ? output_end() : input_end();
    return static_cast<std::size_t>(end.reals()) * sizeof(Real);
  }

  /// Gets the workspace, and runs the setup; in memory of its own if the workspace is to be lent.
  void set_up() {
    bool const lent = !options_.own_workspace;
    mpi::together(comm_, [&] {
      owned_ = sixstep::allocate(lent ? workspace_bytes() : slot_offsets_.back() + scratch_bytes_);
    });
    if (lent)
      lend(owned_.get());
    else
      arrays_ = owned_.get();
    run(Purpose::setup, nullptr, nullptr, 1);
    if (!lent) return;
    lend(nullptr);
    owned_.reset();
  }

  void lend(std::byte* memory) {
    arrays_ = memory;
    for (auto const& schedule : schedules_)
      schedule->lend(memory ? memory + slot_offsets_.back() : nullptr);
  }

  void run(Purpose purpose, Real const* in, Real* out, double factor) {
    std::vector<plan::Task> const& tasks = tasks_of(purpose);
    auto const at = [&](plan::Slot slot) {
      return slot == plan::given ? const_cast<Real*>(in)
             : slot == plan::result
                 ? out
                 : reinterpret_cast<Real*>(arrays_ + slot_offsets_[slot - plan::first_work]);
    };
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      plan::Task const& task = tasks[i];
      std::byte* const scratch = arrays_ + slot_offsets_.back();
      auto const scale = static_cast<Real>(task.scaled ? task.factor * factor : task.factor);
      double const begin = MPI_Wtime();
      std::visit(
          match{[&](plan::Run const& run) {
                  schedules_[run.schedule]->execute(at(task.source), at(task.target), run.backward,
                                                    scale, purpose);
                },
                [&](plan::Apply const& apply) {
                  plan::Operands<Real> const on{at(task.source), at(apply.other),  at(task.target),
                                                scale,           options_.threads, scratch};
                  std::visit([&](auto& table) { table.apply(apply.map, apply.backward, on); },
                             tables_[apply.formula]);
                },
                [&](plan::Turn const& turn) {
                  exchange::turn(
                      turn.square, comm_, reinterpret_cast<Complex const*>(at(task.source)),
                      reinterpret_cast<Complex*>(at(task.target)), options_.threads, scratch);
                }},
          task.what);
      seconds_of(purpose)[i] += MPI_Wtime() - begin;
    }
  }

  using Table =
      std::variant<plan::Chirps<Real>, plan::Halves<Real>, plan::Widening<Real>, plan::Rows<Real>>;

  mpi::Communicator comm_;
  Options options_;
  plan::Composition composition_;
  std::vector<std::unique_ptr<Scheduled<Real>>> schedules_;
  std::vector<Table> tables_;  // of each formula
  std::vector<std::size_t>
      slot_offsets_;               // of each work array between tasks, and where the last ends
  std::size_t scratch_bytes_ = 0;  // behind them
  Memory owned_;
  std::byte* arrays_ = nullptr;                        // work arrays, and scratch
  std::array<std::vector<double>, purposes> seconds_;  // of each task
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
  return state_->input();
}

template <class Real>
Layout const& Plan<Real>::output() const {
  return state_->output();
}

template <class Real>
Index Plan<Real>::input_size() const {
  return state_->input_end().points;
}

template <class Real>
Index Plan<Real>::output_size() const {
  return state_->output_end().points;
}

template <class Real>
Index Plan<Real>::in_place_size() const {
  Index const unit = plan::reals_of(state_->output_end().number);
  return (std::max(state_->input_end().reals(), state_->output_end().reals()) + unit - 1) / unit;
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
std::shared_ptr<void> Plan<Real>::allocate_bytes() {
  return state_->allocate_array();
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
  return state_->passes();
}

template <class Real>
int Plan<Real>::exchanges() const {
  return state_->exchanges();
}

template <class Real>
int Plan<Real>::threads() const {
  return state_->threads();
}

template <class Real>
double Plan<Real>::communication_seconds() const {
  return state_->communication_seconds();
}

template <class Real>
auto Plan<Real>::breakdown(Direction direction) const -> std::vector<Part> {
  return state_->breakdown(direction);
}

template class Plan<float>;
template class Plan<double>;

}  // namespace sixstep
