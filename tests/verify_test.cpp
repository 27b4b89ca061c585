// SPDX-License-Identifier: BSD-3-Clause
// Options::verify: sums of right results agree, for any problem; flipped bits in arrays and in
// messages are found, on all ranks; what cannot be checked is refused or counted.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "api/planning.hpp"
#include "cases.hpp"
#include "local/transform.hpp"
#include "nodes_of.hpp"
#include "oracle.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "schedule/problem.hpp"
#include "sixstep/operator.hpp"
#include "sixstep/plan.hpp"
#include "sweep/tally.hpp"
#include "verify/result_check.hpp"

namespace {

/// Flips this bit of a real of a message in each of so many exchanges.
struct Flip {
  int left = 0;
  std::size_t real = 0;
  int bit = 0;
};
Flip flip;

void flip_bit(void* array, std::size_t real_bytes, std::size_t real, int bit) {
  auto* const byte = static_cast<unsigned char*>(array) + real * real_bytes + bit / 8;
  *byte = static_cast<unsigned char>(*byte ^ (1u << (bit % 8)));
}

}  // namespace

/// The library's messages pass through here.
extern "C" int MPI_Ialltoallv(void const* sent, int const counts[], int const displacements[],
                              MPI_Datatype type, void* received, int const receive_counts[],
                              int const receive_displacements[], MPI_Datatype receive_type,
                              MPI_Comm comm, MPI_Request* request) {
  int size = 0, ranks = 0;
  MPI_Type_size(type, &size);
  MPI_Comm_size(comm, &ranks);
  for (int rank = 0; rank < ranks && flip.left > 0; ++rank) {
    auto const reals =
        static_cast<std::size_t>(counts[rank]) * static_cast<std::size_t>(size) / sizeof(double);
    if (flip.real >= reals) continue;
    auto* const message = static_cast<char*>(const_cast<void*>(sent)) +
                          static_cast<std::ptrdiff_t>(displacements[rank]) * size;
    flip_bit(message, sizeof(double), flip.real, flip.bit);
    --flip.left;
    break;
  }
  return PMPI_Ialltoallv(sent, counts, displacements, type, received, receive_counts,
                         receive_displacements, receive_type, comm, request);
}

namespace sixstep {
namespace {

using cases::Random;
using oracle::at;

constexpr Kind cosines[] = {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                            Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

struct Task {
  Layout input;
  std::optional<Layout> output = {};
  Options options = {};
  bool real_input = false;
  bool real_output = false;
};

Shape random_shape(Random& random) {
  if (random.once_in(8)) {
    static constexpr Index lengths[] = {97, 509, 1009, 4096, 6000, 10007, 70000, 131072};
    return {lengths[random.between(0, 7)]};
  }
  return cases::random_shape(random, random.between(1, 4), 4000);
}

Task random_task(Random& random) {
  Shape const shape = random_shape(random);
  Task task;
  Options& options = task.options;
  options.axes = cases::random_axes(random, shape.size());
  if (options.axes.empty())
    for (int axis = 0; axis < shape.size(); ++axis) options.axes.push_back(axis);
  options.kinds.assign(options.axes.size(), Kind::c2c);
  int const mix = random.between(0, 4);
  int const last = static_cast<int>(options.kinds.size()) - 1;
  if (mix >= 1 && mix <= 3)
    for (int i = 0; i <= last; ++i)
      if (mix == 2 || (mix == 3 && random.once_in(2))) {
        Kind const kind = cosines[random.between(0, 7)];
        if (kind != Kind::dct1 || shape[options.axes[static_cast<std::size_t>(i)]] > 1)
          options.kinds[static_cast<std::size_t>(i)] = kind;
      }
  if (mix == 1 || (mix == 3 && random.once_in(2)))
    options.kinds[static_cast<std::size_t>(random.between(0, last))] = Kind::r2c;
  bool const other_lengths = random.once_in(5), fewer = random.once_in(5);
  for (int i = 0; i <= last; ++i) {
    auto const number = static_cast<std::size_t>(i);
    Kind const kind = options.kinds[number];
    Index const points = shape[options.axes[number]];
    Index const length = other_lengths ? points + random.between(Index{0}, points) : points;
    Index const least = std::min<Index>(kind == Kind::dct1 ? 2 : 1, length);
    if (other_lengths) options.lengths.push_back(length);
    if (fewer) options.modes.push_back(random.between(least, length));
  }
  auto const numbers = schedule::numbers_of(options.kinds);
  task.real_input = numbers.input == layout::Number::real;
  task.real_output = numbers.output == layout::Number::real;
  task.input = cases::random_layout(random, shape, ranks::count());
  options.fields = random.once_in(4) ? random.between(2, 3) : 1;
  options.interleaved = random.once_in(2);
  options.preserve_input = random.once_in(2);
  options.exchange = all_exchanges[static_cast<std::size_t>(random.between(0, 4))];
  options.driver = all_drivers[static_cast<std::size_t>(random.between(0, 4))];
  options.threads = random.between(1, 3);
  options.windows = random.once_in(2) ? random.between(1, 5) : 0;
  options.low_memory = random.once_in(6);
  options.verify = random.once_in(3) ? Verify::result : Verify::all;
  Shape const result = schedule::output_shape(schedule::checked({.input = task.input,
                                                                 .axes = options.axes,
                                                                 .kinds = options.kinds,
                                                                 .lengths = options.lengths,
                                                                 .modes = options.modes}));
  bool const open = random.once_in(3) && (shape == result || !task.input.grid().empty());
  if (!open) task.output = cases::random_layout(random, result, ranks::count());
  return task;
}

/// Perhaps with ghosts around each rank's box.
Layout with_random_ghosts(Random& random, Layout const& layout) {
  if (!random.once_in(4)) return layout;
  Shape before, after;
  for (int axis = 0; axis < layout.axes(); ++axis) {
    before.push_back(random.between(Index{0}, Index{2}));
    after.push_back(random.between(Index{0}, Index{2}));
  }
  return layout.with_ghosts(before, after);
}

std::string describe(Task const& task) {
  std::string words = cases::describe(task.input) + " to " +
                      (task.output ? cases::describe(*task.output) : "any") + ", axes";
  Options const& options = task.options;
  for (std::size_t i = 0; i < options.axes.size(); ++i)
    words += text(" ", options.axes[i], " ", to_string(options.kinds[i]),
                  options.lengths.empty() ? "" : text(" of ", options.lengths[i]),
                  options.modes.empty() ? "" : text(" to ", options.modes[i]));
  return words + text(", fields ", options.fields);
}

/// Random reals around 1, some of them far larger or smaller.
template <class Element>
std::vector<Element> random_array(Random& random, Index size) {
  using Real = typename local::RealOf<Element>::type;
  std::vector<Element> array(at(size));
  auto* const reals = reinterpret_cast<Real*>(array.data());
  std::size_t const count = array.size() * sizeof(Element) / sizeof(Real);
  int const most = random.once_in(3) ? 12 : 1;
  for (std::size_t i = 0; i < count; ++i)
    reals[i] = static_cast<Real>(
        std::ldexp(double(random.between(-1000, 1000)) / 1000, random.between(-most, most)));
  return array;
}

template <class Real, class Body>
void with_plan(Task const& task, Body const& body) {
  if (task.output) {
    Plan<Real> plan(task.input, *task.output, MPI_COMM_WORLD, task.options);
    return body(plan);
  }
  Plan<Real> plan(task.input, MPI_COMM_WORLD, task.options);
  body(plan);
}

/// Executes there and back, out of place and in place, with any scale and sign.
template <class In, class Out, class Real>
void execute_all(Plan<Real>& plan, Random& random, Task const& task) {
  constexpr Scale scales[] = {Scale::none, Scale::by_n, Scale::by_sqrt_n};
  Random mine(static_cast<std::uint64_t>(random.between(1, 1000000) + ranks::rank()));
  std::vector<In> in = random_array<In>(mine, plan.input_size());
  std::vector<Out> out(at(plan.output_size()));
  plan.forward(in.data(), out.data(), scales[random.between(0, 2)]);
  std::vector<Out> spectrum = random_array<Out>(mine, plan.output_size());
  plan.backward(spectrum.data(), in.data(), scales[random.between(0, 2)]);
  std::vector<Out> both = random_array<Out>(mine, plan.in_place_size());
  auto* const points = reinterpret_cast<In*>(both.data());
  plan.forward(points, both.data());
  plan.backward(both.data(), points, Scale::by_n);
  Index executions = 4;
  if constexpr (!std::is_same_v<In, Real> && !std::is_same_v<Out, Real>) {
    in = random_array<In>(mine, plan.input_size());
    plan.execute(in.data(), out.data(), Direction::forward, Sign::plus);
    plan.execute(out.data(), in.data(), Direction::backward, Sign::minus);
    executions += 2;
  }
  Verified const verified = plan.verified();
  EXPECT_EQ(verified.checked, executions) << describe(task);
  EXPECT_EQ(verified.unchecked, 0);
  EXPECT_LT(verified.largest_share, 0.5) << describe(task);
}

/// The largest share of the bound that any execution reaches.
template <class Real>
double solve_random_problems(std::uint64_t first, int rounds) {
  double largest = 0;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    Random random(seed);
    Task task = random_task(random);
    task.input = with_random_ghosts(random, task.input);
    if (task.output) task.output = with_random_ghosts(random, *task.output);
    NodesOf const nodes(random.between(1, 3));
    try {
      with_plan<Real>(task, [&](Plan<Real>& plan) {
        using Complex = std::complex<Real>;
        if (task.real_output)
          execute_all<Real, Real>(plan, random, task);
        else if (task.real_input)
          execute_all<Real, Complex>(plan, random, task);
        else
          execute_all<Complex, Complex>(plan, random, task);
        largest = std::max(largest, plan.verified().largest_share);
      });
    } catch (Error const& error) {
      ADD_FAILURE() << "seed " << seed << ": " << describe(task) << ": " << error.what();
    }
    if (ranks::failed_anywhere()) break;
  }
  return largest;
}

TEST(Verify, right_results_agree_in_double) {
  double const largest = solve_random_problems<double>(1, ranks::rounds(300));
  if (ranks::rank() == 0) RecordProperty("largest_share", std::to_string(largest));
}

TEST(Verify, right_results_agree_in_single) {
  double const largest = solve_random_problems<float>(500000, ranks::rounds(300));
  if (ranks::rank() == 0) RecordProperty("largest_share", std::to_string(largest));
}

/// A plan of one rank with its check, whose arrays a test may change between the sums.
template <class Real>
struct Checked {
  using Complex = std::complex<Real>;

  explicit Checked(Task const& task)
      : plan(task.input, *task.output, MPI_COMM_SELF, plain(task.options)),
        check(schedule::checked({.input = task.input,
                                 .axes = task.options.axes,
                                 .kinds = task.options.kinds,
                                 .lengths = task.options.lengths,
                                 .modes = task.options.modes,
                                 .real_bytes = sizeof(Real)}),
              layout::place(task.input, schedule::numbers_of(task.options.kinds).input),
              layout::place(*task.output, schedule::numbers_of(task.options.kinds).output), 0, 0) {}

  static Options plain(Options options) {
    options.verify = Verify::none;
    options.fields = 1;
    return options;
  }

  Plan<Real> plan;
  verify::ResultCheck check;
};

template <class Real>
double norm_of(std::vector<Real> const& array) {
  double sum = 0;
  for (Real const& x : array) sum += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(sum);
}

/// Counts of flips.
struct Count {
  int flips = 0, large = 0, found = 0;
};

/// Flips a bit of the input after it was summed up, or of the result before, and compares what this
/// changes with what the check says.
template <class Real>
void flip_and_check(Task const& task, Random& random, Count& count) {
  Checked<Real> checked(task);
  auto& plan = checked.plan;
  Index const input_reals = plan.input_size() * (task.real_input ? 1 : 2);
  Index const output_reals = plan.output_size() * (task.real_output ? 1 : 2);
  auto const forward = [&](std::vector<Real> const& in, std::vector<Real>& out) {
    auto const* const from = reinterpret_cast<std::complex<Real> const*>(in.data());
    auto* const to = reinterpret_cast<std::complex<Real>*>(out.data());
    if (task.real_output)
      plan.forward(in.data(), out.data());
    else if (task.real_input)
      plan.forward(in.data(), to);
    else
      plan.forward(from, to);
  };
  std::vector<Real> in = random_array<Real>(random, input_reals);
  std::vector<Real> out(at(output_reals)), wrong(at(output_reals));
  forward(in, out);
  auto const source = checked.check.source(Direction::forward, in.data(), false, 1);
  for (int round = 0; round < 20; ++round) {
    bool const in_source = random.once_in(2);
    std::vector<Real> changed = in;
    wrong = out;
    std::vector<Real>& where = in_source ? changed : wrong;
    auto const real = at(random.between(Index{0}, static_cast<Index>(where.size()) - 1));
    int const bit = random.between(0, 8 * static_cast<int>(sizeof(Real)) - 1);
    flip_bit(where.data(), sizeof(Real), real, bit);
    if (in_source) forward(changed, wrong);
    std::vector<Real> errors(wrong.size());
    for (std::size_t i = 0; i < wrong.size(); ++i) errors[i] = wrong[i] - out[i];
    double const error = norm_of(errors) / norm_of(out);
    auto const result = checked.check.result(Direction::forward, wrong.data(), false, 1);
    verify::Finding const found = checked.check.compare(Direction::forward, source, result, {});
    ++count.flips;
    // A random sum is smaller than an error by a factor of 30 once in a thousand times.
    if (error > 3e5 * std::numeric_limits<Real>::epsilon() || !std::isfinite(error)) {
      ++count.large;
      EXPECT_TRUE(found.is_wrong())
          << describe(task) << ": real " << real << ", bit " << bit << ", error " << error;
    }
    if (found.is_wrong()) ++count.found;
  }
}

TEST(Verify, flipped_bits_are_found) {
  Count count;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases::rounds(200)); ++seed) {
    Random random(seed + 7000 * static_cast<std::uint64_t>(ranks::rank()));
    Task task = random_task(random);
    task.options.low_memory = false;
    task.options.preserve_input = true;
    task.input = Layout::slab(task.input.shape(), 1);
    task.output =
        Layout::slab(schedule::output_shape(schedule::checked({.input = task.input,
                                                               .axes = task.options.axes,
                                                               .kinds = task.options.kinds,
                                                               .lengths = task.options.lengths,
                                                               .modes = task.options.modes})),
                     1);
    if (volume(task.input.shape()) > 20000) continue;
    if (random.once_in(2))
      flip_and_check<float>(task, random, count);
    else
      flip_and_check<double>(task, random, count);
  }
  EXPECT_GT(count.large, count.flips / 4);
  EXPECT_GE(count.found, count.large);
}

/// Executions of a plan whose messages are changed on one rank.
struct Trial {
  int round;
  bool in_place;
  bool preserve_input;
  int flips;  // in as many executions, one behind the other
  Verify verify;

  bool may_repeat() const { return !in_place && preserve_input; }
};

void flip_in_a_message(Trial const& trial) {
  using Complex = std::complex<double>;
  Random random(static_cast<std::uint64_t>(trial.round) + 5);
  Shape const shape{random.between(Index{8}, Index{30}), random.between(Index{8}, Index{30}), 16};
  Plan<double> plan(Layout::slab(shape, ranks::count()), MPI_COMM_WORLD,
                    {.preserve_input = trial.preserve_input,
                     .exchange = Exchange::collective,
                     .windows = 1,
                     .verify = trial.verify});
  Random mine(static_cast<std::uint64_t>(100 * trial.round + ranks::rank()));
  auto const in = random_array<Complex>(mine, plan.in_place_size());
  std::vector<Complex> given = in, out(in.size()), again(in.size());
  plan.forward(given.data(), out.data());
  given = in;
  flip = {.left = ranks::rank() == trial.round % ranks::count() ? trial.flips : 0,
          .real = static_cast<std::size_t>(trial.round % 3),
          .bit = random.between(48, 62)};
  Complex* const target = trial.in_place ? given.data() : again.data();
  std::string const message = message_of([&] { plan.forward(given.data(), target); });
  flip.left = 0;
  bool const is_repaired = trial.may_repeat() && trial.flips == 1;
  if (is_repaired) {
    EXPECT_EQ(message, "");
    EXPECT_TRUE(std::equal(out.begin(), out.begin() + plan.output_size(), again.begin()));
  } else {
    bool const is_named = trial.verify == Verify::all;
    std::string const words = is_named ? "verify: exchange 1 of 1 (to "
                                       : "verify: the result of a forward transform is wrong";
    EXPECT_NE(message.find(words), std::string::npos) << message;
    // The message that was changed may be one to the rank itself.
    int const writer = trial.round % ranks::count();
    std::string const other = text("other bits than rank ", writer, " wrote");
    std::string const own = text("rank ", writer, " has read other bits than it wrote");
    bool const names =
        message.find(other) != std::string::npos || message.find(own) != std::string::npos;
    EXPECT_EQ(names, is_named) << message;
    EXPECT_EQ(message.find("second") != std::string::npos, trial.may_repeat()) << message;
  }
  given = in;
  plan.forward(given.data(), again.data());
  EXPECT_TRUE(std::equal(out.begin(), out.begin() + plan.output_size(), again.begin()));
  EXPECT_EQ(plan.verified().checked, is_repaired ? 3 : 2);
  EXPECT_EQ(plan.verified().repaired, is_repaired ? 1 : 0);
  EXPECT_LT(plan.verified().largest_share, 0.5);
}

/// Messages of Open MPI go one by one and do not pass through the function above.
#ifdef OPEN_MPI
constexpr bool is_told_of_messages = false;
#else
constexpr bool is_told_of_messages = true;
#endif

TEST(Verify, a_flip_in_a_message_is_repaired_or_an_error_on_every_rank) {
  if (!is_told_of_messages || ranks::count() == 1) return;
  NodesOf const nodes(1);
  for (int round = 0; round < 4; ++round)
    for (bool const in_place : {false, true})
      for (bool const preserve_input : {false, true})
        for (int const flips : {1, 2}) {
          Verify const verify = (round + flips) % 2 == 0 ? Verify::result : Verify::all;
          flip_in_a_message({round, in_place, preserve_input, flips, verify});
          if (ranks::failed_anywhere()) return;
        }
}

/// Flips bits of elements between the step that writes them and the one that reads them: a random
/// bit in the rows of one call on this rank, in each of so many executions.
class Meddler {
 public:
  explicit Meddler(runners::CompositionRunner& runner) : runner_(runner) {
    runner.before_adding(
        [this](sweep::End end, void const* begin, local::WeightedRows const& rows) {
          if (end == sweep::End::read) meddle(const_cast<void*>(begin), rows);
        });
  }
  ~Meddler() { runner_.before_adding(nullptr); }

  /// The calls since the last time.
  long calls() { return calls_.exchange(0); }
  void flip_at(long call, int executions, std::uint64_t random) {
    at_ = call;
    executions_ = executions;
    random_ = random;
  }
  void set_round(long calls) { a_round_ = std::max(calls, 1L); }

 private:
  void meddle(void* begin, local::WeightedRows const& rows) {
    long const call = calls_++;
    if (at_ < 0 || executions_ == 0 || call % a_round_ != at_) return;
    --executions_;
    Index const row = static_cast<Index>(random_ % static_cast<std::uint64_t>(rows.rows));
    auto* const place = static_cast<unsigned char*>(begin) + row * rows.row_bytes;
    std::uint64_t const bits = static_cast<std::uint64_t>(rows.elements) * 32;  // or more
    std::uint64_t const bit = random_ / 64 % bits;
    place[bit / 8] = static_cast<unsigned char>(place[bit / 8] ^ (1u << (bit % 8)));
  }

  runners::CompositionRunner& runner_;
  std::atomic<long> calls_ = 0;
  long at_ = -1, a_round_ = 1;  // calls of an execution
  std::atomic<int> executions_ = 0;
  std::uint64_t random_ = 0;
};

struct Flips {
  int made = 0, repaired = 0;
};

/// Executions of a plan out of place or in place, forward or backward.
template <class Real>
class Executions {
 public:
  Executions(runners::CompositionRunner& runner, Random& random, Random& mine)
      : runner_(runner),
        direction_(random.once_in(2) ? Direction::backward : Direction::forward),
        in_place_(random.once_in(3)),
        given_(random_array<Real>(mine, std::max(runner.input_reals(), runner.output_reals()) + 1)),
        source_(given_.size()),
        other_(given_.size()) {
    run();
    right_ = made();
  }

  void run() {
    source_ = given_;
    runner_.execute(source_.data(), target().data(), direction_, Scale::none);
  }
  bool is_right() {
    return right_.empty() ||
           std::memcmp(made().data(), right_.data(), right_.size() * sizeof(Real)) == 0;
  }
  bool is_in_place() const { return in_place_; }

 private:
  std::vector<Real>& target() { return in_place_ ? source_ : other_; }
  std::vector<Real> made() {
    bool const backward = direction_ == Direction::backward;
    Index const reals = backward ? runner_.input_reals() : runner_.output_reals();
    return {target().begin(), target().begin() + static_cast<std::ptrdiff_t>(reals)};
  }

  runners::CompositionRunner& runner_;
  Direction direction_;
  bool in_place_;
  std::vector<Real> given_, source_, other_, right_;
};

/// Flips a bit between two sweeps on one rank, in one execution or in two.
template <class Real>
void flip_between_sweeps(runners::CompositionRunner& runner, Random& random, Task const& task,
                         Flips& flips) {
  Meddler meddler(runner);
  auto const seed = static_cast<std::uint64_t>(random.between(1, 1000000));
  Random mine(seed + static_cast<std::uint64_t>(ranks::rank()));
  Executions<Real> executions(runner, random, mine);
  long const calls = meddler.calls();
  meddler.set_round(calls);
  std::vector<long> all(at(ranks::count()));
  MPI_Allgather(&calls, 1, MPI_LONG, all.data(), 1, MPI_LONG, MPI_COMM_WORLD);
  if (std::ranges::max(all) == 0) return;
  bool const repeats = task.options.preserve_input && !executions.is_in_place();
  for (int trial = 0; trial < 6; ++trial) {
    int const times = random.between(1, 2);
    // A random rank, or the next one that reads anything.
    int victim = random.between(0, ranks::count() - 1);
    while (all[at(victim)] == 0) victim = (victim + 1) % ranks::count();
    meddler.calls();
    if (ranks::rank() == victim)
      meddler.flip_at(static_cast<long>(mine.between(Index{0}, Index{calls} - 1)), times,
                      static_cast<std::uint64_t>(mine.between(Index{0}, Index{1} << 60)));
    Verified const before = runner.verified();
    std::string const message = message_of([&] { executions.run(); });
    ++flips.made;
    std::string const about = describe(task) + ": " + message;
    if (repeats && times == 1) {
      ++flips.repaired;
      EXPECT_EQ(message, "") << about;
      EXPECT_EQ(runner.verified().repaired, before.repaired + 1) << about;
      EXPECT_TRUE(executions.is_right()) << about;
    } else {
      EXPECT_NE(message.find(text("rank ", victim, " has read other bits than ")),
                std::string::npos)
          << about;
      EXPECT_EQ(message.find("second execution") != std::string::npos, repeats) << about;
    }
    meddler.flip_at(-1, 0, 0);
    executions.run();
    EXPECT_TRUE(executions.is_right()) << about;
  }
  EXPECT_GT(runner.verified().compared, 0);
}

template <class Real>
void flip_in_random_problems(std::uint64_t first, int rounds, Flips& flips) {
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(rounds); ++seed) {
    Random random(seed);
    Task task = random_task(random);
    task.options.verify = Verify::all;
    NodesOf const nodes(random.between(1, 3));
    try {
      auto const runner =
          make_runner(design_of(task.input, task.output, task.options, sizeof(Real)),
                      mpi::Communicator::duplicate(MPI_COMM_WORLD));
      flip_between_sweeps<Real>(*runner, random, task, flips);
    } catch (Error const& error) {
      ADD_FAILURE() << "seed " << seed << ": " << describe(task) << ": " << error.what();
    }
    if (ranks::failed_anywhere()) {
      if (ranks::rank() == 0) ADD_FAILURE() << "seed " << seed;
      break;
    }
  }
}

TEST(Verify, a_flip_between_sweeps_is_found_on_every_rank) {
  Flips flips;
  flip_in_random_problems<double>(1, ranks::rounds(80), flips);
  flip_in_random_problems<float>(500000, ranks::rounds(80), flips);
  EXPECT_GT(flips.made, 20);
  if (ranks::rank() == 0) {
    RecordProperty("made", flips.made);
    RecordProperty("repaired", flips.repaired);
    std::cout << flips.made << " flips, " << flips.repaired << " repaired\n";
  }
}

/// Large arrays go through strips and past the caches, so their bits are summed there.
TEST(Verify, a_flip_in_strips_of_columns_is_found_on_every_rank) {
  Flips flips;
  std::uint64_t seed = 1;
  struct Large {
    Shape shape;
    Kind kind;
  };
  for (Large const& large : {Large{{60, 128, 160}, Kind::c2c}, Large{{60, 128, 160}, Kind::r2c},
                             Large{{1200, 1100}, Kind::c2c}, Large{{1 << 20}, Kind::c2c}}) {
    Random random(seed++);
    Task task{.input = Layout::slab(large.shape, ranks::count())};
    for (int axis = 0; axis < large.shape.size(); ++axis) task.options.axes.push_back(axis);
    task.options.kinds.assign(task.options.axes.size(), Kind::c2c);
    task.options.kinds.back() = large.kind;
    task.options.preserve_input = random.once_in(2);
    task.options.threads = random.between(1, 2);
    task.options.verify = Verify::all;
    auto const runner = make_runner(design_of(task.input, {}, task.options, sizeof(double)),
                                    mpi::Communicator::duplicate(MPI_COMM_WORLD));
    flip_between_sweeps<double>(*runner, random, task, flips);
    if (ranks::failed_anywhere()) return;
  }
  EXPECT_GT(flips.made, 10);
}

TEST(Verify, the_error_has_its_own_code) {
  Error const error("words", ErrorCode::corrupted);
  EXPECT_EQ(error.code(), ErrorCode::corrupted);
}

TEST(Verify, infinities_and_nans_are_no_corruption) {
  using Complex = std::complex<double>;
  Plan<double> plan(Layout::slab({12, 10}, ranks::count()), MPI_COMM_WORLD,
                    {.verify = Verify::result});
  double const limits[] = {std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN(), 1e200};
  for (double const limit : limits) {
    std::vector<Complex> in(at(plan.input_size()), 1.0), out(at(plan.output_size()));
    if (ranks::rank() == 0) in[0] = limit;
    plan.forward(in.data(), out.data());
  }
  EXPECT_EQ(plan.verified().unchecked, 3);
  EXPECT_EQ(plan.verified().checked, 0);
  for (double const size : {0.0, 1e-320, 1e-180, 1.0, 1e120}) {
    std::vector<Complex> in(at(plan.input_size()), size), out(at(plan.output_size()));
    plan.forward(in.data(), out.data());
  }
  EXPECT_EQ(plan.verified().checked, 5);
  EXPECT_LT(plan.verified().largest_share, 0.5);
}

/// Waves of an axis that lie at the peak of its weights are the worst case of long axes.
TEST(Verify, impulses_on_long_axes_agree) {
  using Complex = std::complex<double>;
  for (Index const n : {Index{1} << 17, Index{100003}}) {
    for (Output const output : {Output::cheapest, Output::as_input}) {
      Plan<double> plan(Layout::slab({n}, ranks::count()), MPI_COMM_WORLD,
                        {.output = output, .verify = Verify::result});
      Index const mine = plan.input_box().volume();
      std::vector<Complex> out(at(plan.output_size()));
      for (Index where = 0; where < n; where += n / 17) {
        std::vector<Complex> in(at(plan.input_size()));
        Range const range = plan.input_box().ranges[0];
        if (mine > 0 && where >= range.lo && where < range.hi) in[at(where - range.lo)] = 1;
        plan.forward(in.data(), out.data());
        plan.backward(out.data(), in.data(), Scale::by_n);
      }
      EXPECT_LT(plan.verified().largest_share, 0.5) << n;
    }
  }
}

TEST(Verify, other_kernels_and_short_messages_agree) {
  using Complex = std::complex<double>;
  NodesOf const nodes(1);
  Layout const slab = Layout::slab({20, 18, 14}, ranks::count());
  std::vector<Options> all{{.wire = {.tolerance = 1e-6}}, {.reproducible = Bits::machine}};
  all.push_back({.transform = false});
  all.push_back({.low_memory = true});
  for (Local const local : {Local::fftw, Local::mkl})
    if (message_of([&] { local::kernels_of<double>(local); }).empty())
      all.push_back({.local = local});
  for (Options options : all) {
    options.verify = options.wire.tolerance > 0 ? Verify::result : Verify::all;
    Plan<double> plan(slab, MPI_COMM_WORLD, options);
    Random random(static_cast<std::uint64_t>(ranks::rank()) + 3);
    auto in = random_array<Complex>(random, plan.input_size());
    std::vector<Complex> out(at(plan.output_size()));
    plan.forward(in.data(), out.data());
    plan.backward(out.data(), in.data(), Scale::by_n);
    EXPECT_EQ(plan.verified().checked, 2);
    EXPECT_LT(plan.verified().largest_share, 0.5) << plan.describe();
    EXPECT_NE(plan.describe().find("verified  the result"), std::string::npos);
  }
}

TEST(Verify, what_cannot_be_verified_is_refused) {
  Layout const slab = Layout::slab({8, 8, 8}, ranks::count());
  auto const plan = [&](Options options) {
    options.verify = Verify::result;
    Plan<double>(slab, MPI_COMM_WORLD, options);
  };
  EXPECT_TRUE(refuses("verify", {"emulated"}, [&] { plan({.device = Device::emulated}); }));
  EXPECT_TRUE(refuses("verify", {"sphere"}, [&] { plan({.sphere = {3}}); }));
  EXPECT_TRUE(refuses("verify", {"twiddle"}, [&] { plan({.axes = {0}, .twiddle = 1}); }));
  EXPECT_TRUE(refuses("verify", {"all", "wire", "1e-06"}, [&] {
    Plan<double>(slab, MPI_COMM_WORLD, {.wire = {.tolerance = 1e-6}, .verify = Verify::all});
  }));
  EXPECT_TRUE(refuses("verify", {"none, result or all", "value 7"},
                      [&] { Plan<double>(slab, MPI_COMM_WORLD, {.verify = Verify{7}}); }));
  OperatorOptions of_operator;
  of_operator.verify = Verify::result;
  EXPECT_TRUE(refuses("verify", {"operators"}, [&] {
    Operator<double>(slab, MPI_COMM_WORLD, Symbol([](PerAxis<double> const&) { return 1.0; }),
                     of_operator);
  }));
}

TEST(Verify, nothing_is_counted_without_it) {
  using Complex = std::complex<double>;
  Plan<double> plan(Layout::slab({8, 8}, ranks::count()), MPI_COMM_WORLD);
  std::vector<Complex> in(at(plan.input_size())), out(at(plan.output_size()));
  plan.forward(in.data(), out.data());
  EXPECT_EQ(plan.verified().checked, 0);
  EXPECT_EQ(plan.describe().find("verified"), std::string::npos);
}

}  // namespace
}  // namespace sixstep
