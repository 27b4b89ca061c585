// SPDX-License-Identifier: BSD-3-Clause
// Options::reproducible: every element of a result has the same bits, whoever holds it, and however
// it was computed.
#include <gtest/gtest.h>
#include <mpi.h>

#include <bit>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cases.hpp"
#include "local/instruction_sets.hpp"
#include "oracles/fourier.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "same_bits.hpp"
#include "schedule/problem.hpp"
#include "sixstep/plan.hpp"
#include "sixstep/serial.hpp"

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;
using namespace same_bits;

/// What is computed, without anything that must not matter.
struct Task {
  Shape shape;
  Shape result = {};
  std::vector<int> axes = {};
  std::vector<Kind> kinds = {};
  std::vector<Index> modes = {};
  std::vector<Index> lengths = {};
  bool real_input = false;
  bool real_output = false;
  Direction direction = Direction::forward;
  Scale scale = Scale::none;
};

std::string describe(Task const& task) {
  std::string words = "shape " + to_string(task.shape) + ", axes";
  for (std::size_t i = 0; i < task.axes.size(); ++i)
    words += text(" ", task.axes[i], " ", to_string(task.kinds[i]),
                  task.lengths.empty() ? "" : text(" of ", task.lengths[i]),
                  task.modes.empty() ? "" : text(" to ", task.modes[i]));
  return words + (task.direction == Direction::forward ? ", forward" : ", backward") +
         text(", scale ", static_cast<int>(task.scale));
}

constexpr Kind cosines[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                            Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

Shape shape_of(Random& random) {
  switch (random.between(0, 9)) {
    case 0: {  // one long axis, or a long one among others
      static constexpr Index longest[] = {8192, 8193, 9000, 10007, 12288, 16384, 17017, 20000};
      Shape shape{longest[random.between(0, 7)]};
      if (random.once_in(2)) shape.push_back(random.between(Index{1}, Index{3}));
      random.shuffle(shape);
      return shape;
    }
    case 1: {  // primes without butterflies
      static constexpr Index primes[] = {17, 83, 89, 97, 101, 211, 257, 509, 1009};
      Shape shape{primes[random.between(0, 8)], random.between(Index{1}, Index{20})};
      random.shuffle(shape);
      return shape;
    }
    default:
      return cases::random_shape(random, random.between(1, 4), 4000);
  }
}

Task task_of(Random& random) {
  Task task{.shape = shape_of(random)};
  task.axes = cases::random_axes(random, task.shape.size());
  if (task.axes.empty())
    for (int axis = 0; axis < task.shape.size(); ++axis) task.axes.push_back(axis);
  task.kinds.assign(task.axes.size(), Kind::c2c);
  int const mix = random.between(0, 4);
  auto const last = task.kinds.size() - 1;
  if (mix == 1)
    task.kinds[static_cast<std::size_t>(random.between(Index{0}, Index(last)))] = Kind::r2c;
  if (mix >= 2 && mix <= 3)
    for (std::size_t i = 0; i <= last; ++i)
      if (mix == 2 || random.once_in(2)) {
        Kind const kind = cosines[random.between(0, 7)];
        if (kind != Kind::dct1 || task.shape[task.axes[i]] > 1) task.kinds[i] = kind;
      }
  bool has_real = false, has_complex = false, has_cosines = false;
  for (Kind const kind : task.kinds) {
    has_real = has_real || kind == Kind::r2c;
    has_complex = has_complex || kind == Kind::c2c;
    has_cosines = has_cosines || is_r2r(kind);
  }
  task.real_input = has_real || (has_cosines && !has_complex);
  task.real_output = !has_real && has_cosines && !has_complex;
  task.result = task.shape;
  bool const other_lengths = random.once_in(5), fewer = random.once_in(5);
  for (std::size_t i = 0; i <= last; ++i) {
    Index const points = task.shape[task.axes[i]];
    Index const length = other_lengths ? points + random.between(Index{0}, points) : points;
    Index const least = task.kinds[i] == Kind::dct1 ? 2 : 1;
    Index const modes = fewer ? random.between(std::min(least, length), length) : length;
    if (other_lengths) task.lengths.push_back(length);
    if (fewer) task.modes.push_back(modes);
    task.result[task.axes[i]] = task.kinds[i] == Kind::r2c ? modes / 2 + 1 : modes;
  }
  if (random.once_in(3)) task.direction = Direction::backward;
  if (random.once_in(2)) task.scale = random.once_in(2) ? Scale::by_n : Scale::by_sqrt_n;
  return task;
}

/// Calls body(place in the array, number in the whole array) for the reals of this rank's part of a
/// field; `unit` is the number of reals of an element.
template <class Body>
void for_each_real(Layout const& layout, int rank, Index unit, Index field, Options const& options,
                   Body const& body) {
  Index const size = layout.box(rank).volume();
  oracle::for_each_element(layout, rank, [&](Shape const& point, Index offset) {
    Index const element =
        options.interleaved ? offset * options.fields + field : field * size + offset;
    for (Index part = 0; part < unit; ++part)
      body(unit * element + part, unit * oracle::number_of(layout.shape(), point) + part);
  });
}

template <class Real, class AnyPlan>
void execute(AnyPlan& plan, Task const& task, Real const* in, Real* out) {
  using Complex = std::complex<Real>;
  auto const* const complex_in = reinterpret_cast<Complex const*>(in);
  auto* const complex_out = reinterpret_cast<Complex*>(out);
  if (task.real_output)
    plan.execute(in, out, task.direction, task.scale);
  else if (!task.real_input)
    plan.execute(complex_in, complex_out, task.direction, task.scale);
  else if (task.direction == Direction::forward)
    plan.execute(in, complex_out, task.scale);
  else
    plan.execute(complex_in, out, task.scale);
}

/// How a task is computed: all that must not matter.
struct Way {
  Layout input;
  std::optional<Layout> output = {};
  Options options;
  bool in_place = false;
  int node_ranks = 0;
  std::string isa = {};
};

std::string describe(Way const& way) {
  Options const& options = way.options;
  return text("input ", cases::describe(way.input), "\noutput ",
              way.output ? cases::describe(*way.output) : "open", "\nfields ", options.fields,
              options.interleaved ? " interleaved" : "", ", exchange ", to_string(options.exchange),
              ", threads ", options.threads, ", windows ", options.windows, ", driver ",
              to_string(options.driver), way.in_place ? ", in place" : "", ", ranks of a node ",
              way.node_ranks, ", ", way.isa);
}

Options options_of(Task const& task) {
  return {.axes = task.axes,
          .kinds = task.kinds,
          .lengths = task.lengths,
          .modes = task.modes,
          .threads = 1,
          .reproducible = Bits::machine};
}

/// The result's reals by their number in the whole array, of those that this rank holds; the other
/// ones are empty. `words`: what the plan does.
template <class Real>
std::vector<std::optional<Real>> computed(Task const& task, Way const& way, MPI_Comm comm,
                                          std::uint64_t seed, std::string& words) {
  set_environment(way.node_ranks, way.isa);
  Plan<Real> plan = way.output ? Plan<Real>(way.input, *way.output, comm, way.options)
                               : Plan<Real>(way.input, comm, way.options);
  words = plan.describe();
  bool const forward = task.direction == Direction::forward;
  Layout const& from = forward ? plan.input() : plan.output();
  Layout const& to = forward ? plan.output() : plan.input();
  bool const is_real[] = {task.real_input, task.real_output};
  Index const from_unit = is_real[forward ? 0 : 1] ? 1 : 2,
              to_unit = is_real[forward ? 1 : 0] ? 1 : 2;
  Index const sizes[] = {plan.input_size() * (task.real_input ? 1 : 2),
                         plan.output_size() * (task.real_output ? 1 : 2)};
  Index const both = plan.in_place_size() * (task.real_output ? 1 : 2);
  std::vector<Real> in(at(way.in_place ? both : sizes[forward ? 0 : 1]));
  std::vector<Real> other(at(way.in_place ? 0 : sizes[forward ? 1 : 0]));
  std::vector<Real>& out = way.in_place ? in : other;
  int const rank = ranks::rank_in(comm);
  Index const which = way.options.fields - 1;
  for (Index field = 0; field < way.options.fields; ++field)
    for_each_real(from, rank, from_unit, field, way.options, [&](Index place, Index number) {
      in[at(place)] =
          value<Real>(seed + (field == which ? 0 : 1000 + std::uint64_t(field)), number);
    });
  execute(plan, task, in.data(), out.data());
  std::vector<std::optional<Real>> result(at(to_unit * oracle::points_of(to.shape())));
  for_each_real(to, rank, to_unit, which, way.options,
                [&](Index place, Index number) { result[at(number)] = out[at(place)]; });
  return result;
}

Way alone(Task const& task) {
  Shape const shape = task.shape, result = task.result;
  return {.input = Layout::slab(shape, 1),
          .output = Layout::slab(result, 1),
          .options = options_of(task)};
}

Way random_way(Random& random, Task const& task, int ranks, std::vector<std::string> const& isas) {
  Way way{.input = cases::random_layout(random, task.shape, ranks), .options = options_of(task)};
  // A list of boxes has no counterpart in another shape.
  bool const open = random.once_in(3) && (task.shape == task.result || !way.input.grid().empty());
  if (!open) way.output = cases::random_layout(random, task.result, ranks);
  Options& options = way.options;
  options.reproducible = random.once_in(2) ? Bits::machine : Bits::everywhere;
  options.fields = random.once_in(3) ? random.between(2, 3) : 1;
  options.interleaved = random.once_in(2);
  options.preserve_input = random.once_in(2);
  options.exchange = all_exchanges[static_cast<std::size_t>(random.between(0, 4))];
  options.driver = all_drivers[static_cast<std::size_t>(random.between(0, 4))];
  options.threads = random.between(1, 3);
  options.windows = random.once_in(2) ? random.between(1, 5) : 0;
  options.regrid = random.once_in(4);
  options.split_untransformed = random.once_in(4);
  way.in_place = random.once_in(4);
  way.node_ranks = random.between(0, 3);
  way.isa = isas[static_cast<std::size_t>(random.between(0, static_cast<int>(isas.size()) - 1))];
  return way;
}

/// Solves random problems alone, on some ranks and on all.
template <class Real>
void all_ways_give_the_same_bits(std::uint64_t first, int rounds) {
  auto const isas = local::available();
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    Random random(seed);
    Task const task = task_of(random);
    std::string words;
    auto const whole = computed<Real>(task, alone(task), MPI_COMM_SELF, seed, words);
    for (int const ranks : {random.between(1, ranks::count()), ranks::count()}) {
      Some const some(ranks);
      Way const way = random_way(random, task, ranks, isas);
      if (some.comm() == MPI_COMM_NULL) continue;
      auto const mine = computed<Real>(task, way, some.comm(), seed, words);
      EXPECT_EQ(differences(whole, mine), 0) << "seed " << seed << ": " << describe(task) << "\n"
                                             << describe(way) << "\n"
                                             << words;
    }
    set_environment(0, "");
    if (ranks::failed_anywhere()) return;
  }
}

TEST(Reproducible, ranks_layouts_and_options_have_no_say_in_double) {
  all_ways_give_the_same_bits<double>(first_seed(), ranks::rounds(240));
}

TEST(Reproducible, ranks_layouts_and_options_have_no_say_in_single) {
  all_ways_give_the_same_bits<float>(first_seed() + 500000, ranks::rounds(240));
}

/// The result of a serial plan, like that of computed().
template <class Real>
std::vector<Real> serially(Task const& task, Bits bits, std::uint64_t seed) {
  SerialPlan<Real> const plan(
      task.shape, {.axes = task.axes, .kinds = task.kinds, .threads = 2, .reproducible = bits});
  bool const forward = task.direction == Direction::forward;
  Index const input = plan.input_size() * (task.real_input ? 1 : 2);
  Index const output = plan.output_size() * (task.real_output ? 1 : 2);
  std::vector<Real> in(at(forward ? input : output)), out(at(forward ? output : input));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = value<Real>(seed, static_cast<Index>(i));
  execute(plan, task, in.data(), out.data());
  return out;
}

TEST(Reproducible, serial_plans_give_the_same_bits) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases::rounds(60)); ++seed) {
    Random random(seed);
    Task task = task_of(random);
    task.modes.clear();
    task.lengths.clear();
    task.result = schedule::output_shape(
        {.input = Layout::slab(task.shape, 1), .axes = task.axes, .kinds = task.kinds});
    std::string words;
    auto const whole = computed<double>(task, alone(task), MPI_COMM_SELF, seed, words);
    std::vector<std::optional<double>> given;
    for (double real : serially<double>(task, Bits::everywhere, seed)) given.emplace_back(real);
    ASSERT_EQ(given.size(), whole.size());
    ASSERT_EQ(differences(whole, given), 0) << "seed " << seed << ": " << describe(task);
  }
}

/// A task of c2c along all axes.
Task whole_transform(Shape const& shape) {
  Random random(1);
  Task task{.shape = shape, .result = shape};
  for (int axis = 0; axis < shape.size(); ++axis) task.axes.push_back(axis);
  task.kinds.assign(task.axes.size(), Kind::c2c);
  return task;
}

TEST(Reproducible, arrays_out_of_cache_and_long_axes) {
  for (Shape const& shape : {Shape{60, 64, 128}, Shape{Index{1} << 19}, Shape{2, 300000}}) {
    Task const task = whole_transform(shape);
    std::string words;
    auto const whole = computed<double>(task, alone(task), MPI_COMM_SELF, 5, words);
    Way way{.input = Layout::slab(shape, ranks::count()), .options = options_of(task)};
    way.options.output = Output::cheapest;
    way.options.threads = 2;
    auto const mine = computed<double>(task, way, MPI_COMM_WORLD, 5, words);
    EXPECT_EQ(differences(whole, mine), 0) << words;
    if (ranks::failed_anywhere()) return;
  }
}

TEST(Reproducible, slabs_and_pencils_in_c_order_take_no_exchange_more) {
  Layout const slab = Layout::slab({64, 64, 64}, ranks::count());
  auto const exchanges = [](Layout const& layout, Bits bits) {
    return Plan<double>(layout, MPI_COMM_WORLD, {.reproducible = bits}).exchanges();
  };
  EXPECT_EQ(exchanges(slab, Bits::machine), exchanges(slab, Bits::none));
  Layout const pencil = Layout::pencil({64, 64, 64}, ranks::count());
  EXPECT_EQ(exchanges(pencil, Bits::machine), exchanges(pencil, Bits::none));
}

TEST(Reproducible, what_it_does_not_go_with_is_refused) {
  Layout const slab = Layout::slab({8, 8, 8}, ranks::count());
  auto const plan = [&](Options const& options) { Plan<double>(slab, MPI_COMM_WORLD, options); };
  EXPECT_TRUE(refuses("reproducible", {"emulated"},
                      [&] { plan({.reproducible = Bits::machine, .device = Device::emulated}); }));
  EXPECT_TRUE(refuses("reproducible", {"sphere"},
                      [&] { plan({.sphere = {3}, .reproducible = Bits::machine}); }));
  EXPECT_TRUE(refuses("reproducible", {"fftw"},
                      [&] { plan({.local = Local::fftw, .reproducible = Bits::everywhere}); }));
  EXPECT_TRUE(refuses("reproducible", {"wire is 1e-06"},
                      [&] { plan({.reproducible = Bits::machine, .wire = {1e-6}}); }));
  EXPECT_TRUE(
      refuses("reproducible", {"value 7"}, [&] { plan({.reproducible = static_cast<Bits>(7)}); }));
  EXPECT_TRUE(refuses("reproducible", {"fftw"}, [&] {
    SerialPlan<double>({8}, {.local = Local::fftw, .reproducible = Bits::machine});
  }));
  EXPECT_NE(Plan<double>(slab, MPI_COMM_WORLD, {.reproducible = Bits::machine})
                .describe()
                .find("the same bits for any ranks"),
            std::string::npos);
}

}  // namespace
}  // namespace sixstep
