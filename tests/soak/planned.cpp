// SPDX-License-Identifier: BSD-3-Clause
// One plan and its executions against their reference.
#include "planned.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sixstep/device.hpp"

#include "comm.hpp"
#include "exact.hpp"
#include "guarded.hpp"
#include "reference.hpp"
#include "side.hpp"
#include "tested_device.hpp"

namespace soak {

using sixstep::Error;
using sixstep::Plan;
using sixstep::text;

void Complaints::add(std::string const& line) {
  constexpr int most = 4;
  if (++lines_ <= most) text_ += line + "\n";
}

namespace {

/// Arrays are allocated there, whichever ranks a plan is of.
int gpu_of_process() {
  static int const gpu = sixstep::take_gpu(rank_in(MPI_COMM_WORLD));
  return gpu;
}

template <class Real>
Plan<Real> make_plan(Job const& job, MPI_Comm comm) {
  sixstep::Options options = job.options;
  if (options.device == sixstep::Device::cuda) options.gpu = gpu_of_process();
  int const ranks = size_of(comm);
  Layout const input = layout_of(job.input, job.shape, ranks);
  if (!job.output) return Plan<Real>(input, comm, options);
  Shape const shape = job.output_shape.empty() ? result_shape(job) : job.output_shape;
  return Plan<Real>(input, layout_of(*job.output, shape, ranks), comm, options);
}

template <class Real>
Plan<Real> make_and_move(Job const& job, MPI_Comm comm) {
  Plan<Real> first = make_plan<Real>(job, comm);
  if (!job.moved) return first;
  Plan<Real> second = make_plan<Real>(job, comm);
  second = std::move(first);
  return second;
}

/// Calls the overload for such elements.
template <class Real>
void call(Plan<Real>& plan, Real const* in, Real* out, std::pair<bool, bool> real,
          Execution const& one) {
  using Complex = std::complex<Real>;
  auto const* const complex_in = reinterpret_cast<Complex const*>(in);
  auto* const complex_out = reinterpret_cast<Complex*>(out);
  if (real.first && real.second)
    plan.execute(in, out, one.direction, one.scale);
  else if (real.first)
    plan.execute(in, complex_out, one.scale);
  else if (real.second)
    plan.execute(complex_in, out, one.scale);
  else
    plan.execute(complex_in, complex_out, one.direction, one.scale);
}

template <class Real>
class PlannedIn : public Planned {
 public:
  PlannedIn(Job const& job, MPI_Comm comm, std::uint64_t seed, Complaints& complaints)
      : job_(job),
        comm_(comm),
        rank_(rank_in(comm)),
        seed_(seed),
        complaints_(complaints),
        plan_(make_and_move<Real>(job, comm)),
        input_(plan_->input(), rank_, job.options, is_real_input(job), padded_row(job)),
        output_(plan_->output(), rank_, job.options, is_real_output(job)) {
    check_sizes();
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
    expect(plan_->input() == layout_of(job_.input, job_.shape, size_of(comm_)),
           "input() is not what was given");
    expect(!job_.output ||
               plan_->output() == layout_of(*job_.output, result_shape(job_), size_of(comm_)),
           "output() is not what was given");
    expect(volume(plan_->output().shape()) == volume(result_shape(job_)),
           "output() is not of the result's shape");
    expect(in == input_.reals() / input_.unit(), "input_size() is wrong");
    expect(out == output_.reals() / output_.unit(), "output_size() is wrong");
    expect(in_place >= input_.reals() && in_place >= output_.reals(),
           "in_place_size() is too small");
    expect(in_place <= std::max(input_.reals() + input_.reals() % output_.unit(), output_.reals()),
           "in_place_size() is too large");
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

  Reference const& reference_of(Direction direction) {
    auto& known = references_[direction == Direction::forward ? 0 : 1];
    if (!known)
      known = reference(of_all_fields(job_), direction,
                        2 * seed_ + (direction == Direction::forward ? 0 : 1), comm_);
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

  void execute_and_check(Execution const& one, std::size_t number) {
    bool const forward = one.direction == Direction::forward;
    Side const& from = forward ? input_ : output_;
    Side const& to = forward ? output_ : input_;
    Reference const& wanted = reference_of(one.direction);
    Array out = array(one.output, 0, one.in_place ? plans_reals_ : to.reals(), number);
    Array other;
    if (!one.in_place) other = array(one.input, 1, from.reals(), number + 3);
    Array& in = one.in_place ? out : other;
    // Another multiple each time, so that what was left from an earlier execution shows.
    double const factor = std::ldexp(number % 2 == 0 ? 1 : -1, static_cast<int>(number % 3));
    from.fill(in.data, wanted.input, factor);
    std::vector<Real> const before(in.data, in.data + from.reals());

    std::pair<bool, bool> const real{from.is_real(), to.is_real()};
    if (on_device()) {
      to_device(in);
      if (!one.in_place) to_device(out);
      call(*plan_, static_cast<Real const*>(in.on_device), out.on_device, real, one);
      to_host(in);
      if (!one.in_place) to_host(out);
    } else {
      call(*plan_, static_cast<Real const*>(in.data), out.data, real, one);
    }

    double const scale = factor * scale_of(one);
    double const bound = wanted.rounding * std::abs(scale) *
                         static_cast<double>(std::numeric_limits<Real>::epsilon());
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
  std::optional<Plan<Real>> plan_;
  Side input_;
  Side output_;
  Index plans_reals_ = 0;
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

std::unique_ptr<Planned> make_planned(Job const& job, MPI_Comm comm, std::uint64_t seed,
                                      Complaints& complaints) {
  if (job.serial) return make_serial(job, comm, seed, complaints);
  if (job.single) return std::make_unique<PlannedIn<float>>(job, comm, seed, complaints);
  return std::make_unique<PlannedIn<double>>(job, comm, seed, complaints);
}

}  // namespace soak
