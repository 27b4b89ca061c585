// SPDX-License-Identifier: BSD-3-Clause
// Redistributions for Python: elements of any number of bytes, in memory that redistribution.py has
// checked.
#include "sixstep/redistribution.hpp"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "core.hpp"

namespace sixstep::python {

namespace {

using Address = std::uintptr_t;

void make(ByteRedistribution* made, Layout const& from, Layout const& to, std::int64_t comm,
          std::size_t element_bytes, nb::dict const& given) {
  Options const options = converted(comm_of(comm), [&] { return options_of(given); });
  nb::gil_scoped_release const others_run;
  new (made) ByteRedistribution(
      from, to, comm_of(comm),
      {options.fields, options.exchange, options.threads, options.preserve_input, options.verify},
      element_bytes);
}

void execute(ByteRedistribution& moves, Address in, Address out, bool forward) {
  nb::gil_scoped_release const others_run;
  moves.execute(reinterpret_cast<void const*>(in), reinterpret_cast<void*>(out),
                forward ? Direction::forward : Direction::backward);
}

void on_detection(ByteRedistribution& moves, nb::object const& told) {
  moves.on_detection(told_of(told, "Redistribution.on_detection"));
}

nb::object allocate(ByteRedistribution& moves, std::size_t bytes) {
  std::shared_ptr<void> memory;
  {
    nb::gil_scoped_release const others_run;
    memory = moves.allocate();
  }
  return bytes_of(std::move(memory), bytes);
}

}  // namespace

void add_redistributions(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<ByteRedistribution>(module, "Redistribution",
                                 "The redistribution of bytes in sixstep.Redistribution.")
      .def("__init__", &make, "from_"_a, "to"_a, "comm"_a, "element_bytes"_a, "options"_a)
      .def("execute", &execute, "in_"_a, "out"_a, "forward"_a,
           "Moves the elements from address to address. Collective.")
      .def("allocate", &allocate, "bytes"_a,
           "The first `bytes` of memory that is large enough for either side. Collective.")
      .def_prop_ro("from_", &ByteRedistribution::from)
      .def_prop_ro("to", &ByteRedistribution::to)
      .def("describe", &ByteRedistribution::describe)
      .def("verified", &ByteRedistribution::verified)
      .def("on_detection", &on_detection, "told"_a.none())
      .def_prop_ro("passes", &ByteRedistribution::passes)
      .def_prop_ro("exchanges", &ByteRedistribution::exchanges);
}

}  // namespace sixstep::python
