// SPDX-License-Identifier: BSD-3-Clause
// Running a composition: work arrays between tasks, and scratch of tasks that are no schedules.
#include "runners/composition_runner.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <exception>
#include <functional>
#include <utility>

#include "base/match.hpp"
#include "exchange/turn.hpp"
#include "layout/fields.hpp"
#include "runners/changes_on_device.hpp"

namespace sixstep::runners {

CompositionRunner::CompositionRunner(formulas::Composition composition, mpi::Communicator comm,
                                     Options const& options, int real_bytes, Tuning const& tuning)
    : comm_(std::move(comm)),
      options_(options),
      real_bytes_(real_bytes),
      tuning_(tuning),
      composition_(std::move(composition)),
      input_reals_(input().reals(comm_.rank())),
      output_reals_(output().reals(comm_.rank())) {
  bool const many = options.fields > 1 || composition_.has_fields;
  users_input_ = many ? of_one_field(input().layout) : input().layout;
  users_output_ = many ? of_one_field(output().layout) : output().layout;
  list(Purpose::setup).tasks = composition_.setup;
  list(Purpose::forward).tasks = composition_.forward;
  list(Purpose::backward).tasks = composition_.backward;
  for (List& of : lists_) {
    of.seconds.resize(of.tasks.size());
    of.labels.resize(of.tasks.size());
    of.tables.resize(of.tasks.size());
    of.operations.resize(of.tasks.size());
    of.point_tables.resize(of.tasks.size());
  }
  mpi::together(comm_, [&] { rounding_ = decision::rounding_of(composition_, options_); });
  site_ = device::make_site(options_, comm_);
  for (std::size_t i = 0; i < composition_.schedules.size(); ++i)
    schedules_.push_back(std::make_unique<ScheduleRunner>(
        composition_.schedules[i], composition_.meets(i),
        Grounds{comm_, *site_, options_, rounding_, tuning_, findings_}));
  mpi::together(comm_, [&] {
    for (std::size_t i = 0; i < composition_.formulas.size(); ++i)
      formulas_.push_back(on_this_rank(i, *composition_.formulas[i]));
    set_slot_offsets();
    set_scratch_bytes();
    if (site_->device()) place_changes();
  });
  tags_ = comm_.take_tags(1);
  start_trace();
  set_up();
}

CompositionRunner::~CompositionRunner() {
  if (!trace_ || !mpi::is_running()) return;
  std::string words;
  try {
    words = describe();
  } catch (std::exception const&) {
    // The trace is written without them, because all ranks write it together.
  }
  trace_->write_at_end(std::move(words));
}

/// A work array is as large as the composition asks for and its schedules need. An empty one has a
/// distinct address too, because schedules compare addresses to tell two arrays from one.
void CompositionRunner::set_slot_offsets() {
  std::vector<Index> reals(formulas::first_work, 0);
  for (Layout const& layout : composition_.work)
    reals.push_back(layout::reals_of(layout::Number::complex) * layout.local_size(comm_.rank()));
  for (List const& of : lists_)
    for (formulas::Task const& task : of.tasks) {
      auto const* run = std::get_if<formulas::Run>(&task.what);
      if (!run) continue;
      program::Program const& program = schedules_[run->schedule]->program(run->backward);
      reals[task.source] = std::max(reals[task.source], program.input_reals);
      reals[task.target] = std::max(reals[task.target], program.output_reals);
    }
  slot_offsets_ = {0};
  for (formulas::Slot slot = formulas::first_work; slot < composition_.slots(); ++slot)
    slot_offsets_.push_back(slot_offsets_.back() +
                            aligned(static_cast<std::size_t>((reals[slot] + 1) * real_bytes_)));
}

/// Finds the most scratch that a task other than a schedule needs. Tasks run one at a time.
void CompositionRunner::set_scratch_bytes() {
  for (auto const& formula : formulas_)
    take_scratch(site_->device()
                     ? formula->change_scratch_bytes()
                     : formula->scratch_bytes() * static_cast<std::size_t>(options_.threads));
  auto const turn_bytes =
      real_bytes_ == sizeof(float) ? &exchange::turn_bytes<float> : &exchange::turn_bytes<double>;
  for (List const& of : lists_)
    for (formulas::Task const& task : of.tasks)
      if (auto const* turn = std::get_if<formulas::Turn>(&task.what))
        take_scratch(turn_bytes(turn->square, options_.threads));
}

/// Brings the tables of pointwise work to the device.
void CompositionRunner::place_changes() {
  for (List const& of : lists_)
    for (formulas::Task const& task : of.tasks)
      if (auto const* const apply = std::get_if<formulas::Apply>(&task.what))
        runners::place_tables(formulas_[apply->formula]->changes(apply->work, {}),
                              *site_->device());
}

/// Frees what only the setup has needed on the device.
void CompositionRunner::end_setup() {
  for (formulas::Task const& task : composition_.setup)
    if (auto const* const apply = std::get_if<formulas::Apply>(&task.what)) {
      formulas::Pointwise& formula = *formulas_[apply->formula];
      for (formulas::Change const& change : formula.changes(apply->work, {}))
        if (change.from && change.from->array == formulas::Array::table)
          site_->forget(change.table.begin);
    }
  for (auto const& formula : formulas_) formula->end_setup();
}

std::size_t CompositionRunner::slot_bytes(formulas::Slot slot, bool backward) const {
  if (slot >= formulas::first_work)
    return slot_offsets_[slot - formulas::first_work + 1] -
           slot_offsets_[slot - formulas::first_work];
  Index const reals = (slot == formulas::given) == backward ? output_reals() : input_reals();
  return static_cast<std::size_t>(reals * real_bytes_);
}

/// Finds the tables and operations of all passes; tables where these read them.
void CompositionRunner::place_tables() {
  checked_.clear();
  for (Purpose purpose : {Purpose::forward, Purpose::backward}) {
    List& of = list(purpose);
    for (std::size_t i = 0; i < of.tasks.size(); ++i) {
      auto const* const run = std::get_if<formulas::Run>(&of.tasks[i].what);
      if (!run) continue;
      of.operations[i].clear();
      of.point_tables[i].clear();
      for (std::size_t formula : run->operations) {
        program::OnPoints const* const operation = formulas_[formula]->operation();
        of.operations[i].push_back(
            options_.verify == Verify::none || !operation->may_repeat()
                ? operation
                : checked(*operation, run->schedule, of.operations[i].size()));
        if (!site_->device()) continue;
        of.point_tables[i].push_back(operation->tables());
        for (program::PointTable& table : of.point_tables[i].back())
          table.numbers = site_->placed(table.numbers, table.bytes);
      }
      if (!run->times) continue;
      void const* const table = formulas_[run->times->formula]->table(run->times->work);
      Index const reals = schedules_[run->schedule]->program(run->backward).output_reals;
      of.tables[i] = site_->placed(table, static_cast<std::size_t>(reals * real_bytes_));
    }
  }
}

/// Allocates the workspace and runs the setup. If the user will lend the workspace, the setup runs
/// in temporary memory.
void CompositionRunner::set_up() {
  bool const lent = !options_.own_workspace;
  mpi::together(comm_, [&] {
    owned_ = site_->allocate(lent ? workspace_bytes() : slot_offsets_.back() + scratch_bytes_);
  });
  if (lent)
    lend(owned_.get());
  else
    arrays_ = owned_.get();
  {
    device::Keeping const errors(*site_);
    run(Purpose::setup, nullptr, nullptr, 1);
    site_->throw_kept_together();
  }
  if (site_->device()) end_setup();
  if (!composition_.formulas.empty()) mpi::together(comm_, [&] { place_tables(); });
  if (!lent) return;
  lend(nullptr);
  owned_.reset();
}

/// The work of formula i on this rank, with the points of its operation numbered.
std::unique_ptr<formulas::Pointwise> CompositionRunner::on_this_rank(
    std::size_t i, formulas::Formula const& formula) const {
  auto made = formula.on_rank(comm_.rank(), real_bytes_, options_.local);
  for (List const& of : lists_)
    for (formulas::Task const& task : of.tasks)
      if (auto const* const run = std::get_if<formulas::Run>(&task.what))
        for (std::size_t number = 0; number < run->operations.size(); ++number)
          if (run->operations[number] == i)
            made->number(schedules_[run->schedule]->numberings(number));
  return made;
}

void CompositionRunner::renew(std::size_t i, MakeFormula const& make) {
  Turnstile const alone(is_busy_, "plan");
  std::shared_ptr<formulas::Formula const> formula;
  std::unique_ptr<formulas::Pointwise> made;
  mpi::together(comm_, [&] {
    formula = make();
    made = on_this_rank(i, *formula);
  });
  std::unique_ptr<formulas::Pointwise> const old = std::exchange(formulas_[i], std::move(made));
  composition_.formulas[i] = std::move(formula);
  mpi::together(comm_, [&] { place_tables(); });
  for (Purpose purpose : {Purpose::forward, Purpose::backward})
    for (formulas::Task const& task : list(purpose).tasks)
      if (auto const* const run = std::get_if<formulas::Run>(&task.what))
        if (run->times && run->times->formula == i) site_->forget(old->table(run->times->work));
  if (old->operation())
    for (program::PointTable const& table : old->operation()->tables())
      site_->forget(table.numbers);
}

void CompositionRunner::lend(std::byte* memory) {
  arrays_ = memory;
  for (auto const& schedule : schedules_)
    schedule->lend(memory ? memory + slot_offsets_.back() : nullptr);
}

std::size_t CompositionRunner::workspace_bytes() const {
  std::size_t all = 0, most = 0;
  for (auto const& schedule : schedules_) {
    all += schedule->workspace_bytes();
    most = std::max(most, schedule->workspace_bytes());
  }
  // Tasks run in turn, so lent memory is scratch of one and the workspace of another.
  return slot_offsets_.back() +
         (options_.own_workspace ? all + scratch_bytes_ : std::max(most, scratch_bytes_));
}

void CompositionRunner::set_workspace(void* memory, std::size_t bytes) {
  require(!options_.own_workspace,
          "workspace: this plan has its own; make it with own_workspace = false to lend memory");
  Turnstile const alone(is_busy_, "plan");
  require(
      memory != nullptr && bytes >= workspace_bytes(), "workspace: ", workspace_bytes(),
      " bytes are needed, ", [&] { return memory ? text(bytes) : "a null pointer"; },
      memory ? " were" : " was", " given");
  require(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0,
          "workspace: memory aligned to ", alignment, " bytes is needed");
  if (site_->device()) site_->check("workspace", memory, real_bytes_);
  lend(static_cast<std::byte*>(memory));
}

void CompositionRunner::wait() {
  device::Keeping const errors(*site_);
  site_->finish();
  for (auto const& schedule : schedules_) schedule->note_end();
  site_->throw_kept();
}

/// Whether an execution waits for other ranks, apart from works in the device's queue.
bool CompositionRunner::waits_for_ranks() const {
  if (comm_.size() == 1) return false;
  return !returns_early_ ||
         std::ranges::any_of(schedules_, [](auto const& it) { return it->waits_for_ranks(); });
}

void CompositionRunner::set_stream(void* stream) {
  wait();
  site_->set_stream(stream);
}

std::shared_ptr<void> CompositionRunner::allocate_array() {
  if (auto const direct = composition_.direct()) return schedules_[*direct]->allocate_array();
  std::shared_ptr<void> array;
  mpi::together(comm_, [&] {
    Index const reals = std::max(input_reals(), output_reals()) + 1;
    array = site_->allocate(static_cast<std::size_t>(reals * real_bytes_));
  });
  return array;
}

void CompositionRunner::execute(void const* in, void* out, Direction direction, Scale scale,
                                bool conjugate, Scale back) {
  if (comm_.size() > 1) mpi::require_running("plan");
  Turnstile const alone(is_busy_, "plan");
  bool const backward = direction == Direction::backward;
  layout::Placement const& from = backward ? output() : input();
  layout::Placement const& to = backward ? input() : output();
  auto const points = [&](layout::Placement const& end) { return end.memory_size(comm_.rank()); };
  require(in || points(from) == 0, "in: an array of ", points(from),
          " elements is needed, null was given");
  require(out || points(to) == 0, "out: an array of ", points(to),
          " elements is needed, null was given");
  device::Keeping const errors(*site_);
  for (auto const& [name, array] : {std::pair{"in", in}, {"out", const_cast<void const*>(out)}})
    if (array) site_->check(name, array, real_bytes_);
  require(arrays_, "workspace: ", workspace_bytes(),
          " bytes are needed; lend them with set_workspace()");
  double const n = composition_.points;
  auto const factor = [n](Scale by) {
    return by == Scale::none ? 1 : by == Scale::by_n ? 1 / n : 1 / std::sqrt(n);
  };
  auto const run_all = [&] {
    run(backward ? Purpose::backward : Purpose::forward, in, out, factor(scale), conjugate,
        factor(back));
  };
  if (verifier_)
    verifier_->verify({direction,
                       in,
                       out,
                       {factor(scale), conjugate},
                       factor(back),
                       options_.preserve_input && (in != out || !out)},
                      std::ref(run_all));  // which does not allocate
  else
    run_all();
  if (waits_for_ranks())
    site_->throw_kept_together();
  else
    site_->throw_kept();
}

void CompositionRunner::run(Purpose purpose, void const* in, void* out, double factor,
                            bool conjugate, double back) {
  List& there = list(purpose);
  if (there.tasks.empty()) return;
  if (purpose != Purpose::setup) executed_ = purpose;
  auto const at = [&](formulas::Slot slot) -> void* {
    return slot == formulas::given    ? const_cast<void*>(in)
           : slot == formulas::result ? out
                                      : arrays_ + slot_offsets_[slot - formulas::first_work];
  };
  std::byte* const scratch = arrays_ + slot_offsets_.back();
  if (trace_) trace_->begin_execution();
  Trace::Span const execution(there.label, 0);
  for (std::size_t i = 0; i < there.tasks.size(); ++i) {
    formulas::Task const& task = there.tasks[i];
    void* const source = at(task.source);
    void* const target = at(task.target);
    double const scale = task.scaled ? task.factor * factor : task.factor;
    if (trace_) trace_->begin_task(i);
    Trace::Span const span(there.labels[i], 0);
    double const begin = MPI_Wtime();
    std::visit(match{[&](formulas::Run const& run) {
                       schedules_[run.schedule]->execute(
                           source, target,
                           {purpose, run.backward, run.has_sign && conjugate, scale, back,
                            there.tables[i], returns_early_, there.operations[i].data(),
                            there.point_tables[i].data(), idle_ ? &idle_ : nullptr});
                       finish(run.operations);
                     },
                     [&](formulas::Apply const& apply) {
                       this->apply(apply, {source, at(apply.other), target, apply.backward,
                                           conjugate, scale, options_.threads, scratch});
                     },
                     [&](formulas::Turn const& turned) { turn(turned, source, target, scratch); }},
               task.what);
    there.seconds[i] += MPI_Wtime() - begin;
  }
}

/// On a device, puts the work into the queue, and waits for it so that its seconds can be told,
/// unless the execution returns early.
void CompositionRunner::apply(formulas::Apply const& apply, formulas::Operands const& on) {
  formulas::Pointwise& formula = *formulas_[apply.formula];
  device::DeviceSite* const device = site_->device();
  if (!device) return formula.apply(apply.work, on);
  put(formula.changes(apply.work, on),
      {const_cast<void*>(on.source), const_cast<void*>(on.other), on.target, on.scratch},
      real_bytes_, *device);
  if (!returns_early_ || trace_) device->finish();
}

/// Throws the first failure, after all of these formulas have forgotten theirs.
void CompositionRunner::finish(std::vector<std::size_t> const& operations) const {
  std::exception_ptr first;
  for (std::size_t formula : operations) {
    try {
      formulas_[formula]->finish();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void CompositionRunner::turn(formulas::Turn const& turn, void const* source, void* target,
                             std::byte* scratch) const {
  auto const turn_as = [&](auto real) {
    using Complex = std::complex<decltype(real)>;
    exchange::turn(turn.square, comm_, static_cast<Complex const*>(source),
                   static_cast<Complex*>(target), options_.threads, scratch, tags_.first());
  };
  if (real_bytes_ == sizeof(float)) return turn_as(float());
  turn_as(double());
}

}  // namespace sixstep::runners
