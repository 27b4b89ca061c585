// SPDX-License-Identifier: BSD-3-Clause
// An operator's parts one after another, for `sixstep bench --operator`: a plan's transform, a loop
// that multiplies, and the transform back.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "base/run_team.hpp"
#include "local/kernels/multiply.hpp"
#include "local_array.hpp"
#include "oracle.hpp"
#include "rival.hpp"
#include "sixstep/indices.hpp"
#include "sixstep/symbol.hpp"

namespace sixstep::cli {

struct ApartProblem {
  Layout layout;
  Options options;
  Symbol symbol;
  bool in_place = false;
  bool plan_arrays = false;
};

template <class Real>
class Apart final : public Rival {
 public:
  using Complex = std::complex<Real>;

  /// Collective. Errors: those of a plan.
  Apart(ApartProblem const& problem, MPI_Comm comm)
      : comm_(comm),
        plan_(problem.layout, comm, problem.options),
        reals_in_(is_real_input(problem.options.kinds)),
        reals_out_(reals_in_ &&
                   std::find(problem.options.kinds.begin(), problem.options.kinds.end(),
                             Kind::r2c) == problem.options.kinds.end()),
        in_(array(problem.plan_arrays)),
        spectrum_(problem.in_place ? in_ : array(problem.plan_arrays)),
        out_(problem.in_place ? in_ : array(problem.plan_arrays)) {
    fill_table(problem.symbol, problem.options);
    fill();
  }

  void fill() override {
    if (reals_in_)
      cli::fill(plan_.input(), rank_of(comm_), plan_.threads(), reals(in_));
    else
      cli::fill(plan_.input(), rank_of(comm_), plan_.threads(), in_.get());
  }

  void forward() override {
    if (reals_out_)
      plan_.forward(reals(in_), reals(spectrum_));
    else if (reals_in_)
      plan_.forward(reals(in_), spectrum_.get());
    else
      plan_.forward(in_.get(), spectrum_.get());
    run_team(plan_.threads(), [&](int thread, int team) { multiply(thread, team); });
    if (reals_out_)
      plan_.backward(reals(spectrum_), reals(out_), Scale::by_n);
    else if (reals_in_)
      plan_.backward(spectrum_.get(), reals(out_), Scale::by_n);
    else
      plan_.backward(spectrum_.get(), out_.get(), Scale::by_n);
  }

  std::string name() const override { return "a transform, a loop and a transform back"; }
  /// The passes over memory, the loop among them.
  int passes() const { return 2 * plan_.passes() + 1; }

  /// The largest difference of a result from this one's, divided by the largest value. Collective.
  double difference(Complex const* other) const {
    auto const* const mine = reals(out_);
    auto const* const others = reinterpret_cast<Real const*>(other);
    double most = 0, largest = 0;
    for (Index i = 0; i < plan_.input_size() * (reals_in_ ? 1 : 2); ++i) {
      most = std::max<double>(most, std::abs(mine[i] - others[i]));
      largest = std::max<double>(largest, std::abs(mine[i]));
    }
    most = max_over(comm_, most);
    return most > 0 ? most / max_over(comm_, largest) : 0;
  }

 private:
  using Array = std::shared_ptr<Complex[]>;

  static Real* reals(Array const& array) { return reinterpret_cast<Real*>(array.get()); }

  Array array(bool from_plan) {
    if (from_plan) return plan_.allocate();
    auto const own = std::make_shared<LocalArray<Complex>>(plan_.in_place_size(), comm_);
    return {own, own->data()};
  }

  /// The symbol's number; the mean of its numbers at both waves where n/2 and -n/2 are the same.
  static std::complex<double> number(Symbol const& symbol, Wavevector k,
                                     std::vector<Index> const& waves, int axis = 0) {
    std::complex<double> found;
    if (axis == k.size()) {
      symbol.at(1, &k, &found);
      return found;
    }
    found = number(symbol, k, waves, axis + 1);
    if (2 * std::abs(k[axis]) != static_cast<double>(waves[static_cast<std::size_t>(axis)]))
      return found;
    k[axis] = -k[axis];
    return (found + number(symbol, k, waves, axis + 1)) / 2.;
  }

  void fill_table(Symbol const& symbol, Options const& options) {
    Shape const& shape = plan_.input().shape();
    std::vector<Index> waves(shape.begin(), shape.end());
    for (std::size_t i = 0; i < options.modes.size(); ++i)
      waves[options.axes.empty() ? i : static_cast<std::size_t>(options.axes[i])] =
          options.modes[i];
    each_ = symbol.is_real() ? 1 : 2;
    table_.resize(static_cast<std::size_t>(plan_.output_size() * each_));
    for_each(plan_.output_box(), plan_.output_strides(), [&](Shape const& k, Index place) {
      std::complex<double> const found = number(symbol, plan_.wavenumber(k), waves);
      auto* const numbers = table_.data() + place * each_;
      numbers[0] = static_cast<Real>(found.real());
      if (each_ == 2) numbers[1] = static_cast<Real>(found.imag());
    });
  }

  void multiply(int thread, int team) {
    Index const count = plan_.output_size();
    Index const first = count * thread / team, mine = count * (thread + 1) / team - first;
    Real const* const table = table_.data() + first * each_;
    local::ProductRows const rows{1, mine, 0, 0, 0};
    Real* const values = reals(spectrum_) + first * (reals_out_ ? 1 : 2);
    if (reals_out_)
      for (Index i = 0; i < mine; ++i) values[i] *= table[i];
    else if (each_ == 1)
      local::multiply_rows<Real, true>(values, values, table, rows);
    else
      local::multiply_rows<Real, false>(values, values, table, rows);
  }

  MPI_Comm comm_;
  Plan<Real> plan_;
  bool reals_in_, reals_out_;
  Array in_, spectrum_, out_;
  Index each_ = 1;  // reals of a number in the table
  std::vector<Real> table_;
};

}  // namespace sixstep::cli
