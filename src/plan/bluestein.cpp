// SPDX-License-Identifier: BSD-3-Clause
// Bluestein's transform on all ranks.
#include "plan/bluestein.hpp"

#include <algorithm>

#include "local/numbers/factor.hpp"
#include "local/numbers/roots.hpp"
#include "plan/line.hpp"

namespace sixstep::plan {

namespace {

/// The points of `line` where they are, and those from its end to `length`; none if some rank would
/// then have more than twice its share.
std::optional<Layout> extended(Layout const& line, Index length) {
  Index const n = line.shape()[0];
  if (is_cyclic(line)) return Layout::grid({length}, line.grid(), line.distribution());
  std::vector<Range> ranges;
  for (int rank = 0; rank < line.ranks(); ++rank) {
    ranges.push_back(range_of(line, rank));
    if (ranges.back().hi == n) ranges.back().hi = length;
  }
  Layout const longer = blocks(length, ranges);
  Index const even_share = (length + line.ranks() - 1) / line.ranks();
  if (longer.largest_local_size() > 2 * even_share) return std::nullopt;
  return longer;
}

/// Where the points of both convolutions are best: at home with the input, or else the output.
Layout home_of(Problem const& line, Index length) {
  for (Layout const* users : {&line.input, &*line.output})
    if (std::optional<Layout> const home = extended(*users, length)) return *home;
  return Layout::slab({length}, line.input.ranks());
}

/// Two columns of the points of `home`, one behind the other in memory.
Layout two_columns(Layout const& home) {
  Shape const shape{2, home.shape()[0]};
  if (is_cyclic(home))
    return Layout::grid(shape, {1, home.ranks()}, {Distribution::block, Distribution::cyclic});
  std::vector<Box> boxes;
  for (int rank = 0; rank < home.ranks(); ++rank) {
    Range const range = range_of(home, rank);
    boxes.push_back({{{0, range.empty() ? 0 : 2, 1}, range}});
  }
  return Layout::boxes(shape, boxes);
}

struct Convolution {
  Layout home;
  Schedule transform;
};

Convolution convolution(Problem const& line, Index length, Choices const& choices) {
  Layout const home = home_of(line, length);
  return {home, schedule({.input = two_columns(home), .axes = {1}, .real_bytes = line.real_bytes},
                         choices)};
}

/// The cheaper of the length with the fewest operations and one that divides evenly.
Convolution cheapest_convolution(Problem const& line, Choices const& choices) {
  Index const n = line.input.shape()[0], ranks = line.input.ranks();
  Convolution best = convolution(line, local::cheapest_smooth(n), choices);
  if (local::is_smooth(ranks) && ranks * ranks <= n / 16) {
    Convolution even = convolution(line, local::cheapest_smooth(n, ranks * ranks), choices);
    if (even.transform.seconds < best.transform.seconds) best = std::move(even);
  }
  return best;
}

}  // namespace

Composition bluestein(Problem const& line, Choices const& choices) {
  Index const n = line.input.shape()[0];
  auto [home, transform] = cheapest_convolution(line, choices);
  Layout const points = cut(home, n);
  double const length = static_cast<double>(home.shape()[0]);

  Composition made{exchange::place(line.input), exchange::place(*line.output)};
  made.points = static_cast<double>(n);
  std::size_t const formula = made.add(Bluestein{n, home, transform.output.layout});
  std::size_t const fft = made.add(std::move(transform));
  Slot const columns = made.add_work(two_columns(home));
  made.setup = {{Apply{formula, Map::chirp}, columns, columns},
                {Run{fft}, columns, columns, false, 0.5 / length},
                {Apply{formula, Map::keep}, columns, columns}};

  std::optional<Slot> between;  // for points that are not at home
  auto const moves = [&](Layout const& users) -> std::optional<std::size_t> {
    if (same_points(users, points)) return std::nullopt;
    if (!between) between = made.add_work(points);
    return made.add(reroute(users, points, Number::complex, line, choices));
  };
  auto const enter = moves(line.input), leave = moves(*line.output);
  for (bool backward : {false, true}) {
    auto const first = backward ? leave : enter, last = backward ? enter : leave;
    std::vector<Task>& tasks = backward ? made.backward : made.forward;
    if (first) tasks.push_back({Run{*first}, given, *between});
    tasks.push_back({Apply{formula, Map::spread, backward}, first ? *between : given, columns});
    tasks.push_back({Run{fft}, columns, columns});
    tasks.push_back({Apply{formula, Map::multiply}, columns, columns});
    tasks.push_back({Run{fft, true}, columns, columns});
    tasks.push_back(
        {Apply{formula, Map::collect, backward}, columns, last ? *between : result, true});
    if (last) tasks.push_back({Run{*last, true}, *between, result});
  }
  return made;
}

template <class Real>
Chirps<Real>::Chirps(Bluestein const& formula, int rank)
    : formula_(formula),
      range_(range_of(formula.home, rank)),
      points_(range_.count()),
      transformed_(static_cast<std::size_t>(formula.spectrum.local_size(rank))) {
  Index const n = formula.n, length = formula.home.shape()[0];
  filled_ = Range{range_.lo, std::min(range_.hi, n), range_.step}.count();
  local::Roots const chirp(2 * n), turn(2 * length);
  for (Index i = 0; i < points_; ++i) {
    Index const j = range_.lo + i * range_.step;
    if (j < n)
      chirp_.push_back(chirp.at<Real>(static_cast<Index>(static_cast<__int128>(j) * j % (2 * n))));
    turn_.push_back(turn.at<Real>(j));
  }
}

/// b[m] for -n < m < n, at m mod 2L: first both halves' sum, then their difference times w_2L^j.
template <class Real>
void Chirps<Real>::write_chirp(Complex* columns) const {
  Index const n = formula_.n, length = formula_.home.shape()[0];
  local::Roots const roots(2 * n);
  auto const b = [&](Index m) {
    if (m >= n) return std::complex<double>(0);
    return std::conj(roots.at<double>(static_cast<Index>(static_cast<__int128>(m) * m % (2 * n))));
  };
  local::Roots const turn(2 * length);
  for (Index i = 0; i < points_; ++i) {
    Index const j = range_.lo + i * range_.step;
    columns[i] = static_cast<Complex>(b(j) + b(length - j));
    columns[points_ + i] = static_cast<Complex>(times(b(j) - b(length - j), turn.at<double>(j)));
  }
}

template <class Real>
void Chirps<Real>::apply(Map map, bool backward, Operands<Real> const& on) {
  Complex const* const source = on.complex_source();
  Complex* const target = on.complex_target();
  auto const at = [](Index i) { return static_cast<std::size_t>(i); };
  // Backward is the conjugate of the transform of the conjugate.
  auto const turned = [&](Complex value) { return backward ? std::conj(value) : value; };
  if (map == Map::chirp) {
    write_chirp(target);
  } else if (map == Map::keep) {
    std::copy_n(source, transformed_.size(), transformed_.begin());
  } else if (map == Map::spread) {
    for_each(points_, on.threads, [&](Index i) {
      Complex const value = i < filled_ ? times(turned(source[i]), chirp_[at(i)]) : Complex(0);
      target[i] = value;
      target[points_ + i] = times(value, turn_[at(i)]);
    });
  } else if (map == Map::multiply) {
    for_each(static_cast<Index>(transformed_.size()), on.threads,
             [&](Index i) { target[i] = times(source[i], transformed_[at(i)]); });
  } else {
    for_each(filled_, on.threads, [&](Index i) {
      Complex const sum = source[i] + times(source[points_ + i], std::conj(turn_[at(i)]));
      target[i] = turned(times(sum, chirp_[at(i)])) * on.factor;
    });
  }
}

template class Chirps<float>;
template class Chirps<double>;

}  // namespace sixstep::plan
