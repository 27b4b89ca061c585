// SPDX-License-Identifier: BSD-3-Clause
// The extension module of sixstep.fft: serial plans, kept for all threads. It needs no MPI.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "errors.hpp"
#include "serial/plan_cache.hpp"
#include "sixstep/error.hpp"
#include "sixstep/good_size.hpp"
#include "sixstep/version.hpp"
#include "transforms.hpp"
#include "xla.hpp"

namespace nb = nanobind;

namespace sixstep::python {

namespace {

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

Scale scale_named(std::string const& word) {
  if (word == "none") return Scale::none;
  if (word == "by_n") return Scale::by_n;
  require(word == "by_sqrt_n", "scale: none, by_n or by_sqrt_n is needed, ", word, " was given");
  return Scale::by_sqrt_n;
}

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
  using python::Calls, python::Transform, serial::PlanKey;
  nb::module_::import_("atexit").attr("register")(
      nb::cpp_function(&report_leaks_without_frameworks));
  module.doc() = "sixstep.fft's extension module; import sixstep.fft instead.";
  module.attr("version") = version;
  nb::register_exception_translator(&python::translate);
  nb::class_<Transform>(module, "Transform", "A kept plan in one direction, for arrays in C order.")
      .def(
          "__init__",
          [](Transform* made, std::vector<Index> shape, std::vector<int> axes,
             std::vector<std::string> const& kinds, bool single, int workers,
             std::string const& reproducible, bool forward, std::string const& scale,
             std::vector<Index> before, std::vector<Index> after, nb::object type) {
            PlanKey key{std::move(shape), std::move(axes), {},
                        workers,          single,          python::bits_named(reproducible)};
            for (std::string const& kind : kinds) key.kinds.push_back(python::kind_named(kind));
            new (made) Transform(python::cache(), key, forward, python::scale_named(scale),
                                 std::move(before), std::move(after), std::move(type));
          },
          "shape"_a, "axes"_a, "kinds"_a, "single"_a, "workers"_a, "reproducible"_a, "forward"_a,
          "scale"_a, "before"_a, "after"_a, "type"_a)
      .def("__call__", &Transform::operator(), "in_"_a, "out"_a)
      .def("can_write", &Transform::can_write, "in_"_a, "out"_a);
  nb::class_<Calls>(module, "Calls", "The transforms that were called last.")
      .def(nb::init<nb::object, std::size_t>(), "empty"_a, "most_bytes"_a)
      .def("run", &Calls::run, "words"_a, "x"_a, "out"_a.none())
      .def("keep", &Calls::keep, "words"_a, "transform"_a);
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
  module.def("xla_keep", &python::xla_keep, "call"_a, "transform"_a,
             "XLA's calls with these words run this transform from now on.");
  module.def("xla_gpu_handler", &python::xla_gpu_handler, "run"_a,
             "The handler that XLA calls for arrays on GPUs; it calls run(call, in, out, stream).");
  module.def(
      "good_size", [](Index n, Index multiple) { return good_size(n, multiple); }, "n"_a,
      "multiple"_a = 1,
      "The smallest length >= n that is a multiple of `multiple` and fast to transform.");
}
