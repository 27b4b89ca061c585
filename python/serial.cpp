// SPDX-License-Identifier: BSD-3-Clause
// The extension module of sixstep.fft: serial plans, kept for all threads. It needs no MPI.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "errors.hpp"
#include "serial/plan_cache.hpp"
#include "sixstep/error.hpp"
#include "sixstep/good_size.hpp"
#include "sixstep/version.hpp"

namespace nb = nanobind;

namespace sixstep::python {

namespace {

using serial::AnyPlan;
using serial::PlanCache;
using Source = nb::ndarray<nb::ro, nb::device::cpu>;
using Target = nb::ndarray<nb::device::cpu>;

constexpr char const* cache_bytes = "SIXSTEP_FFT_CACHE_BYTES";

std::size_t bytes_of_environment() {
  constexpr std::size_t usual = std::size_t{64} << 20;
  char const* const words = std::getenv(cache_bytes);
  if (words == nullptr || *words == '\0') return usual;
  std::string const given = words;
  bool const are_digits = given.find_first_not_of("0123456789") == std::string::npos;
  require(are_digits && given.size() < 19, cache_bytes,
          ": a whole number of bytes, 0 or more, is needed, '", given, "' was given");
  return std::strtoull(words, nullptr, 10);
}

/// The plans of sixstep.fft. The cache is never destroyed, as threads may still run when the
/// program ends. Errors, at each call: SIXSTEP_FFT_CACHE_BYTES is no number.
PlanCache& cache() {
  static auto& only = *new PlanCache(bytes_of_environment());
  return only;
}

Kind kind_named(std::string const& name) {
  for (int kind = 0; kind <= static_cast<int>(Kind::dst4); ++kind)
    if (to_string(static_cast<Kind>(kind)) == name) return static_cast<Kind>(kind);
  throw Error(
      text("kinds: c2c, r2c, dct1 to dct4 or dst1 to dst4 are possible, ", name, " was given"));
}

Scale scale_named(char const* name) {
  std::string const word = name;
  if (word == "none") return Scale::none;
  if (word == "by_n") return Scale::by_n;
  require(word == "by_sqrt_n", "scale: none, by_n or by_sqrt_n is needed, ", word, " was given");
  return Scale::by_sqrt_n;
}

/// Errors: the array has another type or shape, or is not dense in C order.
template <class Array>
void check(char const* name, Array const& array, nb::dlpack::dtype type, Shape const& shape) {
  bool fits = array.dtype() == type && static_cast<int>(array.ndim()) == shape.size();
  std::int64_t step = 1;
  for (int axis = shape.size() - 1; fits && axis >= 0; --axis) {
    auto const place = static_cast<std::size_t>(axis);
    fits = static_cast<Index>(array.shape(place)) == shape[axis] &&
           (shape[axis] == 1 || array.stride(place) == step);
    step *= shape[axis];
  }
  if (fits) return;
  throw Error(text(name, ": a dense array in C order of shape ", to_string(shape),
                   " and of the plan's type is needed"));
}

/// A plan, known by its arguments. It is made when it is first used, and again whenever the cache
/// has dropped it.
class KeptPlan {
 public:
  KeptPlan(std::vector<Index> shape, std::vector<int> axes, std::vector<std::string> const& kinds,
           bool single, int workers)
      : is_single_(single) {
    serial::PlanKey key{std::move(shape), std::move(axes), {}, workers, single};
    for (std::string const& kind : kinds) key.kinds.push_back(kind_named(kind));
    for (Kind kind : key.kinds) {
      crosses_ = crosses_ || kind == Kind::r2c;
      is_complex_ = is_complex_ || kind == Kind::c2c;
    }
    entry_ = cache().entry(key);
  }

  void execute(Source const& in, Target const& out, char const* scale, bool forward) const {
    Scale const factor = scale_named(scale);
    void const* const source = in.data();
    void* const target = out.data();
    std::shared_ptr<AnyPlan const> plan = cache().kept(entry_);
    if (!plan) {
      nb::gil_scoped_release const others_run;
      plan = cache().plan(entry_);
    }
    std::visit(
        [&](auto const& any) {
          bool const complex_input = !crosses_ && is_complex_,
                     complex_output = crosses_ || is_complex_;
          check("in", in, type(forward ? complex_input : complex_output),
                forward ? any.input_shape() : any.output_shape());
          check("out", out, type(forward ? complex_output : complex_input),
                forward ? any.output_shape() : any.input_shape());
          nb::gil_scoped_release const others_run;
          run(any, source, target, forward, factor);
        },
        *plan);
  }

  std::string describe() const {
    return std::visit([](auto const& any) { return any.describe(); }, *cache().plan(entry_));
  }

 private:
  nb::dlpack::dtype type(bool is_complex) const {
    std::uint8_t const bits = is_single_ ? 32 : 64;
    if (!is_complex) return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float), bits, 1};
    return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex),
            static_cast<std::uint8_t>(2 * bits), 1};
  }

  template <class Real>
  void run(SerialPlan<Real> const& plan, void const* in, void* out, bool forward,
           Scale scale) const {
    using Complex = std::complex<Real>;
    auto const* const reals = static_cast<Real const*>(in);
    auto const* const values = static_cast<Complex const*>(in);
    Direction const direction = forward ? Direction::forward : Direction::backward;
    if (crosses_ && forward)
      plan.execute(reals, static_cast<Complex*>(out), scale);
    else if (crosses_)
      plan.execute(values, static_cast<Real*>(out), scale);
    else if (is_complex_)
      plan.execute(values, static_cast<Complex*>(out), direction, scale);
    else
      plan.execute(reals, static_cast<Real*>(out), direction, scale);
  }

  std::shared_ptr<PlanCache::Entry> entry_;
  bool is_single_;
  bool crosses_ = false;     // has an r2c axis
  bool is_complex_ = false;  // has a c2c axis
};

}  // namespace

}  // namespace sixstep::python

using nanobind::literals::operator""_a;

NB_MODULE(_serial, module) {
  using namespace sixstep;
  using python::KeptPlan;
  module.doc() = "sixstep.fft's extension module; import sixstep.fft instead.";
  module.attr("version") = version;
  nb::register_exception_translator(&python::translate);
  nb::class_<KeptPlan>(module, "Plan", "A transform of whole arrays, which is kept.")
      .def(nb::init<std::vector<Index>, std::vector<int>, std::vector<std::string> const&, bool,
                    int>(),
           "shape"_a, "axes"_a, "kinds"_a, "single"_a, "workers"_a)
      .def(
          "forward",
          [](KeptPlan const& plan, python::Source const& in, python::Target const& out,
             char const* scale) { plan.execute(in, out, scale, true); },
          "in_"_a, "out"_a, "scale"_a)
      .def(
          "backward",
          [](KeptPlan const& plan, python::Source const& in, python::Target const& out,
             char const* scale) { plan.execute(in, out, scale, false); },
          "in_"_a, "out"_a, "scale"_a)
      .def("describe", &KeptPlan::describe, "The plan in words.");
  module.def(
      "cache_bytes", [] { return python::cache().bytes(); },
      "Bytes that the plans take which are kept.");
  module.def(
      "cached_plans", [] { return python::cache().plans(); }, "How many these are.");
  module.def(
      "most_cache_bytes", [] { return python::cache().most_bytes(); }, "The bound.");
  module.def(
      "set_cache_bytes", [](std::size_t bytes) { python::cache().set_most_bytes(bytes); },
      "bytes"_a, "Bounds the bytes of the plans that are kept.");
  module.def(
      "good_size", [](Index n, Index multiple) { return good_size(n, multiple); }, "n"_a,
      "multiple"_a = 1,
      "The least length from n on, a multiple of `multiple`, that is transformed fast.");
}
