// SPDX-License-Identifier: BSD-3-Clause
// Words of the command line: shapes, axes, layouts and named choices.
//
// The readers only know words. axes_of() and layout_of() compute later what depends on an array or
// on the number of ranks. This file knows nothing about MPI.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sixstep/plan.hpp"

namespace sixstep::cli {

enum class Precision { automatic, single, double_ };

/// call(float()) in single precision, otherwise call(double()).
template <class Call>
void in_precision(Precision precision, Call const& call) {
  if (precision == Precision::single)
    call(float());
  else
    call(double());
}

/// --layout: a name, or ranks along the first axes.
struct LayoutChoice {
  enum class Name { automatic, slab, pencil, brick, grid };
  Name name = Name::automatic;
  Grid grid = {};  // for Name::grid
};

/// The parts of a word between these letters; one at least.
std::vector<std::string> split(std::string const& word, char between);

/// "256 256 256" or "256x256x256". Errors: an extent is no number of at least 1; too many axes.
Shape read_shape(std::vector<std::string> const& words);
/// "64x64x64,128x128x128".
std::vector<Shape> read_shapes(std::string const& word);
/// "0,2" or "-1".
std::vector<int> read_axes(std::string const& word);
/// "1,1,2.5": numbers above 0.
std::vector<double> read_sides(std::string const& word);
/// "r2c", "dct2" ..., or one for each axis, as in "c2c,r2c".
std::vector<Kind> read_kinds(std::string const& word);
/// "slab", "pencil", "brick" or "4x2".
LayoutChoice read_layout(std::string const& word);

/// The axes counted from the front, negative ones from the back as in NumPy.
///
/// Errors: an axis is not among `count` axes, or is named twice.
std::vector<int> axes_of(std::vector<int> const& axes, int count);

/// The layout of `shape` over `ranks`. Automatic: pencils if there are at least three axes and more
/// ranks than the first extent, else slabs. Grids are filled up with ones.
///
/// Errors: a grid has more axes than the shape, or another number of ranks; pencils of one axis.
Layout layout_of(LayoutChoice const& choice, Shape const& shape, int ranks);

/// The r2c axis among `axes`, which lists all transformed axes; -1 if there is none. A single kind
/// has the meaning that it has in Options::kinds.
int real_axis_of(std::vector<Kind> const& kinds, std::vector<int> const& axes);
/// Whether the input is real: with an r2c axis, or with cosine and sine transforms alone.
bool is_real_input(std::vector<Kind> const& kinds);

/// "c2c", "r2c", "c2c,dct1".
std::string to_words(std::vector<Kind> const& kinds);
/// "4x2x1".
std::string to_words(Grid const& grid);
/// "256x256x256".
std::string to_words(Shape const& shape);

/// Adds an option whose word is converted by `read`. An Error from `read` is a usage error.
template <class T, class Read>
CLI::Option* add_read(CLI::App& command, std::string const& name, T& value, Read const& read,
                      std::string const& help) {
  return command.add_option_function<std::string>(
      name,
      [&value, read, name](std::string const& word) {
        try {
          value = read(word);
        } catch (Error const& error) {
          throw CLI::ValidationError(name, error.what());
        }
      },
      help);
}

/// Adds an option whose words are the names of the `possible` values.
template <Named Value, class Values>
void add_named(CLI::App& command, std::string const& name, Value& value, Values const& possible,
               std::string const& help) {
  std::vector<std::string> words;
  for (Value const each : possible) words.push_back(to_string(each));
  add_read(
      command, name, value, [](std::string const& word) { return *named<Value>(word); }, help)
      ->option_text(CLI::detail::join(words, "|"))
      ->check(CLI::IsMember(words));
}

/// The extents N0 [N1 ...].
CLI::Option* add_shape(CLI::App& command, Shape& shape);
void add_axes(CLI::App& command, std::vector<int>& axes);
void add_kinds(CLI::App& command, std::vector<Kind>& kinds);
void add_modes(CLI::App& command, std::vector<Index>& modes);
void add_sphere(CLI::App& command, std::vector<double>& sphere);
void add_layout(CLI::App& command, LayoutChoice& layout);
/// auto|single|double; auto only if `precision` is automatic by default.
void add_precision(CLI::App& command, Precision& precision);
/// Adds the options of a plan with these names, as in Options: output, exchange, local, threads,
/// windows, driver, pipelines, low_memory, trace, and preserve_input as --give-up-input. The others
/// have their own functions.
void add_options(CLI::App& command, Options& options, std::set<std::string_view> const& names);
/// The word for an output in --output.
std::string to_word(Output output);
/// --repeats; the default is the present value of `repeats`.
void add_repeats(CLI::App& command, int& repeats);
/// --json FILE.
void add_json(CLI::App& command, std::string& file);

}  // namespace sixstep::cli
