// SPDX-License-Identifier: BSD-3-Clause
// Bluestein's transform on all ranks.
#include "formulas/bluestein.hpp"

#include <algorithm>
#include <complex>
#include <string>
#include <vector>

#include "formulas/pointwise.hpp"
#include "local/numbers/factor.hpp"
#include "local/numbers/roots.hpp"
#include "schedule/line.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

/// The layout `line` with further points up to `length`, and all points below its end in place;
/// empty if some rank would have more than twice its share.
std::optional<Layout> extended(Layout const& line, Index length) {
  Index const n = line.shape()[0];
  if (schedule::is_cyclic(line))
    return Layout::grid({length}, {line.ranks()}, {Distribution::cyclic});
  std::vector<Series> series;
  for (Series const& each : schedule::series_of(line)) {
    if (each.hi() < n) {
      append(series, each);
      continue;
    }
    int const last = each.distance < 0 ? each.first : each.end() - 1;
    append(series, {each.first, last - each.first, each.range, each.distance});
    append(series, {last, 1, {each.of(last).lo, length}});
    append(series, {last + 1, each.end() - last - 1, each.of(last + 1), each.distance});
  }
  Layout const longer = schedule::blocks(line, length, std::move(series));
  Index const even_share = (length + line.ranks() - 1) / line.ranks();
  if (longer.largest_local_size() > 2 * even_share) return std::nullopt;
  return longer;
}

/// The layout for the points of both convolutions: the input's if it can be extended, else the
/// output's, else even blocks.
Layout home_of(schedule::Problem const& line, Index length) {
  for (Layout const* users : {&line.input, &*line.output})
    if (std::optional<Layout> const home = extended(*users, length)) return *home;
  return Layout::slab({length}, line.input.ranks());
}

/// Two columns of the points of `home`, one behind the other in memory.
Layout two_columns(Layout const& home) {
  Shape const shape{2, home.shape()[0]};
  if (schedule::is_cyclic(home))
    return Layout::grid(shape, {1, home.ranks()}, {Distribution::block, Distribution::cyclic});
  Deals deals = *Deals::of(home);
  deals.axes = {{Deal::even(2, 1, Distribution::block)}, deals.axes[0]};
  return deals.boxes(home.ranks());
}

struct Convolution {
  Layout home;
  schedule::Schedule transform;
};

Convolution convolution(schedule::Problem const& line, Index length,
                        schedule::Choices const& choices) {
  Layout const home = home_of(line, length);
  schedule::Choices splitting = choices;
  splitting.split_untransformed = true;  // the columns return to the layout they start in
  schedule::Problem const columns{
      .input = two_columns(home), .axes = {1}, .real_bytes = line.real_bytes, .is_inner = true};
  return {home, schedule::schedule(columns, splitting)};
}

/// The cheaper of two convolutions: of the length with the fewest operations, and of one that
/// divides evenly.
Convolution cheapest_convolution(schedule::Problem const& line, schedule::Choices const& choices) {
  Index const n = line.input.shape()[0], ranks = line.input.ranks();
  Convolution best = convolution(line, local::cheapest_smooth(n), choices);
  if (local::is_smooth(ranks) && ranks * ranks <= n / 16) {
    Convolution even = convolution(line, local::cheapest_smooth(n, ranks * ranks), choices);
    if (even.transform.seconds < best.transform.seconds) best = std::move(even);
  }
  return best;
}

/// j^2 mod 2n: w_2n to this power is c[j].
Index half_square(Index j, Index n) {
  return static_cast<Index>(static_cast<__int128>(j) * j % (2 * n));
}

/// make_chirp and keep prepare the chirp and its transform; the others work on data.
enum ChirpWork : int { make_chirp, keep, spread, times_transformed, collect };

/// Two convolutions that replace a transform of n points.
struct Chirp {
  Index n;
  Layout home;      // of the points of either convolution
  Layout spectrum;  // of both transforms' coefficients
};

/// One rank's tables, of O(n / ranks) entries, rounded to nearest.
template <class Real>
class Chirps final : public Pointwise {
 public:
  Chirps(Chirp const& chirp, int rank);

  void apply(int work, Operands const& on) override;
  Changes changes(int work, Operands const& on) override;
  void end_setup() override { first_ = {}; }
  void const* table(int work) const override {
    return work == times_transformed ? transformed_.data() : nullptr;
  }

 private:
  using Complex = std::complex<Real>;

  void write_chirp(Complex* columns) const;

  Index n_;
  Index length_;
  Range range_;
  Index points_;                      // of either column
  Index filled_;                      // of these, how many are below n
  std::vector<Complex> chirp_;        // c[j]
  std::vector<Complex> turn_;         // w_2L^j
  std::vector<Complex> transformed_;  // of b, both columns
  std::vector<Complex> first_;        // what make_chirp writes, until the setup has ended
};

template <class Real>
Chirps<Real>::Chirps(Chirp const& of, int rank)
    : n_(of.n),
      length_(of.home.shape()[0]),
      range_(schedule::range_of(of.home, rank)),
      points_(range_.count()),
      filled_(Range{range_.lo, std::min(range_.hi, n_), range_.step}.count()),
      transformed_(static_cast<std::size_t>(of.spectrum.local_size(rank))) {
  local::Roots const chirp(2 * n_), turn(2 * length_);
  for (Index i = 0; i < points_; ++i) {
    Index const j = range_.lo + i * range_.step;
    if (j < n_) chirp_.push_back(chirp.at<Real>(half_square(j, n_)));
    turn_.push_back(turn.at<Real>(j));
  }
}

/// Writes b[m] for -n < m < n, at m mod 2L: first the sum of both halves, then their difference
/// times w_2L^j.
template <class Real>
void Chirps<Real>::write_chirp(Complex* columns) const {
  local::Roots const roots(2 * n_), turn(2 * length_);
  auto const b = [&](Index m) {
    if (m >= n_) return std::complex<double>(0);
    return std::conj(roots.at<double>(half_square(m, n_)));
  };
  for (Index i = 0; i < points_; ++i) {
    Index const j = range_.lo + i * range_.step;
    columns[i] = static_cast<Complex>(b(j) + b(length_ - j));
    columns[points_ + i] = static_cast<Complex>(times(b(j) - b(length_ - j), turn.at<double>(j)));
  }
}

template <class Real>
void Chirps<Real>::apply(int work, Operands const& on) {
  auto const* const source = static_cast<Complex const*>(on.source);
  auto* const target = static_cast<Complex*>(on.target);
  auto const factor = static_cast<Real>(on.factor);
  auto const at = [](Index i) { return static_cast<std::size_t>(i); };
  // exp(+) is the conjugate of the transform of the conjugate.
  auto const turned = [&](Complex value) {
    return on.backward != on.conjugate ? std::conj(value) : value;
  };
  if (work == make_chirp) {
    write_chirp(target);
  } else if (work == keep) {
    std::copy_n(source, transformed_.size(), transformed_.begin());
  } else if (work == spread) {
    for_each(points_, on.threads, [&](Index i) {
      Complex const value = i < filled_ ? times(turned(source[i]), chirp_[at(i)]) : Complex(0);
      target[i] = value;
      target[points_ + i] = times(value, turn_[at(i)]);
    });
  } else if (work == collect) {
    for_each(filled_, on.threads, [&](Index i) {
      Complex const sum = source[i] + times(source[points_ + i], std::conj(turn_[at(i)]));
      target[i] = turned(times(sum, chirp_[at(i)])) * factor;
    });
  }
}

template <class Real>
Changes Chirps<Real>::changes(int work, Operands const& on) {
  auto const of = [](std::vector<Complex> const& numbers) {
    return ChangeTable{numbers.data(), numbers.size() * sizeof(Complex)};
  };
  auto const size = [](std::vector<Complex> const& numbers) {
    return static_cast<Index>(numbers.size());
  };
  bool const turned = on.backward != on.conjugate;
  Index const first = 0, second = points_;  // columns
  if (work == make_chirp) {
    if (first_.empty()) {
      first_.resize(static_cast<std::size_t>(2 * points_));
      write_chirp(first_.data());
    }
    return {{.count = size(first_),
             .from = {{Array::table}},
             .to = {Array::target},
             .table = of(first_)}};
  }
  if (work == keep)
    return {{.count = size(transformed_),
             .from = {{Array::source}},
             .to = {Array::table},
             .table = of(transformed_)}};
  if (work == spread)
    return {{.count = filled_,
             .from = {{Array::source}},
             .to = {Array::target, first},
             .conjugates = turned,
             .table = of(chirp_)},
            {.count = filled_,
             .from = {{Array::target, first}},
             .to = {Array::target, second},
             .table = of(turn_)},
            {.count = points_ - filled_, .to = {Array::target, first + filled_}},
            {.count = points_ - filled_, .to = {Array::target, second + filled_}}};
  return {{.count = filled_,
           .from = {{Array::source, second}},
           .to = {Array::source, first},
           .adds = true,
           .table = of(turn_),
           .conjugates_table = true},
          {.count = filled_,
           .from = {{Array::source, first}},
           .to = {Array::target},
           .factor = on.factor,
           .conjugates = turned,
           .table = of(chirp_),
           .conjugates_table = turned}};
}

class Bluestein final : public Formula {
 public:
  explicit Bluestein(Chirp chirp) : chirp_(std::move(chirp)) {}

  std::string name() const override {
    return text("convolution of 2 x ", chirp_.home.shape()[0], " points (Bluestein)");
  }
  std::string name(int work) const override {
    return work == times_transformed           ? "times transformed chirp"
           : work == spread || work == collect ? "times chirp"
                                               : "chirp";
  }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local) const override {
    return in_precision<Chirps>(real_bytes, chirp_, rank);
  }

 private:
  Chirp chirp_;
};

}  // namespace

Composition bluestein(schedule::Problem const& line, schedule::Choices const& choices) {
  Index const n = line.input.shape()[0];
  auto [home, transform] = cheapest_convolution(line, choices);
  Layout const points = schedule::cut(home, n);
  double const length = static_cast<double>(home.shape()[0]);

  Composition made{.input = layout::place(line.input),
                   .output = layout::place(*line.output),
                   .points = static_cast<double>(n)};
  std::size_t const formula =
      made.add(std::make_shared<Bluestein>(Chirp{n, home, transform.output.layout}));
  std::size_t const fft = made.add(std::move(transform));
  Slot const columns = made.add_work(two_columns(home));
  made.setup = {{Apply{formula, make_chirp}, columns, columns},
                {Run{fft}, columns, columns, false, 0.5 / length},
                {Apply{formula, keep}, columns, columns}};

  std::optional<Slot> between;  // for points that are not at home
  auto const moves = [&](Layout const& users) -> std::optional<std::size_t> {
    if (users == points) return std::nullopt;
    if (!between) between = made.add_work(points);
    return made.add(schedule::reroute(users, points, layout::Number::complex, line, choices));
  };
  auto const enter = moves(line.input), leave = moves(*line.output);
  for (bool backward : {false, true}) {
    auto const first = backward ? leave : enter, last = backward ? enter : leave;
    std::vector<Task>& tasks = backward ? made.backward : made.forward;
    if (first) tasks.push_back({Run{*first}, given, *between});
    tasks.push_back({Apply{formula, spread, backward}, first ? *between : given, columns});
    tasks.push_back({Run{fft, false, Times{formula, times_transformed}, false}, columns, columns});
    tasks.push_back({Run{fft, true, {}, false}, columns, columns});
    tasks.push_back({Apply{formula, collect, backward}, columns, last ? *between : result, true});
    if (last) tasks.push_back({Run{*last, true}, *between, result});
  }
  return made;
}

}  // namespace sixstep::formulas
