// SPDX-License-Identifier: BSD-3-Clause
// Words of the command line: shapes, axes, layouts and named choices.
#include "arguments.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "numbers.hpp"

namespace sixstep::cli {
namespace {

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

std::vector<Kind> read_kinds(std::string const& word) {
  std::vector<Kind> kinds;
  for (std::string const& part : split(word, ',')) {
    int kind = 0;
    while (kind <= static_cast<int>(Kind::dst4) && to_string(static_cast<Kind>(kind)) != part)
      ++kind;
    require(kind <= static_cast<int>(Kind::dst4), "'", shortened(part),
            "' is no kind of transform: ", "c2c, r2c, dct1 to dct4 or dst1 to dst4 are needed");
    kinds.push_back(static_cast<Kind>(kind));
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

namespace {

void add_option(CLI::App& command, std::string_view, Exchange& exchange) {
  add_named(
      command, "--exchange", exchange, all_exchanges,
      "How data moves: through memory that the ranks of a node share, by one MPI_Alltoallv per "
      "group of ranks, by a message per pair, by persistent messages, or by one-sided puts "
      "[shared]");
}

void add_option(CLI::App& command, std::string_view, Local& local) {
  add_named(
      command, "--local", local, all_locals,
      "Whose kernels transform columns: sixstep's, or those of FFTW or MKL, whose library the "
      "system must find (LD_LIBRARY_PATH) [own]");
}

void add_option(CLI::App& command, std::string_view, Driver& driver) {
  add_named(
      command, "--driver", driver, all_drivers,
      "Who makes messages progress while passes run: the computing thread between two parts of its "
      "work, the first thread until no message is under way, teams of threads in turn, or an extra "
      "thread; automatic is the extra thread if MPI allows it, else between [automatic]");
}

void add_option(CLI::App& command, std::string_view, Device& device) {
  add_named(command, "--device", device, all_devices,
            "The device that executes the plan, in its memory: none, the processor; a GPU; or, for "
            "tests, an emulated device [none]");
}

void add_option(CLI::App& command, std::string_view, TuningLevel& tuning) {
  add_named(command, "--tuning", tuning, all_tuning_levels,
            "How much the plan tries out: nothing, as much as --tuning-seconds allow, or all "
            "combinations [model: nothing, but earlier results are used]");
}

void add_option(CLI::App& command, std::string_view, double& tuning_seconds) {
  command
      .add_option("--tuning-seconds", tuning_seconds,
                  text("The most seconds of --tuning quick [", tuning_seconds, "]"))
      ->option_text("S")
      ->check(positive_number());
}

void add_option(CLI::App& command, std::string_view name, int& value) {
  if (name == "threads")
    command
        .add_option(
            "--threads", value,
            "OpenMP threads per rank [0: OMP_NUM_THREADS, or the cores that a rank may use]")
        ->option_text("T")
        ->transform(number_in(0, most_threads));
  if (name == "windows")
    command
        .add_option("--windows", value,
                    "The most windows of an exchange between nodes, by which passes and messages "
                    "overlap; 1: strictly in turn [0: by message size]")
        ->option_text("W")
        ->transform(number_in(0, 64));
  if (name == "gpu")
    command
        .add_option("--gpu", value,
                    "The number of the GPU [the rank's number on its node, modulo the GPUs there]")
        ->option_text("G")
        ->transform(number_in(0, most_threads));
  if (name == "pipelines")
    command
        .add_option("--pipelines", value,
                    "Number of teams of --driver pipelines [0: one for each thread]")
        ->option_text("K")
        ->transform(number_in(0, most_threads));
}

void add_option(CLI::App& command, std::string_view name, bool& value) {
  if (name == "preserve_input")
    command.add_flag_callback(
        "--give-up-input", [&value] { value = false; },
        "Let the input be overwritten, which saves work memory");
  if (name == "split_untransformed")
    command.add_flag("--split-untransformed", value,
                     "Let the plan split axes that are not transformed, too, wherever that is "
                     "cheapest");
  if (name == "low_memory")
    command.add_flag("--low-memory", value,
                     "Use less work memory and more passes in natural order; one long axis needs "
                     "little more than the memory of one vector if N = m s^2, m <= 64 and the "
                     "ranks divide s");
}

void add_option(CLI::App& command, std::string_view, std::string& value) {
  command
      .add_option("--trace", value,
                  "Write a trace of all threads of all ranks to a file, for ui.perfetto.dev or "
                  "bench/plot_trace.py")
      ->option_text("FILE");
}

constexpr std::array outputs_by_word{
    std::pair("natural", Output::as_input), std::pair("transposed", Output::cheapest),
    std::pair("natural_axes", Output::natural_axes), std::pair("as_input", Output::as_input),
    std::pair("cheapest", Output::cheapest)};

void add_option(CLI::App& command, std::string_view, Output& output) {
  std::vector<std::string> words;
  for (auto const& [word, meant] : outputs_by_word) words.emplace_back(word);
  add_read(
      command, "--output", output,
      [words](std::string const& word) {
        auto const found = std::find(words.begin(), words.end(), word);
        return outputs_by_word[static_cast<std::size_t>(found - words.begin())].second;
      },
      "The layout of the output: natural (or as_input), that of the input; transposed (or "
      "cheapest), the cheapest, which saves an exchange; natural_axes, the cheapest in the input's "
      "memory order [transposed]")
      ->option_text("natural|transposed|natural_axes")
      ->check(CLI::IsMember(words));
}

// Options that have their own functions.
void add_option(CLI::App&, std::string_view, std::vector<int>&) {}
void add_option(CLI::App&, std::string_view, std::vector<Kind>&) {}
void add_option(CLI::App&, std::string_view, std::vector<Index>&) {}

}  // namespace

std::string to_word(Output output) {
  return std::find_if(outputs_by_word.begin(), outputs_by_word.end(),
                      [&](auto const& each) { return each.second == output; })
      ->first;
}

void add_options(CLI::App& command, Options& options, std::set<std::string_view> const& names) {
  for_each_option(options, [&](std::string_view name, auto& value) {
    if (names.count(name) > 0) add_option(command, name, value);
  });
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
