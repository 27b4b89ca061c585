// SPDX-License-Identifier: BSD-3-Clause
// ducc0 in one process, in natural order.
#include <ducc0/fft/fft.h>

#include "node/distributed.hpp"

namespace sixstep::bench::node {
namespace {

template <class View, class Element>
View view(Part const& part, Element* data) {
  auto const n = [&](std::size_t axis) {
    return static_cast<std::size_t>(part.ranges[axis].count());
  };
  return View(data, std::vector<std::size_t>{n(0), n(1), n(2)},
              std::vector<std::ptrdiff_t>(part.strides.begin(), part.strides.end()));
}

template <class Real>
Prepared prepare(Case const& c, Setting const& setting) {
  using Complex = std::complex<Real>;
  Part const input = whole(c.shape), output = whole(c.spectrum());
  std::shared_ptr<std::byte[]> const in = allocate(c.input_bytes()),
                                     out = allocate(c.output_bytes());
  auto const axes = c.one_axis() ? std::vector<std::size_t>{2} : std::vector<std::size_t>{0, 1, 2};
  auto const threads = static_cast<std::size_t>(setting.threads);
  auto const to = view<ducc0::vfmav<Complex>>(output, reinterpret_cast<Complex*>(out.get()));
  std::function<void()> run = [=] {
    auto const from = view<ducc0::cfmav<Complex>>(input, reinterpret_cast<Complex*>(in.get()));
    ducc0::c2c<Real>(from, to, axes, true, Real(1), threads);
  };
  if (c.kind == Kind::r2c)
    run = [=] {
      auto const from = view<ducc0::cfmav<Real>>(input, reinterpret_cast<Real*>(in.get()));
      ducc0::r2c<Real>(from, to, axes, true, Real(1), threads);
    };
  return {in, out, input, output, run};
}

}  // namespace

Contender ducc_contender() {
  return {"ducc0", SIXSTEP_DUCC_VERSION, true, [](Case const& c, Setting const& setting) {
            return c.single ? prepare<float>(c, setting) : prepare<double>(c, setting);
          }};
}

}  // namespace sixstep::bench::node
