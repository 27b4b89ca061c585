// SPDX-License-Identifier: BSD-3-Clause
// An operator's parts one after another, for `sixstep bench --operator`: a plan's transform, a loop
// that multiplies, and the transform back.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <memory>
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

/// Fills arrays that lie one behind the other: the first with the values of fill(), the others with
/// multiples of them.
template <class Element>
void fill_fields(Layout const& layout, int fields, int rank, int threads, Element* data) {
  Index const points = layout.local_size(rank);
  for (int field = 0; field < fields; ++field, data += points) {
    fill(layout, rank, threads, data);
    if (field == 0) continue;
    share_in_stretches(points, threads,
                       [&](Index i, int) { data[i] *= static_cast<float>(field + 1); });
  }
}

struct ApartProblem {
  Layout layout;
  Options options;
  Symbol symbol;  // with as many fields as the options
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
        fields_(problem.symbol.fields()),
        results_(problem.symbol.results()),
        plan_(problem.layout, comm, problem.options),
        reals_in_(is_real_input(problem.options.kinds)),
        reals_out_(reals_in_ &&
                   std::find(problem.options.kinds.begin(), problem.options.kinds.end(),
                             Kind::r2c) == problem.options.kinds.end()) {
    if (results_ != fields_) {
      Options options = problem.options;
      options.fields = results_;
      plan_of_results_ = Plan<Real>(problem.layout, plan_.output(), comm, options);
    }
    in_ = array(problem.plan_arrays);
    spectrum_ = problem.in_place ? in_ : array(problem.plan_arrays);
    out_ = problem.in_place ? in_ : array(problem.plan_arrays);
    fill_table(problem.symbol, problem.options);
    fill();
  }

  void fill() override {
    if (reals_in_)
      fill_fields(plan_.input(), fields_, rank_of(comm_), plan_.threads(), reals(in_));
    else
      fill_fields(plan_.input(), fields_, rank_of(comm_), plan_.threads(), in_.get());
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
      back().backward(reals(spectrum_), reals(out_), Scale::by_n);
    else if (reals_in_)
      back().backward(spectrum_.get(), reals(out_), Scale::by_n);
    else
      back().backward(spectrum_.get(), out_.get(), Scale::by_n);
  }

  std::string name() const override { return "a transform, a loop and a transform back"; }
  /// The passes over memory, the loop among them.
  int passes() const { return plan_.passes() + back().passes() + 1; }
  /// The number of transforms of one field.
  int transforms() const { return fields_ + results_; }

  /// The largest difference of a result from this one's, divided by the largest value. Collective.
  double difference(Complex const* other) const {
    auto const* const mine = reals(out_);
    auto const* const others = reinterpret_cast<Real const*>(other);
    double most = 0, largest = 0;
    for (Index i = 0; i < back().input_size() * (reals_in_ ? 1 : 2); ++i) {
      most = std::max<double>(most, std::abs(mine[i] - others[i]));
      largest = std::max<double>(largest, std::abs(mine[i]));
    }
    most = max_over(comm_, most);
    return most > 0 ? most / max_over(comm_, largest) : 0;
  }

 private:
  using Array = std::shared_ptr<Complex[]>;

  static Real* reals(Array const& array) { return reinterpret_cast<Real*>(array.get()); }

  /// The plan that transforms the results back.
  Plan<Real>& back() { return plan_of_results_ ? plan_of_results_ : plan_; }
  Plan<Real> const& back() const { return plan_of_results_ ? plan_of_results_ : plan_; }

  /// An array for the fields and for the results.
  Array array(bool from_plan) {
    Plan<Real>& larger = results_ > fields_ ? back() : plan_;
    if (from_plan) return larger.allocate();
    auto const own = std::make_shared<LocalArray<Complex>>(larger.in_place_size(), comm_);
    return {own, own->data()};
  }

  /// The symbol's numbers; the mean of its numbers at both waves where n/2 and -n/2 are the same.
  std::vector<std::complex<double>> numbers(Symbol const& symbol, Wavevector k,
                                            std::vector<Index> const& waves, int axis = 0) const {
    if (axis == k.size()) {
      std::vector<std::complex<double>> found(static_cast<std::size_t>(numbers_));
      symbol.at(1, &k, found.data());
      return found;
    }
    auto found = numbers(symbol, k, waves, axis + 1);
    if (2 * std::abs(k[axis]) != static_cast<double>(waves[static_cast<std::size_t>(axis)]))
      return found;
    k[axis] = -k[axis];
    auto const others = numbers(symbol, k, waves, axis + 1);
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = (found[i] + others[i]) / 2.;
    return found;
  }

  /// The coefficients of a field.
  Index coefficients() const { return plan_.output_size() / fields_; }

  void fill_table(Symbol const& symbol, Options const& options) {
    Shape const& shape = plan_.input().shape();
    std::vector<Index> waves(shape.begin(), shape.end());
    for (std::size_t i = 0; i < options.modes.size(); ++i)
      waves[options.axes.empty() ? i : static_cast<std::size_t>(options.axes[i])] =
          options.modes[i];
    is_matrix_ = symbol.is_matrix();
    numbers_ = is_matrix_ ? fields_ * results_ : 1;
    each_ = symbol.is_real() ? 1 : 2;
    table_.resize(static_cast<std::size_t>(coefficients() * numbers_ * each_));
    for_each(plan_.output_box(), plan_.output_strides(), [&](Shape const& k, Index place) {
      auto* written = table_.data() + place * numbers_ * each_;
      for (std::complex<double> const& number : numbers(symbol, plan_.wavenumber(k), waves)) {
        *written++ = static_cast<Real>(number.real());
        if (each_ == 2) *written++ = static_cast<Real>(number.imag());
      }
    });
  }

  void multiply(int thread, int team) {
    Index const count = coefficients();
    Index const first = count * thread / team, mine = count * (thread + 1) / team - first;
    if (is_matrix_) {
      if (reals_out_)
        multiply_matrices(reals(spectrum_), table_.data(), first, mine);
      else if (each_ == 1)
        multiply_matrices(spectrum_.get(), table_.data(), first, mine);
      else
        multiply_matrices(spectrum_.get(), reinterpret_cast<Complex const*>(table_.data()), first,
                          mine);
      return;
    }
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

  /// Result r of a coefficient is the sum over its fields f of matrix[r][f] times field f.
  template <class Value, class Number>
  void multiply_matrices(Value* values, Number const* table, Index first, Index mine) const {
    Index const count = coefficients();
    std::array<Value, max_axes> made;
    for (Index i = first; i < first + mine; ++i) {
      Number const* number = table + i * numbers_;
      for (int result = 0; result < results_; ++result) {
        Value sum = 0;
        for (int field = 0; field < fields_; ++field) sum += *number++ * values[field * count + i];
        made[static_cast<std::size_t>(result)] = sum;
      }
      for (int result = 0; result < results_; ++result)
        values[result * count + i] = made[static_cast<std::size_t>(result)];
    }
  }

  MPI_Comm comm_;
  int fields_, results_;
  Plan<Real> plan_;
  Plan<Real> plan_of_results_;  // empty if they are as many as the fields
  bool reals_in_, reals_out_;
  Array in_, spectrum_, out_;
  bool is_matrix_ = false;
  int numbers_ = 1;  // of a coefficient in the table
  Index each_ = 1;   // reals of a number in the table
  std::vector<Real> table_;
};

}  // namespace sixstep::cli
