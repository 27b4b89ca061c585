// SPDX-License-Identifier: BSD-3-Clause
// Operators on a device give what they give on the host; those that need the host are refused.
#include <gtest/gtest.h>
#include <mpi.h>

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "device_plans.hpp"
#include "ranks.hpp"
#include "refuses.hpp"
#include "sixstep/sixstep.hpp"

namespace sixstep::on_devices {
namespace {

TEST(device, operators_multiply_on_their_way) {
  OperatorOptions options;
  static_cast<Options&>(options) = on_device();
  Wave const wave{{3, 2, 1}, 0.5};
  double const square = 9 + 4 + 1;
  for (Exchange exchange : {Exchange::shared, Exchange::pairwise}) {
    options.exchange = exchange;
    Plan<double> plan(slabs(), MPI_COMM_WORLD, on_device());
    Operator<double> solve(slabs(), MPI_COMM_WORLD, symbols::inverse_laplacian(), options);
    auto const in = array_of(wave, plan), out = plan.allocate();
    solve.apply(in.get(), out.get());
    expect_wave(wave, -1 / square, plan, out.get());
    solve.apply(out.get(), out.get());  // in place
    expect_wave(wave, 1 / (square * square), plan, out.get());
    for (int round = 2; round < 5; ++round) {
      solve.renew(Symbol([round](Wavevector const& k) {
        return round * (k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
      }));
      solve.apply(in.get(), out.get());
      expect_wave(wave, round * square, plan, out.get());
    }
  }
}

/// The operator on the device gives what it gives on the host.
template <class Real>
void expect_as_on_the_host(OperatorOptions options, Symbol const& symbol, Layout const& layout,
                           OperatorResult const& to) {
  bool const has_reals = !options.kinds.empty() && options.kinds.back() != Kind::c2c;
  options.device = Device::none;
  Operator<Real> here(layout, to, MPI_COMM_WORLD, symbol, options);
  options.device = tested;
  Operator<Real> there(layout, to, MPI_COMM_WORLD, symbol, options);
  std::size_t const each = has_reals ? 1 : 2;
  auto const taken = static_cast<std::size_t>(here.input_size()) * each;
  auto const reals = static_cast<std::size_t>(here.output_size()) * each;
  std::size_t const bytes = reals * sizeof(Real);
  std::vector<Real> in(taken + 2), out(reals + 2), got(reals + 2);
  for (std::size_t i = 0; i < taken; ++i)
    in[i] = static_cast<Real>((17 * i + static_cast<std::size_t>(ranks::rank())) % 29) / 29;
  auto const array = there.allocate(), result = there.allocate();
  copy(tested, array.get(), in.data(), taken * sizeof(Real));
  if (has_reals) {
    here.apply(in.data(), out.data());
    there.apply(reinterpret_cast<Real*>(array.get()), reinterpret_cast<Real*>(result.get()));
  } else {
    auto const as_complex = [](auto* values) {
      return reinterpret_cast<std::complex<Real>*>(values);
    };
    here.apply(as_complex(in.data()), as_complex(out.data()));
    there.apply(array.get(), result.get());
  }
  copy(tested, got.data(), result.get(), bytes);
  double const error = sizeof(Real) == sizeof(float) ? 1e-4 : 1e-11;
  for (std::size_t i = 0; i < reals; ++i) EXPECT_NEAR(got[i], out[i], error) << i;
}

template <class Real>
void expect_as_on_the_host(OperatorOptions const& options, Symbol const& symbol,
                           Layout const& layout) {
  expect_as_on_the_host<Real>(options, symbol, layout, {layout});
}

TEST(device, operators_between_walls_are_those_of_the_host) {
  for (std::vector<Kind> const& kinds : {std::vector{Kind::dct2},
                                         {Kind::dst1},
                                         {Kind::dct1, Kind::dst2, Kind::dct4},
                                         {Kind::c2c, Kind::dct2, Kind::c2c},
                                         {Kind::dst3, Kind::c2c, Kind::r2c}}) {
    OperatorOptions options;
    static_cast<Options&>(options) = on_device();
    options.kinds = kinds;
    for (Layout const& layout : {slabs(), Layout::slab({7, 6, 5}, all())}) {
      expect_as_on_the_host<double>(options, symbols::inverse_laplacian(), layout);
      expect_as_on_the_host<float>(options, symbols::inverse_laplacian(), layout);
    }
  }
}

TEST(device, operators_have_results_of_their_own_as_on_the_host) {
  for (bool const has_reals : {false, true})
    for (Shape const& shape : {Shape{8, 12, 5}, Shape{10, 5, 9}, Shape{8, 6, 7}}) {
      OperatorOptions options;
      static_cast<Options&>(options) = on_device();
      if (has_reals) options.kinds = {Kind::r2c};
      Layout const from = Layout::slab({8, 6, 7}, all()), to = Layout::slab(shape, all(), 1);
      expect_as_on_the_host<double>(options, symbols::gaussian(0.3), from, {to});
      expect_as_on_the_host<float>(options, symbols::gaussian(0.3), from, {to});
      // Points of a longer transform from the fourth on, which begin again at its first.
      Shape lengths = shape, first(shape.size(), 3);
      for (Index& length : lengths) ++length;
      expect_as_on_the_host<double>(
          options, symbols::gaussian(0.3), from,
          {to, {lengths.begin(), lengths.end()}, {first.begin(), first.end()}});
    }
}

/// A long axis that ranks share is two working axes.
TEST(device, operators_along_one_axis_are_those_of_the_host) {
  for (Index n : {Index{4096}, Index{3600}, Index{2401}}) {
    OperatorOptions options;
    static_cast<Options&>(options) = on_device();
    expect_as_on_the_host<double>(options, symbols::gaussian(1e-3), Layout::slab({n}, all()));
    expect_as_on_the_host<float>(options, symbols::gaussian(1e-3), Layout::slab({n}, all()));
  }
}

TEST(device, operators_are_those_of_the_host) {
  for (Layout const& layout :
       {slabs(), Layout::slab({9, 7}, all()), Layout::slab({11, 6, 5}, all())})
    for (bool const has_reals : {false, true})
      for (int fields : {1, 3})
        for (bool const interleaved : {false, true}) {
          OperatorOptions options;
          static_cast<Options&>(options) = on_device();
          options.fields = fields;
          options.interleaved = interleaved;
          if (has_reals) options.kinds = {Kind::r2c};
          for (Symbol const& symbol : {symbols::inverse_laplacian(), symbols::gaussian(0.3)}) {
            expect_as_on_the_host<double>(options, symbol, layout);
            expect_as_on_the_host<float>(options, symbol, layout);
          }
        }
}

TEST(device, operators_split_the_highest_wave_as_on_the_host) {
  for (bool const has_reals : {false, true})
    for (std::vector<Index> const& modes : {std::vector<Index>{8, 4, 6}, {4, 5, 8}, {10, 6, 2}}) {
      OperatorOptions options;
      static_cast<Options&>(options) = on_device();
      options.modes = modes;
      if (has_reals) options.kinds = {Kind::r2c};
      Layout const layout = Layout::slab({11, 6, 9}, all());
      expect_as_on_the_host<double>(options, symbols::gaussian(0.3), layout);
      expect_as_on_the_host<float>(options, symbols::laplacian(), layout);
    }
}

TEST(device, operators_that_need_the_host_are_refused) {
  OperatorOptions options;
  static_cast<Options&>(options) = on_device();
  auto const refuses_it = [&](auto const& make) {
    std::string const message = message_of(make);
    EXPECT_EQ(message.find("device: "), 0u) << message;
    for (std::string const& other : ranks::gather(message)) EXPECT_EQ(other, message);
  };
  refuses_it([&] {
    OperatorOptions called = options;
    called.kept = false;
    Operator<double>(slabs(), MPI_COMM_WORLD, symbols::laplacian(), called);
  });
  refuses_it([&] {
    OperatorOptions fields = options;
    fields.fields = 2;
    Operator<double>(
        slabs(), MPI_COMM_WORLD,
        Symbol::matrix(1, 2,
                       [](Wavevector const&, std::complex<double>* row) { row[0] = row[1] = 1; }),
        fields);
  });
  refuses_it([&] {
    PoissonOptions poisson;
    static_cast<Options&>(poisson) = on_device();
    Poisson<double>(slabs(), MPI_COMM_WORLD, poisson);
  });
}

}  // namespace
}  // namespace sixstep::on_devices
