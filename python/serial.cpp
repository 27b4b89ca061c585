// SPDX-License-Identifier: BSD-3-Clause
// The extension module of sixstep.fft: serial plans, kept for all threads. It needs no MPI.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <complex>
#include <cstdlib>
#include <cstring>
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
#include "xla.hpp"

namespace nb = nanobind;

namespace sixstep::python {

namespace {

using serial::AnyPlan;
using serial::PlanCache;

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
  if (auto const kind = named<Kind>(name)) return *kind;
  throw Error(
      text("kinds: c2c, r2c, dct1 to dct4 or dst1 to dst4 are possible, ", name, " was given"));
}

Bits bits_named(std::string const& name) {
  if (auto const bits = named<Bits>(name)) return *bits;
  throw Error(text("reproducible: ", names_in_words<Bits>(), " is needed, ", name, " was given"));
}

Scale scale_named(char const* name) {
  std::string const word = name;
  if (word == "none") return Scale::none;
  if (word == "by_n") return Scale::by_n;
  require(word == "by_sqrt_n", "scale: none, by_n or by_sqrt_n is needed, ", word, " was given");
  return Scale::by_sqrt_n;
}

/// An array by Python's buffer protocol, which takes a fraction of the time of DLPack's. It is made
/// and destroyed with the interpreter's lock.
class View {
 public:
  /// Errors: `array` has no buffer, or one that cannot be written though it is to be.
  View(nb::handle array, bool is_written) {
    if (PyObject_GetBuffer(array.ptr(), &view_,
                           PyBUF_STRIDES | PyBUF_FORMAT | (is_written ? PyBUF_WRITABLE : 0)) != 0)
      throw nb::python_error();
  }
  ~View() { PyBuffer_Release(&view_); }
  View(View const&) = delete;
  View& operator=(View const&) = delete;

  void* data() const { return view_.buf; }

  /// Errors: the array has another type or shape, or is not dense in C order. `format` is that of
  /// Python's module struct.
  void check(char const* name, char const* format, Shape const& shape) const {
    bool fits = std::strcmp(view_.format, format) == 0 && view_.ndim == shape.size();
    Index step = view_.itemsize;
    for (int axis = shape.size() - 1; fits && axis >= 0; --axis) {
      fits = view_.shape[axis] == shape[axis] && (shape[axis] == 1 || view_.strides[axis] == step);
      step *= shape[axis];
    }
    if (fits) return;
    throw Error(text(name, ": a dense array in C order of shape ", to_string(shape),
                     " and of the plan's type is needed"));
  }

 private:
  Py_buffer view_;
};

/// A plan, known by its arguments. It is made when it is first used, and again whenever the cache
/// has dropped it.
class KeptPlan {
 public:
  KeptPlan(std::vector<Index> shape, std::vector<int> axes, std::vector<std::string> const& kinds,
           bool single, int workers, std::string const& reproducible)
      : is_single_(single) {
    serial::PlanKey key{std::move(shape), std::move(axes), {},
                        workers,          single,          bits_named(reproducible)};
    for (std::string const& kind : kinds) key.kinds.push_back(kind_named(kind));
    for (Kind kind : key.kinds) {
      crosses_ = crosses_ || kind == Kind::r2c;
      is_complex_ = is_complex_ || kind == Kind::c2c;
    }
    entry_ = cache().entry(key);
  }

  void execute(nb::handle in, nb::handle out, char const* scale, bool forward) const {
    Scale const factor = scale_named(scale);
    View const source(in, false), target(out, true);
    std::shared_ptr<AnyPlan const> plan = cache().kept(entry_);
    if (!plan) {
      nb::gil_scoped_release const others_run;
      plan = cache().plan(entry_);
    }
    std::visit(
        [&](auto const& any) {
          bool const complex_input = !crosses_ && is_complex_,
                     complex_output = crosses_ || is_complex_;
          source.check("in", format(forward ? complex_input : complex_output),
                       forward ? any.input_shape() : any.output_shape());
          target.check("out", format(forward ? complex_output : complex_input),
                       forward ? any.output_shape() : any.input_shape());
          nb::gil_scoped_release const others_run;
          run(any, source.data(), target.data(), forward, factor);
        },
        *plan);
  }

  std::string describe() const {
    return std::visit([](auto const& any) { return any.describe(); }, *cache().plan(entry_));
  }

 private:
  char const* format(bool is_complex) const {
    if (is_complex) return is_single_ ? "Zf" : "Zd";
    return is_single_ ? "f" : "d";
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

namespace {

/// Lets nanobind report objects that are left at the end of the program, unless PyTorch or JAX is
/// loaded, which keep modules alive until then.
void report_leaks_without_frameworks() {
  nb::object const has = nb::module_::import_("sys").attr("modules").attr("__contains__");
  nb::set_leak_warnings(!nb::cast<bool>(has("torch")) && !nb::cast<bool>(has("jax")));
}

}  // namespace

NB_MODULE(_serial, module) {
  using namespace sixstep;
  using python::KeptPlan;
  nb::module_::import_("atexit").attr("register")(
      nb::cpp_function(&report_leaks_without_frameworks));
  module.doc() = "sixstep.fft's extension module; import sixstep.fft instead.";
  module.attr("version") = version;
  nb::register_exception_translator(&python::translate);
  nb::class_<KeptPlan>(module, "Plan", "A kept plan for transforms of whole arrays.")
      .def(nb::init<std::vector<Index>, std::vector<int>, std::vector<std::string> const&, bool,
                    int, std::string const&>(),
           "shape"_a, "axes"_a, "kinds"_a, "single"_a, "workers"_a, "reproducible"_a = "none")
      .def(
          "forward",
          [](KeptPlan const& plan, nb::handle in, nb::handle out, char const* scale) {
            plan.execute(in, out, scale, true);
          },
          "in_"_a, "out"_a, "scale"_a)
      .def(
          "backward",
          [](KeptPlan const& plan, nb::handle in, nb::handle out, char const* scale) {
            plan.execute(in, out, scale, false);
          },
          "in_"_a, "out"_a, "scale"_a)
      .def("describe", &KeptPlan::describe, "The plan in words.");
  module.def(
      "cache_bytes", [] { return python::cache().bytes(); },
      "The estimated bytes of the kept plans.");
  module.def(
      "cached_plans", [] { return python::cache().plans(); }, "The number of kept plans.");
  module.def(
      "most_cache_bytes", [] { return python::cache().most_bytes(); },
      "The most bytes of kept plans.");
  module.def(
      "set_cache_bytes", [](std::size_t bytes) { python::cache().set_most_bytes(bytes); },
      "bytes"_a, "Limits the bytes of the kept plans.");
  module.def("xla_handler", &python::xla_handler, "run"_a,
             "The handler that XLA calls on the host; it calls run(call, in, out).");
  module.def("xla_gpu_handler", &python::xla_gpu_handler, "run"_a,
             "The handler that XLA calls for arrays on GPUs; it calls run(call, in, out, stream).");
  module.def(
      "good_size", [](Index n, Index multiple) { return good_size(n, multiple); }, "n"_a,
      "multiple"_a = 1,
      "The smallest length >= n that is a multiple of `multiple` and fast to transform.");
}
