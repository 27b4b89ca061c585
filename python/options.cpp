// SPDX-License-Identifier: BSD-3-Clause
// Options of plans from keyword arguments.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <type_traits>
#include <vector>

#include "core.hpp"

namespace sixstep::python {

namespace {

Kind kind_named(std::string const& name) {
  if (auto const kind = named<Kind>(name)) return *kind;
  throw Error(
      text("kinds: c2c, r2c, dct1 to dct4 or dst1 to dst4 are possible, ", name, " was given"));
}

/// The type that an option's value must have, in words.
template <class Value>
constexpr char const* needed() {
  if constexpr (std::is_same_v<Value, bool>) return "True or False is";
  if constexpr (std::is_same_v<Value, int>) return "an integer is";
  if constexpr (std::is_same_v<Value, double>) return "a number is";
  if constexpr (std::is_same_v<Value, std::vector<double>>) return "one number or several are";
  if constexpr (std::is_same_v<Value, std::vector<int>> ||
                std::is_same_v<Value, std::vector<Index>>)
    return "one integer or several are";
  return "a word is";
}

/// Converts a Python or NumPy object to an option's value. One number serves as a list of one, and
/// integers may come in rows.
template <class Value>
bool take(nb::handle object, Value& value) {
  if constexpr (std::is_same_v<Value, std::vector<int>> ||
                std::is_same_v<Value, std::vector<Index>> ||
                std::is_same_v<Value, std::vector<double>>)
    if (typename Value::value_type one; nb::try_cast(object, one)) {
      value = {one};
      return true;
    }
  if constexpr (std::is_same_v<Value, bool>)
    if (nb::hasattr(object, "dtype") &&
        nb::cast<std::string>(nb::str(nb::getattr(object, "dtype"))) == "bool")
      return nb::try_cast(nb::object(object.attr("item")()), value);
  if constexpr (std::is_same_v<Value, std::vector<Index>>)
    if (std::vector<std::vector<Index>> rows; nb::try_cast(object, rows)) {
      value.clear();
      for (std::vector<Index> const& row : rows) value.insert(value.end(), row.begin(), row.end());
      return true;
    }
  return nb::try_cast(object, value);
}

}  // namespace

Options options_of(nb::dict const& given) {
  Options options;
  std::size_t read = 0;
  for_each_option(options, [&](std::string_view name, auto& value) {
    nb::str const key(name.data(), name.size());
    if (!given.contains(key)) return;
    ++read;
    nb::handle const object = given[key];
    using Value = std::decay_t<decltype(value)>;
    std::string const word(name);
    try {
      if constexpr (std::is_same_v<Value, std::vector<Kind>>) {
        std::vector<std::string> names;
        if (nb::isinstance<nb::str>(object))
          names = {nb::cast<std::string>(object)};
        else
          names = nb::cast<std::vector<std::string>>(object);
        for (std::string const& each : names) value.push_back(kind_named(each));
      } else if constexpr (Named<Value>) {
        value = named_option<Value>(word.c_str(), nb::cast<std::string>(object));
      } else {
        if (!take(object, value)) throw nb::cast_error();
      }
    } catch (nb::cast_error const&) {
      throw Error(text(word, ": ", needed<Value>(), " needed, ",
                       nb::cast<std::string>(nb::repr(object)), " was given"));
    }
  });
  if (read == given.size()) return options;
  for (auto const& entry : given) {
    std::string const word = nb::cast<std::string>(entry.first);
    bool known = false;
    for_each_option(options, [&](std::string_view name, auto const&) { known |= word == name; });
    require(known, word, ": there is no such option");
  }
  return options;
}

Options options_of(nb::dict const& given, int axes) {
  Options options = options_of(given);
  // A number that is no axis stays as it is, so that the error shows what the user gave.
  for (int& axis : options.axes) axis += axis < 0 && axis >= -axes ? axes : 0;
  return options;
}

}  // namespace sixstep::python
