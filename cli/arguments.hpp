// SPDX-License-Identifier: BSD-3-Clause
// What is written on the command line: shapes, axes, layouts and named choices.
//
// The readers know words only; what depends on an array or on the number of ranks is worked out
// later, by axes_of() and layout_of(). Knows nothing about MPI.
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
  Grid grid = {};  // of Name::grid
};

/// "256 256 256" or "256x256x256". Errors: what is no extent of at least 1; too many axes.
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
/// Errors: an axis that `count` axes do not have; one named twice.
std::vector<int> axes_of(std::vector<int> const& axes, int count);

/// The layout of `shape` over `ranks`. Automatic: slabs, unless there are at least three axes and
/// more ranks than the first extent; pencils then. Grids are filled up with ones.
///
/// Errors: a grid of more axes than the shape or of another number of ranks; pencils of one axis.
Layout layout_of(LayoutChoice const& choice, Shape const& shape, int ranks);

/// The r2c axis among `axes`, all of them named; -1 if there is none. A single kind is meant as
/// Options::kinds means it.
int real_axis_of(std::vector<Kind> const& kinds, std::vector<int> const& axes);
/// Whether the input is of reals: with an r2c, or cosine and sine transforms alone.
bool is_real_input(std::vector<Kind> const& kinds);

/// "c2c", "r2c", "c2c,dct1".
std::string to_words(std::vector<Kind> const& kinds);
/// "4x2x1".
std::string to_words(Grid const& grid);
/// "256x256x256".
std::string to_words(Shape const& shape);

/// Adds an option whose word `read` understands; what `read` throws is a usage error.
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

/// An option whose words are the names of such values.
template <class Value, class Values>
void add_named(CLI::App& command, std::string const& name, Value& value, Values const& possible,
               std::string const& help) {
  std::vector<std::string> words;
  for (Value each : possible) words.push_back(to_string(each));
  add_read(
      command, name, value,
      [words, possible](std::string const& word) {
        auto const found = std::find(words.begin(), words.end(), word);
        return possible[static_cast<std::size_t>(found - words.begin())];
      },
      help)
      ->option_text(CLI::detail::join(words, "|"))
      ->check(CLI::IsMember(words));
}

/// The extents N0 [N1 ...].
CLI::Option* add_shape(CLI::App& command, Shape& shape);
void add_axes(CLI::App& command, std::vector<int>& axes);
void add_kinds(CLI::App& command, std::vector<Kind>& kinds);
void add_modes(CLI::App& command, std::vector<Index>& modes);
void add_layout(CLI::App& command, LayoutChoice& layout);
/// auto|single|double; auto only if that is what `precision` is by default.
void add_precision(CLI::App& command, Precision& precision);
/// Those options of a plan that are named (as in Options; others have functions of their own):
/// output, exchange, local, threads, windows, driver, pipelines, low_memory, trace, and
/// preserve_input as --give-up-input.
void add_options(CLI::App& command, Options& options, std::set<std::string_view> const& names);
/// The word of --output.
std::string to_word(Output output);
/// --repeats; the default is what `repeats` is.
void add_repeats(CLI::App& command, int& repeats);
/// --json FILE.
void add_json(CLI::App& command, std::string& file);

}  // namespace sixstep::cli
