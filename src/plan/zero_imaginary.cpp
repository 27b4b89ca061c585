// SPDX-License-Identifier: BSD-3-Clause
// Real transforms of odd lengths on all ranks.
#include "plan/zero_imaginary.hpp"

#include "plan/line.hpp"

namespace sixstep::plan {

Composition zero_imaginary(Problem const& line, Choices const& choices) {
  Layout const kept = cut(line.input, line.output->shape()[0]);
  Composition made{exchange::place(line.input), exchange::place(*line.output), Number::real};
  made.points = static_cast<double>(line.input.shape()[0]);
  std::size_t const formula = made.add(ZeroImaginary{line.input, kept});
  std::size_t const leave = made.add(reroute(kept, *line.output, Number::complex, line, choices));
  Slot const wide = made.add_work(line.input);
  made.forward = {{Apply{formula, Map::widen}, given, wide}};
  made.backward = {{Run{leave, true}, given, wide}, {Apply{formula, Map::fill, true}, wide, wide}};
  Problem const inner{.input = line.input, .output = line.input, .real_bytes = line.real_bytes};
  made.add(compose(inner, choices), {wide, wide}, {wide, wide});
  made.forward.push_back({Run{leave}, wide, result});
  made.backward.push_back({Apply{formula, Map::narrow, true}, wide, result});
  return made;
}

template <class Real>
Widening<Real>::Widening(ZeroImaginary const& formula, int rank)
    : points_(range_of(formula.input, rank).count()),
      kept_(range_of(formula.kept, rank).count()),
      has_first_(kept_ > 0 && range_of(formula.kept, rank).lo == 0) {}

template <class Real>
void Widening<Real>::apply(Map map, bool, Operands<Real> const& on) {
  std::complex<Real> const* const source = on.complex_source();
  std::complex<Real>* const target = on.complex_target();
  if (map == Map::widen) {
    for_each(points_, on.threads, [&](Index i) { target[i] = on.source[i]; });
  } else if (map == Map::fill) {
    for_each(points_, on.threads, [&](Index i) {
      Real const weight = i >= kept_ ? Real(0) : i == 0 && has_first_ ? Real(1) : Real(2);
      target[i] = weight == 0 ? std::complex<Real>(0) : source[i] * weight;
    });
  } else {
    for_each(points_, on.threads, [&](Index i) { on.target[i] = source[i].real(); });
  }
}

template class Widening<float>;
template class Widening<double>;

}  // namespace sixstep::plan
