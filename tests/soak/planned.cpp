// SPDX-License-Identifier: BSD-3-Clause
// One plan or solver and its executions against their reference.
#include "planned.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "comm.hpp"
#include "exact.hpp"
#include "guarded.hpp"
#include "kept_waves.hpp"
#include "reference.hpp"
#include "side.hpp"
#include "things.hpp"

namespace soak {

using sixstep::Error;
using sixstep::text;

void Complaints::add(std::string const& line) {
  constexpr int most = 4;
  if (++lines_ <= most) text_ += line + "\n";
}

namespace {

template <class Thing>
Thing make_and_move(Job const& job, MPI_Comm comm) {
  Thing first = make(Tag<Thing>(), job, comm);
  if (!job.moved) return first;
  Thing second = make(Tag<Thing>(), job, comm);
  second = std::move(first);
  return second;
}

template <template <class> class Thing, class Real>
class PlannedIn : public Planned {
 public:
  PlannedIn(Job const& job, MPI_Comm comm, std::uint64_t seed, Complaints& complaints)
      : job_(job),
        comm_(comm),
        rank_(rank_in(comm)),
        seed_(seed),
        complaints_(complaints),
        ends_(ends_of(job, size_of(comm))),
        plan_(make_and_move<Thing<Real>>(job, comm)),
        input_(plan_->input(), rank_, job.options, ends_.is_real_input, ends_.input_row),
        output_(plan_->output(), rank_, options_of_output(job), ends_.is_real_output,
                ends_.output_row) {
    check_sizes();
    check_packing();
    expect(!plan_->describe().empty(), "describe() is empty");
    expect(plan_->passes() >= 0 && plan_->exchanges() >= 0, "passes() or exchanges() are negative");
    plan_->breakdown();
    if (job.options.threads > 0)
      expect(plan_->threads() == job.options.threads, "threads() is not what was given");
    lend();
  }

  ~PlannedIn() override {
    if (job_.outlive) plan_.reset();
    for (auto& array : kept_) {
      if (array && !on_device()) unset(array.get(), bytes_of(plans_reals_));
      array.reset();
    }
  }

  void execute(std::size_t number) override {
    Execution const& one = job_.executions[number];
    where_ = text("execution ", number, ": ");
    if (number % 2 == 1) lend();
    try {
      execute_and_check(one, number);
    } catch (Error const& error) {
      complain(text("execute() threw: ", error.what()));
    }
    expect(workspace_.guards_are_intact(), "wrote beyond the lent workspace");
  }

 private:
  void complain(std::string const& what) { complaints_.add(where_ + what); }
  void expect(bool holds, char const* otherwise) {
    if (!holds) complain(otherwise);
  }
  static std::size_t bytes_of(Index reals) {
    return static_cast<std::size_t>(reals) * sizeof(Real);
  }

  void check_sizes() {
    where_ = "plan: ";
    Index const in = plan_->input_size(), out = plan_->output_size();
    Index const in_place = plan_->in_place_size() * output_.unit();
    plans_reals_ = in_place;
    expect(!ends_.input || plan_->input() == *ends_.input, "input() is not what was given");
    expect(!ends_.output || plan_->output() == *ends_.output, "output() is not what was given");
    expect(volume(plan_->output().shape()) == volume(output_shape_of(job_)),
           "output() is not of the result's shape");
    expect(in == input_.reals() / input_.unit(), "input_size() is wrong");
    expect(out == output_.reals() / output_.unit(), "output_size() is wrong");
    expect(in_place >= input_.reals() && in_place >= output_.reals(),
           "in_place_size() is too small");
    expect(in_place <= std::max(input_.reals() + input_.reals() % output_.unit(), output_.reals()),
           "in_place_size() is too large");
  }

  /// Every wave that is kept is there once, and no other is.
  void check_packing() {
    if (!is_packed(job_)) return;
    packing_ = packing_of(*plan_, job_, comm_);
    std::vector<Index> sorted = packing_, wanted = within(job_);
    std::sort(sorted.begin(), sorted.end());
    std::sort(wanted.begin(), wanted.end());
    expect(sorted == wanted, "wavenumber() does not tell the waves that are kept");
    if (sorted != wanted) packing_ = wanted;
  }

  /// Other memory each time.
  void lend() {
    if (job_.options.own_workspace) return;
    std::size_t const bytes = plan_->workspace_bytes();
    if (on_device()) {
      device_workspace_ = sixstep::allocate(job_.options.device, bytes);
      return plan_->set_workspace(device_workspace_.get(), bytes);
    }
    Guarded next(bytes, 0);
    plan_->set_workspace(next.data(), bytes);
    expect(workspace_.guards_are_intact(), "wrote beyond the lent workspace");
    workspace_ = std::move(next);
  }

  static sixstep::Options options_of_output(Job const& job) {
    sixstep::Options options = job.options;
    options.fields = output_fields(job);
    return options;
  }

  /// Which of two references an execution has: solvers get other numbers each time.
  int variant_of(std::size_t number) const {
    if (job_.make != Make::plan) return static_cast<int>(number % 2);
    return job_.executions[number].direction == Direction::forward ? 0 : 1;
  }
  std::uint64_t seed_of(int variant) const {
    return 2 * seed_ + static_cast<std::uint64_t>(variant);
  }

  Reference const& reference_of(Direction direction, int variant) {
    auto& known = references_[static_cast<std::size_t>(variant)];
    if (!known)
      known = job_.make == Make::plan
                  ? reference(job_, direction, packing_, seed_of(variant), comm_)
                  : solver_reference(job_, packing_, seed_of(variant),
                                     job_.solver.renewed ? variant : 0, comm_);
    return *known;
  }

  /// An array of the plan's that is kept. Collective.
  Real* plans(std::size_t slot) {
    if (!kept_[slot]) kept_[slot] = plan_->template allocate<Real>();
    return kept_[slot].get();
  }

  bool on_device() const { return job_.options.device != sixstep::Device::none; }

  /// An array for one execution; what a device has is seen in a copy of it.
  struct Array {
    Guarded own;
    std::shared_ptr<Real[]> fresh;
    Real* data = nullptr;
    std::shared_ptr<void> memory;
    Real* on_device = nullptr;
    std::size_t bytes = 0;
  };
  Array device_array(Whose whose, std::size_t slot, Index reals, std::size_t skew) {
    Array made;
    made.bytes = bytes_of(reals);
    if (reals > 0) {
      made.own = Guarded(made.bytes, skew % 8 * sizeof(Real));
      made.data = reinterpret_cast<Real*>(made.own.data());
    }
    bool const is_odd = rank_ % 2 == 1;
    if (whose == Whose::fresh) {
      made.fresh = plan_->template allocate<Real>();
      made.on_device = made.fresh.get();
    } else if (whose != Whose::own) {
      Real* const ours = plans(slot);
      if (whose == Whose::plans || is_odd == (whose == Whose::odd_plans)) made.on_device = ours;
    }
    if (!made.on_device && reals > 0) {
      made.memory = sixstep::allocate(job_.options.device, made.bytes);
      made.on_device = static_cast<Real*>(made.memory.get());
    }
    return made;
  }
  void to_device(Array const& array) const {
    if (array.bytes > 0)
      sixstep::copy(job_.options.device, array.on_device, array.data, array.bytes);
  }
  void to_host(Array const& array) const {
    if (array.bytes > 0)
      sixstep::copy(job_.options.device, array.data, array.on_device, array.bytes);
  }
  Array array(Whose whose, std::size_t slot, Index reals, std::size_t skew) {
    if (on_device()) return device_array(whose, slot, reals, skew);
    Array made;
    if (whose == Whose::fresh) {
      made.fresh = plan_->template allocate<Real>();
      made.data = made.fresh.get();
    } else if (whose != Whose::own) {
      Real* const ours = plans(slot);
      bool const is_odd = rank_ % 2 == 1;
      if (whose == Whose::plans || is_odd == (whose == Whose::odd_plans)) made.data = ours;
    }
    if (made.data) {
      unset(made.data, bytes_of(plans_reals_));
    } else if (reals > 0) {
      made.own = Guarded(bytes_of(reals), skew % 8 * sizeof(Real));
      made.data = reinterpret_cast<Real*>(made.own.data());
    }
    return made;
  }

  double scale_of(Execution const& one) const {
    long double const points = logical_points(job_);
    return static_cast<double>(one.scale == Scale::none   ? 1
                               : one.scale == Scale::by_n ? 1 / points
                                                          : 1 / std::sqrt(points));
  }

  /// The most by which short messages may change an element: their bound is one of the norm of all.
  /// An r2c backward ignores a part of its input, which they round nevertheless.
  double bound_of_wire(Reference const& wanted) {
    double const tolerance = job_.options.wire.tolerance;
    if (tolerance == 0) return 0;
    if constexpr (std::is_same_v<Thing<Real>, Plan<Real>>)
      expect(plan_->wire_error() < tolerance, "wire_error() is above the tolerance");
    double input = 0, output = 0;
    for (auto const& value : wanted.input) input += std::norm(value);
    for (auto const& value : wanted.output) output += std::norm(value);
    auto const points = static_cast<double>(logical_points(job_));
    return 2 * tolerance * std::sqrt(std::max(output, points * input));
  }

  /// Right results are found to be right at the first try.
  void check_verified() {
    if (job_.options.verify == sixstep::Verify::none) return;
    if constexpr (std::is_same_v<Thing<Real>, Plan<Real>>) {
      sixstep::Verified const verified = plan_->verified();
      expect(verified.unchecked == 0 && verified.repaired == 0, "a right result was not accepted");
      expect(verified.largest_share < 0.5, "a right result was nearly not accepted");
    }
  }

  void execute_and_check(Execution const& one, std::size_t number) {
    bool const forward = one.direction == Direction::forward;
    Side const& from = forward ? input_ : output_;
    Side const& to = forward ? output_ : input_;
    int const variant = variant_of(number);
    Reference const& wanted = reference_of(one.direction, variant);
    prepare(*plan_, job_, comm_, seed_of(variant), variant);
    Array out = array(one.output, 0, one.in_place ? plans_reals_ : to.reals(), number);
    Array other;
    if (!one.in_place) other = array(one.input, 1, from.reals(), number + 3);
    Array& in = one.in_place ? out : other;
    // Another multiple each time, so that what was left from an earlier execution shows.
    bool const is_linear = job_.make != Make::map;
    double const factor =
        is_linear ? std::ldexp(number % 2 == 0 ? 1 : -1, static_cast<int>(number % 3)) : 1;
    from.fill(in.data, wanted.input, factor);
    std::vector<Real> const before(in.data, in.data + from.reals());

    if (on_device()) {
      to_device(in);
      if (!one.in_place) to_device(out);
      call(*plan_, static_cast<Real const*>(in.on_device), out.on_device, ends_, one);
      to_host(in);
      if (!one.in_place) to_host(out);
    } else {
      call(*plan_, static_cast<Real const*>(in.data), out.data, ends_, one);
    }

    check_verified();
    double const scale = factor * scale_of(one);
    double const bound = wanted.rounding * std::abs(scale) *
                             static_cast<double>(std::numeric_limits<Real>::epsilon()) +
                         bound_of_wire(wanted) * std::abs(scale);
    double const error = to.difference(out.data, wanted.output, scale);
    if (!(error <= bound))
      complain(text("off by ", error, ", ", bound, " is allowed, of values of about ",
                    bound / 24 / static_cast<double>(std::numeric_limits<Real>::epsilon())));
    if (!one.in_place && job_.options.preserve_input)
      expect(from.same(in.data, before.data()), "the input was changed");
    check_ghosts(one, from, in.data, to, out.data);
    expect(in.own.guards_are_intact(), "wrote beyond the input");
    expect(out.own.guards_are_intact(), "wrote beyond the output");
  }

  /// Whatever is overwritten, ghosts are not; in place, if they are the same on both sides.
  void check_ghosts(Execution const& one, Side const& from, Real const* in, Side const& to,
                    Real const* out) {
    if (one.in_place && !from.lies_as(to)) return;
    if (from.has_ghosts()) expect(from.ghosts_are_unset(in), "wrote into ghosts of the input");
    if (to.has_ghosts()) expect(to.ghosts_are_unset(out), "wrote into ghosts of the output");
  }

  Job job_;
  MPI_Comm comm_;
  int rank_;
  std::uint64_t seed_;
  Complaints& complaints_;
  std::string where_;
  Guarded workspace_;
  std::shared_ptr<void> device_workspace_;
  std::array<std::shared_ptr<Real[]>, 2> kept_;
  Ends ends_;
  std::optional<Thing<Real>> plan_;
  Side input_;
  Side output_;
  Index plans_reals_ = 0;
  std::vector<Index> packing_;
  std::array<std::optional<Reference>, 2> references_;
};

/// As the caller's environment has it, or as the job wants it.
void set_or_restore(char const* name, std::optional<std::string> const& usual,
                    std::string const& wanted) {
  if (!wanted.empty())
    setenv(name, wanted.c_str(), 1);
  else if (usual)
    setenv(name, usual->c_str(), 1);
  else
    unsetenv(name);
}

std::optional<std::string> variable(char const* name) {
  char const* const value = std::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

void set_environment(Job const& job) {
  static std::optional<std::string> const node_ranks = variable("SIXSTEP_NODE_RANKS"),
                                          isa = variable("SIXSTEP_ISA");
  set_or_restore("SIXSTEP_NODE_RANKS", node_ranks, job.node_ranks == 0 ? "" : text(job.node_ranks));
  set_or_restore("SIXSTEP_ISA", isa, job.isa);
}

template <template <class> class Thing>
std::unique_ptr<Planned> make_in(Job const& job, MPI_Comm comm, std::uint64_t seed,
                                 Complaints& complaints) {
  if (job.single) return std::make_unique<PlannedIn<Thing, float>>(job, comm, seed, complaints);
  return std::make_unique<PlannedIn<Thing, double>>(job, comm, seed, complaints);
}

std::unique_ptr<Planned> make_planned(Job const& job, MPI_Comm comm, std::uint64_t seed,
                                      Complaints& complaints) {
  if (job.serial) return make_serial(job, comm, seed, complaints);
  switch (job.make) {
    case Make::op:
      return make_in<Operator>(job, comm, seed, complaints);
    case Make::map:
      return make_in<Map>(job, comm, seed, complaints);
    case Make::convolution:
      return make_in<Convolution>(job, comm, seed, complaints);
    case Make::open_poisson:
      return make_in<InFreeSpace>(job, comm, seed, complaints);
    default:
      return make_in<Plan>(job, comm, seed, complaints);
  }
}

}  // namespace soak
