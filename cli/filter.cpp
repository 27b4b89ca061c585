// SPDX-License-Identifier: BSD-3-Clause
// The filters of `sixstep fft --filter`.
#include "filter.hpp"

#ifdef SIXSTEP_HAVE_MUPARSER
#include <muParser.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/words.hpp"

namespace sixstep::cli {

#ifdef SIXSTEP_HAVE_MUPARSER
class Filter::Formula {
 public:
  Formula(std::string const& words, int axes) : words_(words) {
    guarded([&] {
      parser_.DefineConst("pi", std::numbers::pi);
      parser_.DefineVar("k", &modulus_);
      for (int axis = 0; axis < axes; ++axis)
        parser_.DefineVar(text('k', axis), &k_[static_cast<std::size_t>(axis)]);
      parser_.SetExpr(words);
      modulus_ = 1;
      parser_.Eval();
    });
  }

  double operator()(PerAxis<double> const& k, double modulus) {
    std::copy(k.begin(), k.end(), k_.begin());
    modulus_ = modulus;
    double value = 0;
    guarded([&] { value = parser_.Eval(); });
    return value;
  }

 private:
  template <class Action>
  void guarded(Action const& action) const {
    try {
      action();
    } catch (mu::ParserError const& error) {
      throw Error(text("--filter '", shortened(words_), "': ", shortened(error.GetMsg()),
                       " (lowpass=K, highpass=K, derivative=A, laplacian, inverse-laplacian, or a "
                       "formula of k, k0, k1 ..., as in exp(-(k/20)^2))"));
    }
  }

  std::string words_;
  mu::Parser parser_;
  std::array<double, max_axes> k_ = {};
  double modulus_ = 0;
};
#else
class Filter::Formula {
 public:
  Formula(std::string const& words, int) {
    throw Error(text("--filter '", shortened(words),
                     "': lowpass=K, highpass=K, derivative=A, laplacian and inverse-laplacian are "
                     "known; for formulas the command has to be built with muParser (Debian: "
                     "libmuparser-dev)"));
  }
  double operator()(PerAxis<double> const&, double) { return 0; }
};
#endif

namespace {

/// Reads the number after "NAME="; false if the words do not begin so.
template <class Number>
bool read_argument(std::string const& words, std::string const& name, Number& value) {
  if (!words.starts_with(name + '=')) return false;
  auto const read = read_number<Number>(std::string_view(words).substr(name.size() + 1));
  require(read.has_value(), "--filter ", shortened(words), ": a number is needed after ", name,
          "=");
  value = *read;
  return true;
}

/// As read_argument(), for a number that must not be negative.
bool read_wave_number(std::string const& words, std::string const& name, double& value) {
  if (!read_argument(words, name, value)) return false;
  require(!std::signbit(value), "--filter ", shortened(words),
          ": a number of at least 0 is needed");
  return true;
}

double modulus_of(PerAxis<double> const& k) {
  double squared = 0;
  for (double const each : k) squared += each * each;
  return std::sqrt(squared);
}

}  // namespace

Filter::Filter(std::string words, Domain domain)
    : words_(std::move(words)), domain_(std::move(domain)) {
  if (words_ == "laplacian") {
    kind_ = Kind::laplacian;
  } else if (words_ == "inverse-laplacian") {
    kind_ = Kind::inverse_laplacian;
  } else if (read_wave_number(words_, "lowpass", limit_)) {
    kind_ = Kind::lowpass;
  } else if (read_wave_number(words_, "highpass", limit_)) {
    kind_ = Kind::highpass;
  } else if (read_argument(words_, "derivative", axis_)) {
    kind_ = Kind::derivative;
    int const count = domain_.shape.size();
    require(axis_ >= -count && axis_ < count, "--filter ", words_, ": axes are 0 to ", count - 1);
    if (axis_ < 0) axis_ += count;
    require(std::ranges::find(domain_.axes, axis_) != domain_.axes.end(), "--filter ", words_,
            ": an axis that is transformed is needed");
  } else {
    formula_ = std::make_unique<Formula>(words_, domain_.shape.size());
  }
}

Filter::~Filter() = default;
Filter::Filter(Filter&&) noexcept = default;

double Filter::real_factor(PerAxis<double> const& k) const {
  double const modulus = modulus_of(k);
  switch (kind_) {
    case Kind::lowpass:
      return modulus <= limit_ ? 1 : 0;
    case Kind::highpass:
      return modulus >= limit_ ? 1 : 0;
    case Kind::derivative:
      return k[axis_];
    case Kind::laplacian:
      return -modulus * modulus;
    case Kind::inverse_laplacian:
      return modulus > 0 ? -1 / (modulus * modulus) : 0;
    case Kind::formula:
      break;
  }
  double const value = (*formula_)(k, modulus);
  require(std::isfinite(value), "--filter '", shortened(words_), "': its value is ", value,
          " at k = ", modulus, "; give it a finite one there, as in k > 0 ? 1/k : 0");
  return value;
}

std::complex<double> Filter::operator()(PerAxis<double> const& waves, bool of_reals) const {
  PerAxis<double> k = waves;
  for (int axis = 0; axis < k.size(); ++axis) k[axis] *= 2 * std::numbers::pi / domain_.sides[axis];
  if (kind_ == Kind::derivative) {
    // In the middle of an even axis, k and -k are the same wave, whose derivative is 0 at all
    // points.
    bool const both = 2 * std::abs(waves[axis_]) == static_cast<double>(domain_.shape[axis_]);
    return {0, both ? 0 : k[axis_]};
  }
  double const factor = real_factor(k);
  if (of_reals && kind_ == Kind::formula) {
    for (double& each : k) each = -each;
    require(std::abs(real_factor(k) - factor) <= 1e-12 * std::abs(factor), "--filter '",
            shortened(words_),
            "': its values at k and -k differ, so a real array would become complex; use a complex "
            "array, or a formula that is even");
  }
  return factor;
}

}  // namespace sixstep::cli
