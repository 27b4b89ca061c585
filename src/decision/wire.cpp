// SPDX-License-Identifier: BSD-3-Clause
// Wire: errors of exchanges add up, and transforms keep them or let them grow a little.
#include "decision/wire.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

#include "sixstep/error.hpp"

namespace sixstep::decision {

namespace {

/// The largest singular value of a transform along one axis over its smallest.
double condition_of(Kind kind) {
  switch (kind) {
    case Kind::dct1:
      return 2;
    case Kind::r2c:
    case Kind::dct2:
    case Kind::dct3:
    case Kind::dst2:
    case Kind::dst3:
      return std::numbers::sqrt2;
    case Kind::c2c:
    case Kind::dct4:
    case Kind::dst1:
    case Kind::dst4:
      break;
  }
  return 1;
}

bool drops_elements(Options const& options) {
  return !options.modes.empty() || !options.lengths.empty() || !options.sphere.empty() ||
         !options.columns.empty();
}

/// Whether a run of a direction meets a condition.
template <class Meets>
bool any_run(formulas::Composition const& composition, Meets const& meets) {
  auto const does = [&](formulas::Task const& task) {
    auto const* const run = std::get_if<formulas::Run>(&task.what);
    return run && meets(*run);
  };
  return std::ranges::any_of(composition.forward, does) ||
         std::ranges::any_of(composition.backward, does);
}

double condition_of(formulas::Composition const& composition, Options const& options) {
  std::vector<Kind> kinds = options.kinds;
  int const fields = options.fields > 1 ? 1 : 0;
  auto const axes = options.axes.empty()
                        ? static_cast<std::size_t>(composition.input.layout.axes() - fields)
                        : options.axes.size();
  if (kinds.size() == 1 && kinds[0] != Kind::r2c) kinds.assign(axes, kinds[0]);
  double product = 1;
  for (Kind kind : kinds) product *= condition_of(kind);
  return product;
}

}  // namespace

double Rounding::bound(ShortForm const& form, int exchanges, int real_bytes) const {
  if (!form.shortens()) return 0;
  return condition * std::expm1(exchanges * std::log1p(rounding_bound(form, real_bytes)));
}

ShortForm Rounding::form(int exchanges, int real_bytes) const {
  ShortForm best;
  if (tolerance == 0 || exchanges == 0) return best;
  for (int bytes : {2, 3, 4, 6})
    for (int block : {4, 8, 16, 32, 64}) {
      ShortForm const form{bytes, block};
      if (bytes >= real_bytes || bound(form, exchanges + others, real_bytes) >= tolerance) continue;
      if (!best.shortens() || form.mean_bytes() < best.mean_bytes()) best = form;
    }
  return best;
}

Rounding rounding_of(formulas::Composition const& composition, Options const& options) {
  Rounding found{.tolerance = options.wire.tolerance};
  if (found.tolerance == 0) return found;
  require(!drops_elements(options),
          "wire: plans that keep all points and modes can shorten messages; where lengths, modes, "
          "sphere or columns drop some, rounding may be larger than what is left");
  require(!any_run(composition, [](formulas::Run const& run) { return run.times.has_value(); }),
          "wire: a single axis of a length with large prime factors is transformed by a "
          "convolution, through which no bound of rounding is known");
  found.condition = condition_of(composition, options);
  for (auto const* tasks : {&composition.forward, &composition.backward}) {
    int exchanges = 0, runs = 0;
    for (formulas::Task const& task : *tasks)
      if (auto const* const run = std::get_if<formulas::Run>(&task.what)) {
        exchanges += composition.schedules[run->schedule].exchanges();
        ++runs;
      }
    constexpr int most_hops = 2;
    if (runs > 1) found.others = std::max(found.others, most_hops * exchanges);
  }
  return found;
}

}  // namespace sixstep::decision
