// SPDX-License-Identifier: BSD-3-Clause
// Real transforms of even lengths on all ranks.
#include "plan/half_complex.hpp"

#include <utility>

#include "local/numbers/roots.hpp"
#include "plan/line.hpp"

namespace sixstep::plan {

namespace {

/// Pairs of reals, where their first ones are.
Layout halved(Layout const& line) {
  Index const n = line.shape()[0];
  if (is_cyclic(line)) return Layout::slab({n / 2}, line.ranks());
  std::vector<Range> ranges;
  for (int rank = 0; rank < line.ranks(); ++rank) {
    Range const range = range_of(line, rank);
    ranges.push_back({(range.lo + 1) / 2, (range.hi + 1) / 2});
  }
  return blocks(n / 2, ranges);
}

Layout doubled(Layout const& line) {
  std::vector<Range> ranges;
  for (int rank = 0; rank < line.ranks(); ++rank) {
    Range const range = range_of(line, rank);
    ranges.push_back({2 * range.lo, 2 * range.hi});
  }
  return blocks(2 * line.shape()[0], ranges);
}

/// Where rank r has k, here it has n - 1 - k.
Layout mirrored(Layout const& line) {
  Index const n = line.shape()[0];
  std::vector<Range> ranges;
  for (int rank = 0; rank < line.ranks(); ++rank) {
    Range const range = range_of(line, rank);
    ranges.push_back({n - range.hi, n - range.lo});
  }
  return blocks(n, ranges);
}

}  // namespace

Composition half_complex(Problem const& line, Choices const& choices) {
  Index const n = line.input.shape()[0], half = n / 2;
  Layout const pairs = halved(line.input), reals = doubled(pairs);
  Layout const spectrum =
      is_cyclic(*line.output) ? Layout::slab({half + 1}, line.input.ranks()) : *line.output;

  Composition made{exchange::place(line.input), exchange::place(*line.output), Number::real};
  made.points = static_cast<double>(n);
  std::size_t const formula = made.add(HalfComplex{n, spectrum});
  auto const reroute = [&](Layout const& from, Layout const& to, Number number) {
    return made.add(plan::reroute(from, to, number, line, choices));
  };
  std::size_t const mirror = reroute(spectrum, mirrored(spectrum), Number::complex);
  Slot const partners = made.add_work(spectrum);
  bool const enters = !same_points(line.input, reals);
  bool const leaves = !same_points(*line.output, spectrum);
  Slot const between = enters || leaves ? made.add_work(spectrum) : given;
  std::size_t const enter = enters ? reroute(line.input, reals, Number::real) : 0;
  std::size_t const leave = leaves ? reroute(spectrum, *line.output, Number::complex) : 0;
  Slot const to = leaves ? between : result, back_from = leaves ? between : given;

  if (enters) made.forward.push_back({Run{enter}, given, between});
  if (leaves) made.backward.push_back({Run{leave, true}, given, between});
  made.backward.push_back({Run{mirror}, back_from, partners});
  made.backward.push_back({Apply{formula, Map::split, true, partners}, back_from, partners});
  Problem const inner{.input = pairs, .output = cut(spectrum, half), .real_bytes = line.real_bytes};
  made.add(compose(inner, choices), {enters ? between : given, to, 0.5},
           {partners, enters ? between : result});
  made.forward.push_back({Run{mirror}, to, partners});
  made.forward.push_back({Apply{formula, Map::join, false, partners}, to, to});
  if (leaves) made.forward.push_back({Run{leave}, between, result});
  if (enters) made.backward.push_back({Run{enter, true}, between, result});
  return made;
}

template <class Real>
Halves<Real>::Halves(HalfComplex const& formula, int rank)
    : range_(range_of(formula.spectrum, rank)), last_(formula.n / 2) {
  local::Roots const roots(formula.n);
  for (Index k = range_.lo; k < range_.hi; ++k) roots_.push_back(roots.at<Real>(k));
}

template <class Real>
void Halves<Real>::apply(Map map, bool, Operands<Real> const& on) {
  Complex const* const source = on.complex_source();
  Complex const* const mirror = on.complex_other();
  Complex* const target = on.complex_target();
  Index const count = range_.count();
  auto const root = [&](Index i) { return roots_[static_cast<std::size_t>(i)]; };
  if (map == Map::join) {
    for_each(count, on.threads, [&](Index i) {
      Index const k = range_.lo + i;
      // Z[n/2] is Z[0].
      Complex const here = k == last_ ? mirror[count - 1 - i] : source[i];
      Complex const there = std::conj(k == 0 ? source[i] : mirror[count - 1 - i]);
      Complex const odd = times(here - there, root(i));
      target[i] = here + there + Complex(odd.imag(), -odd.real());
    });
    return;
  }
  auto const whole = [&](Index i, Complex own, Complex partner) {
    Index const k = range_.lo + i;
    if (k == 0 || k == last_) own = own.real(), partner = partner.real();
    Complex const there = std::conj(partner);
    Complex const odd = times(own - there, std::conj(root(i)));
    return own + there + Complex(-odd.imag(), odd.real());
  };
  for_each((count + 1) / 2, on.threads, [&](Index i) {
    Index const j = count - 1 - i;
    Complex const of_i = mirror[j], of_j = mirror[i];
    target[i] = whole(i, source[i], of_i);
    target[j] = whole(j, source[j], of_j);
  });
}

template class Halves<float>;
template class Halves<double>;

}  // namespace sixstep::plan
