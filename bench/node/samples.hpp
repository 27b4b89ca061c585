// SPDX-License-Identifier: BSD-3-Clause
// What is transformed, and whether the result is right: a field that is a function of the global
// index, some of its spectrum by the definition, in long double, and the energy of all of it.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <vector>

#include "check.hpp"
#include "node/distributed.hpp"

namespace sixstep::bench::node {

// Source: Steele, Lea, Flood (2014), the finaliser of SplitMix64.
inline std::uint64_t hash(std::uint64_t seed) {
  seed += 0x9e3779b97f4a7c15;
  seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9;
  seed = (seed ^ (seed >> 27)) * 0x94d049bb133111eb;
  return seed ^ (seed >> 31);
}

/// Two numbers in [-0.5, 0.5) that single precision holds; of r2c, the first alone.
inline std::complex<double> field(Case const& c, Three const& at) {
  Index const index = (at[0] * c.shape[1] + at[1]) * c.shape[2] + at[2];
  std::uint64_t const bits = hash(static_cast<std::uint64_t>(index));
  auto const number = [](std::uint64_t word) {
    return static_cast<double>(word & 0xffffff) * 0x1p-24 - 0.5;
  };
  return {number(bits), c.kind == Kind::r2c ? 0 : number(bits >> 32)};
}

/// visit(indices, offset) of every element of a part, in the order of memory.
template <class Visit>
void for_each(Part const& part, Visit const& visit) {
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return part.strides[static_cast<std::size_t>(a)] > part.strides[static_cast<std::size_t>(b)];
  });
  auto const a = static_cast<std::size_t>(order[0]);
  auto const b = static_cast<std::size_t>(order[1]);
  auto const c = static_cast<std::size_t>(order[2]);
  auto const& [ranges, strides] = part;
  Three at;
  for (at[a] = ranges[a].lo; at[a] < ranges[a].hi; ++at[a])
    for (at[b] = ranges[b].lo; at[b] < ranges[b].hi; ++at[b]) {
      Index offset = (at[a] - ranges[a].lo) * strides[a] + (at[b] - ranges[b].lo) * strides[b];
      for (at[c] = ranges[c].lo; at[c] < ranges[c].hi; ++at[c], offset += strides[c])
        visit(at, offset);
    }
}

/// The field, in a contender's input.
template <class Real>
void fill(Case const& c, Prepared const& prepared) {
  auto* const reals = reinterpret_cast<Real*>(prepared.in.get());
  auto* const complexes = reinterpret_cast<std::complex<Real>*>(prepared.in.get());
  for_each(prepared.input, [&](Three const& at, Index offset) {
    auto const value = static_cast<std::complex<Real>>(field(c, at));
    if (c.kind == Kind::r2c)
      reals[offset] = value.real();
    else
      complexes[offset] = value;
  });
}

/// What nobody writes stays wrong.
template <class Real>
void poison(Prepared const& prepared) {
  auto* const out = reinterpret_cast<std::complex<Real>*>(prepared.out.get());
  for_each(prepared.output, [&](Three const&, Index offset) {
    out[offset] = std::numeric_limits<Real>::quiet_NaN();
  });
}

/// Zeros stay zeros, however often a contender loses its input and is run again.
template <class Real>
void clear(Case const& c, Prepared const& prepared) {
  Index const reals_of = c.kind == Kind::r2c ? 1 : 2;
  auto* const in = reinterpret_cast<Real*>(prepared.in.get());
  for_each(prepared.input, [&](Three const&, Index offset) {
    std::fill_n(in + offset * reals_of, reals_of, Real(0));
  });
}

/// The spectrum of the field at some places, and its energy.
class Reference {
 public:
  /// Collective.
  Reference(Case const& c, Setting const& setting) : case_(c), comm_(setting.comm) {
    Three const last{c.spectrum()[0] - 1, c.spectrum()[1] - 1, c.spectrum()[2] - 1};
    for (Index const third : {1, 2, 3})
      places_.push_back({last[0] * third / 3, last[1] * third / 3, last[2] * third / 3});
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Three place;
      for (std::size_t axis = 0; axis < 3; ++axis)
        place[axis] = static_cast<Index>(hash(~(3 * seed + axis)) >> 1) % c.spectrum()[axis];
      places_.push_back(place);
    }
    spectrum_.resize(places_.size());
    add_up(setting);
    sum_over_ranks(spectrum_);
    MPI_Allreduce(MPI_IN_PLACE, &energy_, 1, MPI_LONG_DOUBLE, MPI_SUM, comm_);
  }

  /// The largest error of a result at the places, over the size of a typical coefficient, and of
  /// its energy, over that of the field (Parseval). Collective.
  template <class Real>
  double error_of(Prepared const& prepared) const {
    auto const* const out = reinterpret_cast<std::complex<Real> const*>(prepared.out.get());
    std::vector<long double> errors(places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) errors[i] = distance(prepared.output, out, i);
    MPI_Allreduce(MPI_IN_PLACE, errors.data(), static_cast<int>(errors.size()), MPI_LONG_DOUBLE,
                  MPI_MIN, comm_);
    long double worst = 0;
    for (long double const error : errors) worst = worse(worst, error / std::sqrt(energy_));
    long double const energy = energy_of(prepared.output, out);
    auto const points = static_cast<long double>(case_.points());
    return static_cast<double>(worse(worst, std::abs(energy / (points * energy_) - 1)));
  }

 private:
  /// Over this rank's share of the first axis, or of the only one.
  void add_up(Setting const& setting) {
    std::vector<std::array<Wave, 3>> waves;
    for (Three const& place : places_)
      waves.push_back({Wave(-place[0], case_.shape[0]), Wave(-place[1], case_.shape[1]),
                       Wave(-place[2], case_.shape[2])});
    std::size_t const split = case_.one_axis() ? 2 : 0;
    auto ranges = whole(case_.shape).ranges;
    Index const n = case_.shape[split];
    ranges[split] = {n * setting.rank / setting.ranks, n * (setting.rank + 1) / setting.ranks};
    std::vector<Exact> row(places_.size());
    for (Index i = ranges[0].lo; i < ranges[0].hi; ++i)
      for (Index j = ranges[1].lo; j < ranges[1].hi; ++j) {
        std::fill(row.begin(), row.end(), Exact());
        for (Index k = ranges[2].lo; k < ranges[2].hi; ++k) {
          Exact const value(field(case_, {i, j, k}));
          energy_ += std::norm(value);
          for (std::size_t p = 0; p < row.size(); ++p) row[p] += value * waves[p][2](k);
        }
        for (std::size_t p = 0; p < row.size(); ++p)
          spectrum_[p] += row[p] * waves[p][0](i) * waves[p][1](j);
      }
  }

  /// From the coefficient at a place to what this rank has of it: nothing, if it is another's; in
  /// an order of the contender's own, whatever is nearest, for no two coefficients are that alike.
  template <class Real>
  long double distance(Part const& part, std::complex<Real> const* out, std::size_t place) const {
    long double least = HUGE_VALL;
    auto const compare = [&](Index offset) {
      least = std::min(least, std::abs(Exact(out[offset]) - spectrum_[place]));
    };
    if (case_.scrambled())
      for_each(part, [&](Three const&, Index offset) { compare(offset); });
    else if (auto const offset = place_of(part, places_[place]))
      compare(*offset);
    return least;
  }

  /// A coefficient of r2c that is not there is the conjugate of one that is.
  template <class Real>
  long double energy_of(Part const& part, std::complex<Real> const* out) const {
    Index const n = case_.shape[2];
    long double energy = 0;
    for_each(part, [&](Three const& at, Index offset) {
      bool const twice = case_.kind == Kind::r2c && at[2] != 0 && 2 * at[2] != n;
      energy += (twice ? 2 : 1) * std::norm(std::complex<double>(out[offset]));
    });
    MPI_Allreduce(MPI_IN_PLACE, &energy, 1, MPI_LONG_DOUBLE, MPI_SUM, comm_);
    return energy;
  }

  static std::optional<Index> place_of(Part const& part, Three const& at) {
    Index offset = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (at[axis] < part.ranges[axis].lo || at[axis] >= part.ranges[axis].hi) return std::nullopt;
      offset += (at[axis] - part.ranges[axis].lo) * part.strides[axis];
    }
    return offset;
  }

  /// Of two errors; a NaN is the worst of all.
  static long double worse(long double a, long double b) { return a >= b || std::isnan(a) ? a : b; }

  void sum_over_ranks(std::vector<Exact>& values) const {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(2 * values.size()), MPI_LONG_DOUBLE,
                  MPI_SUM, comm_);
  }

  Case const& case_;
  MPI_Comm comm_;
  std::vector<Three> places_;
  std::vector<Exact> spectrum_;
  long double energy_ = 0;
};

}  // namespace sixstep::bench::node
