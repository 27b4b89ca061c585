// SPDX-License-Identifier: BSD-3-Clause
// One serial plan on each rank, of the whole array, and its executions against their reference.
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sixstep/serial.hpp"

#include "exact.hpp"
#include "guarded.hpp"
#include "planned.hpp"
#include "reference.hpp"
#include "side.hpp"

namespace soak {

using sixstep::SerialPlan;
using sixstep::text;

namespace {

template <class Real>
SerialPlan<Real> make_plan(Job const& job) {
  sixstep::Options const& given = job.options;
  return SerialPlan<Real>(job.shape, {.axes = given.axes,
                                      .kinds = given.kinds,
                                      .order = job.input.order,
                                      .input_strides = job.input_strides,
                                      .output_strides = job.output_strides,
                                      .padded = given.padded,
                                      .preserve_input = given.preserve_input,
                                      .threads = given.threads,
                                      .local = given.local,
                                      .reproducible = given.reproducible});
}

Side side_of(Job const& job, Shape const& shape, Shape const& strides, bool is_real, Index row) {
  if (!strides.empty()) return Side(shape, strides, is_real);
  Sharing const whole{.order = job.input.order};
  return Side(layout_of(whole, shape, 1), 0, {}, is_real, row);
}

template <class Real>
class SerialIn : public Planned {
 public:
  SerialIn(Job const& job, MPI_Comm comm, std::uint64_t seed, Complaints& complaints)
      : job_(job),
        comm_(comm),
        seed_(seed),
        complaints_(complaints),
        plan_(make_plan<Real>(job)),
        input_(side_of(job, job.shape, job.input_strides, is_real_input(job), padded_row(job))),
        output_(side_of(job, result_shape(job), job.output_strides, is_real_output(job), 0)) {
    where_ = "serial plan: ";
    expect(!plan_.describe().empty(), "describe() is empty");
    expect(plan_.input_shape() == job.shape, "input_shape() is not what was given");
    expect(plan_.output_shape() == result_shape(job), "output_shape() is not the result's");
    expect(plan_.input_size() == input_.reals() / input_.unit(), "input_size() is wrong");
    expect(plan_.output_size() == output_.reals() / output_.unit(), "output_size() is wrong");
    Index const most = std::max(input_.reals(), output_.reals());
    in_place_reals_ = plan_.in_place_size() * output_.unit();
    expect(in_place_reals_ >= most && in_place_reals_ < most + output_.unit(),
           "in_place_size() is wrong");
  }

  void execute(std::size_t number) override {
    Execution const& one = job_.executions[number];
    where_ = text("serial execution ", number, ": ");
    bool const forward = one.direction == Direction::forward;
    Side const& from = forward ? input_ : output_;
    Side const& to = forward ? output_ : input_;
    Reference const& wanted = reference_of(one.direction);
    try {
      run(one, number, from, to, wanted);
    } catch (sixstep::Error const& error) {
      complaints_.add(where_ + text("execute() threw: ", error.what()));
    }
  }

 private:
  void expect(bool holds, char const* otherwise) {
    if (!holds) complaints_.add(where_ + otherwise);
  }

  Reference const& reference_of(Direction direction) {
    std::size_t const number = direction == Direction::forward ? 0 : 1;
    auto& known = references_[number];
    if (!known) known = reference(job_, direction, {}, 2 * seed_ + number, comm_);
    return *known;
  }

  void run(Execution const& one, std::size_t number, Side const& from, Side const& to,
           Reference const& wanted) {
    auto const array = [](Index reals, std::size_t skew) {
      return Guarded(static_cast<std::size_t>(reals) * sizeof(Real), skew % 8 * sizeof(Real));
    };
    Guarded first = array(one.in_place ? in_place_reals_ : from.reals(), number + 3);
    Guarded second = array(one.in_place ? 0 : to.reals(), number);
    Real* const in = reinterpret_cast<Real*>(first.data());
    Real* const out = one.in_place ? in : reinterpret_cast<Real*>(second.data());
    double const factor = std::ldexp(number % 2 == 0 ? 1 : -1, static_cast<int>(number % 3));
    from.fill(in, wanted.input, factor);
    std::vector<Real> const before(in, in + from.reals());

    call(in, out, {from.is_real(), to.is_real()}, one);

    long double const points = logical_points(job_);
    double const scale =
        factor * static_cast<double>(one.scale == Scale::none   ? 1
                                     : one.scale == Scale::by_n ? 1 / points
                                                                : 1 / std::sqrt(points));
    double const bound = wanted.rounding * std::abs(scale) *
                         static_cast<double>(std::numeric_limits<Real>::epsilon());
    double const error = to.difference(out, wanted.output, scale);
    if (!(error <= bound))
      complaints_.add(where_ + text("off by ", error, ", ", bound, " is allowed"));
    if (!one.in_place && job_.options.preserve_input)
      expect(from.same(in, before.data()), "the input was changed");
    if (!one.in_place || from.lies_as(to)) {
      if (from.has_ghosts()) expect(from.ghosts_are_unset(in), "wrote between the input's points");
      if (to.has_ghosts()) expect(to.ghosts_are_unset(out), "wrote between the output's points");
    }
    expect(first.guards_are_intact(), "wrote beyond the input");
    expect(second.guards_are_intact(), "wrote beyond the output");
  }

  /// The overload for such elements.
  void call(Real* in, Real* out, std::pair<bool, bool> real, Execution const& one) const {
    auto* const complex_in = reinterpret_cast<std::complex<Real>*>(in);
    auto* const complex_out = reinterpret_cast<std::complex<Real>*>(out);
    if (real.first && real.second)
      plan_.execute(in, out, one.direction, one.scale);
    else if (real.first)
      plan_.execute(in, complex_out, one.scale);
    else if (real.second)
      plan_.execute(complex_in, out, one.scale);
    else
      plan_.execute(complex_in, complex_out, one.direction, one.scale);
  }

  Job job_;
  MPI_Comm comm_;
  std::uint64_t seed_;
  Complaints& complaints_;
  std::string where_;
  SerialPlan<Real> plan_;
  Side input_;
  Side output_;
  Index in_place_reals_ = 0;
  std::array<std::optional<Reference>, 2> references_;
};

}  // namespace

std::unique_ptr<Planned> make_serial(Job const& job, MPI_Comm comm, std::uint64_t seed,
                                     Complaints& complaints) {
  if (job.single) return std::make_unique<SerialIn<float>>(job, comm, seed, complaints);
  return std::make_unique<SerialIn<double>>(job, comm, seed, complaints);
}

}  // namespace soak
