// SPDX-License-Identifier: BSD-3-Clause
// Files of arrays, for Python: HDF5 if a dataset is named, else NumPy's format.
#include "sixstep/files.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>

#include "core.hpp"
#include "sixstep/ranks.hpp"

namespace sixstep::python {

namespace {

using Source = nb::ndarray<nb::ro, nb::device::cpu>;
using Target = nb::ndarray<nb::device::cpu>;
using Name = std::optional<std::string>;

ElementType type_of(nb::handle array) {
  nb::object const dtype = array.attr("dtype");
  auto const name = nb::cast<std::string>(nb::str(dtype));
  std::string possible;
  for (int i = 0; i <= static_cast<int>(ElementType::complex128); ++i) {
    auto const type = static_cast<ElementType>(i);
    if (to_string(type) == name) return type;
    possible += (i == 0 ? "" : ", ") + to_string(type);
  }
  throw Error(text("dtype: one of ", possible, " is needed, ", name, " was given"));
}

void save(Ranks const& ranks, std::string const& path, Name const& dataset, Layout const& layout,
          nb::object const& array) {
  auto const [type, local] = converted(ranks.comm(), [&] {
    return std::pair{type_of(array), static_cast<void const*>(nb::cast<Source>(array).data())};
  });
  nb::gil_scoped_release const others_run;
  if (dataset)
    save_hdf5(path, *dataset, layout, ranks.comm(), local, type);
  else
    save_npy(path, layout, ranks.comm(), local, type);
}

void load(Ranks const& ranks, std::string const& path, Name const& dataset, Layout const& layout,
          nb::object const& array) {
  auto const [type, local] = converted(ranks.comm(), [&] {
    return std::pair{type_of(array), static_cast<void*>(nb::cast<Target>(array).data())};
  });
  nb::gil_scoped_release const others_run;
  if (dataset)
    load_hdf5(path, *dataset, layout, ranks.comm(), local, type);
  else
    load_npy(path, layout, ranks.comm(), local, type);
}

nb::tuple header(Ranks const& ranks, std::string const& path, Name const& dataset) {
  FileHeader found;
  {
    nb::gil_scoped_release const others_run;
    found = dataset ? hdf5_header(path, *dataset, ranks.comm()) : npy_header(path, ranks.comm());
  }
  return nb::make_tuple(tuple_of(found.shape), to_string(found.type));
}

}  // namespace

void add_files(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("save", &save, "ranks"_a, "path"_a, "dataset"_a.none(), "layout"_a, "array"_a);
  module.def("load", &load, "ranks"_a, "path"_a, "dataset"_a.none(), "layout"_a, "array"_a);
  module.def("file_header", &header, "ranks"_a, "path"_a, "dataset"_a.none(),
             "The shape and type that load() will find.");
}

}  // namespace sixstep::python
