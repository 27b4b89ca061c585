// SPDX-License-Identifier: BSD-3-Clause
// The parts of sixstep.Array in C++: memory, moves, kept plans and small collective calls.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "core.hpp"
#include "runtime/mpi.hpp"
#include "sixstep/array.hpp"
#include "sixstep/ranks.hpp"

namespace sixstep::python {

namespace {

using Address = std::uintptr_t;
using Target = nb::ndarray<nb::device::cpu>;
using Source = nb::ndarray<nb::ro, nb::device::cpu>;
using Bytes = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>;

nb::object allocate(Ranks const& ranks, Layout const& layout, std::size_t element_bytes,
                    bool zeros) {
  std::shared_ptr<void> memory;
  {
    nb::gil_scoped_release const others_run;
    memory = ranks.allocate(layout, element_bytes, zeros);
  }
  auto const elements = static_cast<std::size_t>(layout.array_size(ranks.rank()));
  return bytes_of(std::move(memory), std::max<std::size_t>(elements * element_bytes, 1));
}

void move(Ranks const& ranks, Layout const& from, Layout const& to, Address in, Address out,
          std::size_t element_bytes, bool preserve_input) {
  nb::gil_scoped_release const others_run;
  ranks.redistribution(from, to, element_bytes, preserve_input)
      .execute(reinterpret_cast<void const*>(in), reinterpret_cast<void*>(out), Direction::forward);
}

/// A transform from the layout of a source to the layout of a target.
struct Transform {
  Layout const& from;
  Layout const& to;
  Options const& options;
  bool forward;
  Scale scale;
};

bool has_complex_elements(auto const& array) {
  return array.dtype().code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex);
}

template <class Real>
void execute(Ranks const& ranks, Transform const& transform, Source const& source,
             Target const& target) {
  using Complex = std::complex<Real>;
  auto const& [from, to, given, forward, scale] = transform;
  void const* const in = source.data();
  void* const out = target.data();
  bool const complex_in = has_complex_elements(source), complex_out = has_complex_elements(target);
  Options options = given;
  // Cosine and sine transforms take complex numbers as two interleaved fields of reals.
  bool const by_parts = complex_in && complex_out && is_r2r(options.kinds.front());
  if (by_parts) {
    require(from.axes() < max_axes, "kind: ", to_string(options.kinds.front()),
            " takes complex arrays of at most ", max_axes - 1, " axes, this one has ", from.axes(),
            "; transform .real and .imag separately");
    options.fields = 2;
    options.interleaved = true;
  }
  nb::gil_scoped_release const others_run;
  // One plan transforms complex numbers with both signs, from the source's layout to the target's.
  bool const turned = !forward && options.kinds != std::vector{Kind::c2c};
  Plan<Real>& plan =
      turned ? ranks.plan<Real>(to, from, options) : ranks.plan<Real>(from, to, options);
  Direction const direction = turned ? Direction::backward : Direction::forward;
  if (by_parts)
    plan.execute(static_cast<Real const*>(in), static_cast<Real*>(out), direction, scale);
  else if (complex_in && complex_out)
    plan.execute(static_cast<Complex const*>(in), static_cast<Complex*>(out), direction,
                 forward ? Sign::minus : Sign::plus, scale);
  else if (complex_in)
    plan.execute(static_cast<Complex const*>(in), static_cast<Real*>(out), scale);
  else if (complex_out)
    plan.execute(static_cast<Real const*>(in), static_cast<Complex*>(out), scale);
  else
    plan.execute(static_cast<Real const*>(in), static_cast<Real*>(out), direction, scale);
}

void update_ghosts(Ranks const& ranks, Layout const& layout, std::vector<bool> const& periodic,
                   Address array, std::size_t element_bytes) {
  PerAxis<Boundary> boundaries;
  for (bool const is_periodic : periodic)
    boundaries.push_back(is_periodic ? Boundary::periodic : Boundary::open);
  nb::gil_scoped_release const others_run;
  ranks.update_ghosts(layout, boundaries, reinterpret_cast<void*>(array), element_bytes);
}

void gather_to_all(Ranks const& ranks, Bytes const& mine, Bytes const& all) {
  require(all.size() == mine.size() * static_cast<std::size_t>(ranks.size()),
          "all: bytes of each rank are needed, ", mine.size(), " times ", ranks.size(), "; ",
          all.size(), " were given");
  nb::gil_scoped_release const others_run;
  ranks.gather_to_all(mine.data(), all.data(), mine.size());
}

/// The terms of the sum of elements, of squares, or of products with the elements of `other`.
template <class T>
std::vector<double> sums_of(Ranks const& ranks, Layout const& layout, std::string const& of,
                            T const* array, T const* other) {
  constexpr std::size_t parts = is_complex<T> ? 2 : 1;
  auto const by = [&]<std::size_t sums, std::size_t terms>(auto const& terms_of) {
    auto const values = sums_of_terms<sums, terms>(layout, ranks, terms_of);
    return std::vector<double>(values.begin(), values.end());
  };
  if (of == "elements")
    return by.template operator()<parts, 1>([&](Index i) { return terms_of_sum(array[i]); });
  if (of == "squares")
    return by.template operator()<1, parts>([&](Index i) { return terms_of_norm(array[i]); });
  return by.template operator()<parts, parts>(
      [&](Index i) { return terms_of_dot(array[i], other[i]); });
}

std::vector<double> exact_sums(Ranks const& ranks, Layout const& layout, std::string const& of,
                               std::string const& type, Address array, Address other) {
  auto const in = [&]<class T>(T) {
    return sums_of(ranks, layout, of, reinterpret_cast<T const*>(array),
                   reinterpret_cast<T const*>(other));
  };
  nb::gil_scoped_release const others_run;
  if (type == "float32") return in(float());
  if (type == "float64") return in(double());
  if (type == "complex64") return in(std::complex<float>());
  return in(std::complex<double>());
}

}  // namespace

void add_arrays(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<Ranks>(module, "Ranks", "A communicator, and the plans and memory of arrays on it.")
      .def(
          "__init__", [](Ranks* ranks, std::int64_t comm) { new (ranks) Ranks(comm_of(comm)); },
          "comm"_a)
      .def_prop_ro(
          "handle", [](Ranks const& ranks) { return std::int64_t{mpi::integer_of(ranks.comm())}; },
          "The Fortran handle of the duplicate. Users must not send messages on it.")
      .def_prop_ro("size", &Ranks::size)
      .def_prop_ro("rank", &Ranks::rank)
      .def_prop_ro("threads", &Ranks::threads)
      .def("allocate", &allocate, "layout"_a, "element_bytes"_a, "zeros"_a,
           "Bytes for this rank's part, in memory that the ranks of a node reach directly. "
           "Collective.")
      .def(
          "fail",
          [](Ranks const& ranks, std::string const& message) {
            nb::gil_scoped_release const others_run;
            ranks.fail(message);
          },
          "message"_a,
          "Replaces a collective call on a rank that cannot make it: all ranks raise Error.")
      .def(
          "note", &Ranks::note, "call"_a, "arguments"_a,
          "Names the call that the next collective call is a part of; all ranks must say the same.")
      .def("move", &move, "from_"_a, "to"_a, "in_"_a, "out"_a, "element_bytes"_a,
           "preserve_input"_a,
           "Moves an array from one layout to another, from address to address. Collective.")
      .def(
          "transform",
          [](Ranks const& ranks, Layout const& from, Layout const& to, Source const& in,
             Target const& out, nb::dict const& given, bool forward, std::string const& scale) {
            Options const options = options_of(given);
            Transform const transform{from, to, options, forward, scale_of(scale)};
            if (in.dtype().bits / (has_complex_elements(in) ? 2 : 1) == 32)
              execute<float>(ranks, transform, in, out);
            else
              execute<double>(ranks, transform, in, out);
          },
          "from_"_a, "to"_a, "in_"_a, "out"_a, "options"_a, "forward"_a, "scale"_a,
          "Transforms an array by a plan, which is kept. Collective.")
      .def("update_ghosts", &update_ghosts, "layout"_a, "periodic"_a, "array"_a, "element_bytes"_a,
           "Fills the ghosts of the array at an address from the ranks that hold the points. "
           "Collective.")
      .def("exact_sums", &exact_sums, "layout"_a, "of"_a, "type"_a, "array"_a, "other"_a,
           "The real and imaginary part of the sum of elements, of squares, or of products with "
           "the conjugate elements of the first of two arrays at addresses; rounded once. "
           "Collective.")
      .def("gather_to_all", &gather_to_all, "mine"_a, "all"_a,
           "Gathers the bytes `mine` of all ranks, equally many each, on all ranks. Collective.")
      .def(
          "broadcast",
          [](Ranks const& ranks, Bytes const& bytes, int from) {
            nb::gil_scoped_release const others_run;
            ranks.broadcast(bytes.data(), bytes.size(), from);
          },
          "bytes"_a, "from_"_a, "Copies the bytes of one rank to all ranks. Collective.");
}

}  // namespace sixstep::python
