// SPDX-License-Identifier: BSD-3-Clause
// One transform on GPUs: ours, and cuFFT's of the whole array on rank 0's GPU.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gpus/whole.hpp"
#include "ranks.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::bench {

/// What is transformed, and how.
struct Problem {
  Shape shape;
  std::string kind;  // c2c, r2c, cosines, modes, fields or ghosts
  bool backward;
  int windows;
  std::string way;  // opened, staged or messages

  bool has_reals() const { return kind == "r2c"; }
  bool has_cosines() const { return kind == "cosines"; }
  int fields() const { return kind == "fields" ? 3 : 1; }
  Shape result() const {
    Shape result = shape;
    if (has_reals()) result[shape.size() - 1] = shape[shape.size() - 1] / 2 + 1;
    if (kind == "modes")
      for (int axis = 0; axis < shape.size(); ++axis) result[axis] = 2 * shape[axis] / 3;
    return result;
  }
  Layout input(int ranks) const {
    Layout const input = Layout::slab(shape, ranks);
    if (kind != "ghosts") return input;
    return input.with_ghosts(Shape(shape.size(), 1), Shape(shape.size(), 1));
  }
  Options options() const;
};

/// The option for a way to exchange, of which the environment says the rest.
inline Exchange exchange_by(std::string const& way) {
  if (way == "opened") return Exchange::shared;
  setenv("SIXSTEP_DEVICE_MESSAGES", way == "staged" ? "staged" : "staged-apart", 1);
  return Exchange::pairwise;
}

inline Options Problem::options() const {
  Options options;
  options.device = Device::cuda;
  options.exchange = exchange_by(way);
  options.windows = windows;
  options.fields = fields();
  if (has_reals()) options.kinds = {Kind::r2c};
  if (has_cosines()) options.kinds = {Kind::dct2};
  Shape const modes = result();
  if (kind == "modes") options.modes.assign(modes.begin(), modes.end());
  return options;
}

/// A plan of ours and its arrays on the GPU.
template <class Real>
class Ours {
  using Complex = std::complex<Real>;

 public:
  /// Collective.
  Ours(Problem const& problem, MPI_Comm comm)
      : problem_(problem),
        plan_(problem.input(cli::ranks_of(comm)),
              Layout::slab(problem.result(), cli::ranks_of(comm)), comm, problem.options()),
        points_(plan_.allocate()),
        spectrum_(plan_.allocate()) {
    std::vector<Real> const values = reals_without_pattern<Real>(
        plan_.input_size() * (problem.has_reals() || problem.has_cosines() ? 1 : 2));
    input_bytes_ = values.size() * sizeof(Real);
    copy(Device::cuda, points_.get(), values.data(), input_bytes_);
  }

  void forward() {
    if (problem_.has_cosines())
      plan_.forward(reals(), reinterpret_cast<Real*>(spectrum()));
    else if (problem_.has_reals())
      plan_.forward(reals(), spectrum());
    else
      plan_.forward(points_.get(), spectrum());
  }
  void backward() {
    if (problem_.has_cosines())
      plan_.backward(reinterpret_cast<Real const*>(spectrum()), reals(), Scale::none);
    else if (problem_.has_reals())
      plan_.backward(spectrum(), reals(), Scale::none);
    else
      plan_.backward(spectrum(), points_.get(), Scale::none);
  }
  void run() { problem_.backward ? backward() : forward(); }

  Complex* spectrum() const { return spectrum_.get(); }
  Complex const* result() const { return problem_.backward ? points_.get() : spectrum(); }
  std::size_t input_bytes() const { return input_bytes_; }
  std::size_t workspace_bytes() const { return plan_.workspace_bytes(); }

 private:
  Real* reals() const { return reinterpret_cast<Real*>(points_.get()); }

  Problem const& problem_;
  Plan<Real> plan_;
  std::shared_ptr<Complex[]> points_, spectrum_;
  std::size_t input_bytes_ = 0;
};

/// A plan of cuFFT's for the whole array, and its arrays.
template <class Real>
class Theirs {
 public:
  explicit Theirs(Problem const& problem)
      : plan_(problem.shape, problem.has_reals(), problem.backward, problem.fields()),
        bytes_(static_cast<std::size_t>(volume(problem.shape) * problem.fields()) *
               sizeof(std::complex<Real>)),
        in_(allocate(Device::cuda, bytes_ + bytes_ / 8)),
        out_(allocate(Device::cuda, bytes_ + bytes_ / 8)) {
    std::vector<Real> const all = reals_without_pattern<Real>(
        volume(problem.shape) * problem.fields() * (problem.has_reals() ? 1 : 2));
    copy(Device::cuda, in_.get(), all.data(), all.size() * sizeof(Real));
  }

  void run() { plan_.run(in_.get(), out_.get()); }
  void take(void const* input, std::size_t bytes) { copy(Device::cuda, in_.get(), input, bytes); }

  void const* result() const { return out_.get(); }
  /// Bytes of the whole array in complex numbers.
  std::size_t bytes() const { return bytes_; }
  std::size_t scratch_bytes() const { return plan_.scratch_bytes(); }

 private:
  WholeByCufft<Real> plan_;
  std::size_t bytes_;
  std::shared_ptr<void> in_, out_;
};

/// How far two results are apart, by the largest of them.
template <class Real>
double difference(void const* a, void const* b, Index complex_numbers) {
  constexpr Index most = Index{1} << 24;
  auto const size = static_cast<std::size_t>(2 * std::min(complex_numbers, most));
  std::vector<Real> first(size), second(size);
  copy(Device::cuda, first.data(), a, size * sizeof(Real));
  copy(Device::cuda, second.data(), b, size * sizeof(Real));
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    apart = std::max(apart, std::abs(static_cast<double>(first[i] - second[i])));
    largest = std::max(largest, std::abs(static_cast<double>(second[i])));
  }
  return apart / largest;
}

}  // namespace sixstep::bench
