// SPDX-License-Identifier: BSD-3-Clause
// Words of the command line: shapes, axes, layouts and named choices.
#include "arguments.hpp"

#include <algorithm>
#include <limits>

#include "numbers.hpp"

namespace sixstep::cli {
namespace {

// The number that `word` is, at least `least`. Errors, with this message: it is no such number.
template <class Number>
Number number(std::string const& word, Number least, std::string const& message) {
  auto const value = read_number<Number>(word);
  require(value && *value >= least, message);
  return *value;
}

Layout grid_of(Grid const& asked, Shape const& shape, int ranks) {
  require(asked.size() <= shape.size(), "layout ", to_words(asked), " splits ", asked.size(),
          " axes; the shape ", to_string(shape), " has ", shape.size());
  Index product = 1;
  for (int const parts : asked) product *= parts;
  if (product != ranks) {
    Grid fits = choose_grid(shape, ranks, asked.size());
    while (fits.size() > asked.size()) fits = Grid(std::vector<int>(fits.begin(), fits.end() - 1));
    throw Error(text("layout ", to_words(asked), " is for ", product, " ranks, but there are ",
                     ranks, "; ", to_words(fits), " would fit"));
  }
  Grid grid = asked;
  while (grid.size() < shape.size()) grid.push_back(1);
  return Layout::grid(shape, grid);
}

}  // namespace

std::vector<std::string> split(std::string const& word, char between) {
  std::vector<std::string> parts(1);
  for (char const letter : word) {
    if (letter == between)
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

Shape read_shape(std::vector<std::string> const& words) {
  Shape shape;
  for (std::string const& word : words)
    for (std::string const& part : split(word, 'x')) {
      require(shape.size() < max_axes, "at most ", max_axes, " extents can be given");
      shape.push_back(number<Index>(part, 1,
                                    text("'", shortened(word),
                                         "' is no extent: whole numbers of at "
                                         "least 1 are needed, as in 256 or 256x256")));
    }
  return shape;
}

std::vector<Shape> read_shapes(std::string const& word) {
  std::vector<Shape> shapes;
  for (std::string const& part : split(word, ',')) shapes.push_back(read_shape({part}));
  return shapes;
}

std::vector<int> read_axes(std::string const& word) {
  std::vector<int> axes;
  for (std::string const& part : split(word, ','))
    axes.push_back(number(part, std::numeric_limits<int>::min(),
                          text("'", shortened(word), "' is no list of axes: numbers from ",
                               -max_axes, " to ", max_axes - 1, " are needed, as in 0,2")));
  return axes;
}

std::vector<Index> read_modes(std::string const& word) {
  std::vector<Index> modes;
  for (std::string const& part : split(word, ','))
    modes.push_back(number(part, Index{1},
                           text("'", shortened(word),
                                "' is no list of modes: whole numbers of at least 1 are "
                                "needed, one for each axis that is transformed, as in "
                                "128,128,128")));
  return modes;
}

std::vector<double> read_sides(std::string const& word) {
  std::vector<double> sides;
  for (std::string const& part : split(word, ',')) {
    sides.push_back(read_number<double>(part).value_or(0));
    require(sides.back() > 0, "'", shortened(word),
            "' is no list of sides: numbers above 0 are needed, as in 1,1,2.5");
  }
  return sides;
}

std::vector<double> read_radii(std::string const& word) {
  std::vector<double> radii;
  for (std::string const& part : split(word, ',')) {
    radii.push_back(read_number<double>(part).value_or(0));
    require(radii.back() > 0, "'", shortened(word),
            "' is no sphere: radii above 0 are needed, as in 32 or 32,32,24.5");
  }
  return radii;
}

std::vector<Kind> read_kinds(std::string const& word) {
  std::vector<Kind> kinds;
  for (std::string const& part : split(word, ',')) {
    auto const kind = named<Kind>(part);
    require(kind.has_value(), "'", shortened(part),
            "' is no kind of transform: ", "c2c, r2c, dct1 to dct4 or dst1 to dst4 are needed");
    kinds.push_back(*kind);
  }
  return kinds;
}

LayoutChoice read_layout(std::string const& word) {
  using Name = LayoutChoice::Name;
  if (word == "slab") return {Name::slab};
  if (word == "pencil") return {Name::pencil};
  if (word == "brick") return {Name::brick};
  auto const parts = split(word, 'x');
  auto const message =
      text("'", shortened(word), "' is no layout: slab, pencil, brick, or ranks along the ",
           "first axes are needed, as in 4x2");
  require(parts.size() <= max_axes, message);
  LayoutChoice choice{Name::grid};
  Index ranks = 1;
  for (std::string const& part : parts) {
    choice.grid.push_back(number(part, 1, message));
    ranks *= choice.grid.back();
    require(ranks < Index{1} << 31, "'", shortened(word), "' is over 2^31 - 1 ranks");
  }
  return choice;
}

std::vector<int> axes_of(std::vector<int> const& axes, int count) {
  std::vector<int> counted;
  for (int const axis : axes) {
    require(axis >= -count && axis < count, "axes: there is no axis ", axis, "; the array has ",
            count, " (", count == 1 ? "" : "0 to ", count - 1, ", or ", count == 1 ? "" : "-1 to ",
            -count, ")");
    int const from_front = axis < 0 ? axis + count : axis;
    require(std::find(counted.begin(), counted.end(), from_front) == counted.end(), "axes: axis ",
            from_front, " is named twice");
    counted.push_back(from_front);
  }
  return counted;
}

Layout layout_of(LayoutChoice const& choice, Shape const& shape, int ranks) {
  switch (choice.name) {
    case LayoutChoice::Name::automatic:
      return shape.size() > 2 && ranks > shape[0] ? Layout::pencil(shape, ranks)
                                                  : Layout::slab(shape, ranks);
    case LayoutChoice::Name::slab:
      return Layout::slab(shape, ranks);
    case LayoutChoice::Name::pencil:
      require(shape.size() > 1, "layout: pencils need 2 axes, the array has 1; slab would fit");
      return Layout::pencil(shape, ranks);
    case LayoutChoice::Name::brick:
      return Layout::brick(shape, ranks);
    case LayoutChoice::Name::grid:
      return grid_of(choice.grid, shape, ranks);
  }
  return {};
}

int real_axis_of(std::vector<Kind> const& kinds, std::vector<int> const& axes) {
  auto const found = std::find(kinds.begin(), kinds.end(), Kind::r2c);
  if (found == kinds.end() || axes.empty()) return -1;
  auto const place = static_cast<std::size_t>(found - kinds.begin());
  return kinds.size() == 1 || place >= axes.size() ? axes.back() : axes[place];
}

bool is_real_input(std::vector<Kind> const& kinds) {
  auto const has = [&](Kind kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  return has(Kind::r2c) || !(kinds.empty() || has(Kind::c2c));
}

std::string to_words(std::vector<Kind> const& kinds) {
  if (kinds.empty()) return to_string(Kind::c2c);
  std::string joined;
  for (Kind const kind : kinds) joined += text(joined.empty() ? "" : ",", to_string(kind));
  return joined;
}

std::string to_words(Grid const& grid) {
  std::string joined;
  for (int const parts : grid) joined += text(joined.empty() ? "" : "x", parts);
  return joined;
}

std::string to_words(Shape const& shape) {
  std::string joined;
  for (Index const n : shape) joined += text(joined.empty() ? "" : "x", n);
  return joined;
}

CLI::Option* add_shape(CLI::App& command, Shape& shape) {
  return command
      .add_option_function<std::vector<std::string>>(
          "shape",
          [&shape](std::vector<std::string> const& words) {
            try {
              shape = read_shape(words);
            } catch (Error const& error) {
              throw CLI::ValidationError("shape", error.what());
            }
          },
          "Extents of the array, slowest axis first")
      ->option_text("N0 [N1 ...]")
      ->required();
}

void add_axes(CLI::App& command, std::vector<int>& axes) {
  add_read(command, "--axes", axes, read_axes, "Axes to transform, as in 0,2; -1 is the last [all]")
      ->option_text("A,B,...");
}

void add_kinds(CLI::App& command, std::vector<Kind>& kinds) {
  add_read(command, "--kind", kinds, read_kinds,
           "c2c; r2c: reals to n/2 + 1 outputs along the last axis; dct1 to dct4, dst1 to dst4: "
           "cosine and sine transforms of reals; or a kind for each of the axes, as in "
           "r2c,c2c,dct1 [c2c]")
      ->option_text("KIND[,KIND...]");
}

void add_modes(CLI::App& command, std::vector<Index>& modes) {
  add_read(command, "--modes", modes, read_modes,
           "Number of modes to keep along each transformed axis; the others are neither stored nor "
           "sent [all]")
      ->option_text("M,M,...");
}

void add_sphere(CLI::App& command, std::vector<double>& sphere) {
  add_read(
      command, "--sphere", sphere, read_radii,
      "Keep only the waves within a sphere: its radius in wave numbers, or one for each of the "
      "axes; the output is packed [none]")
      ->option_text("R[,R...]");
}

void add_layout(CLI::App& command, LayoutChoice& layout) {
  add_read(command, "--layout", layout, read_layout,
           "How ranks share the array: slab, pencil or brick (one, two or all axes split), or the "
           "ranks along each of the first axes [slab; pencil if there are more ranks than slabs]")
      ->option_text("slab|pencil|brick|PxQ...");
}

void add_precision(CLI::App& command, Precision& precision) {
  bool const automatic = precision == Precision::automatic;
  std::vector<std::string> words = {"single", "double"};
  if (automatic) words.insert(words.begin(), "auto");
  add_read(
      command, "--precision", precision,
      [](std::string const& word) {
        if (word == "auto") return Precision::automatic;
        return word == "single" ? Precision::single : Precision::double_;
      },
      automatic ? "Precision to compute in [that of the input: single for float32 and complex64]"
                : "Precision to compute in [double]")
      ->option_text(CLI::detail::join(words, "|"))
      ->check(CLI::IsMember(words));
}

void add_repeats(CLI::App& command, int& repeats) {
  command.add_option("--repeats", repeats, text("Number of timed transforms [", repeats, "]"))
      ->option_text("R")
      ->transform(number_in(1, most_repeats));
}

void add_json(CLI::App& command, std::string& file) {
  command.add_option("--json", file, "Write the figures to a JSON file")->option_text("FILE");
}

}  // namespace sixstep::cli
