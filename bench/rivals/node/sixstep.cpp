// SPDX-License-Identifier: BSD-3-Clause
// sixstep's distributed plans, as a program would use them.
#include "sixstep/sixstep.hpp"

#include <algorithm>

#include "local/transform.hpp"
#include "node/distributed.hpp"

namespace sixstep::bench::node {
namespace {

Layout slab(Case const& c, Three const& shape, int ranks) {
  return Layout::slab(c.one_axis() ? Shape{shape[2]} : Shape(shape), ranks);
}

template <class Real>
Prepared prepare(Case const& c, Setting const& setting) {
  using Complex = std::complex<Real>;
  bool const real = c.kind == Kind::r2c;
  sixstep::Options const options{.kinds = {real ? sixstep::Kind::r2c : sixstep::Kind::c2c},
                                 .preserve_input = !setting.plan_arrays,
                                 .threads = setting.threads};
  Layout const input = slab(c, c.shape, setting.ranks);
  Layout const natural = slab(c, c.spectrum(), setting.ranks);
  auto const plan = c.output == Output::natural
                        ? std::make_shared<Plan<Real>>(input, natural, setting.comm, options)
                        : std::make_shared<Plan<Real>>(input, setting.comm, options);
  auto const bytes = [](Index size, std::size_t element) {
    return static_cast<std::size_t>(size) * element;
  };
  bool const plans = setting.plan_arrays;
  std::shared_ptr<std::byte[]> const in =
      plans ? plan->template allocate<std::byte>()
            : allocate(bytes(plan->input_size(), real ? sizeof(Real) : sizeof(Complex)));
  std::shared_ptr<std::byte[]> const out =
      plans ? plan->template allocate<std::byte>()
            : allocate(bytes(plan->output_size(), sizeof(Complex)));
  auto const run = [=] {
    auto* const to = reinterpret_cast<Complex*>(out.get());
    if (real)
      plan->forward(reinterpret_cast<Real const*>(in.get()), to);
    else
      plan->forward(reinterpret_cast<Complex const*>(in.get()), to);
  };
  // What it does with these arrays is known when it has done it.
  run();
  auto const parts = plan->breakdown();
  auto const moves = [](auto const& part) { return part.bytes > 0; };
  return {in,
          out,
          part_of(plan->input(), setting.rank),
          part_of(plan->output(), setting.rank),
          run,
          static_cast<int>(std::count_if(parts.begin(), parts.end(), moves))};
}

}  // namespace

Contender sixstep_contender() {
  return {"sixstep", text(version, " ", local::instruction_set()), false,
          [](Case const& c, Setting const& setting) {
            return c.single ? prepare<float>(c, setting) : prepare<double>(c, setting);
          }};
}

}  // namespace sixstep::bench::node
