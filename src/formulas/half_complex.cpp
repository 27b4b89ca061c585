// SPDX-License-Identifier: BSD-3-Clause
// Transforms of reals of even length on all ranks.
#include "formulas/half_complex.hpp"

#include <algorithm>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "formulas/pointwise.hpp"
#include "local/numbers/roots.hpp"
#include "schedule/line.hpp"
#include "sixstep/error.hpp"

namespace sixstep::formulas {

namespace {

/// The layout of pairs of reals; each pair lies where its first one lies.
Layout halved(Layout const& line) {
  Index const n = line.shape()[0];
  if (schedule::is_cyclic(line)) return Layout::slab({n / 2}, line.ranks());
  std::vector<Series> series;
  auto const add = [&](int first, int parts, Range const& range, Index distance) {
    append(series, {first, parts, {(range.lo + 1) / 2, (range.hi + 1) / 2}, distance / 2});
  };
  for (Series const& each : schedule::series_of(line)) {
    if (each.distance % 2 == 0)
      add(each.first, each.parts, each.range, each.distance);
    else
      for (int part = each.first; part < each.end(); ++part) add(part, 1, each.of(part), 0);
  }
  return schedule::blocks(line, n / 2, std::move(series));
}

Layout doubled(Layout const& line) {
  std::vector<Series> series;
  for (Series const& each : schedule::series_of(line))
    append(series,
           {each.first, each.parts, {2 * each.range.lo, 2 * each.range.hi}, 2 * each.distance});
  return schedule::blocks(line, 2 * line.shape()[0], std::move(series));
}

/// The layout where rank r has n - 1 - k if it has k in `line`.
Layout mirrored(Layout const& line) {
  Index const n = line.shape()[0];
  std::vector<Series> series;
  for (Series const& each : schedule::series_of(line))
    append(series,
           {each.first, each.parts, {n - each.range.hi, n - each.range.lo}, -each.distance});
  return schedule::blocks(line, n, std::move(series));
}

/// join: coefficients of reals from those of complex numbers; split: the reverse.
enum HalvesWork : int { join, split };

/// One rank's table: a root of unity for each of its coefficients.
template <class Real>
class Halves final : public Pointwise {
 public:
  Halves(Index n, Layout const& spectrum, int rank)
      : range_(schedule::range_of(spectrum, rank)), last_(n / 2) {
    local::Roots const roots(n);
    for (Index k = range_.lo; k < range_.hi; ++k) roots_.push_back(roots.at<Real>(k));
  }

  /// join: makes the coefficients of reals from those of complex numbers and `other`, which has the
  /// same ones mirrored. split: does the reverse; target is other.
  void apply(int work, Operands const& on) override {
    auto const* const source = static_cast<Complex const*>(on.source);
    auto const* const mirror = static_cast<Complex const*>(on.other);
    auto* const target = static_cast<Complex*>(on.target);
    if (work == join)
      join_halves(source, mirror, target, on.threads);
    else
      split_in_halves(source, mirror, target, on.threads);
  }

  /// join: own (1 - i w) + conj(partner) (1 + i w); split: the same with the conjugates of these
  /// factors.
  Changes changes(int work, Operands const&) override {
    if (own_.empty())
      for (Complex const& w : roots_) {
        Complex const turned(-w.imag(), w.real());  // i w
        own_.push_back(Real(1) - turned);
        partner_.push_back(Real(1) + turned);
      }
    return work == join ? changes_to_join() : changes_to_split();
  }
  std::size_t change_scratch_bytes() const override {
    return static_cast<std::size_t>(range_.count() / 2) * sizeof(Complex);
  }

 private:
  using Complex = std::complex<Real>;

  static ChangeTable table(std::vector<Complex> const& numbers) {
    return {numbers.data(), numbers.size() * sizeof(Complex)};
  }
  bool has(Index k) const { return range_.lo <= k && k < range_.hi; }

  /// In place. The elements whose partner is missing are completed first: Z[n/2] is Z[0].
  Changes changes_to_join() const {
    Index const count = range_.count(), last = count - 1;
    Changes made;
    if (has(0)) made.push_back({.count = 1, .from = {{Array::source}}, .to = {Array::other, last}});
    if (has(last_))
      made.push_back({.count = 1, .from = {{Array::other}}, .to = {Array::source, last}});
    made.push_back(
        {.count = count, .from = {{Array::source}}, .to = {Array::target}, .table = table(own_)});
    made.push_back({.count = count,
                    .from = {{Array::other, last, -1}},
                    .to = {Array::target},
                    .conjugates = true,
                    .adds = true,
                    .table = table(partner_)});
    return made;
  }

  /// The target is `other`, which is reversed: its first half goes through scratch. Nobody reads
  /// Z[n/2], so only k = 0 has coefficients whose imaginary parts must not count.
  Changes changes_to_split() const {
    Index const count = range_.count(), last = count - 1, half = count / 2;
    Changes made;
    auto const partners = [&](ChangeSide const& from, Index first, Index trips) {
      made.push_back({.count = trips,
                      .from = from,
                      .to = {Array::target, first},
                      .conjugates = true,
                      .table = table(partner_),
                      .first_in_table = first,
                      .conjugates_table = true});
    };
    auto const own = [&](Index first, Index trips, bool is_real) {
      made.push_back({.count = trips,
                      .from = {{Array::source, is_real ? 2 * first : first}},
                      .to = {Array::target, first},
                      .from_reals = is_real,
                      .adds = true,
                      .table = table(own_),
                      .first_in_table = first,
                      .conjugates_table = true});
    };
    Index const begin = has(0) ? 1 : 0;
    if (has(0))
      made.push_back({.count = 1,
                      .from = {{Array::other, 2 * last}},
                      .to = {Array::other, last},
                      .from_reals = true});
    made.push_back({.count = half, .from = {{Array::other}}, .to = {Array::scratch}});
    partners({Array::other, last, -1}, 0, half);
    partners({Array::other, half}, half, count % 2);
    partners({Array::scratch, half - 1, -1}, count - half, half);
    own(begin, count - begin, false);
    if (has(0)) own(0, 1, true);
    return made;
  }

  Complex root(Index i) const { return roots_[static_cast<std::size_t>(i)]; }

  void join_halves(Complex const* source, Complex const* mirror, Complex* target,
                   int threads) const {
    Index const count = range_.count();
    for_each(count, threads, [&](Index i) {
      Index const k = range_.lo + i;
      // Z[n/2] is Z[0].
      Complex const here = k == last_ ? mirror[count - 1 - i] : source[i];
      Complex const there = std::conj(k == 0 ? source[i] : mirror[count - 1 - i]);
      Complex const odd = times(here - there, root(i));
      target[i] = here + there + Complex(odd.imag(), -odd.real());
    });
  }

  void split_in_halves(Complex const* source, Complex const* mirror, Complex* target,
                       int threads) const {
    Index const count = range_.count();
    auto const half = [&](Index i, Complex own, Complex partner) {
      Index const k = range_.lo + i;
      if (k == 0 || k == last_) own = own.real(), partner = partner.real();
      Complex const there = std::conj(partner);
      Complex const odd = times(own - there, std::conj(root(i)));
      return own + there + Complex(-odd.imag(), odd.real());
    };
    for_each((count + 1) / 2, threads, [&](Index i) {
      Index const j = count - 1 - i;
      Complex const of_i = mirror[j], of_j = mirror[i];
      target[i] = half(i, source[i], of_i);
      target[j] = half(j, source[j], of_j);
    });
  }

  Range range_;
  Index last_;  // n/2
  std::vector<Complex> roots_;
  std::vector<Complex> own_, partner_;  // 1 - i w and 1 + i w, on a device
};

class HalfComplex final : public Formula {
 public:
  HalfComplex(Index n, Layout spectrum) : n_(n), spectrum_(std::move(spectrum)) {}

  std::string name() const override { return text(n_, " reals as ", n_ / 2, " complex numbers"); }
  std::string name(int work) const override {
    return work == join ? "coefficients of reals" : "coefficients of complex numbers";
  }
  std::unique_ptr<Pointwise> on_rank(int rank, int real_bytes, Local) const override {
    return in_precision<Halves>(real_bytes, n_, spectrum_, rank);
  }

 private:
  Index n_;
  Layout spectrum_;  // of the n/2 + 1 coefficients
};

}  // namespace

Composition half_complex(schedule::Problem const& line, schedule::Choices const& choices) {
  Index const n = line.input.shape()[0], half = n / 2;
  Layout const pairs = halved(line.input), reals = doubled(pairs);
  Layout const spectrum = schedule::is_cyclic(*line.output)
                              ? Layout::slab({half + 1}, line.input.ranks())
                              : *line.output;

  Composition made{.input = layout::place(line.input, layout::Number::real),
                   .output = layout::place(*line.output),
                   .points = static_cast<double>(n)};
  std::size_t const formula = made.add(std::make_shared<HalfComplex>(n, spectrum));
  auto const reroute = [&](Layout const& from, Layout const& to, layout::Number number) {
    return made.add(schedule::reroute(from, to, number, line, choices));
  };
  std::size_t const mirror = reroute(spectrum, mirrored(spectrum), layout::Number::complex);
  Slot const partners = made.add_work(spectrum);
  bool const enters = !(line.input == reals);
  bool const leaves = !(*line.output == spectrum);
  Slot const between = enters || leaves ? made.add_work(spectrum) : given;
  std::size_t const enter = enters ? reroute(line.input, reals, layout::Number::real) : 0;
  std::size_t const leave = leaves ? reroute(spectrum, *line.output, layout::Number::complex) : 0;
  Slot const to = leaves ? between : result, back_from = leaves ? between : given;

  if (enters) made.forward.push_back({Run{enter}, given, between});
  if (leaves) made.backward.push_back({Run{leave, true}, given, between});
  made.backward.push_back({Run{mirror}, back_from, partners});
  made.backward.push_back({Apply{formula, split, true, partners}, back_from, partners});
  schedule::Problem const inner{
      .input = pairs, .output = schedule::cut(spectrum, half), .real_bytes = line.real_bytes};
  made.add(compose(inner, choices), {enters ? between : given, to, 0.5},
           {partners, enters ? between : result});
  made.forward.push_back({Run{mirror}, to, partners});
  made.forward.push_back({Apply{formula, join, false, partners}, to, to});
  if (leaves) made.forward.push_back({Run{leave}, between, result});
  if (enters) made.backward.push_back({Run{enter, true}, between, result});
  return made;
}

}  // namespace sixstep::formulas
