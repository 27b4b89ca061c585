// SPDX-License-Identifier: BSD-3-Clause
// What is timed to see how exchanges hide: plans of ours and FFTW's, each checked when it is made.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "node/all_to_alls.hpp"
#include "node/idling.hpp"
#include "node/samples.hpp"
#include "overlaps/jobs.hpp"
#include "ranks.hpp"

namespace sixstep::bench::overlap {

using node::IdlingPlan;
using node::Prepared;
using node::Setting;
using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

/// A plan of ours, FFTW's, or something else that is run.
struct Contender {
  std::string name;
  Prepared prepared = {};
  std::shared_ptr<IdlingPlan> plan = nullptr;
  Json details = Json::object();
};

/// Makes the contenders of a job.
class Contenders {
 public:
  /// Collective.
  Contenders(Job const& job, Setting const& setting)
      : job_(job), setting_(setting), reference_(job.field, setting) {}

  /// A plan of ours. Collective. Errors: a wrong result.
  Contender ours(std::string const& name, Options const& options) {
    bool const chosen = job_.field.output == Output::transposed && !arrays_;
    auto const plan =
        chosen ? std::make_shared<IdlingPlan>(input(), setting_.comm, options)
               : std::make_shared<IdlingPlan>(input(), arrays_ ? arrays_->output : input(),
                                              setting_.comm, options);
    if (!arrays_) take_arrays(*plan);
    Contender contender{.name = name, .plan = plan};
    contender.prepared = {.in = arrays_->in,
                          .out = arrays_->out,
                          .input = node::part_of(arrays_->input, setting_.rank),
                          .output = node::part_of(arrays_->output, setting_.rank),
                          .run = [plan, arrays = *arrays_] {
                            plan->forward(reinterpret_cast<Complex const*>(arrays.in.get()),
                                          reinterpret_cast<Complex*>(arrays.out.get()));
                          }};
    contender.details = {{"threads", options.threads}, {"describe", plan->describe()}};
    check(contender);
    return contender;
  }

  /// FFTW's plan, if FFTW is there and has this case. Collective. Errors: a wrong result.
  std::optional<Contender> fftw() {
#ifdef SIXSTEP_HAVE_FFTW_MPI
    auto const fftw = node::fftw_contender();
    if (auto prepared = fftw.prepare(job_.field, setting_)) {
      Contender contender{.name = "FFTW", .prepared = std::move(*prepared)};
      contender.details = {{"version", fftw.version}, {"hurried", contender.prepared.hurried}};
      check(contender);
      return contender;
    }
#endif
    return std::nullopt;
  }

  /// The all-to-alls that a job needs at least.
  node::AllToAlls all_to_alls() const {
    int const width = job_.pencils ? input().grid()[1] : setting_.ranks;
    return {setting_.comm, width, job_.all_to_alls, job_.field.points() / setting_.ranks};
  }

 private:
  /// The arrays of a case, which all of our plans share; they may overwrite the input.
  struct Arrays {
    Layout input;
    Layout output;
    std::shared_ptr<std::byte[]> in;
    std::shared_ptr<std::byte[]> out;
  };

  Layout input() const {
    Shape const shape =
        job_.field.one_axis() ? Shape{job_.field.shape[2]} : Shape(job_.field.shape);
    return job_.pencils ? Layout::pencil(shape, setting_.ranks)
                        : Layout::slab(shape, setting_.ranks);
  }

  void take_arrays(IdlingPlan const& plan) {
    auto const bytes = [](Index size) { return static_cast<std::size_t>(size) * sizeof(Complex); };
    arrays_ = {plan.input(), plan.output(), allocate(bytes(plan.input_size())),
               allocate(bytes(plan.output_size()))};
  }

  /// Transforms the field and compares; leaves the input zero.
  void check(Contender const& contender) {
    node::fill<double>(job_.field, contender.prepared);
    node::poison<double>(contender.prepared);
    contender.prepared.run();
    double const error = reference_.error_of<double>(contender.prepared);
    require(error < tolerance<double>(job_.field.points()), contender.name, ": ", job_.field.name,
            " on ", setting_.ranks, " ranks: a wrong result, error ", error);
    node::clear<double>(job_.field, contender.prepared);
  }

  Job const& job_;
  Setting const& setting_;
  node::Reference const reference_;
  std::optional<Arrays> arrays_;
};

}  // namespace sixstep::bench::overlap
